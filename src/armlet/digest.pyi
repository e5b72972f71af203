from collections.abc import Callable
from typing import Literal, Protocol, TypeVar, overload

from _typeshed import ReadableBuffer

from ._core import XOF as XOF
from ._core import Constructor as Constructor  # for annotations: there is none at run time
from ._core import Hash as Hash

__all__ = [
    "algorithms_available",
    "algorithms_guaranteed",
    "file_digest",
    "new",
    "sha3_224",
    "sha3_256",
    "sha3_384",
    "sha3_512",
    "sha224",
    "sha256",
    "sha384",
    "sha512",
    "sha512_224",
    "sha512_256",
    "shake_128",
    "shake_256",
]

class _Readable(Protocol):
    def readable(self) -> bool: ...
    def readinto(self, buffer: bytearray, /) -> int | None: ...

class _Updatable(Protocol):
    def update(self, data: ReadableBuffer, /) -> None: ...

_U = TypeVar("_U", bound=_Updatable)
_SHA2 = Literal["sha224", "sha256", "sha384", "sha512", "sha512_224", "sha512_256"]
_SHA3 = Literal["sha3_224", "sha3_256", "sha3_384", "sha3_512"]
_SHAKE = Literal["shake_128", "shake_256"]

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

_SYMBOLS: dict[str, str]
_built: dict[str, Constructor[Hash | XOF]]

algorithms_available: set[str]
algorithms_guaranteed: set[str]

@overload
def new(
    name: _SHA2 | _SHA3,
    data: ReadableBuffer = b"",
    *,
    backend: str | None = None,
    usedforsecurity: bool = True,
    string: ReadableBuffer = ...,
) -> Hash: ...
@overload
def new(
    name: _SHAKE,
    data: ReadableBuffer = b"",
    *,
    backend: str | None = None,
    usedforsecurity: bool = True,
    string: ReadableBuffer = ...,
) -> XOF: ...
@overload
def new(
    name: str,
    data: ReadableBuffer = b"",
    *,
    backend: str | None = None,
    usedforsecurity: bool = True,
    string: ReadableBuffer = ...,
) -> Hash | XOF: ...
@overload
def file_digest(fileobj: _Readable, digest: _SHA2 | _SHA3, /, *, _bufsize: int = 262144) -> Hash: ...
@overload
def file_digest(fileobj: _Readable, digest: _SHAKE, /, *, _bufsize: int = 262144) -> XOF: ...
@overload
def file_digest(fileobj: _Readable, digest: str, /, *, _bufsize: int = 262144) -> Hash | XOF: ...
@overload
def file_digest(fileobj: _Readable, digest: Callable[[], _U], /, *, _bufsize: int = 262144) -> _U: ...
