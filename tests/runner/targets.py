"""The table of targets, and the table of runs: all that the runner knows of an architecture stands here."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Target:
    """An architecture that the package is cross-built for, and whose Python runs under emulation."""

    name: str  # as Debian calls it
    triplet: str  # as GNU calls it: the prefix of the compiler, and Debian's name of its folders
    cpu_family: str  # as Meson calls it
    cpu: str
    qemu: str  # the command

    @property
    def compiler(self) -> str:
        """The command of Debian's cross compiler."""
        return f"{self.triplet}-gcc"


@dataclass(frozen=True)
class Run:
    """The test suite once: for the machine itself (no target), or for one emulated CPU."""

    name: str
    target: Target | None = None
    cpu: str = ""
    environment: Mapping[str, str] = field(default_factory=dict)
    selects: Mapping[str, str] = field(default_factory=dict)  # algorithm: the backend that must serve it


ARM64 = Target("arm64", "aarch64-linux-gnu", "aarch64", "aarch64", "qemu-aarch64")
ARMHF = Target("armhf", "arm-linux-gnueabihf", "arm", "armv7", "qemu-arm")

RUNS = (
    Run("native"),
    Run("arm64-max", ARM64, "max", selects={"sha256": "arm64-ce", "sha512": "arm64-ce"}),
    Run("arm64-cortex-a53", ARM64, "cortex-a53", selects={"sha256": "arm64-ce", "sha512": "arm64"}),
    Run("arm64-without-sha2", ARM64, "max", {"ARMLET_CPU_MASK": "sha2"}, selects={"sha256": "arm64-neon"}),
    Run("arm64-without-all", ARM64, "max", {"ARMLET_CPU_MASK": "neon,sha2,sha512,sha3"}, selects={"sha256": "generic"}),
    Run("armhf-cortex-a8", ARMHF, "cortex-a8", selects={"sha512": "arm-neon", "sha3": "arm-neon"}),
    Run("armhf-max", ARMHF, "max", selects={"sha256": "arm-ce"}),
)
