"""The files of a project held against its Kconfig: whatever nobody names would silently stay out of the build."""

import os

from .errors import Errors, KconfError
from .tree import Tree

SUFFIXES = (".c", ".S")
FORMS = ("-32", "-64")  # two forms of one backend, of which meson.build takes the one of the target's word size


def check_source_files(tree: Tree, errors: Errors) -> None:
    """Refuse a source file in a family's folder, or a probe, that belongs to no symbol."""
    symbols = tree.sources()
    for family in tree.families:
        for file in _sources_in(tree, family):
            symbol = _symbol_of(file)
            with errors.each():
                if symbol not in symbols:
                    raise KconfError(
                        f"{family}/{file}: no Kconfig entry names it: add `config {symbol}` to {family}/Kconfig, "
                        f"or remove the file"
                    )
    probed = {os.path.basename(probe.file) for probe in tree.probes.values()}
    for file in _sources_in(tree, "probes"):
        with errors.each():
            if file not in probed:
                raise KconfError(f"probes/{file}: no probe uses it: add it to meson.build, or remove the file")


def _sources_in(tree: Tree, folder: str) -> list[str]:
    path = os.path.join(tree.source_dir, folder)
    names = sorted(os.listdir(path)) if os.path.isdir(path) else []
    return [name for name in names if name.endswith(SUFFIXES)]


def _symbol_of(file: str) -> str:
    stem = os.path.splitext(file)[0]
    for form in FORMS:
        stem = stem.removesuffix(form)
    return stem.replace("-", "_").upper()
