"""Arguments of verbs: their options, and the models and runs that they name."""
