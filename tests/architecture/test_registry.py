"""Registries fill themselves on first use, also when several threads ask at once."""

from __future__ import annotations

import os
import subprocess
import sys

EIGHT_AT_ONCE = """
import sys, threading
import reactio

sys.setswitchinterval(1e-5)  # threads take turns often, so that one asks while another is filling
begin, errors = threading.Barrier(8), []

def check():
    begin.wait()
    try:
        reactio.check(reactio.load("door"))
    except Exception as error:
        errors.append(repr(error))

threads = [threading.Thread(target=check) for _ in range(8)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(errors)
"""


def test_eight_threads_of_a_fresh_process_find_every_entry() -> None:
    environment = os.environ | {"REACTIO_KERNELS": "plain"}
    command = [sys.executable, "-c", EIGHT_AT_ONCE]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment, timeout=120)
    assert done.stdout.strip() == "[]"


def test_no_module_asks_a_registry_while_it_is_imported() -> None:
    """Two threads could wait for each other: for the lock of the registry, and for the import."""
    code = """
import importlib, inspect, pkgutil, reactio, reactio.catalogue.registry as registry

def watched(self, fill=registry.Registry._load):
    frame = inspect.currentframe()
    while frame := frame.f_back:
        if frame.f_code.co_name == "<module>" and frame.f_globals["__name__"].startswith("reactio"):
            print(self.word, frame.f_globals["__name__"])
    return fill(self)

registry.Registry._load = watched
for module in pkgutil.walk_packages(reactio.__path__, "reactio."):
    if not module.name.endswith("__main__"):
        importlib.import_module(module.name)
"""
    command = [sys.executable, "-c", code]
    environment = os.environ | {"REACTIO_KERNELS": "plain"}
    assert subprocess.run(command, capture_output=True, text=True, check=True, env=environment).stdout == ""
