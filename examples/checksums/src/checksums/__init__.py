"""Checksums with one native backend per instruction set; checksums.config tells which of them serve."""

from ._core import adler32

__all__ = ["adler32"]
