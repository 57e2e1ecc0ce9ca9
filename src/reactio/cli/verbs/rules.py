"""``reactio rules``: the sharing rules, and what their numbers depend on."""

from __future__ import annotations

from reactio.cli.arguments.options import AsJson
from reactio.cli.output.printing import console, escape, print_json, table
from reactio.results.as_data import picked


def rules(as_json: AsJson = False) -> None:
    """List the sharing rules and the choices that their numbers depend on.

    A rigid model leaves some reactions undetermined; a sharing rule picks one distribution of the load. The unit of
    length, the order of the joints and the direction of the world axes do not change a mechanism, but they change the
    numbers of a rule with ✗.

    Example: reactio rules
    """
    from reactio.sharing import CHANGES, RULES

    if as_json:
        listed = [
            picked(rule, "name doc W")
            | {"argument": rule.argument or None, "cite": rule.cite}
            | {"invariant_under": {change: change in rule.invariant for change in CHANGES}}
            for rule in RULES.values()
        ]
        print_json({"schema": "reactio.rules/1", "changes": CHANGES, "rules": listed})
        return
    out = console()
    listing = table("Sharing rules", "name", *(change.replace(" ", "\n", 1) for change in CHANGES), "minimises")
    for rule in RULES.values():
        marks = ["[green]✓[/]" if change in rule.invariant else "[red]✗[/]" for change in CHANGES]
        listing.add_row(rule.name + (":…" if rule.argument else ""), *marks, escape(rule.W))
    out.print(listing)
    out.print("✓ the forces and moments stay the same when the same mechanism is written with")
    for change, words in CHANGES.items():
        out.print(f"   [bold]{change}[/bold]: {words}")
    for rule in RULES.values():
        out.print(f"[bold]{rule.name}[/bold]  {escape(rule.doc)}")
