"""Files that are no models: refused at once, in little memory, with one message that names the file."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import partial
from itertools import pairwise
from pathlib import Path

import pytest

from reactio.errors import ModelError, ReactioError
from reactio.library import load
from reactio.model.files.read import parse_model, read_model
from reactio.model.values.yaml_tree import MOST_DEPTH, parse_nodes

from ..counted_calls import calls_of

PENDULUM = """\
space: planar
bodies:
  rod: {mass: 1, inertia: 0.1, position: [0.5, 0]}
joints:
  A: {type: revolute, bodies: [ground, rod], at: [0, 0]}
"""


def message_of(file: Path) -> str:
    with pytest.raises(ModelError) as caught:
        read_model(file)
    assert str(file) in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("", 1, "is empty"),
        ("# nothing but a comment\n", 1, "is empty"),
        ("{}", 1, "is empty"),
        ("- space: planar\n", 1, "starts with a list"),
        ("just words", 1, "mapping"),
        ("space: planar\nbodies:\n\trod: {}\n", 3, "is not valid YAML"),
        ("space: planar\nbodies: {rod: {mass: 1\n", 3, "is not valid YAML"),
        ("space: planar\n  bodies: 1\n", 2, "is not valid YAML"),
        (f"{PENDULUM}---\nspace: planar\n", 6, "second document"),
        ("space: planar\nname: a\x07b\n", 2, "is not valid YAML"),
        ("space: planar\nbodies: *rod\n", 2, "alias *rod"),
        ("space: planar\nbodies: &b {rod: *b}\n", 2, "alias *b"),
        (f"space: planar\nbodies: {'[' * 60}{']' * 60}\n", 2, "levels deep"),
        ("space: planar\n? {a: b}\n: c\n", 2, "a name must be a text"),
    ],
)
def test_text_that_is_no_model(text: str, line: int, words: str, tmp_path: Path) -> None:
    file = tmp_path / "model.yaml"
    file.write_text(text, encoding="utf-8")
    message = message_of(file)
    assert f"model.yaml:{line}: " in message
    assert words in message


@pytest.mark.parametrize(
    "raw", [b"space: planar\nname: caf\xe9\n", "space: planar\n".encode("utf-16"), bytes(range(256)) * 16]
)
def test_other_encodings(raw: bytes, tmp_path: Path) -> None:
    file = tmp_path / "model.yaml"
    file.write_bytes(raw)
    assert "UTF-8" in message_of(file)


def test_what_is_no_file(tmp_path: Path) -> None:
    assert "folder" in message_of(tmp_path)
    assert "No such file" in message_of(tmp_path / "missing.yaml")
    assert "cannot be read" in message_of(tmp_path / "nul\0.yaml")
    assert "cannot be read" in message_of(tmp_path / f"{'long' * 100}.yaml")
    os.mkfifo(tmp_path / "pipe.yaml")
    assert "not an ordinary file" in message_of(tmp_path / "pipe.yaml")
    assert "not an ordinary file" in message_of(Path("/dev/zero"))


@pytest.mark.parametrize("source", ["no-such-thing", "n-four-barr", "x" * 5000, "nul\0", ""])
def test_unknown_sources(source: str) -> None:
    with pytest.raises(ReactioError):
        load(source)


def test_the_nearest_name_of_the_library_is_proposed() -> None:
    with pytest.raises(ReactioError, match="Did you mean 'n-four-bar'"):
        load("n-four-barr")


def test_alias_bombs(tmp_path: Path) -> None:
    names = "abcdefghij"
    lists = [
        f"  {a}: &{a} [{', '.join(['1' if a == 'a' else f'*{b}'] * 10)}]"
        for b, a in zip(" " + names, names, strict=False)
    ]
    doubled = [f"  {a}: &{a} {{x: *{b}, y: *{b}}}" for b, a in pairwise(names)] * 3
    merged = [f"  {a}: &{a} {{<<: [{', '.join([f'*{b}'] * 99)}]}}" for b, a in pairwise(names)]
    for body in (lists, ["  a: &a [1, 2]", *doubled], ["  a: &a {x: 1}", *merged]):
        file = tmp_path / "bomb.yaml"
        file.write_text("space: planar\nbodies:\n" + "\n".join(body) + "\n")
        shown: list[str] = []
        calls_of(partial(_keep_message, file, shown), most=1_000_000)  # written out: 10⁹ nodes
        assert "bomb.yaml:" in shown[0]


def _keep_message(file: Path, shown: list[str]) -> None:
    shown.append(message_of(file))


MB = 2**20
JUNK = {
    "binary": b"\x00\x01\xfe\xff" * (MB // 4),
    "text": b"The quick brown fox jumps over the lazy dog.\n" * (MB // 45),
    "words with colons": b"".join(b"key%d: value\n" % i for i in range(MB // 16)),
    "one line": b"x" * MB,
    "brackets": b"[" * MB,
    "braces": b"{" * MB,
    "dashes": b"- " * (MB // 2),
    "questions": b"? " * (MB // 2),
    "a list": b"- 1\n" * (MB // 4),
    "open quote": b'name: "' + b"x\n" * (MB // 2),
    "comments": b"# nothing\n" * (MB // 10),
}
READ = """
import resource, sys
from reactio.errors import ModelError
from reactio.model.files.read import read_model
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
try:
    read_model(sys.argv[1])
except ModelError as error:
    message = str(error)
after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print((after - before) / 1024, len(message), message[:200])
"""


@pytest.mark.parametrize("megabytes", [100, 30])  # above and below the limit
@pytest.mark.parametrize("kind", JUNK)
def test_a_large_file_of_junk(kind: str, megabytes: int, tmp_path: Path) -> None:
    file = tmp_path / "junk.yaml"
    with file.open("wb") as out:
        for _ in range(megabytes):
            out.write(JUNK[kind])
    try:
        run = subprocess.run([sys.executable, "-c", READ, str(file)], capture_output=True, text=True, check=True)
    finally:
        file.unlink()
    memory, letters, message = run.stdout.split(maxsplit=2)
    assert "junk.yaml" in message
    assert int(letters) < 1000
    # Bytes, letters, the parser's copy and its buffer at the most; nothing at all above the limit.
    assert float(memory) < (10 * megabytes if megabytes < 100 else 1)


def test_depth_is_counted_not_recursed() -> None:
    with pytest.raises(ModelError, match=f"more than {MOST_DEPTH} levels"):
        parse_nodes("a: " + "[" * 100_000)


def test_surrogates_in_a_text_from_python() -> None:
    with pytest.raises(ModelError, match="<model>:2: is not valid YAML"):
        parse_model("space: planar\nname: \ud800\n")


def test_merge_keys_take_in_what_is_not_said() -> None:
    text = """\
space: planar
bodies:
  one: &one {mass: 1, inertia: 0.1, position: [0.5, 0]}
  two: &two {<<: *one, position: [1.5, 0]}
  three: {<<: [*two, *one], mass: 3}
joints: {}
"""
    one, two, three = parse_model(text).bodies
    assert (two.mass, two.inertia, two.position) == (one.mass, one.inertia, (1.5, 0.0))
    assert (three.mass, three.position) == (3.0, two.position)


def test_names_in_any_script_and_numbers_as_names() -> None:
    model = parse_model(PENDULUM.replace("rod", "Stange_β ☂").replace("A:", "1:"))
    assert model.bodies[0].name == "Stange_β ☂"
    assert model.joints[0].name == "1"


@pytest.mark.parametrize(
    ("entry", "hint"),
    [
        ("{type: torque, body: b, torque: 1}", "has no field 'body'. Did you mean 'at'"),
        ("{type: torque, at: b, moment: 1}", "has no field 'moment'. Did you mean 'torque'"),
        ("{type: spring-damper, a: ground, b: b, k: 5, length: 1}", "has no field 'k'. Did you mean 'stiffness'"),
        ("{type: spring-damper, a: ground, b: b, stiffness: 5, free_length: 1}", "Did you mean 'length'"),
    ],
)
def test_words_of_other_programs_get_the_key_of_the_same_meaning(entry: str, hint: str) -> None:
    """A key that is no misspelling but another word for the same thing is answered with ours."""
    text = f"space: planar\nbodies: {{b: {{mass: 1, inertia: 1}}}}\nforces: {{f: {entry}}}\n"
    with pytest.raises(ReactioError, match=hint):
        parse_model(text)


def test_a_tab_is_called_a_tab() -> None:
    with pytest.raises(ModelError, match=r":3: is not valid YAML: there is a tab; indent with spaces"):
        parse_model("space: planar\nbodies:\n\tone: {mass: 1, inertia: 1}\n")
