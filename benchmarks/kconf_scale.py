"""How long Kconfig trees of thousands of symbols take to resolve, and to be asked why; and how much memory that takes.

    python3 benchmarks/kconf_scale.py              # 10,000 symbols, of which 1,000 are backends, and twice as many
    python3 benchmarks/kconf_scale.py --check      # exit status 1 if a limit is missed

Each figure is that of a process of its own, in CPU time: from its start to its end, the import of everything included.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "src"))

SYMBOLS = 10_000
RUNS = 3  # of which the best counts

SECONDS = {"resolve": 1.0, "why": 3.0}
MEBIBYTES = 100  # to resolve
GROWTH = 2.2  # of the time, for twice as many symbols

ISAS = ["ARM_NEON", "ARM_SHA2", "ARM64_NEON", "ARM64_SHA2", "ARM64_SHA512", "ARM64_SHA3"]
FACTS = ["ARM", "ARM64", "X86_64", "WORD_64", "LITTLE_ENDIAN"]
FAMILIES = 10
TARGET = ("linux", "aarch64", "little", 64)
MENU = 20  # options in a menu


def write_tree(folder: Path, symbols: int) -> None:
    """Write the Kconfig of a project with a tenth of its symbols backends, four for each algorithm."""
    chosen = random.Random(symbols)  # noqa: S311  # the same tree each time
    algorithms = symbols // 40
    lines = ['mainmenu "large"', *(f"config {name}\n\tdef_bool $({name})\n" for name in FACTS)]
    for isa in ISAS:
        lines.append(f"config ISA_{isa}\n\tdef_bool $(ISA_{isa})\n")
        lines.append(f'config BASELINE_{isa}\n\tbool "every CPU has {isa}"\n\tdepends on ISA_{isa}\n')
    for family in range(FAMILIES):
        path = folder / f"family{family}" / "Kconfig"
        path.parent.mkdir(parents=True)
        numbers = range(family, algorithms, FAMILIES)
        path.write_text(
            "".join([f"config FAMILY{family}\n\tbool\n\n", *(_algorithm(n, family, chosen) for n in numbers)])
        )
        lines.append(f'source "family{family}/Kconfig"')
    rest = symbols - len(FACTS) - 2 * len(ISAS) - FAMILIES - 5 * algorithms
    (folder / "Kconfig").write_text("\n".join([*lines, *_options(rest, chosen), ""]))


def _algorithm(number: int, family: int, chosen: random.Random) -> str:
    name = f"ALGORITHM{number}"
    text = f'menuconfig {name}\n\tbool "{name}"\n\tdefault y\n\tselect FAMILY{family}\n\nif {name}\n\n'
    for isa in chosen.sample(ISAS, 3):
        text += f'config {name}_{isa}\n\tbool "{isa}"\n\tdefault y\n\tdepends on ISA_{isa} && LITTLE_ENDIAN\n\thelp\n'
        text += "\t  Assembler.\n\n"
    return text + f'config {name}_GENERIC\n\tbool "portable C"\n\tdefault y\n\nendif\n\n'


def _options(count: int, chosen: random.Random) -> Iterator[str]:
    """Yield menus of bools and numbers, two of three of which depend on one of the fifty bools before them."""
    bools: list[str] = []
    for number in range(count):
        if number % MENU == 0:
            yield f'menu "menu {number}"'
        name, depends = f"OPTION{number}", ""
        if bools and number % 3:
            depends = f"\tdepends on {chosen.choice(bools[-50:])}\n"
        if number % 5 == 4:
            yield f'config {name}\n\tint "{name}"\n\trange 1 64\n\tdefault {1 + number % 64}\n{depends}'
        else:
            yield f'config {name}\n\tbool "{name}"\n\tdefault {chosen.choice("yn")}\n{depends}\thelp\n\t  An option.\n'
            bools.append(name)
        if number % MENU == MENU - 1 or number == count - 1:
            yield "endmenu\n"


def questions(symbols: int) -> list[str]:
    """Return what is asked: what cannot be, what many select, what depends on much, numbers, rules."""
    last = symbols - len(FACTS) - 2 * len(ISAS) - FAMILIES - symbols // 8 - 1
    bools = [number for number in range(last - 40, last) if number % 5 != 4]
    return [
        "ISA_ARM_NEON=y",
        "FAMILY3=n",
        "ALGORITHM7_GENERIC=n",
        "BASELINE_ARM64_SHA2=y",
        *(f"OPTION{number}={value}" for number in bools[-2:] for value in "yn"),
        f"OPTION{last // 5 * 5 - 1}=7",
    ]


def tree_of(folder: str) -> Any:
    """Load a tree."""
    from armlet.kconf.target import Probe, Target
    from armlet.kconf.tree import Tree

    answers = {f"ISA_{isa}": "yes" if isa.startswith("ARM64") else "n/a" for isa in ISAS}
    probes = {name: Probe(name, answer, f"probes/{name}.S", [], [], "") for name, answer in answers.items()}
    return Tree(folder, Target(*TARGET), probes)


def kconfiglib_alone(folder: str) -> None:
    """Load and evaluate a tree with kconfiglib, for comparison."""
    import kconfiglib

    os.environ.update({"srctree": folder, **dict.fromkeys([*FACTS, *(f"ISA_{isa}" for isa in ISAS)], "y")})
    for symbol in kconfiglib.Kconfig("Kconfig", warn_to_stderr=False).unique_defined_syms:
        _ = symbol.str_value


def resolve(folder: str) -> None:
    """Do what `configure` does before it writes anything."""
    from armlet.kconf.resolve import Resolution

    Resolution(tree_of(folder), [])


def why(folder: str, request: str) -> str:
    """Do what `why` does, and return its answer."""
    from armlet.kconf.explain import Explainer
    from armlet.kconf.resolve import apply
    from armlet.kconf.why import Answer, read_question

    tree = tree_of(folder)
    wishes = apply(tree, [])
    return Answer(Explainer(tree, wishes), *read_question(tree, request)).text()


def measured(what: str, folder: Path, *arguments: str, runs: int = RUNS) -> dict[str, float]:
    """Return the seconds and the mebibytes of a process that does WHAT; the best of some."""
    command = [sys.executable, __file__, "--measure", what, str(folder), *arguments]
    results = [json.loads(subprocess.run(command, check=True, capture_output=True).stdout) for _ in range(runs)]
    return {key: min(result[key] for result in results) for key in ("seconds", "mebibytes")}


def _measure(what: str, *arguments: str) -> None:
    works: dict[str, Callable[..., object]] = {"kconfiglib": kconfiglib_alone, "resolve": resolve, "why": why}
    works[what](*arguments)
    print(json.dumps({"seconds": time.process_time(), "mebibytes": _peak()}))


def _peak() -> float:
    """Return the most memory that this process has had; getrusage would include that of the one that forked it."""
    with open("/proc/self/status", encoding="ascii") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmHWM:")) / 1024


def _figures(symbols: int) -> dict[str, dict[str, float]]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_tree(folder, symbols)
        figures = {what: measured(what, folder) for what in ("kconfiglib", "resolve")}
        answers = [measured("why", folder, request) for request in questions(symbols)]
        figures["why"] = {key: max(answer[key] for answer in answers) for key in ("seconds", "mebibytes")}
    return figures


def main() -> int:
    """Print the figures; 1 if a limit is missed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--symbols", type=int, default=SYMBOLS, metavar="N", help="%(default)s by default")
    parser.add_argument("--check", action="store_true", help="exit with status 1 if a limit is missed")
    parser.add_argument("--measure", nargs="+", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.measure:
        _measure(*arguments.measure)
        return 0
    once, twice = _figures(arguments.symbols), _figures(2 * arguments.symbols)
    print(f"{'':12}{arguments.symbols:>10,} symbols{2 * arguments.symbols:>14,} symbols   growth")
    missed = []
    for what, figures in once.items():
        growth = twice[what]["seconds"] / figures["seconds"]
        columns = [f"{f['seconds']:6.2f} s {f['mebibytes']:5.0f} MiB" for f in (figures, twice[what])]
        print(f"{what:12}{columns[0]:>18}{columns[1]:>22}{growth:9.2f}")
        if figures["seconds"] > SECONDS.get(what, growth) or (what in SECONDS and growth > GROWTH):
            missed.append(what)
    if once["resolve"]["mebibytes"] > MEBIBYTES:
        missed.append("memory")
    print(f"missed: {', '.join(missed)}" if missed else "every limit is kept")
    return 1 if missed and arguments.check else 0


if __name__ == "__main__":
    sys.exit(main())
