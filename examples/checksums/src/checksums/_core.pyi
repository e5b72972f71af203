"""The native algorithms."""

from _typeshed import ReadableBuffer

def adler32(data: ReadableBuffer, /, value: int = 1, *, backend: str | None = None) -> int:
    """Return the Adler-32 of data, as zlib.adler32 does; value is that of what came before."""
