"""Motion: assembly, accelerations, integration, reactions."""
