"""Turns that bring one axis of a frame to the place of another."""

import numpy as np

TURN_TO_X = np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]).T  # the new x axis is the old z axis
TURN_TO_Y = np.array([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]]).T  # the new y axis is the old z axis
