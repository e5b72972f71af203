"""What each backend may execute at most; for an ARM backend that is less than the best that others ship or can force.

The peers' figures were measured as here: OpenSSL 3.0 and 4.0, libgcrypt 1.10 and its development branch, Crypto++ 8.7
and others. No peer of Speck64 runs: Linux's code, removed in 2018, was counted by hand. "plain C" is that of the peers,
compiled with gcc 12 at -O3, and binds the portable backends.
"""

from dataclasses import dataclass

SLOWER_DECRYPTION = 1.05  # decryption against the same backend's encryption, at most

# A call without data, sha256(b"").digest(), against hashlib's, at most.
CALL_INSTRUCTIONS = 0.5  # on arm64
CALL_TIME = 0.95  # on x86-64, where the portable C meets OpenSSL's assembler


@dataclass(frozen=True)
class Bound:
    """The bound of one backend: on every CPU of that architecture, as instructions do not depend on it."""

    symbol: str  # Kconfig's
    cpu: str  # where it must have been measured
    limit: float  # instructions per byte in bulk, at most
    best: float  # the same of the best peer
    peer: str

    @property
    def architecture(self) -> str:
        """The first part of the CPU's name."""
        return architecture(self.cpu)


BOUNDS = (
    Bound("SHA256_ARM64_CE", "arm64-max", 1.56, 1.59, "Crypto++"),
    Bound("SHA256_ARM64_NEON", "arm64-cortex-a53", 26.0, 26.1, "OpenSSL"),
    Bound("SHA256_ARM_CE", "armhf-max", 1.68, 1.75, "libgcrypt"),
    Bound("SHA256_ARM_NEON", "armhf-cortex-a8", 23.6, 23.7, "OpenSSL"),
    Bound("SHA256_GENERIC", "arm64-cortex-a53", 30.2, 30.2, "plain C"),
    Bound("SHA256_GENERIC", "armhf-cortex-a8", 37.7, 37.7, "plain C"),
    Bound("SHA512_ARM64_CE", "arm64-max", 3.52, 3.53, "libgcrypt"),
    Bound("SHA512_ARM64", "arm64-cortex-a53", 18.4, 18.5, "OpenSSL"),
    Bound("SHA512_ARM_NEON", "armhf-cortex-a8", 22.5, 22.6, "OpenSSL"),
    Bound("SHA512_GENERIC", "arm64-cortex-a53", 19.4, 19.0, "plain C"),
    Bound("SHA512_GENERIC", "armhf-cortex-a8", 77.0, 77.0, "plain C"),
    Bound("SHA3_ARM64_CE", "arm64-max", 12.6, 12.7, "OpenSSL"),
    Bound("SHA3_ARM64", "arm64-cortex-a53", 20.6, 24.0, "OpenSSL"),
    Bound("SHA3_ARM_NEON", "armhf-cortex-a8", 28.4, 28.5, "libgcrypt"),
    Bound("SHA3_GENERIC", "arm64-cortex-a53", 27.0, 28.0, "plain C"),
    Bound("SHA3_GENERIC", "armhf-cortex-a8", 108.0, 117.5, "plain C"),
    Bound("SPECK64_XTS_ARM64_NEON", "arm64-cortex-a53", 6.0, 6.3, "Linux"),
    Bound("SPECK64_XTS_ARM_NEON", "armhf-cortex-a8", 7.2, 7.3, "Linux"),
    Bound("SPECK64_XTS_GENERIC", "arm64-cortex-a53", 17.6, 17.6, "plain C"),
    Bound("SPECK64_XTS_GENERIC", "armhf-cortex-a8", 16.3, 16.1, "plain C"),
    Bound("SPECK128_XTS_ARM64_NEON", "arm64-cortex-a53", 7.2, 12.9, "Crypto++"),
    Bound("SPECK128_XTS_ARM_NEON", "armhf-cortex-a8", 8.6, 18.9, "Crypto++"),
)


def architecture(cpu: str) -> str:
    """Return "armhf" of "armhf-cortex-a8"."""
    return cpu.partition("-")[0]


def symbol(algorithm: str, backend: str) -> str:
    """Return the Kconfig symbol of a backend: SHA512_ARM_NEON of sha512 and arm-neon."""
    return f"{algorithm}_{backend}".replace("-", "_").upper()


def bound_of(algorithm: str, backend: str, cpu: str) -> Bound | None:
    """Return the bound of a backend on a CPU, if it has one."""
    wanted = symbol(algorithm, backend), architecture(cpu)
    return next((bound for bound in BOUNDS if (bound.symbol, bound.architecture) == wanted), None)
