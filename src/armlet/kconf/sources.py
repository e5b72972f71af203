"""The files of a project held against its Kconfig: whatever nobody names would silently stay out of the build."""

import os

from .errors import Errors, KconfError, nearest
from .tree import Tree

SUFFIXES = (".c", ".S")
LOOK_LIKE_SOURCES = (*SUFFIXES, ".s", ".C", ".asm")
FORMS = ("-32", "-64")  # two forms of one backend, of which meson.build takes the one of the target's word size


def check_source_files(tree: Tree, errors: Errors) -> None:
    """Refuse a source file in a family's folder, or a probe, that belongs to no symbol."""
    symbols = tree.sources()
    for family in tree.families:
        taken: dict[str, str] = {}
        for file in _sources_in(tree, family):
            symbol = _symbol_of(file, symbols)
            with errors.each():
                if symbol not in symbols:
                    raise KconfError(
                        f"{family}/{file}: no Kconfig entry names it: add `config {symbol}` to {family}/Kconfig, "
                        f"or remove the file"
                    )
                if file not in _spellings(symbol):
                    raise KconfError(
                        f"{family}/{file}: the file of {symbol} is called {' or '.join(_spellings(symbol))}"
                    )
                other = taken.setdefault(os.path.splitext(file)[0], file)
                if other != file:
                    raise KconfError(f"{family}/{file}: {symbol} has {family}/{other} already: remove one")
    probed = {os.path.basename(probe.file) for probe in tree.probes.values()}
    for file in _sources_in(tree, "probes"):
        with errors.each():
            if file not in probed:
                raise KconfError(f"probes/{file}: no probe uses it: add it to meson.build, or remove the file")


def check_build_lines(tree: Tree, symbols: list[str], errors: Errors) -> None:
    """Hold the symbols that meson.build gives sources for against Kconfig, both ways."""
    defined = tree.sources()
    for symbol in symbols:
        with errors.each():
            if symbol not in defined:
                raise KconfError(
                    f"meson.build gives sources for {symbol}, but no Kconfig entry defines such a backend: add it, or "
                    f"remove the line{nearest(symbol, defined)}"
                )
    for symbol in defined:
        with errors.each():
            if symbol not in symbols:
                raise KconfError(
                    f"Kconfig defines {symbol}, but no meson.build gives its sources: add a line to the sources of its "
                    f"folder"
                )


def _sources_in(tree: Tree, folder: str) -> list[str]:
    path = os.path.join(tree.source_dir, folder)
    try:
        names = sorted(os.listdir(path)) if os.path.isdir(path) else []
    except OSError as error:
        raise KconfError(f"{folder}: cannot be read: {error.strerror}") from None
    return [name for name in names if name.endswith(LOOK_LIKE_SOURCES)]


def _spellings(symbol: str) -> list[str]:
    stem = symbol.lower().replace("_", "-")
    return [stem + form + suffix for form in ("", *FORMS) for suffix in SUFFIXES]


def _symbol_of(file: str, symbols: dict[str, bool]) -> str:
    stem = os.path.splitext(file)[0]
    for form in ("", *FORMS):
        symbol = stem.removesuffix(form).replace("-", "_").upper()
        if symbol in symbols:
            return symbol
    return stem.replace("-", "_").upper()
