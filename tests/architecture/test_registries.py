"""Registries: an entry is found in the file of its name, without importing the others."""

from __future__ import annotations

import importlib
import pkgutil
import subprocess
import sys

import pytest

import reactio
from reactio.catalogue import registry
from reactio.catalogue.registry import Registry
from reactio.errors import ReactioError


def registries() -> dict[str, Registry[object]]:
    """Every registry of the package, by the packages that fill it."""
    found: dict[str, Registry[object]] = {}
    for module in pkgutil.walk_packages(reactio.__path__, "reactio."):
        if module.ispkg or module.name.count(".") == 1:
            if module.name == "reactio.__main__":
                continue
            for value in vars(importlib.import_module(module.name)).values():
                if isinstance(value, Registry):
                    found[" ".join(value.packages)] = value
    return found


@pytest.mark.parametrize("packages", sorted(registries()))
def test_an_entry_stands_in_the_file_of_its_name(packages: str) -> None:
    found = registries()[packages]
    folders = (*found.packages, *registry._FURTHER.get(found.word, ()))
    files = {
        module.name for folder in folders for module in pkgutil.iter_modules(importlib.import_module(folder).__path__)
    }
    named = {name: name.replace("-", "_").replace(" ", "_") for name in found}
    # The exporter of YAML may not be called like the library that it imports.
    assert {name for name, file in named.items() if file not in files} <= {"yaml"}


def test_one_joint_is_imported_without_the_others() -> None:
    code = (
        "import sys; from reactio.joints import PLANAR_JOINTS as joints; joints.get('revolute'); "
        "gear = 'reactio.joints.planar.gear'; "
        "print(gear in sys.modules, 'no such' in joints, gear in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False", "True"]


def test_names_that_are_no_files_are_refused_in_words() -> None:
    for name in ("", "../x", "os.path", "revolut"):
        with pytest.raises(ReactioError, match="There is no planar joint"):
            registries()["reactio.joints.planar"].get(name)


def test_a_name_of_the_package_is_not_taken_unawares() -> None:
    """A name that the package has is refused at once, imported or not; taken out first, it may be used."""
    code = """
import sys
from reactio.errors import ReactioError
from reactio.forces import FORCES, ForceType, register
mine = ForceType("bushing", (), lambda p: (), "Mine.")
print("reactio.forces.bushing" in sys.modules)
try:
    register(mine)
except ReactioError as error:
    print(error)
FORCES.remove("bushing")
register(mine)
print(FORCES.get("bushing").doc, len(list(FORCES)))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == [
        "False",
        "The force 'bushing' is already registered; choose another name, or remove that one first with "
        "`remove('bushing')` of its registry.",
        "Mine. 12",
    ]
