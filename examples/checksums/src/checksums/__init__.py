"""Checksums with one native backend per instruction set; checksums.config tells which of them serve."""

from . import _core

if hasattr(_core, "adler32"):  # a configuration can leave it out
    from ._core import adler32

__all__ = ["adler32"]
