"""Known answers for kernels, as a C header: from hashlib, and from Speck-XTS in plain Python."""

import hashlib
import math
import random
from collections.abc import Iterable, Iterator
from typing import Literal

from speck_xts import SpeckXTS

ByteOrder = Literal["little", "big"]  # of words in the target's memory

MAX_DIGEST_BLOCKS = 20
MAX_CIPHER_BLOCKS = 48  # several steps of 128 bytes, and all remainders

RANDOM_BYTES = random.Random("armlet").randbytes(MAX_DIGEST_BLOCKS * 168)

PRIMES = (2, 3, 5, 7, 11, 13, 17, 19)
SHA3 = {72: "sha3_512", 104: "sha3_384", 136: "sha3_256", 144: "sha3_224"}  # by block size


def header(order: ByteOrder) -> str:
    """Return the text of answers.h; kernels.c defines the structures."""
    arrays = {
        "digest": [*_sha2("sha256", 4, order), *_sha2("sha512", 8, order), *_sha3(order)],
        "cipher": [*_speck("speck128_xts", 16, (16, 24, 32), order), *_speck("speck64_xts", 8, (12, 16), order)],
    }
    return f"enum {{ {MAX_DIGEST_BLOCKS = }, {MAX_CIPHER_BLOCKS = } }};\n" + "".join(
        f"static const struct {family}_case {family}_answers[] = {{\n{''.join(answers)}}};\n"
        for family, answers in arrays.items()
    )


def _sha2(name: str, word: int, order: ByteOrder) -> Iterator[str]:
    """A message that with its padding fills the blocks takes the initial value to the digest (FIPS 180-4)."""
    block, field, bits = 16 * word, 2 * word, 8 * word
    initial = _words([math.isqrt(prime << 2 * bits) % (1 << bits) for prime in PRIMES], word, order)  # section 5.3
    for nblocks in range(1, MAX_DIGEST_BLOCKS + 1):
        message = RANDOM_BYTES[: nblocks * block - 1 - field]
        data = message + b"\x80" + (8 * len(message)).to_bytes(field, "big")
        result = _reordered(hashlib.new(name, message).digest(), word, "big", order)
        yield _initializer(name, word, 8 * word, block, nblocks, initial, data, result, len(result))


def _sha3(order: ByteOrder) -> Iterator[str]:
    """Likewise from zeros, and to a state that begins with the digest (FIPS 202)."""
    for nblocks in range(1, MAX_DIGEST_BLOCKS + 1):
        for block, name in SHA3.items():
            message = RANDOM_BYTES[: nblocks * block - 2]
            result = _reordered(hashlib.new(name, message).digest(), 8, "little", order)
            yield _initializer("sha3", 8, 200, block, nblocks, bytes(200), message + b"\x06\x80", result, len(result))
        message = RANDOM_BYTES[: nblocks * 168 - 2]
        result = _reordered(hashlib.shake_128(message).digest(168), 8, "little", order)
        yield _initializer("sha3", 8, 200, 168, nblocks, bytes(200), message + b"\x1f\x80", result, len(result))


def _speck(name: str, block: int, key_sizes: Iterable[int], order: ByteOrder) -> Iterator[str]:
    """As many blocks as are tried at most: the first of them are the answer to fewer."""
    plaintext, tweak = RANDOM_BYTES[: MAX_CIPHER_BLOCKS * block], RANDOM_BYTES[-block:]
    for key_size in key_sizes:
        xts = SpeckXTS(block, RANDOM_BYTES[-2 * key_size :])
        masks = [xts.tweak.encrypt(int.from_bytes(tweak, "little"))]
        for _ in range(MAX_CIPHER_BLOCKS):
            doubled = masks[-1] << 1
            masks.append(min(doubled, doubled ^ xts.polynomial))
        tweaks = b"".join(mask.to_bytes(block, "little") for mask in masks)
        round_keys = _words(xts.data.round_keys, block // 2, order)
        rounds = len(xts.data.round_keys)
        ciphertext = xts.encrypt(plaintext, tweak)
        reordered = _reordered(tweaks, 8, "little", order)
        yield _initializer(name, block // 2, block, rounds, round_keys, plaintext, ciphertext, reordered)


def _words(values: Iterable[int], size: int, order: ByteOrder) -> bytes:
    return b"".join(value.to_bytes(size, order) for value in values)


def _reordered(data: bytes, size: int, order: ByteOrder, target: ByteOrder) -> bytes:
    """Return the whole words that there are in the order of the target."""
    ends = range(size, len(data) + 1, size)
    return _words((int.from_bytes(data[end - size : end], order) for end in ends), size, target)


def _initializer(*members: str | int | bytes) -> str:
    return f"    {{{', '.join(map(_literal, members))}}},\n"


def _literal(member: str | int | bytes) -> str:
    if isinstance(member, bytes):
        return '(const uint8_t *)"' + "".join(f"\\x{byte:02x}" for byte in member) + '"'
    return f'"{member}"' if isinstance(member, str) else str(member)
