"""The native algorithms."""

from typing import Any

from _typeshed import ReadableBuffer

def adler32(data: ReadableBuffer, /, value: int = 1, *, backend: str | None = None) -> int:
    """Return the Adler-32 of data, as zlib.adler32 does; value is that of what came before."""

def backends_report() -> dict[str, Any]:
    """Return what is built and what this CPU can run of it."""
