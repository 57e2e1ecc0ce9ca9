"""Starts that one method alone can integrate, one file each; the folder joins the registry of claims."""
