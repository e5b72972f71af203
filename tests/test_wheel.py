"""`armlet wheel`: a wheel of every target, and every wheel that must be refused.

The broken ones are small modules of their own, compiled in as many wrong ways as users have met.
"""

import importlib.util
import json
import os
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from project import SOURCE, Project, armlet

pytestmark = [
    pytest.mark.native,
    pytest.mark.skipif(sys.platform != "linux", reason="the emulators are Linux's"),
    pytest.mark.skipif(
        any(importlib.util.find_spec(name) is None for name in ("ziglang", "auditwheel", "capstone", "abi3info")),
        reason="armlet[wheel] is not installed",
    ),
]

from armlet.kconf.cross import write_headers  # noqa: E402
from armlet.kconf.errors import KconfError  # noqa: E402
from armlet.kconf.inspection import inspect  # noqa: E402
from armlet.kconf.record import SCHEMA, with_fingerprint  # noqa: E402
from armlet.kconf.wheel.archive import pack, parse_name, unpack  # noqa: E402
from armlet.kconf.wheel.build import limited_api  # noqa: E402
from armlet.kconf.wheel.check import check_wheel  # noqa: E402
from armlet.kconf.wheel.platforms import parse_platform, strictest  # noqa: E402
from armlet.kconf.wheel.strip import strip_debug  # noqa: E402
from armlet.kconf.wheel.targets import find_target, read_target, search_path  # noqa: E402
from armlet.kconf.wheel.tries import find_pythons  # noqa: E402

MODULE = """\
#include <Python.h>
#include <string.h>
__attribute__((noinline)) int tiny_generic_blocks(const char *text);
int tiny_generic_blocks(const char *text) { return (int)strlen(text) + EXTRA; }
static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, .m_name = "core", .m_size = 0};
PyMODINIT_FUNC PyInit_core(void);
PyMODINIT_FUNC PyInit_core(void) {
    return tiny_generic_blocks("x") ? PyModuleDef_Init(&definition) : NULL;
}
"""
NEON = '__asm__(".fpu neon\\n.text\\n.globl neon\\n.hidden neon\\nneon: vadd.i32 q0, q0, q0\\n bx lr\\n");\n'
V7 = '__asm__(".arch armv7-a\\n.text\\n.hidden v7\\n.globl v7\\nv7: movw r0, #1\\n bx lr\\n");\n'

# As long as the compiler's runtime, with a name of the kind that its functions have.
RUNTIME = """
__asm__(".text\\n.globl __divide\\n.hidden __divide\\n.type __divide, %function\\n__divide: .fill 2048, 4, 0\\n"
        ".size __divide, 8192\\n");
extern const char __divide[];
__attribute__((used)) const char *keeps_it(void);
const char *keeps_it(void) { return __divide; }
"""

Made = Callable[..., Path]


def config_module(*, neon: bool = False, **options: str) -> str:
    """Return a module `_config`, as the build of the small module would write it."""
    backend: dict[str, Any] = {"symbol": "", "needs": [], "requested": "", "reason": None}
    backends = [{"name": name, "built": built, **backend} for name, built in (("generic", True), ("neon", neon))]
    definitions = {
        "SCHEMA": SCHEMA,
        "PACKAGE": "tiny",
        "VERSION": "1",
        "TARGET": {"system": "linux", "cpu_family": "arm", "endian": "little"},
        "COMPILER": {"id": "clang", "version": "1", "flags": []},
        "BASELINE": [],
        "OPTIONS": options,
        "PROBES": {},
        "REQUESTED": {},
        "DOTCONFIG": "",
        "DOTCONFIG_SHA256": "",
        "ALGORITHMS": {
            "tiny": {"family": "", "symbol": "TINY", "built": True, "selection": "order", "backends": backends}
        },
    }
    return "".join(f"{name} = {value!r}\n" for name, value in with_fingerprint(definitions).items())


@pytest.fixture(scope="session")
def headers(tmp_path_factory: pytest.TempPathFactory) -> str:
    return write_headers(str(tmp_path_factory.mktemp("headers")))


class Broken(NamedTuple):
    """A small module, and what is wrong with it."""

    flags: tuple[str, ...] = ()
    extra: str = "0"  # an expression in its code
    source: str = MODULE
    name: str = "core.abi3.so"
    platform: str = ""  # of the tag; the target's by default
    report: str = config_module()
    patch: tuple[str, ...] = ()  # patchelf's


def compile_for(target: str, broken: Broken, folder: Path, headers: str) -> None:
    """Compile a module as the target's cross file says, and as the build of a project adds."""
    found = find_target(str(SOURCE), target)
    (folder / "core.c").write_text(broken.source)
    command = [*found.binaries["c"], "-shared", "-fPIC", "-O2", "-fvisibility=hidden", f"-I{headers}"]
    command += ["-DPy_LIMITED_API=0x030b0000", f"-DEXTRA={broken.extra}", "core.c", "-o", "core.abi3.so"]
    command += [*found.options.get("c_args", []), *found.options.get("c_link_args", [])]
    if target.endswith("arm64") and target != "macos-arm64":
        command += ["-nostartfiles", "-mbranch-protection=standard"]
    run([*command, *broken.flags], folder)
    if target != "macos-arm64":
        strip_debug(str(folder / "core.abi3.so"))
    if broken.patch:
        run(["patchelf", *broken.patch, "core.abi3.so"], folder)


def run(command: list[str], folder: Path) -> None:
    """Run a program of the environment, which must succeed."""
    environment = {**os.environ, "PATH": search_path()}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.fixture
def made(tmp_path: Path, headers: str) -> Made:
    """Make a wheel of a small module: `made("linux-arm64", Broken(name="core.so"))`."""

    def make(target: str, broken: Broken = Broken()) -> Path:  # noqa: B008  # it cannot be changed
        tree = tmp_path / "tree"
        (tree / "tiny").mkdir(parents=True)
        (tree / "tiny-1.dist-info").mkdir()
        (tree / "tiny-1.dist-info/WHEEL").write_text("Wheel-Version: 1.0\nRoot-Is-Purelib: false\n")
        (tree / "tiny/_config.py").write_text(broken.report)
        compile_for(target, broken, tmp_path, headers)
        shutil.move(tmp_path / "core.abi3.so", tree / "tiny" / broken.name)
        platform = broken.platform or find_target(str(SOURCE), target).platform
        return Path(pack(str(tree), parse_name(f"tiny-1-cp311-abi3-{platform}.whl"), str(tmp_path), 0))

    return make


def findings(wheel: Path, private: tuple[str, ...] = ()) -> dict[str, str]:
    """Return what the check says, by the name of the check."""
    tree = wheel.parent / "checked"
    unpack(str(wheel), str(tree))
    return {finding.check: finding.words for finding in check_wheel(str(wheel), str(tree), private)}


@pytest.mark.parametrize("target", ["linux-arm64", "linux-armv7", "linux-armv6", "musl-armv7", "macos-arm64"])
def test_a_sound_wheel_passes(made: Made, target: str) -> None:
    found = findings(made(target))
    if target == "musl-armv7":  # it is `wheel` that gives the library its right name
        assert found.pop("needed-libraries").startswith("it needs libc.so")
    assert not found


def test_code_of_another_machine(made: Made) -> None:
    words = findings(made("linux-arm64", Broken(platform="manylinux_2_17_x86_64")))["machine"]
    assert words == "it is for EM_AARCH64, 64 bits; manylinux_2_17_x86_64 means EM_X86_64, 64 bits"


def test_another_file_format(made: Made) -> None:
    assert "no Mach-O file" in findings(made("linux-arm64", Broken(platform="macosx_11_0_arm64")))["machine"]


def test_suffix_of_the_build_machine(made: Made) -> None:
    words = findings(made("linux-armv7", Broken(name="core.abi3-x86_64-linux-gnu.so")))["suffix"]
    assert words == "no Python of manylinux_2_17_armv7l imports .abi3-x86_64-linux-gnu.so: .abi3.so"


def test_neon_attribute_in_a_wheel_for_armv6(made: Made) -> None:
    found = findings(made("linux-armv7", Broken(("-mcpu=cortex_a8",), platform="linux_armv6l")))
    assert "Tag_CPU_arch 10, after ARMv6" in found["arm-attributes"]
    assert "NEON" in found["arm-attributes"]


@pytest.mark.parametrize(("code", "culprit"), [(NEON, "vadd.i32 q0, q0, q0"), (V7, "movw r0, #1")])
def test_younger_instructions_in_a_wheel_for_armv6(made: Made, code: str, culprit: str) -> None:
    """Whatever the attributes say: the instructions themselves are looked at."""
    found = findings(made("linux-armv6", Broken(source=MODULE + code)))
    assert culprit in found["armv6-instructions"]


def test_missing_symbol(made: Made) -> None:
    source = "int nowhere(void);\n" + MODULE
    for_glibc = findings(made("linux-arm64", Broken(extra="nowhere()", source=source)))
    assert for_glibc["undefined-symbols"] == "nothing defines nowhere"


def test_missing_symbol_in_musl_and_macos(made: Made) -> None:
    source = '__attribute__((visibility("default"))) int nowhere(void);\n' + MODULE
    words = findings(made("macos-arm64", Broken(extra="nowhere()", source=source)))["undefined-symbols"]
    assert words == "nothing defines _nowhere"


def test_symbol_outside_the_stable_abi(made: Made) -> None:
    source = "int _PyUnstable_Nothing(void);\n" + MODULE
    found = findings(made("linux-arm64", Broken(extra="_PyUnstable_Nothing()", source=source)))
    assert found["undefined-symbols"] == "_PyUnstable_Nothing is no part of the stable ABI"


def test_no_library_is_named(made: Made) -> None:
    words = findings(made("linux-armv7", Broken(patch=("--remove-needed", "libc.so.6"))))["needed-libraries"]
    assert words == "it names no library that it needs (DT_NEEDED), not even the C library"


def test_the_compilers_runtime_fills_the_module(made: Made) -> None:
    found = findings(made("linux-armv7", Broken(source=MODULE + RUNTIME)))
    assert "compiler's runtime" in found["compiler-runtime"]


def test_executable_stack(made: Made) -> None:
    found = findings(made("linux-arm64", Broken(patch=("--set-execstack",))))
    assert found["executable-stack"] == "its stack is executable"


def test_pages_of_64_kib(made: Made) -> None:
    words = findings(made("linux-arm64", Broken(("-Wl,-z,max-page-size=4096",))))["page-alignment"]
    assert words.startswith("its segments are aligned to 4096 bytes")


def test_c_library_above_the_floor(made: Made) -> None:
    source = "#include <sys/random.h>\n" + MODULE
    wheel = made("linux-arm64", Broken(("-target", "aarch64-linux-gnu.2.28"), "(int)getrandom(NULL, 0, 0)", source))
    words = findings(wheel)["c-library-floor"]
    assert words == "manylinux_2_17_aarch64 means glibc 2.17, but it needs getrandom (GLIBC_2.25)"


def test_branches_without_protection(made: Made) -> None:
    assert "BTI and PAC" in findings(made("linux-arm64", Broken(("-mbranch-protection=none",))))["branch-protection"]


def test_paths_of_the_build_machine(made: Made) -> None:
    wheel = made("linux-arm64", Broken(report=config_module(WHERE="/home/somebody/armlet")))
    assert "build-paths" in findings(wheel, ("/home/somebody",))


def test_report_and_kernels_differ(made: Made) -> None:
    words = findings(made("linux-arm64", Broken(report=config_module(neon=True))))["kernels"]
    assert "tiny neon, of which the module has no function" in words


def test_kernels_that_the_report_does_not_name(made: Made) -> None:
    source = MODULE + "int tiny_neon_blocks(void);\n__attribute__((used)) int tiny_neon_blocks(void) { return 1; }\n"
    assert "functions of tiny neon, which" in findings(made("linux-arm64", Broken(source=source)))["kernels"]


def test_tags_inside_and_outside(made: Made) -> None:
    wheel = made("linux-arm64")
    renamed = wheel.rename(wheel.with_name("tiny-1-cp311-abi3-manylinux_2_28_aarch64.whl"))
    assert "manylinux_2_17_aarch64" in findings(renamed)["tags"]


def test_debug_information_is_taken_out_and_the_rest_stays(made: Made) -> None:
    wheel = made("linux-armv7")
    tree = wheel.parent / "tree/tiny/core.abi3.so"
    assert tree.stat().st_size < 20_000
    assert not findings(wheel)


@pytest.mark.parametrize(
    ("definitions", "words"),
    [
        ((), "the full API depends on"),
        (("-DPy_LIMITED_API=0x030b0000", "-DPy_GIL_DISABLED"), "free-threaded"),
    ],
)
def test_headers_refuse_what_they_cannot_serve(
    headers: str, tmp_path: Path, definitions: tuple[str, ...], words: str
) -> None:
    command = [sys.executable, "-m", "ziglang", "cc", "-fsyntax-only", f"-I{headers}", *definitions, "-xc", "-"]
    source = "#include <Python.h>\n"
    done = subprocess.run(command, input=source, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert words in done.stderr


@pytest.mark.parametrize("tags", [["win_arm64"], ["manylinux_2_17_aarch64", "linux_armv6l"]])
def test_platforms_that_cannot_be_checked(tags: list[str]) -> None:
    with pytest.raises(KconfError):
        strictest(tags)


def test_old_names_of_platforms() -> None:
    assert parse_platform("manylinux2014_armv7l").floor == (2, 17)


def test_unknown_target_and_incomplete_ones(tmp_path: Path) -> None:
    with pytest.raises(KconfError, match="did you mean linux-armv7"):
        find_target(str(SOURCE), "linux-armv8")
    file = tmp_path / "own.ini"
    file.write_text("[binaries]\nc = 'cc'\n")
    with pytest.raises(KconfError, match=r"a target needs \[binaries\] ar, .*wheel_platform"):
        read_target(str(file))


def test_list_of_targets() -> None:
    listed = json.loads(armlet(SOURCE, "targets", "--json").stdout)["targets"]
    assert {"linux-arm64", "linux-armv6", "linux-armv7"} <= {target["name"] for target in listed}
    matrix = json.loads(armlet(SOURCE, "targets", "--github-matrix").stdout)
    assert {"target": "linux-arm64", "runner": "ubuntu-24.04-arm"} in matrix["include"]


def test_nothing_is_left_in_the_source_folder(tmp_path: Path) -> None:
    """Asked for its version as the compiler for macOS, zig leaves an object where it runs."""
    project = Project(tmp_path)
    before = sorted(os.listdir(project.folder))
    done = project.kconf("probes", "--target", "macos-arm64")
    assert done.returncode == 0, done.stderr
    assert sorted(os.listdir(project.folder)) == sorted([*before, "build"])


def test_a_wheel_of_every_target(tmp_path: Path) -> None:
    (tmp_path / "tree").mkdir()
    project = Project(tmp_path / "tree")
    before = set(os.listdir(project.folder))
    done = armlet(project.folder, "wheel", "--all", "--try", "--json", SOURCE_DATE_EPOCH="1700000000")
    assert done.returncode == 0, done.stdout + done.stderr
    assert set(os.listdir(project.folder)) - before == {"build", "dist"}, "no compiler leaves anything else"
    results = {result["target"]: result for result in json.loads(done.stdout)["wheels"]}
    assert set(results) == {path.stem for path in (SOURCE / "targets").glob("*.ini")}
    for result in results.values():
        with zipfile.ZipFile(result["file"]) as archive:
            module = archive.getinfo("armlet/_core.abi3.so")
        assert module.file_size <= 150_000, "the rest of a wheel is Python, which no compiler bloats"
        assert os.path.getsize(result["file"]) <= 250_000
        assert result["tried"] or result["not_tried"]
        pythons, _ = find_pythons(find_target(str(project.folder), result["target"]))
        assert result["tried"] == [python.name for python in pythons], "in every Python that there is"
        if os.environ.get("ARMLET_TEST_REQUIRE_ALL") and result["target"] in {"linux-arm64", "linux-armv7"}:
            assert {"Python 3.11", "Python 3.13"} <= {name.partition(" on ")[0] for name in result["tried"]}
        (finding,) = inspect(result["file"])
        assert finding.differences == []
        assert finding.report.target["system"] == ("darwin" if "macos" in result["target"] else "linux")


def test_wheels_without_the_framework(tmp_path: Path) -> None:
    """For machines that build nothing: all algorithms, and at most 150 kB."""
    project = Project(tmp_path)
    targets = [word for name in ("linux-arm64", "linux-armv7", "linux-x86_64") for word in ("--target", name)]
    done = armlet(project.folder, "wheel", *targets, "--set", "FRAMEWORK=n", "--try", "--json")
    assert done.returncode == 0, done.stdout + done.stderr
    for result in json.loads(done.stdout)["wheels"]:
        assert os.path.getsize(result["file"]) <= 150_000
        assert result["tried"]
        with zipfile.ZipFile(result["file"]) as archive:
            assert "armlet/kconf/report.py" in archive.namelist()
            assert "armlet/kconf/why.py" not in archive.namelist()


def test_what_a_target_cannot_have_is_said_before_anything_is_compiled(tmp_path: Path) -> None:
    project = Project(tmp_path)
    done = armlet(tmp_path, "wheel", "--target", "linux-armv6", "--set", "SHA512_ARM_NEON=y")
    assert done.returncode == 1
    assert "SHA512_ARM_NEON=y cannot be had" in done.stderr
    assert "failed" in done.stdout
    log = project.folder / "build/wheel/linux-armv6.log"
    assert "compile" not in log.read_text().split("$")[-1].split()[:4]
    assert str(log.relative_to(project.folder)) in done.stderr
    assert not (tmp_path / "dist").exists()


def test_configurations_are_kept_apart(tmp_path: Path) -> None:
    Project(tmp_path)
    done = armlet(tmp_path, "wheel", "--target", "linux-x86_64", "--config", "tiny")
    assert done.returncode == 0, done.stderr
    (wheel,) = (tmp_path / "dist").iterdir()
    assert parse_name(wheel.name).build == "1_tiny"
    with zipfile.ZipFile(wheel) as archive:
        assert b"\nBuild: 1_tiny\n" in archive.read("armlet-0.1.0.dist-info/WHEEL")


def test_the_python_of_a_wheel_is_the_one_its_module_is_for(tmp_path: Path) -> None:
    """Whatever Python builds it: meson-python would tag it with its own."""
    commands = tmp_path / "compile_commands.json"
    commands.write_text('[{"command": "cc -DPy_LIMITED_API=0x030b0000 -c a.c"}, {"command": "cc -c b.S"}]')
    assert limited_api(str(tmp_path)) == "cp311"
    commands.write_text('[{"command": "cc -c a.c"}]')
    assert limited_api(str(tmp_path)) is None


def test_headers_are_needed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(sysconfig, "get_path", lambda _: str(tmp_path))
    with pytest.raises(KconfError, match="has no headers"):
        write_headers(str(tmp_path / "out"))
