"""The emulated CPUs, and what can be hidden of them from the peers."""

from dataclasses import dataclass

from runner.targets import ARM64, ARMHF, Target


@dataclass(frozen=True)
class Cpu:
    """A CPU that QEMU emulates."""

    target: Target
    model: str  # as QEMU calls it

    @property
    def name(self) -> str:
        """The name of the architecture and of the model."""
        return f"{self.target.name}-{self.model}"


CPUS = (Cpu(ARM64, "max"), Cpu(ARM64, "cortex-a53"), Cpu(ARMHF, "cortex-a8"), Cpu(ARMHF, "max"))


@dataclass(frozen=True)
class Mask:
    """What the peers shall not use of the CPU: the fair comparison for a CPU without it."""

    name: str
    openssl: str  # OPENSSL_armcap
    libgcrypt: tuple[str, ...]  # features as libgcrypt names them


MASKS = (
    Mask("NEON alone", "1", ("arm-sha2", "arm-sha3", "arm-sha512")),
    Mask("no NEON", "0", ("all",)),
)
