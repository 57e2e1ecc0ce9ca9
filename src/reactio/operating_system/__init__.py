"""The operating system: files written whole or not at all, folders of the user, processes and their threads."""
