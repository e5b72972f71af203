"""Debian's Python of another architecture, with all it needs and its headers, unpacked into a folder.

apt works in a private state here: it installs nothing, adds no architecture to the machine and needs no root. The
tree is kept in the user's cache, so that it is unpacked once.
"""

import hashlib
import os
import platform
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from runner.commands import CommandError, Environment, UnavailableError, run, status_of
from runner.console import say
from runner.targets import Target

PACKAGES = ("python3", "libpython3-dev", "libgcrypt20")  # the last one for the benchmarks to compare with
NEWER = "trixie"  # a Debian whose Python wheels are tried in, besides that of this machine's
KEYS = "/usr/share/keyrings/debian-archive-keyring.gpg"

APT_CONFIG = """\
Dir::State "{state}";
Dir::State::Lists "{state}/lists";
Dir::State::status "{state}/status";
Dir::Cache "{state}/cache";
APT::Architecture "{architecture}";
APT::Architectures {{ "{architecture}"; }};
APT::Install-Recommends "false";
APT::Sandbox::User "root";
Acquire::Languages "none";
Acquire::Retries "3";
Debug::NoLocking "true";
"""


@dataclass(frozen=True)
class Sysroot:
    """The unpacked tree."""

    tree: Path

    @property
    def python(self) -> Path:
        """The Python by its full name, `python3.11`, through which it finds its library."""
        return self.tree / "usr/bin" / os.readlink(self.tree / "usr/bin/python3")

    @property
    def version(self) -> str:
        """The version of that Python, `3.11`."""
        return self.python.name.removeprefix("python")

    @property
    def headers(self) -> Path:
        """The folder of Python.h, complete in itself."""
        return self.tree / "usr/include" / self.python.name

    def runs(self) -> bool:
        """Tell whether there is a Python."""
        return (self.tree / "usr/bin/python3").is_symlink()

    def is_complete(self) -> bool:
        """Tell whether there is a Python and its headers."""
        return self.runs() and (self.headers / "Python.h").is_file()


def find(target: Target, log: Path, *, may_download: bool) -> Sysroot:
    """Return the unpacked tree of the target, out of the cache or made now."""
    contents = hashlib.sha256(" ".join(PACKAGES).encode()).hexdigest()[:8]
    sysroot = Sysroot(_cache() / f"{_distribution()}-{target.name}-{contents}")
    if sysroot.is_complete():
        return sysroot
    if not may_download:
        raise UnavailableError(f"Debian's Python for {target.name} is not unpacked (--install-tools does it)")
    say(f"{target.name}: unpacking Debian's Python")
    sysroot.tree.parent.mkdir(parents=True, exist_ok=True)
    # Made beside its place and then renamed: what was interrupted is never taken for a whole tree.
    with tempfile.TemporaryDirectory(dir=sysroot.tree.parent, prefix=f".{sysroot.tree.name}-") as folder:
        made = Sysroot(Path(folder) / "tree")
        try:
            _unpack(_download(target, Path(folder), log), made.tree, log)
        except (CommandError, OSError) as error:
            raise UnavailableError(
                f"Debian's Python for {target.name} could not be unpacked: {error}; see {log}"
            ) from error
        _complete_headers(made, target)
        if not made.is_complete():
            raise UnavailableError(
                f"Debian's packages {' and '.join(PACKAGES)} for {target.name} hold no usable Python"
            )
        shutil.rmtree(sysroot.tree, ignore_errors=True)
        made.tree.rename(sysroot.tree)
    return sysroot


def find_newer(target: Target, log: Path) -> Sysroot:
    """Return the unpacked Python of a newer Debian, which runs wheels and nothing else; made if it is not there."""
    sysroot = Sysroot(_cache() / f"debian-{NEWER}-{target.name}")
    if not sysroot.runs():
        say(f"{target.name}: unpacking the Python of Debian {NEWER}")
        sysroot.tree.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=sysroot.tree.parent, prefix=f".{sysroot.tree.name}-") as folder:
            made = Sysroot(Path(folder) / "tree")
            try:
                _unpack(_download(target, Path(folder), log, ("python3",), NEWER), made.tree, log)
            except (CommandError, OSError) as error:
                raise UnavailableError(f"Python of Debian {NEWER} for {target.name}: {error}; see {log}") from error
            shutil.rmtree(sysroot.tree, ignore_errors=True)
            made.tree.rename(sysroot.tree)
    return sysroot


def _cache() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "armlet" / "sysroots"


def _distribution() -> str:
    """Name the Debian suite of this machine, whose cross compilers match the C library of the same suite."""
    try:
        release = platform.freedesktop_os_release()
    except OSError:
        release = {}
    return f"{release.get('ID', 'unknown')}-{release.get('VERSION_CODENAME', 'unknown')}"


def _download(
    target: Target, folder: Path, log: Path, packages: tuple[str, ...] = PACKAGES, suite: str = ""
) -> list[Path]:
    """Download packages and all they depend on: for apt, this is a machine with nothing installed.

    They are of this machine's Debian, or of another SUITE from where that comes from.
    """
    state = folder / "apt"
    for name in ("lists/partial", "cache/archives/partial"):
        (state / name).mkdir(parents=True)
    (state / "status").touch()
    configuration = state / "apt.conf"
    configuration.write_text(APT_CONFIG.format(state=state, architecture=target.name))
    if suite:
        (state / "sources").write_text(f"deb [signed-by={KEYS}] {_archive()} {suite} main\n")
        with configuration.open("a") as file:
            file.write(f'Dir::Etc::SourceList "{state}/sources";\nDir::Etc::SourceParts "/dev/null";\n')
    environment: Environment = {"APT_CONFIG": configuration, "DEBIAN_FRONTEND": "noninteractive"}
    status_of(["apt-get", "-q", "update"], log, environment=environment)  # one source of several may be out of reach
    run(["apt-get", "-q", "-y", "--download-only", "install", *packages], log, environment=environment)
    return sorted((state / "cache/archives").glob("*.deb"))


def _archive() -> str:
    """Return the address that this machine has Debian from."""
    command = ["apt-get", "indextargets", "--format", "$(RELEASE) $(SITE)", "Created-By: Packages"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    codename = platform.freedesktop_os_release().get("VERSION_CODENAME", "")
    sites = [line.partition(" ")[2] for line in done.stdout.splitlines() if line.startswith(f"{codename} ")]
    if not sites:
        raise UnavailableError("apt has no archive of this machine's own Debian")
    return sites[0]


def _unpack(packages: list[Path], tree: Path, log: Path) -> None:
    for package in packages:
        run(["dpkg-deb", "--extract", package, tree], log)
    if not (tree / "lib").exists():
        (tree / "lib").symlink_to("usr/lib")  # since Debian 13 all is in /usr, and the link is no package's


def _complete_headers(sysroot: Sysroot, target: Target) -> None:
    """Put the architecture's pyconfig.h, to which Debian's refers, in its place: one folder shall do."""
    own = sysroot.tree / "usr/include" / target.triplet / sysroot.python.name / "pyconfig.h"
    shutil.copyfile(own, sysroot.headers / "pyconfig.h")
