"""The programs that the runs need from the system, and the Debian packages that bring them."""

import os
import shutil
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from runner.commands import CommandError, run, status_of
from runner.console import say
from runner.targets import Target


@dataclass(frozen=True)
class Tool:
    """A command, and the packages that bring it."""

    command: str
    packages: tuple[str, ...]

    def is_here(self) -> bool:
        """Tell whether the command can be run."""
        return shutil.which(self.command) is not None


@dataclass(frozen=True)
class CrossCompiler(Tool):
    """A compiler alone links nothing: it needs the target's C library too."""

    def is_here(self) -> bool:
        """Tell whether the compiler can link a program."""
        if not super().is_here():
            return False
        command = [self.command, "-print-file-name=crt1.o"]
        return "/" in subprocess.run(command, check=False, capture_output=True, text=True).stdout


NATIVE_TOOLS = [Tool("tmux", ("tmux",))]  # the terminal in which the menu is tested


def cross_tools(target: Target) -> list[Tool]:
    """List what building for the target and running there takes."""
    compiler_packages = (f"gcc-{target.triplet}", f"libc6-dev-{target.name}-cross")
    return [CrossCompiler(target.compiler, compiler_packages), Tool(target.qemu, ("qemu-user",))]


def missing(tools: Iterable[Tool]) -> list[Tool]:
    """List those that cannot be run."""
    return [tool for tool in tools if not tool.is_here()]


def install(tools: Iterable[Tool], log: Path) -> None:
    """Install the packages of those tools that are missing. What fails is told, and found missing later."""
    packages = sorted({package for tool in missing(tools) for package in tool.packages})
    if not packages:
        return
    say(f"tools: installing {', '.join(packages)}")
    sudo = [] if os.geteuid() == 0 else ["sudo"]
    apt = [*sudo, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-q", "-y"]
    apt += ["-o", "Acquire::Retries=3", "-o", "DPkg::Lock::Timeout=300"]
    try:
        status_of([*apt, "update"], log)  # one source of several may be out of reach
        run([*apt, "install", "--no-install-recommends", *packages], log)
    except CommandError as error:
        say(f"tools: not all could be installed: {error}; see {log}")
