"""What became of symbols from version to version: Kconfig.renames tells of the old ones, `# since` of the new ones.

- `config NAME  # since 0.2.0` in a Kconfig file: the symbol came with that version. Without it, with the first one.
- `OLD renamed NEW`, a line of Kconfig.renames: a configuration that sets OLD is read as if it set NEW.
- `OLD gone NEW ...`: a configuration that sets OLD is refused, and told of what took its place.
"""

import os
import re
from typing import TYPE_CHECKING, NamedTuple

from .errors import Errors, KconfError, nearest
from .intent import Layer, read_text

if TYPE_CHECKING:
    from .tree import Tree

RENAMES = "Kconfig.renames"

_SINCE = re.compile(r"\s*(?:menu)?config\s+(\w+)\s*#\s*since\b\s*(.*)", re.ASCII)
_VERSION = re.compile(r"(\d+(?:\.\d+)*)\S*", re.ASCII)
_HEADING = re.compile(r"# \S+ (\d\S*), written by ", re.ASCII)


class Former(NamedTuple):
    """A symbol of older versions."""

    successors: list[str]
    gone: bool  # or else renamed
    origin: str  # "Kconfig.renames:3"


def read_renames(source_dir: str) -> dict[str, Former]:
    """Return the symbols of older versions; none where the tree keeps no Kconfig.renames."""
    path = os.path.join(source_dir, RENAMES)
    if not os.path.exists(path):
        return {}
    formers: dict[str, Former] = {}
    for number, line in enumerate(read_text(path, RENAMES).splitlines(), 1):
        origin = f"{RENAMES}:{number}"
        match line.partition("#")[0].split():
            case []:
                continue
            case [old, "renamed", new]:
                former = Former([new], False, origin)
            case [old, "gone", *successors]:
                former = Former(successors, True, origin)
            case _:
                raise KconfError(f"{origin}: not understood: write `OLD renamed NEW` or `OLD gone SUCCESSOR ...`")
        if old in formers:
            raise KconfError(f"{origin}: {old} is in {formers[old].origin} already: remove one")
        formers[old] = former
    return formers


def check_renames(tree: "Tree") -> None:
    """Refuse a former symbol that exists, and a successor that does not."""
    for old, former in tree.formers.items():
        if old in tree.symbols:
            raise KconfError(f"{former.origin}: {old} is defined in Kconfig: remove the line")
        for new in former.successors:
            if new not in tree.symbols and new not in tree.formers:
                raise KconfError(f"{former.origin}: there is no symbol {new}{nearest(new, tree.symbols)}")
        _present(old, tree.formers)


def _present(name: str, formers: dict[str, Former]) -> tuple[str, Former | None]:
    """Follow renames to a symbol that was not renamed; with it what became of it, if it is gone."""
    seen = {name}
    while (former := formers.get(name)) and not former.gone:
        (name,) = former.successors
        if name in seen:
            raise KconfError(f"{former.origin}: {name} is renamed in a circle")
        seen.add(name)
    return name, former


def renamed(layer: Layer, formers: dict[str, Former], errors: Errors) -> Layer:
    """Return a layer with the present names of its symbols; one that is gone is an error that tells its successor."""
    present = []
    for assignment in layer:
        with errors.each():
            name, gone = _present(assignment.symbol, formers)
            if gone:
                instead = f"set {' or '.join(gone.successors)} instead" if gone.successors else "nothing took its place"
                raise KconfError(
                    f"{assignment.origin}: the symbol {assignment.symbol} is gone ({gone.origin}): {instead}; "
                    f"remove {assignment.symbol}={assignment.value}"
                )
            present.append(assignment._replace(symbol=name))
    return present


def versions(tree: "Tree") -> dict[str, str]:
    """Return the version that each symbol came with, for those that say so."""
    since = {}
    for file in tree.kconfig_files:
        for number, line in enumerate(read_text(os.path.join(tree.source_dir, file), file).splitlines(), 1):
            if match := _SINCE.match(line):
                if not _VERSION.fullmatch(match[2].strip()):
                    raise KconfError(f"{file}:{number}: {match[2].strip()!r} is no version: write `# since 1.2.0`")
                since[match[1]] = match[2].strip()
    return since


def version_key(version: str) -> list[int]:
    """Return what to compare versions by: 0.2 is 0.2.0, and what follows the numbers does not count."""
    match = _VERSION.fullmatch(version)
    if not match:
        raise KconfError(f"{version!r} is no version: write numbers, as 1.2.0")
    numbers = [int(number) for number in match[1].split(".")]
    while numbers and not numbers[-1]:
        numbers.pop()
    return numbers


def heading(project: str, version: str, writer: str) -> str:
    """Return the first line of a configuration file."""
    return f"# {project} {version}, written by {writer}; what is not here has its default"


def written_with(path: str, shown: str) -> str | None:
    """Return the version of the project that wrote a configuration file, or None where the first line has none."""
    match = _HEADING.match(read_text(path, shown))
    return match[1] if match else None
