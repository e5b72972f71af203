"""Speck-XTS (ePrint 2013/404, IEEE 1619): disk encryption for CPUs without AES instructions.

>>> from armlet import cipher
>>> disk = cipher.Speck128XTS(bytes(range(64)))
>>> sector = disk.encrypt(bytes(512), tweak=(7).to_bytes(16, "little"))
>>> disk.decrypt(sector, tweak=(7).to_bytes(16, "little")) == bytes(512)
True

Speck128XTS has blocks of 16 bytes and keys of 32, 48 or 64 bytes; Speck64XTS blocks of 8 bytes and keys of 24 or 32.
A key is the data key, then the tweak key, each of little-endian words k0, l0, l1, ...; the tweak is one block, and data
are a whole number of blocks: no ciphertext stealing. XTS hides what is stored and does not protect it against change.
"""

from . import _core

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import final

    from ._core import Cipher

    @final
    class Speck128XTS(Cipher):
        """Speck with blocks of 16 bytes in XTS mode; keys of 32, 48 or 64 bytes."""

    @final
    class Speck64XTS(Cipher):
        """Speck with blocks of 8 bytes in XTS mode; keys of 24 or 32 bytes."""


# What the build may hold, and the Kconfig symbol of each.
_SYMBOLS = {"Speck128XTS": "SPECK128_XTS", "Speck64XTS": "SPECK64_XTS"}
_built: "dict[str, type[Cipher]]" = getattr(_core, "ciphers", {})
globals().update(_built)

__all__ = list(_built)


if not TYPE_CHECKING:  # a type checker would take it that any attribute exists

    def __getattr__(name: str) -> object:
        """Say why a cipher is missing."""
        if name in _SYMBOLS:
            raise AttributeError(f"{__name__}.{name} is not in this build: {_SYMBOLS[name]}=n")
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
