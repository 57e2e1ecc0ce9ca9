"""``reactio schema``: the JSON Schema of model files."""

from __future__ import annotations

from reactio.cli.output.printing import print_json


def schema() -> None:
    """Print the JSON Schema of model files, for editors.

    Save it next to your models and put `# yaml-language-server: $schema=reactio.schema.json` on the first line.
    """
    from reactio.model.files.schema import schema as model_schema

    print_json(model_schema())
