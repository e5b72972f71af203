"""What the build knows before any configuration: the target, and what its compiler and assembler take."""

import errno
import os
import re
import subprocess
import tempfile
from typing import NamedTuple

from .errors import KconfError

# Meson's CPU families, by the fact of the target that stands for each. The second word of a probe's name is one of
# these facts: ISA_ARM64_SHA2 is asked of an ARM64 target, and is n/a on any other.
ARCHITECTURES = {"ARM": "arm", "ARM64": "aarch64", "X86_64": "x86_64"}

# Of a compiler's flags those for the machine, code generation, optimisation, macros, standard and target.
_DECIDES_CODE = re.compile("-[mfODU]|-std=|-?-target")

PROBE_PREFIXES = ("ISA_", "CC_")


class Target(NamedTuple):
    """The machine that the package will run on, in Meson's words."""

    system: str
    cpu_family: str
    endian: str
    word_bits: int

    def facts(self) -> dict[str, bool]:
        """Return the symbols that say what the target is."""
        return {
            **{fact: self.cpu_family == family for fact, family in ARCHITECTURES.items()},
            "WORD_64": self.word_bits == 64,
            "LITTLE_ENDIAN": self.endian == "little",
        }


class Compiler(NamedTuple):
    """The C compiler, in Meson's words."""

    id: str
    version: str
    argv: list[str]  # its command with the user's c_args
    optimization: str = "plain"

    @property
    def flags(self) -> list[str]:
        """What decides the code that it makes; nothing that names a path."""
        told = [f"-O{self.optimization}"] if self.optimization != "plain" else []
        return [*told, *(flag for flag in _joined(self.argv) if _DECIDES_CODE.match(flag) and os.sep not in flag)]


class Probe(NamedTuple):
    """One question to the compiler or the assembler, and its answer."""

    symbol: str
    answer: str  # "yes", "no" or "n/a"
    file: str  # relative to the source folder
    flags: list[str]  # those with which it compiled
    argv: list[str]  # its command, where it was asked
    words: str  # the first error line of that command

    @property
    def reason(self) -> str | None:
        """Why the answer is not yes, or None."""
        if self.answer == "n/a":
            return f"asked of {architecture_of(self.symbol)} targets only"
        if self.answer == "no":
            what = "assembler" if self.file.endswith((".S", ".s")) else "compiler"
            return f"the {what} refuses {self.file}: {self.words}"
        return None


class Answer(NamedTuple):
    """What Meson found for one line of its probes: whether a file in probes/ compiles with these flags."""

    file: str
    flags: list[str]
    works: bool


def answered_probes(answers: list[Answer], target: Target, compiler: Compiler, source_dir: str) -> dict[str, Probe]:
    """Return the probes by symbol: of several answers for one the first that works counts."""
    probes = {}
    for name in dict.fromkeys(answer.file for answer in answers):
        own = [answer for answer in answers if answer.file == name]
        flags = next((answer.flags for answer in own if answer.works), own[0].flags)
        symbol, file = probe_symbol(name), f"probes/{name}"
        if ARCHITECTURES[architecture_of(symbol)] != target.cpu_family:
            probes[symbol] = Probe(symbol, "n/a", file, flags, [], "")
        elif any(answer.works for answer in own):
            probes[symbol] = Probe(symbol, "yes", file, flags, probe_command(compiler, flags, file), "")
        else:
            probes[symbol] = failed_probe(symbol, file, [answer.flags for answer in own], compiler, source_dir)
    return probes


def probe_symbol(file: str) -> str:
    """Return the symbol of a file in probes/: isa-arm64-sha2.S asks the assembler, cc-arm64-sha2.c the compiler."""
    symbol = os.path.splitext(file)[0].replace("-", "_").upper()
    if not symbol.startswith(PROBE_PREFIXES):
        raise KconfError(f"probes/{file}: a probe is called isa-*.S or cc-*.c, by the symbol that it answers")
    return symbol


def _joined(argv: list[str]) -> list[str]:
    """Write `-target X`, two words of a command, as one."""
    words = iter(argv)
    return [f"{word}={next(words, '')}" if word in {"-target", "--target"} else word for word in words]


def feature(isa: str) -> str:
    """Return the name at run time of the instruction set that a symbol is about: sha2 of ISA_ARM64_SHA2."""
    return isa.removeprefix(f"ISA_{architecture_of(isa)}_").lower()


def architecture_of(symbol: str) -> str:
    """Return the fact of the target that a probe is about: ARM64 of ISA_ARM64_SHA2."""
    rest = symbol.split("_", 1)[1]
    matches = [fact for fact in ARCHITECTURES if rest.startswith(fact + "_")]
    if not matches:
        known = ", ".join(ARCHITECTURES)
        raise KconfError(f"probe {symbol}: its name must go on with an architecture ({known}), as ISA_ARM64_SHA2 does")
    return max(matches, key=len)


def probe_command(compiler: Compiler, flags: list[str], file: str) -> list[str]:
    """Return the command that asks a probe, to be run in the source folder."""
    return [*compiler.argv, *flags, "-c", file, "-o", os.devnull]


# What a compiler says in English when it is this machine that fails, and not the probe.
TROUBLE = tuple(
    os.strerror(number)
    for number in (errno.ENOSPC, errno.EDQUOT, errno.ENOMEM, errno.EROFS, errno.EMFILE, errno.ENFILE, errno.EIO)
)


def failed_probe(symbol: str, file: str, alternatives: list[list[str]], compiler: Compiler, source_dir: str) -> Probe:
    """Run a probe that Meson says failed once more, to have the assembler's own words."""
    argv: list[str] = []
    words = ""
    for flags in alternatives:
        argv = probe_command(compiler, flags, file)
        words = _first_error(symbol, argv, file, source_dir)
    return Probe(symbol, "no", file, [], argv, words)


def _first_error(symbol: str, argv: list[str], file: str, source_dir: str) -> str:
    english = {**os.environ, "LC_ALL": "C"}
    command = [os.path.join(source_dir, file) if word == file else word for word in argv]
    try:
        with tempfile.TemporaryDirectory() as folder:  # zig leaves an object where it runs
            done = subprocess.run(
                command, cwd=folder, env=english, stdin=subprocess.DEVNULL, capture_output=True, timeout=60, check=False
            )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise _no_answer(symbol, str(error)) from None
    if done.returncode == 0:
        raise KconfError(
            f"probe {symbol}: Meson says that it fails, but this command succeeds: {' '.join(argv)}\n"
            "Run meson setup again with --clearcache; if it stays so, report it with meson-logs/meson-log.txt."
        )
    lines = [line.strip() for line in done.stderr.decode(errors="replace").splitlines() if line.strip()]
    first = next((line for line in lines if "error" in line.lower()), lines[0] if lines else "it says nothing")
    if done.returncode < 0 or any(trouble in line for line in lines for trouble in TROUBLE):
        raise _no_answer(symbol, first)
    return first.replace(source_dir + "/", "")


def _no_answer(symbol: str, words: str) -> KconfError:
    return KconfError(
        f"probe {symbol}: the compiler could not do its work, which is no answer: {words}\n"
        "Mend that, and run meson setup again with --clearcache, for Meson remembers what it was told."
    )
