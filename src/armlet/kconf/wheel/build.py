"""One wheel of one target: configured, compiled, tagged and repaired; not yet trusted."""

import json
import os
import re
import shutil
import subprocess
import sys
from typing import Any, NamedTuple

from ..cross import read_cross_file, target_python
from ..errors import KconfError
from ..intent import config_path
from ..layout import TARGETS
from .archive import LATEST, modules_in, pack, parse_name, unpack
from .processes import Failed, Output
from .strip import strip_debug
from .targets import WheelTarget, search_path

# What would change the result without being seen in it.
IGNORED_VARIABLES = (
    *("AR", "CC", "CFLAGS", "CPPFLAGS", "LDFLAGS", "RANLIB", "STRIP", "ARCHFLAGS"),
    *("_PYTHON_HOST_PLATFORM", "_PYTHON_SYSCONFIGDATA_NAME", "MACOSX_DEPLOYMENT_TARGET", "DESTDIR"),
)
MUSL_NAMES = {"aarch64": "aarch64", "armv7l": "armv7", "x86_64": "x86_64"}  # of architectures, by those of tags


class Wish(NamedTuple):
    """What all wheels of one command have in common."""

    source_dir: str
    configs: list[str]
    set: list[str]
    build_tag: str
    compiler: str  # "cross-file" or "gcc"
    epoch: int
    jobs: int  # of one compilation


class Workshop:
    """The folder in which a wheel is made, its log, and the steps of making it."""

    def __init__(self, target: WheelTarget, wish: Wish, headers: str, output: Output) -> None:
        self.target = target
        self.wish = wish
        self.folder = output.folder
        self.build_dir = os.path.join(self.folder, "build")
        self._output = output
        self._python_headers = headers
        self._variables: dict[str, str] = {}
        self._setup: list[str] = []

    def _options(self) -> list[str]:
        """Write what Meson is to read, and return its options."""
        python = target_python(self.folder, self._python_headers, read_cross_file(self.target.path))
        self._variables = python.variables
        configs = [*self._config_of_target(), *self.wish.configs]
        return [
            f"--cross-file={self.target.path}",
            f"--cross-file={self._own_cross_file()}",
            *python.options,
            # Unless the user asks for it, a .config in the source folder does not count: a wheel is no private build.
            f"-Dconfig={','.join(configs or ['default'])}",
            *([f"-Dset={','.join(self.wish.set)}"] if self.wish.set else []),
        ]

    def _config_of_target(self) -> list[str]:
        """The configuration that belongs to the target, unless it is one of the framework's that this project lacks."""
        name, source_dir = self.target.config, self.wish.source_dir
        is_own = os.path.dirname(self.target.path) == os.path.join(source_dir, TARGETS)
        return [name] if name and (is_own or os.path.exists(config_path(source_dir, name))) else []

    def _own_cross_file(self) -> str:
        """Write the settings that go over those of the target's file: other compilers, and no path in the result."""
        target, wish = self.target, self.wish
        lines = []
        if wish.compiler == "gcc":
            gcc = _gcc_of(target)
            lines = ["[binaries]", f"c = [{gcc!r}]", f"ar = [{gcc.removesuffix('gcc') + 'ar'!r}]"]
        options = {name: list(target.options.get(name, [])) for name in ("c_args", "c_link_args")}
        options["c_args"] += [f"-ffile-prefix-map={wish.source_dir}/=", f"-ffile-prefix-map={self.build_dir}/="]
        lines += ["[built-in options]", *(f"{name} = {_machine_file_array(value)}" for name, value in options.items())]
        path = os.path.join(self.folder, "own.ini")
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")
        return path

    def configure(self) -> None:
        """Have Meson set the build folder up: what cannot be had is found here, and nothing is compiled."""
        self._setup = self._options()
        argv = [sys.executable, "-m", "mesonbuild.mesonmain", "setup"]
        try:  # not in the source folder: zig leaves an a.o where Meson asks it what it is
            self.run([*argv, self.build_dir, self.wish.source_dir, *self._setup], folder=self.folder)
        except Failed as failure:
            raise KconfError(_reason(failure.output)) from None

    def build(self) -> str:
        """Compile, and return the path of a wheel that is tagged and repaired."""
        raw = self._make_folder("raw")
        settings = {"build-dir": [self.build_dir], "setup-args": self._setup, "compile-args": [f"-j{self.wish.jobs}"]}
        argv = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--skip-dependency-check", "--outdir", raw]
        argv += [f"--config-setting={name}={value}" for name, values in settings.items() for value in values]
        self.run(argv)
        return self._retag(_only_wheel(raw))

    def _retag(self, raw: str) -> str:
        """Give the wheel the platform of the target, for meson-python took it from the machine that it runs on.

        And the Python that its module is for, which may be older than the one that meson-python runs in.
        """
        platform = self.target.platform
        name = parse_name(raw)
        if name.abi == "abi3":
            name = name._replace(python=limited_api(self.build_dir) or name.python)
        tree = self._make_folder("tree")
        unpack(raw, tree)
        if self.target.machine["system"] == "linux":
            for module in modules_in(tree):
                strip_debug(os.path.join(tree, module))
        if platform.startswith("musllinux"):
            self._name_libc_as_musl_does(tree)
        if platform.startswith(("manylinux", "musllinux")):
            architecture = architecture_of(platform)
            plain = pack(tree, name._replace(platform=f"linux_{architecture}"), self.folder, self.wish.epoch)
            repaired = self._repair(plain)
            tree = self._make_folder("repaired-tree")
            unpack(repaired, tree)
            # A compiler of the system's own links against the system's C library, whose version then makes the tag.
            platform = parse_name(repaired).platform if self.wish.compiler == "gcc" else _with_old_name(platform)
        name = name._replace(platform=platform, build=self.wish.build_tag)
        return pack(tree, name, self._make_folder("finished"), self.wish.epoch)

    def _name_libc_as_musl_does(self, tree: str) -> None:
        """Musl's own linker calls its library otherwise than zig does."""
        architecture = MUSL_NAMES.get(architecture_of(self.target.platform))
        if not architecture:
            raise KconfError(f"{self.target.platform}: it is not known how musl calls its library there")
        for module in modules_in(tree):
            path = os.path.join(tree, module)
            self.run(["patchelf", "--replace-needed", "libc.so", f"libc.musl-{architecture}.so.1", path])

    def _repair(self, wheel: str) -> str:
        """Have auditwheel copy in what libraries it needs; of a foreign wheel it takes no platform but "auto"."""
        destination = self._make_folder("repaired")
        self.run([sys.executable, "-m", "auditwheel", "repair", "--plat", "auto", "-w", destination, wheel])
        return _only_wheel(destination)

    def record(self) -> dict[str, Any]:
        """Return what the framework wrote about the build folder."""
        with open(os.path.join(self.build_dir, "kconf.json"), encoding="utf-8") as file:
            record: dict[str, Any] = json.load(file)
            return record

    def run(self, argv: list[str], timeout: float | None = None, folder: str = "") -> str:
        """Run a program with the log and the environment of this wheel."""
        environment = {name: value for name, value in os.environ.items() if name not in IGNORED_VARIABLES}
        environment |= {"SOURCE_DATE_EPOCH": str(self.wish.epoch), "LC_ALL": "C.UTF-8", "PATH": search_path()}
        environment["TMPDIR"] = self.folder  # what a program leaves that is stopped goes with the rest
        return self._output.run(argv, folder or self.wish.source_dir, environment | self._variables, timeout)

    def _make_folder(self, name: str) -> str:
        path = os.path.join(self.folder, name)
        os.mkdir(path)
        return path


def _machine_file_array(values: list[str]) -> str:
    """Write texts as a machine file has them, which knows no escapes; a path may hold an apostrophe."""
    return "[" + ", ".join(f"'''{value}'''" if "'" in value else f"'{value}'" for value in values) + "]"


def limited_api(build_dir: str) -> str | None:
    """Return the tag of the oldest Python whose stable ABI a build folder compiles for; None if it is not limited."""
    with open(os.path.join(build_dir, "compile_commands.json"), encoding="utf-8") as file:
        versions = re.findall(r"-DPy_LIMITED_API=0x([0-9a-fA-F]{2})([0-9a-fA-F]{2})", file.read())
    return max((f"cp{int(major, 16)}{int(minor, 16)}" for major, minor in versions), default=None)


def _gcc_of(target: WheelTarget) -> str:
    """Return the gcc of a target; where there is none, say why."""
    if not target.gcc:
        raise KconfError(f"{target.name} names no gcc that builds for it: leave --compiler out")
    if not shutil.which(target.gcc, path=search_path()):
        raise KconfError(f"{target.gcc} is not found (Debian: install the package {_debian_package(target.gcc)})")
    return target.gcc


def _debian_package(gcc: str) -> str:
    return "gcc-" + gcc.removesuffix("-gcc").replace("_", "-")


def architecture_of(platform: str) -> str:
    """Return the last part of a platform tag: armv7l of manylinux_2_17_armv7l."""
    known = ("x86_64", "aarch64", "armv7l", "armv6l", "arm64")
    return next((name for name in known if platform.endswith("_" + name)), platform.rsplit("_", 1)[-1])


def _with_old_name(platform: str) -> str:
    """Add the name by which pip before 20.3 knows a platform."""
    old = platform.replace("manylinux_2_17_", "manylinux2014_")
    return platform if old == platform else f"{platform}.{old}"


def source_date_epoch(source_dir: str) -> int:
    """Return the time that all files of a wheel carry: the last commit's, unless SOURCE_DATE_EPOCH says another."""
    if given := os.environ.get("SOURCE_DATE_EPOCH"):
        if not given.isascii() or not given.isdecimal():
            raise KconfError(f"SOURCE_DATE_EPOCH={given}: this is not a number of seconds")
        if len(given) > 4000 or int(given) > LATEST:  # of more digits Python makes no number
            raise KconfError(f"SOURCE_DATE_EPOCH={given}: a wheel, which is a zip archive, knows no time after 2107")
        return int(given)
    try:
        done = subprocess.run(
            ["git", "log", "-1", "--format=%ct"],  # noqa: S607  # the user's own
            cwd=source_dir,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
    except OSError:
        return 0
    return int(done.stdout) if done.stdout.strip().isdecimal() else 0


def _only_wheel(folder: str) -> str:
    wheels = [name for name in os.listdir(folder) if name.endswith(".whl")]
    if len(wheels) != 1:
        raise KconfError(f"one wheel was to be made, there are {len(wheels)}")
    return os.path.join(folder, wheels[0])


def _reason(output: str) -> str:
    """Return what the framework said, without Meson's words around it; what Meson said if it was Meson."""
    if broken := re.search(r"^OSError: (?:\[Errno \d+\] )?(.*)", output, re.MULTILINE):
        return broken[1]
    _, found, after = output.partition("ERROR: ")
    if not found:
        return output.strip().splitlines()[-1] if output.strip() else "Meson failed without a word"
    text = after.removeprefix("Problem encountered: ")
    return text.split("\n\nA full log can be found", 1)[0].strip()
