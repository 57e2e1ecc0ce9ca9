"""The rules of lint: one defect in each file; the folder is the registry."""
