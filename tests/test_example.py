"""The framework for another project: examples/checksums, built outside this tree by the armlet that is installed."""

import ast
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

from project import SOURCE
from runner import sysroot
from runner.commands import UnavailableError
from runner.suite import Build
from runner.targets import ARM64, ARMHF, Target
from runner.tools import NATIVE_TOOLS, missing
from terminal import terminal

pytestmark = pytest.mark.native

EXAMPLE = SOURCE / "examples/checksums"
MACHINE = {"x86_64": "x86-64-ssse3", "aarch64": "arm64-neon", "armv7l": "arm-neon"}.get(platform.machine(), "generic")
REPORT = """\
import json, sys
sys.path.insert(0, sys.argv[1])
import checksums.config
assert "armlet" not in sys.modules
print(json.dumps({"value": checksums.adler32(bytes(1000) + b"x" * 999), "report": checksums.config.as_dict()}))
"""
VALUE = 0xD9FDD458  # zlib.adler32 of the same


class Example:
    """A copy of the example, which knows this tree by nothing but the installed package."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "checksums"
        shutil.copytree(EXAMPLE, self.folder, ignore=shutil.ignore_patterns("build", "dist", "__pycache__", ".*"))

    def replace(self, file: str, old: str, new: str) -> None:
        """Replace a text that must be there."""
        text = (self.folder / file).read_text()
        assert old in text
        (self.folder / file).write_text(text.replace(old, new, 1))

    def run(self, *arguments: str | Path, **variables: str) -> subprocess.CompletedProcess[str]:
        """Run a module of this Python in the folder."""
        path = os.path.dirname(sys.executable) + os.pathsep + os.environ["PATH"]
        return subprocess.run(
            [sys.executable, "-m", *arguments],
            cwd=self.folder,
            env={**os.environ, "PATH": path, **variables},
            capture_output=True,
            text=True,
            check=False,
        )

    def armlet(self, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
        """Run `armlet` there."""
        return self.run("armlet", *arguments, **variables)

    def meson(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run Meson there."""
        return self.run("mesonbuild.mesonmain", *arguments)

    def refused(self, *options: str) -> str:
        """Set a build folder up, which must fail; return what is said."""
        done = self.meson("setup", "build", *options)
        assert done.returncode == 1, done.stdout
        assert "Traceback" not in done.stdout + done.stderr
        return done.stdout


@pytest.fixture
def example(tmp_path: Path) -> Example:
    return Example(tmp_path)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Example:
    """The example with its wheel for this machine, in dist/ and unpacked in site/."""
    made = Example(tmp_path_factory.mktemp("native"))
    succeeds(made.run("pip", "wheel", "--no-build-isolation", "--no-deps", "--wheel-dir", "dist", "."))
    unpack(made, "dist", "site")
    return made


@pytest.fixture(scope="module")
def crossed(tmp_path_factory: pytest.TempPathFactory) -> Example:
    """The example with its wheels for ARM, in dist/."""
    for module in ("ziglang", "auditwheel", "capstone", "abi3info"):
        pytest.importorskip(module)
    made = Example(tmp_path_factory.mktemp("crossed"))
    targets = ("linux-arm64", "linux-armv7")
    succeeds(made.armlet("wheel", *(f"--target={target}" for target in targets), "--try"))
    return made


def succeeds(done: subprocess.CompletedProcess[str]) -> str:
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def unpack(example: Example, folder: str, into: str, tag: str = "") -> Path:
    (wheel,) = (example.folder / folder).glob(f"checksums-0.1.0-cp311-abi3-*{tag}.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(example.folder / into)
    return example.folder / into


def backends(report: dict[str, object]) -> dict[str, dict[str, object]]:
    algorithms = report["algorithms"]
    assert isinstance(algorithms, dict)
    return {backend["name"]: backend for backend in algorithms["adler32"]["backends"]}


# -- the package


def test_its_own_tests_pass(built: Example) -> None:
    """With nothing of armlet beside it."""
    own = str(built.folder / "site")
    succeeds(built.run("pytest", "-q", "-p", "no:cacheprovider", "tests", PYTHONPATH=own))


def test_report_of_this_machine(built: Example) -> None:
    report = json.loads(succeeds(built.armlet("show", "checksums", "--json", PYTHONPATH=with_site(built))))
    assert (report["package"], report["version"]) == ("checksums", "0.1.0")
    assert report["algorithms"]["adler32"]["selected"] == MACHINE
    others = {name: row["reason"] for name, row in backends(report).items() if not row["built"]}
    assert MACHINE not in others
    assert len(others) == 2
    assert all(" is for " in str(reason) for reason in others.values())


@pytest.mark.skipif(MACHINE == "generic", reason="the example has no assembler for this machine")
def test_mask_of_its_own(built: Example) -> None:
    feature = MACHINE.rsplit("-", 1)[-1]
    variables = {"PYTHONPATH": with_site(built), "CHECKSUMS_CPU_MASK": feature, "ARMLET_CPU_MASK": "nonsense"}
    done = built.armlet("show", "checksums", "--json", **variables)
    report = json.loads(succeeds(done))
    assert report["algorithms"]["adler32"]["selected"] == "generic"
    assert backends(report)[MACHINE]["reason"] == f"CHECKSUMS_CPU_MASK hides {feature}"
    assert done.stderr == ""


def with_site(example: Example) -> str:
    return os.pathsep.join([str(example.folder / "site"), os.environ.get("PYTHONPATH", "")])


@pytest.mark.parametrize(
    ("target", "cpu", "selected"),
    [(ARM64, "cortex-a53", "arm64-neon"), (ARMHF, "cortex-a8", "arm-neon")],
    ids=lambda value: getattr(value, "name", value),
)
@pytest.mark.parametrize("mask", ["", "neon"])
def test_wheels_for_arm(crossed: Example, target: Target, cpu: str, selected: str, mask: str) -> None:
    try:
        tree = sysroot.find(target, crossed.folder / "sysroot.txt", may_download=False)
    except UnavailableError as lacking:
        pytest.skip(str(lacking))
    site = unpack(crossed, "dist", target.name, {ARM64: "aarch64", ARMHF: "armv7l"}[target])
    python = Build(tree.python, (), tree).python_on(target, cpu)
    done = subprocess.run(
        [*python, "-W", "error", "-c", REPORT, str(site)],
        env={**os.environ, "PYTHONPATH": "", "CHECKSUMS_CPU_MASK": mask},
        capture_output=True,
        text=True,
        check=False,
    )
    answer = json.loads(succeeds(done))
    assert answer["value"] == VALUE
    report = answer["report"]
    assert report["target"]["cpu_family"] == target.cpu_family
    assert report["algorithms"]["adler32"]["selected"] == ("generic" if mask else selected)
    rows = backends(report)
    assert [name for name, row in rows.items() if row["built"]] == [selected, "generic"]
    reason = "CHECKSUMS_CPU_MASK hides neon" if mask else f"{selected} comes first"
    assert rows[selected if mask else "generic"]["reason"] == reason
    assert str(rows["x86-64-ssse3"]["reason"]).startswith("ISA_X86_64_SSSE3 (Kconfig:")


# -- the commands


def test_commands_of_the_source_tree(example: Example) -> None:
    assert "ADLER32_GENERIC  " in succeeds(example.armlet("list"))
    assert re.search(r"ISA_ARM64_NEON +n/a|probes/isa-arm64-neon.S", succeeds(example.armlet("probes")))
    done = example.armlet("why", "ADLER32_GENERIC=n")
    assert done.returncode == 1
    assert "has no backend that runs on every CPU of the baseline" in done.stdout
    succeeds(example.armlet("set", "OPTIMIZE_FOR_SIZE=y", "SELF_TEST_AT_IMPORT=y"))
    succeeds(example.meson("compile", "-C", "build"))
    commands = json.loads((example.folder / "build/compile_commands.json").read_text())
    assert all("-Os" in command["command"].split() for command in commands)


def test_targets_are_the_frameworks_and_its_own_come_first(example: Example) -> None:
    names = {path.stem for path in (SOURCE / "targets").glob("*.ini")}
    listed = json.loads(succeeds(example.armlet("targets", "--json")))["targets"]
    assert {target["name"] for target in listed} == names
    own = example.folder / "targets/linux-arm64.ini"
    own.parent.mkdir()
    own.write_text("# our boards\n" + (SOURCE / "targets/linux-arm64.ini").read_text().replace("cortex-a53", "own-cpu"))
    (listed,) = json.loads(succeeds(example.armlet("targets", "--json")))["targets"]
    assert (listed["description"], listed["emulated_cpus"]) == ("our boards", ["own-cpu", "max"])
    done = example.armlet("wheel", "--target=linux-armv8")
    assert "did you mean linux-armv7" in done.stderr + done.stdout, "the framework's are found all the same"


@pytest.mark.skipif(bool(missing(NATIVE_TOOLS)), reason="tmux not found")
def test_menu(example: Example) -> None:
    pytest.importorskip("textual")
    variables: dict[str, str | None] = {"TERM": "screen"}
    with terminal(example.folder, [sys.executable, "-m", "armlet", "menuconfig"], variables) as window:
        window.wait_for("checksums", "Adler-32", "Optimise for size")
        window.press("q")
        window.wait_for("exit status 0")


def test_without_its_algorithm(example: Example) -> None:
    succeeds(example.meson("setup", "build", "-Dset=ADLER32=n"))
    succeeds(example.meson("compile", "-C", "build"))
    succeeds(example.meson("install", "-C", "build", "--destdir", "root"))
    (package,) = (example.folder / "build/root").rglob("checksums/__init__.py")
    code = (
        "import checksums, checksums.config; assert not hasattr(checksums, 'adler32'); "
        "assert not any(backend.built for backend in checksums.config.backends('adler32'))"
    )
    environment = {**os.environ, "PYTHONPATH": str(package.parent.parent)}
    subprocess.run([sys.executable, "-W", "error", "-c", code], env=environment, check=True)


# -- mistakes


def test_backend_without_a_build_line(example: Example) -> None:
    example.replace("meson.build", "  'ADLER32_GENERIC': files('checksum/adler32-generic.c'),\n", "")
    assert "Kconfig defines ADLER32_GENERIC, but no meson.build gives its sources" in example.refused()


def test_misspelt_kernel(example: Example) -> None:
    source = example.folder / "checksum/adler32-generic.c"
    source.write_text(source.read_text().replace("generic_blocks", "genric_blocks"))
    succeeds(example.meson("setup", "build"))
    done = example.meson("compile", "-C", "build")
    assert done.returncode != 0
    assert "adler32_generic_blocks" in done.stdout


@pytest.mark.parametrize(
    ("wanted", "words"),
    [("2.0", "docs/interface.md tells what has changed"), ("1.9", "a later armlet has it"), ("1", "two numbers")],
)
def test_another_interface(example: Example, wanted: str, words: str) -> None:
    example.replace("meson.build", "--interface=1.0", f"--interface={wanted}")
    output = example.refused()
    assert wanted in output
    assert words in output


OWN_ISA = "ISA_X86_64_SSE41"
OWN_ROW = f'#define OWN_CPU_X86_64_FEATURES(X) X({OWN_ISA}, "sse41", 1, CPUID_ECX, 19, 0)\n'


def test_instruction_set_that_the_framework_does_not_know(example: Example) -> None:
    example.replace("meson.build", "probes = [\n", "probes = [\n  'isa-x86-64-sse41.S',\n")
    example.replace("Kconfig", "\nsource", f"\nconfig {OWN_ISA}\n\tdef_bool $({OWN_ISA})\n\nsource")
    example.replace("checksum/Kconfig", "depends on ISA_X86_64_SSSE3", f"depends on {OWN_ISA}")
    probe = ".intel_syntax noprefix\n    pmulld xmm0, xmm1\n"
    (example.folder / "probes/isa-x86-64-sse41.S").write_text(probe)
    succeeds(example.meson("setup", "build"))
    done = example.meson("compile", "-C", "build")
    assert done.returncode != 0
    assert f"CPU_{OWN_ISA}" in done.stdout
    (example.folder / "own-cpu.h").write_text(OWN_ROW)
    succeeds(example.meson("compile", "-C", "build"))


# -- what it takes


def lines_of_build_files() -> list[str]:
    """The build files without blank lines, comments, the lists that are the project's own, and [project] metadata.

    A list goes from the line that opens it to the one that closes it: probes, sources, files to install.
    """
    pyproject = re.sub(r"(?ms)^\[project\]\n.*?(?=^\[)", "", (EXAMPLE / "pyproject.toml").read_text())
    meson = (EXAMPLE / "meson.build").read_text()
    for opening, closing in (
        (r"probes = \[", r"\]"),
        (r"sources = \{", r"\}"),
        (r"py\.install_sources\(", "(?=  configure)"),
    ):
        meson, count = re.subn(rf"(?m)^{opening}\n(  '.*\n)+{closing}\n?", "", meson)
        assert count == 1
    text = meson + (EXAMPLE / "meson_options.txt").read_text() + pyproject
    return [line for line in text.splitlines() if line.strip() and not line.startswith("#")]


def test_forty_lines_of_build_files() -> None:
    lines = lines_of_build_files()
    assert len(lines) <= 40, "\n".join(lines)
    assert max(map(len, lines)) <= 120


def test_readme_shows_the_commands_that_there_are(example: Example) -> None:
    commands = re.findall(r"^    armlet (\w+)", (EXAMPLE / "README.md").read_text(), re.MULTILINE)
    assert {"menuconfig", "why", "wheel", "show"} <= set(commands)
    for command in commands:
        succeeds(example.armlet(command, "--help"))


# -- the framework knows nothing of this project's algorithms


def names_of_algorithms() -> set[str]:
    """Every algorithm, function and family of armlet, and what people call them."""
    names = {
        "keccak",
        "shake",
        "sha1",
        "sha224",
        "sha384",
        "md5",
        "aes",
        "hash",
        "hashes",
        "cipher",
        "ciphers",
        "crypto",
    }
    for kconfig in SOURCE.glob("*/Kconfig"):
        names.add(kconfig.parent.name)
        names |= {name.lower() for name in re.findall(r"^menuconfig (\w+)$", kconfig.read_text(), re.MULTILINE)}
    return names | {part for name in names for part in name.split("_")}


def test_the_framework_names_no_algorithm() -> None:
    """Instruction sets may be called after one; and it may use Python's, to say whether files are the same."""
    names = names_of_algorithms()
    assert {"sha256", "sha3", "digest", "speck128", "xts"} <= names
    allowed = re.compile(
        r"\bISA_\w+|\bFEAT_\w+|\"(?:sha2|sha3|sha512|crypto)\"|import hashlib|hashlib\.sha256\(.*?\)\.(hex)?digest\(\)"
        r"|\w+_sha256\b|\w+_SHA256\b|sha256=|#hash"
    )
    found = []
    for path in sorted((SOURCE / "src/armlet/kconf").rglob("*")):
        if path.suffix not in {".py", ".c", ".h", ".S", ""} or not path.is_file():
            continue
        for number, line in enumerate(path.read_text().splitlines(), 1):
            words = set(re.findall(r"[a-z]+[0-9]*", allowed.sub("", line).lower()))
            found += [f"{path.name}:{number}: {word}" for word in words & names]
    assert not found


def test_runtime_of_a_package_imports_nothing_else_of_the_framework(built: Example) -> None:
    """What is copied into a package is all that it needs: relative imports stay within it."""
    folder = built.folder / "site/checksums/kconf"
    modules = {path.stem for path in folder.glob("*.py")}
    for path in folder.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom) and node.level:
                assert (node.module or "__init__") in modules, f"{path.name} imports {node.module}"


def test_build_requirement_is_the_framework() -> None:
    settings = tomllib.loads((EXAMPLE / "pyproject.toml").read_text())
    assert "armlet[kconf]" in settings["build-system"]["requires"]
    assert "dependencies" not in settings["project"]
