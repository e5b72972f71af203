"""The native algorithms, and the backends that serve them."""

from collections.abc import Callable
from typing import Any, Protocol, TypeVar, final, type_check_only

from _typeshed import ReadableBuffer, WriteableBuffer

_H_co = TypeVar("_H_co", bound=Hash | XOF, covariant=True)

@final
class Hash:
    """A message digest in progress; has the interface of hashlib's."""

    @property
    def name(self) -> str:
        """The digest, as hashlib calls it: 'sha512_256'."""
    @property
    def backend(self) -> str:
        """The implementation that serves it: 'generic'."""
    @property
    def digest_size(self) -> int:
        """Bytes of output; 0 if the caller chooses their number."""
    @property
    def block_size(self) -> int:
        """Bytes that the digest works on at a time."""
    def update(self, data: ReadableBuffer, /) -> None:
        """Hash more bytes, from any object that supports the buffer protocol; TypeError for others.

        2048 bytes or more are hashed without the GIL.
        """
    def copy(self) -> Hash:
        """Return a hash object in the same state, served by the same backend."""
    def digest(self) -> bytes:
        """Return the digest of the bytes so far, as digest_size bytes."""
    def hexdigest(self) -> str:
        """Return the digest of the bytes so far, as 2 * digest_size hexadecimal digits."""

@final
class XOF:
    """A message digest in progress whose output has the length that the caller asks for."""

    @property
    def name(self) -> str:
        """The digest, as hashlib calls it: 'sha512_256'."""
    @property
    def backend(self) -> str:
        """The implementation that serves it: 'generic'."""
    @property
    def digest_size(self) -> int:
        """Bytes of output; 0 if the caller chooses their number."""
    @property
    def block_size(self) -> int:
        """Bytes that the digest works on at a time."""
    def update(self, data: ReadableBuffer, /) -> None:
        """Hash more bytes, from any object that supports the buffer protocol; TypeError for others.

        2048 bytes or more are hashed without the GIL.
        """
    def copy(self) -> XOF:
        """Return a hash object in the same state, served by the same backend."""
    def digest(self, length: int) -> bytes:
        """Return the first length bytes of the output for the bytes so far.

        Raises ValueError if length is negative, MemoryError if that much cannot be had.
        """
    def hexdigest(self, length: int) -> str:
        """Return the first length bytes of the output for the bytes so far, as 2 * length hexadecimal digits.

        Raises ValueError if length is negative, MemoryError if that much cannot be had.
        """

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
    def name(self) -> str:
        """The cipher and its mode: 'Speck128XTS'."""
    @property
    def backend(self) -> str:
        """The implementation that serves it: 'generic'."""
    @property
    def block_size(self) -> int:
        """Bytes in a block, and in a tweak."""
    @property
    def key_size(self) -> int:
        """Bytes in the key, both halves together."""
    def encrypt(self, data: ReadableBuffer, tweak: ReadableBuffer) -> bytes:
        """Return data encrypted, as many bytes: a whole number of blocks, also none.

        tweak is block_size bytes, the number of the data unit in little-endian order, say. Raises ValueError
        for data or a tweak of another size, TypeError for what is no buffer.
        """
    def decrypt(self, data: ReadableBuffer, tweak: ReadableBuffer) -> bytes:
        """Return data decrypted: the reverse of encrypt, with the same errors."""
    def encrypt_into(self, data: ReadableBuffer, tweak: ReadableBuffer, out: WriteableBuffer) -> int:
        """Write data encrypted to the front of out, a writable buffer, and return the number of bytes written.

        out may be data itself, or begin where data begins; if it overlaps data otherwise, or is smaller, that is a
        ValueError. The other errors are those of encrypt. After an error nothing has been written.
        """
    def decrypt_into(self, data: ReadableBuffer, tweak: ReadableBuffer, out: WriteableBuffer) -> int:
        """Write data decrypted to the front of out: the reverse of encrypt_into, with the same errors."""

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

    {"fingerprint": "1f0a...", "mask": "ARMLET_CPU_MASK", "cpu": {"features": ["neon"], "masked": ["sha2"]},
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
