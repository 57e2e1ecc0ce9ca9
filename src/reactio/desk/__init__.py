"""The desk: a local page that follows a model file, changes it by clicks, and asks what the commands answer."""
