"""The tests, a folder for each room; what several of them use stands in shared_models."""
