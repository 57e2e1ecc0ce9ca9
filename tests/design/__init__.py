"""The design desk: releases, sensors, error bars and envelopes."""
