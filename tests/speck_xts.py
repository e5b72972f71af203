"""Speck-XTS in plain Python, the tests' oracle: ePrint 2013/404 and IEEE 1619 word for word, at no speed."""

from collections.abc import Callable


class Speck:
    """The block cipher, on blocks as integers: x * 2**bits + y, two words of BITS bits. Key words: k0, l0, l1, ..."""

    def __init__(self, bits: int, key: bytes) -> None:
        self.bits = bits
        self.modulus = 1 << bits
        size = bits // 8
        k, *ls = (int.from_bytes(key[i : i + size], "little") for i in range(0, len(key), size))
        self.round_keys: list[int] = []
        for i in range({32: 24, 64: 31}[bits] + len(ls)):
            self.round_keys.append(k)
            ls[i % len(ls)], k = self._round(ls[i % len(ls)], k, i)

    def encrypt(self, block: int) -> int:
        x, y = divmod(block, self.modulus)
        for key in self.round_keys:
            x, y = self._round(x, y, key)
        return x * self.modulus + y

    def decrypt(self, block: int) -> int:
        x, y = divmod(block, self.modulus)
        for key in reversed(self.round_keys):
            y = self._rotate_right(x ^ y, 3)
            x = self._rotate_right(((x ^ key) - y) % self.modulus, self.bits - 8)
        return x * self.modulus + y

    def _round(self, x: int, y: int, key: int) -> tuple[int, int]:
        x = ((self._rotate_right(x, 8) + y) % self.modulus) ^ key
        return x, self._rotate_right(y, self.bits - 3) ^ x

    def _rotate_right(self, word: int, count: int) -> int:
        return word >> count | (word << self.bits - count) % self.modulus


class SpeckXTS:
    """XTS on blocks of SIZE bytes, called as the native classes are. KEY: the data key, then the tweak key."""

    def __init__(self, size: int, key: bytes) -> None:
        self.size = size
        self.polynomial = {8: 1 << 64 | 0x1B, 16: 1 << 128 | 0x87}[size]
        half = len(key) // 2
        self.data, self.tweak = Speck(4 * size, key[:half]), Speck(4 * size, key[half:])

    def encrypt(self, data: bytes, tweak: bytes) -> bytes:
        return self._crypt(self.data.encrypt, data, tweak)

    def decrypt(self, data: bytes, tweak: bytes) -> bytes:
        return self._crypt(self.data.decrypt, data, tweak)

    def _crypt(self, cipher: Callable[[int], int], data: bytes, tweak: bytes) -> bytes:
        output = b""
        mask = self.tweak.encrypt(int.from_bytes(tweak, "little"))
        for i in range(0, len(data), self.size):
            block = int.from_bytes(data[i : i + self.size], "little")
            output += (cipher(block ^ mask) ^ mask).to_bytes(self.size, "little")
            mask = min(mask << 1, mask << 1 ^ self.polynomial)  # times x: reduced if it left the field
        return output
