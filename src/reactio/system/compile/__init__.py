"""From a model to a system: bodies, frames and rows sorted by kind and laid out in flat arrays."""
