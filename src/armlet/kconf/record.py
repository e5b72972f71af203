"""The record of a build: what was configured, in the package's module `_config` and in its compiled module.

Both hold the same definitions and their fingerprint. The one in the compiled module is a note (native/note.h), beside
others that tell of its tables of backends; it can be read without running any of it.
"""

import ast
import hashlib
import json
import re
from typing import Any, NamedTuple

from .errors import KconfError

SCHEMA = 1
FINGERPRINT = "FINGERPRINT"  # the definition that is about all the others

OWNER = b"armlet.kconf\0"
NOTE_RECORD, NOTE_TABLE = 0x101, 0x102
MAX_TEXT = 1 << 20  # bytes of a note, or of a module `_config`; the largest of a real project has a hundredth of it
MAX_NOTES = 1024  # in one file
MAX_ALL_NOTES = 2 * MAX_TEXT  # bytes of all of them
MAX_MODULE_TEXT = 1 << 19  # bytes of a module `_config`: Python's parser takes some 500 times that of memory
MAX_STATEMENTS = 100  # in it

# Definitions and a docstring: no prefix of a string, which could make an expression of it, and no second statement.
_PLAIN = re.compile(
    rb"""(?: \"{3}[^"\\]*+\"{3} | '(?:[^'\\\n]|\\.)*+' | "(?:[^"\\\n]|\\.)*+" | \#[^\n]*+
           | \w++(?!['"]) | [][{}(),:=.\s+-] )*+""",
    re.VERBOSE,
)

Record = dict[str, Any]

# What a record holds, as far as a report reads it: a type, a list of one kind, or a dict with these keys or with any.
_SHAPE: Any = {
    "SCHEMA": int,
    "PACKAGE": str,
    "VERSION": str,
    "TARGET": {"system": str, "cpu_family": str, "endian": str},
    "COMPILER": {"id": str, "version": str, "flags": [str]},
    "BASELINE": [str],
    "OPTIONS": {...: (bool, int, str)},
    "PROBES": {...: {"answer": str, "reason": (str, type(None)), "flags": [str]}},
    "REQUESTED": {...: {"value": str, "origin": str}},
    "DOTCONFIG": str,
    "DOTCONFIG_SHA256": str,
    "ALGORITHMS": {
        ...: {
            "family": str,
            "symbol": str,
            "built": bool,
            "selection": str,
            "backends": [
                {
                    "name": str,
                    "symbol": str,
                    "built": bool,
                    "needs": [str],
                    "requested": str,
                    "reason": (str, type(None)),
                }
            ],
        }
    },
    FINGERPRINT: str,
}


class Notes(NamedTuple):
    """What a compiled module says of itself."""

    record: Record
    tables: dict[str, list[str]]  # the backends of each algorithm, in order


def with_fingerprint(definitions: Record) -> Record:
    """Add the fingerprint of what is defined."""
    return {**definitions, FINGERPRINT: _fingerprint(definitions)}


def _fingerprint(definitions: Record) -> str:
    others = {name: value for name, value in definitions.items() if name != FINGERPRINT}
    return hashlib.sha256(json.dumps(others, sort_keys=True).encode()).hexdigest()


def to_json(record: Record) -> bytes:
    """Return the text of the note."""
    return json.dumps(record, separators=(",", ":")).encode()


def check(record: object, where: str) -> Record:
    """Return what was read, if it is a whole and unchanged record; WHERE it was read is for the error."""
    if isinstance(record, dict) and record.get("SCHEMA") != SCHEMA:
        raise KconfError(f"{where}: its record is of schema {record.get('SCHEMA')!r}; this version reads {SCHEMA}")
    if not isinstance(record, dict) or not _fits(record, _SHAPE):
        raise KconfError(f"{where}: its record is damaged: not what armlet.kconf writes")
    try:
        fingerprint = _fingerprint(record)
    except (TypeError, ValueError, RecursionError):  # something in it is none of JSON's types
        fingerprint = ""
    if record[FINGERPRINT] != fingerprint:
        raise KconfError(f"{where}: its record was changed: it does not have the fingerprint that it names")
    return record


def _fits(value: object, shape: Any) -> bool:
    if isinstance(shape, list):
        return isinstance(value, list) and all(_fits(item, shape[0]) for item in value)
    if not isinstance(shape, dict):
        return isinstance(value, shape)
    if not isinstance(value, dict):
        return False
    if ... in shape:
        return all(isinstance(key, str) and _fits(item, shape[...]) for key, item in value.items())
    return all(key in value and _fits(value[key], inner) for key, inner in shape.items())


def read_module(data: bytes, where: str) -> Record:
    """Read the text of a module `_config`, which is not run."""
    if len(data) > MAX_MODULE_TEXT:
        raise KconfError(f"{where}: more than {MAX_MODULE_TEXT} bytes: not a module that armlet.kconf writes")
    try:
        if not _PLAIN.fullmatch(data) or len(re.findall(rb"^\w", data, re.MULTILINE)) > MAX_STATEMENTS:
            raise ValueError
        body = ast.parse(data).body
        record = {
            statement.targets[0].id: ast.literal_eval(statement.value)
            for statement in body
            if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name)
        }
    except (SyntaxError, ValueError, TypeError, MemoryError, RecursionError):
        raise KconfError(f"{where}: not a module that armlet.kconf writes") from None
    return check(record, where)


def read_notes(data: bytes, where: str) -> Notes | None:
    """Find the notes in a compiled module, of any file format and architecture; None if there are none."""
    records, rows = [], []
    for kind, text in _notes(data, where):
        if kind == NOTE_RECORD:
            records.append(text)
        elif kind == NOTE_TABLE:
            rows += text.split("\n")[:-1]
    if not records and not rows:
        return None
    if len(records) != 1:
        raise KconfError(f"{where}: {len(records)} records in it: a module has one")
    try:
        record = json.loads(records[0])
    except (ValueError, RecursionError):
        raise KconfError(f"{where}: its record is damaged: not JSON") from None
    return Notes(check(record, where), _tables(rows, where))


def _tables(rows: list[str], where: str) -> dict[str, list[str]]:
    tables: dict[str, list[str]] = {}
    for row in rows:
        algorithm, _, backend = row.partition(" ")
        if not re.fullmatch(r"\w+", algorithm) or not re.fullmatch(r"[\w-]+", backend):
            raise KconfError(f"{where}: its tables are damaged: {row[:80]!r} is not an algorithm and a backend")
        tables.setdefault(algorithm, []).append(backend)
    return tables


def _notes(data: bytes, where: str) -> list[tuple[int, str]]:
    found: list[tuple[int, str]] = []
    name = OWNER.ljust(-len(OWNER) % 4 + len(OWNER), b"\0")
    total = 0
    position = data.find(name)
    while position >= 0:
        if len(found) == MAX_NOTES:
            raise KconfError(f"{where}: more than {MAX_NOTES} notes in it: not a module that armlet.kconf made")
        end = position + len(name)
        for order in ("little", "big"):
            sizes = data[max(position - 12, 0) : position]
            owner, size, kind = (int.from_bytes(sizes[i : i + 4], order) for i in (0, 4, 8))
            if owner == len(OWNER):
                text = _text(data[end : end + size], size, where)
                total += size
                if total > MAX_ALL_NOTES:  # they may overlap
                    raise KconfError(f"{where}: notes of more than {MAX_ALL_NOTES} bytes: not a module of armlet.kconf")
                found.append((kind, text))
        position = data.find(name, end)
    return found


def _text(text: bytes, size: int, where: str) -> str:
    if size > MAX_TEXT:
        raise KconfError(f"{where}: a note of {size} bytes in it: not a module that armlet.kconf made")
    if len(text) != size:
        raise KconfError(f"{where}: it ends within a note: it is cut off")
    try:
        return text.decode()
    except UnicodeDecodeError:
        raise KconfError(f"{where}: a note in it is not UTF-8") from None


def differences(notes: Notes) -> list[str]:
    """Tell what the tables of a compiled module say otherwise than its record."""
    return compare_tables(built_backends(notes.record), notes.tables)


def built_backends(record: Record) -> dict[str, list[str]]:
    """Return the backends that are built, by algorithm, as the record says."""
    return {
        algorithm: [backend["name"] for backend in entry["backends"] if backend["built"]]
        for algorithm, entry in record["ALGORITHMS"].items()
        if entry["built"]
    }


def compare_tables(recorded: dict[str, list[str]], compiled: dict[str, list[str]]) -> list[str]:
    """Tell where the backends of the record are not those of the compiled tables."""
    return [
        f"{name}: the record has {_list(recorded.get(name))}, the compiled tables have {_list(compiled.get(name))}"
        for name in sorted({*recorded, *compiled})
        if recorded.get(name) != compiled.get(name)
    ]


def _list(names: list[str] | None) -> str:
    return ", ".join(names or ["nothing"])
