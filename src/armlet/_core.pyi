"""The native algorithms, and the backends that serve them."""

from collections.abc import Callable
from typing import Any, Protocol, TypeVar, final, type_check_only

from _typeshed import ReadableBuffer, WriteableBuffer

_H_co = TypeVar("_H_co", bound=Hash | XOF, covariant=True)

@final
class Hash:
    """A message digest in progress; has the interface of hashlib's."""

    @property
    def name(self) -> str: ...
    @property
    def backend(self) -> str: ...
    @property
    def digest_size(self) -> int: ...
    @property
    def block_size(self) -> int: ...
    def update(self, data: ReadableBuffer, /) -> None: ...
    def copy(self) -> Hash: ...
    def digest(self) -> bytes: ...
    def hexdigest(self) -> str: ...

@final
class XOF:
    """A message digest in progress whose output has the length that the caller asks for."""

    @property
    def name(self) -> str: ...
    @property
    def backend(self) -> str: ...
    @property
    def digest_size(self) -> int: ...
    @property
    def block_size(self) -> int: ...
    def update(self, data: ReadableBuffer, /) -> None: ...
    def copy(self) -> XOF: ...
    def digest(self, length: int) -> bytes: ...
    def hexdigest(self, length: int) -> str: ...

@type_check_only
class Constructor(Protocol[_H_co]):
    """What makes a Hash or an XOF."""

    __name__: str
    def __call__(
        self,
        data: ReadableBuffer = b"",
        *,
        backend: str | None = None,
        usedforsecurity: bool = True,
        string: ReadableBuffer = ...,
    ) -> _H_co: ...

@type_check_only
class Cipher:
    """One of the types in `ciphers`."""

    def __init__(self, key: ReadableBuffer, *, backend: str | None = None) -> None: ...
    @property
    def name(self) -> str: ...
    @property
    def backend(self) -> str: ...
    @property
    def block_size(self) -> int: ...
    @property
    def key_size(self) -> int: ...
    def encrypt(self, data: ReadableBuffer, tweak: ReadableBuffer) -> bytes: ...
    def decrypt(self, data: ReadableBuffer, tweak: ReadableBuffer) -> bytes: ...
    def encrypt_into(self, data: ReadableBuffer, tweak: ReadableBuffer, out: WriteableBuffer) -> int: ...
    def decrypt_into(self, data: ReadableBuffer, tweak: ReadableBuffer, out: WriteableBuffer) -> int: ...

# The families: absent where the build left all of one out.
digests: dict[str, Constructor[Any]]  # by name: "sha512_256"
ciphers: dict[str, type[Cipher]]  # by the name of the class: "Speck128XTS"

def use(algorithm: str, backend: str | None, /) -> int:
    """Have a backend serve an algorithm in the whole process; None: what the rule selects. Returns a number."""

def use_in_thread(algorithm: str, backend: str | None, /) -> int:
    """Have a backend serve an algorithm in this thread, whatever the process uses. Returns a number."""

def end_use(algorithm: str, number: int, /) -> None:
    """End what use() or use_in_thread() began; what was used before is used again."""

def keep_use(algorithm: str, number: int, /) -> None:
    """Forget what the process used before that use(), which will not end."""

def backends_self_test() -> dict[str, dict[str, bool | None]]:
    """Test every backend that this CPU can run; one that fails serves no more. Returns a new dict.

    {"sha512": {"arm-neon": None, "generic": True}}: None where this CPU cannot run it.
    """

def backends_built() -> dict[str, Any]:
    """Return what is built, and what this CPU has, as a new dict. Selects and tests nothing.

    {"fingerprint": "1f0a...", "cpu": {"features": ["neon"], "masked": ["sha2"]},
     "algorithms": {"sha512": ["arm-neon", "generic"]}}
    """

def reselect(algorithm: str, clock: Callable[[], int], /) -> None:
    """Select the backend of an algorithm anew, by a measurement against clock(), in nanoseconds. For tests."""

def backends_report() -> dict[str, Any]:
    """Return what is built and what this CPU can run of it, as a new dict.

    {"cpu": {"features": ["neon"], "masked": ["sha2"]},
     "algorithms": {"sha512": {"family": "digest", "selected": "generic", "rule": "order",
                               "backends": [{"name": "arm-neon", "needs": ["neon"], "usable": False, "failed": False,
                                             "nanoseconds": None}, ...]}}}

    "features" are those that the CPU has and may be used, "masked" the others that it has.
    """
