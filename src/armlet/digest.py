"""SHA-2, SHA-3 and SHAKE (FIPS 180-4, FIPS 202) with the interface of hashlib.

>>> from armlet import digest
>>> digest.sha256(b"abc").hexdigest()
'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'

sha224, sha256, sha384, sha512, sha512_224, sha512_256, sha3_224, sha3_256, sha3_384, sha3_512, shake_128 and shake_256
are called as in hashlib:

    sha256(data=b"", *, backend=None, usedforsecurity=True)

What they return has update, digest, hexdigest, copy, digest_size, block_size and name as there, and `backend`, the
name of the implementation that serves it. backend="generic" picks one; a ValueError tells which there are. data is any
object that supports the buffer protocol, and 2048 bytes of it or more are hashed without the GIL.
"""

from . import _core

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Protocol

    from _typeshed import ReadableBuffer

    from ._core import Constructor

    Hash = _core.Hash
    XOF = _core.XOF
    sha224: Constructor[Hash]
    sha256: Constructor[Hash]
    sha384: Constructor[Hash]
    sha512: Constructor[Hash]
    sha512_224: Constructor[Hash]
    sha512_256: Constructor[Hash]
    sha3_224: Constructor[Hash]
    sha3_256: Constructor[Hash]
    sha3_384: Constructor[Hash]
    sha3_512: Constructor[Hash]
    shake_128: Constructor[XOF]
    shake_256: Constructor[XOF]

    class _Readable(Protocol):
        def readable(self) -> bool: ...
        def readinto(self, buffer: bytearray, /) -> int | None: ...


# What a build may hold, and the Kconfig symbol of each.
_SYMBOLS = {
    "sha224": "SHA256",
    "sha256": "SHA256",
    "sha384": "SHA512",
    "sha512": "SHA512",
    "sha512_224": "SHA512",
    "sha512_256": "SHA512",
    "sha3_224": "SHA3",
    "sha3_256": "SHA3",
    "sha3_384": "SHA3",
    "sha3_512": "SHA3",
    "shake_128": "SHA3",
    "shake_256": "SHA3",
}
# What else each is called, in any case: the names of OpenSSL, of the standards, and the object identifier.
_ALIASES = {
    "sha224": ("sha-224", "sha2-224", "2.16.840.1.101.3.4.2.4"),
    "sha256": ("sha-256", "sha2-256", "2.16.840.1.101.3.4.2.1"),
    "sha384": ("sha-384", "sha2-384", "2.16.840.1.101.3.4.2.2"),
    "sha512": ("sha-512", "sha2-512", "2.16.840.1.101.3.4.2.3"),
    "sha512_224": ("sha512-224", "sha512/224", "sha-512/224", "sha2-512/224", "2.16.840.1.101.3.4.2.5"),
    "sha512_256": ("sha512-256", "sha512/256", "sha-512/256", "sha2-512/256", "2.16.840.1.101.3.4.2.6"),
    "sha3_224": ("sha3-224", "2.16.840.1.101.3.4.2.7"),
    "sha3_256": ("sha3-256", "2.16.840.1.101.3.4.2.8"),
    "sha3_384": ("sha3-384", "2.16.840.1.101.3.4.2.9"),
    "sha3_512": ("sha3-512", "2.16.840.1.101.3.4.2.10"),
    "shake_128": ("shake128", "shake-128", "2.16.840.1.101.3.4.2.11"),
    "shake_256": ("shake256", "shake-256", "2.16.840.1.101.3.4.2.12"),
}
_built: "dict[str, Constructor[Any]]" = getattr(_core, "digests", {})
globals().update(_built)
if _built:
    globals().update(Hash=_core.Hash, XOF=_core.XOF)

algorithms_available = {*_built}
algorithms_guaranteed = {*_built}  # a build has what it has, on every system

__all__ = ["algorithms_available", "algorithms_guaranteed", "file_digest", "new"]
__all__ += list(_built)

if not TYPE_CHECKING:  # a type checker would take it that any attribute exists

    def __getattr__(name: str) -> object:
        """Say why a digest is missing."""
        if name in _SYMBOLS:
            raise AttributeError(f"{__name__}.{name} is not in this build: {_SYMBOLS[name]}=n")
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def _find(name: str) -> "Constructor[Any]":
    """Find a digest by any name that hashlib has for it: "SHA256", "sha512-256", "SHA2-512/256", "SHAKE128"."""
    plain = name.lower() if name.isascii() else name
    for known, aliases in _ALIASES.items():
        if plain == known or plain in aliases:
            if known in _built:
                return _built[known]
            raise ValueError(f"{name} is not in this build: {_SYMBOLS[known]}=n")
    raise ValueError(f"unsupported hash type {name}; there are {', '.join(_built)}")


def new(name: str, *data: "ReadableBuffer", **keywords: "Any") -> "Any":
    """Return a new hash object of the digest that is called so, fed with the bytes of data.

    The name may be any that hashlib has for it: "sha512_256", "SHA512-256". What follows it is as for sha256() and the
    others. Raises ValueError for a name that is unknown or not in this build.
    """
    if not isinstance(name, str):
        raise TypeError("name must be a string")
    constructor = _built.get(name) or _find(name)
    return constructor(*data, **keywords)


def file_digest(fileobj: "_Readable", digest: "str | Callable[[], Any]", /, *, _bufsize: int = 1 << 18) -> "Any":
    """Return a hash object fed with what is left in a file that is open for reading in binary mode.

    digest is the name of a digest, a function such as sha256, or any that returns an object with an update method. Of a
    file in memory, io.BytesIO, all is hashed. Raises ValueError for a file in text mode, and BlockingIOError for one in
    non-blocking mode that has no data yet.
    """
    result = new(digest) if isinstance(digest, str) else digest()
    if hasattr(fileobj, "getbuffer"):
        result.update(fileobj.getbuffer())
        return result
    if not (hasattr(fileobj, "readinto") and hasattr(fileobj, "readable") and fileobj.readable()):
        raise ValueError(f"{fileobj!r} is not a file open for reading in binary mode")
    buffer = bytearray(_bufsize)
    view = memoryview(buffer)
    while (size := fileobj.readinto(buffer)) != 0:
        if size is None:
            raise BlockingIOError("the file has no data yet")
        result.update(view[:size])
    return result
