"""The rules of lint: one defect in each file, those that readers note in one; the folder is the registry."""
