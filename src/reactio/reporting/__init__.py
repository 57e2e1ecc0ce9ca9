"""Reports: everything a colleague needs to be convinced, as data, and as HTML, Markdown, PDF or JSON."""
