"""A project's Kconfig, with the rules that make it a list of algorithms and their backends.

- A `menuconfig` in a folder's own Kconfig is an algorithm, the folder its family.
- The symbols below it are its backends, the fastest first, named ALGORITHM_*.
- What a backend depends on is a conjunction of symbols; ISA_* among them must hold at run time too.
- BASELINE_X promises that every CPU that runs the build has ISA_X.
"""

import gc
import os
import posixpath
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from functools import cached_property
from typing import Any, NamedTuple

import kconfiglib

from .baseline import UNSURE, adapt_defaults
from .errors import KconfError, nearest
from .layout import folder_in
from .structure import check_structure, entries_below
from .target import PROBE_PREFIXES, Probe, Target
from .upgrade import RENAMES, check_renames, read_renames

ISA = "ISA_"
CC = "CC_"
BASELINE = "BASELINE_"
FRAMEWORK = "KCONF"  # source "$(KCONF)/Kconfig": the framework's options

# As C reads them too: a leading zero there means octal.
_NUMBERS = {
    kconfiglib.INT: re.compile(r"-?(0|[1-9][0-9]{0,18})", re.ASCII),
    kconfiglib.HEX: re.compile(r"0[xX][0-9a-fA-F]{1,16}", re.ASCII),
}

# KCONFIG_FUNCTIONS names this module: no function of the user's joins those of the Kconfig language.
functions: dict[str, Any] = {}

# kconfiglib has no types: these names say what is meant.
Symbol = Any
Choice = Any
Expr = Any

# kconfiglib follows by recursion the operands of an expression, which are many where many symbols select one, and the
# symbols that one depends on. The first takes no stack but Python's own, the second does: Tree.evaluate() limits it.
_NESTING = 50_000
_LEVELS = 200


class Backend(NamedTuple):
    """One implementation of an algorithm."""

    symbol: Symbol
    algorithm: str  # the C spelling, "adler32"
    id: str  # the rest of it, "arm_neon"
    needs: list[str]  # ISA_* symbols, what the CPU must have
    flags_from: list[str]  # CC_* symbols, with whose flags it is compiled

    @property
    def name(self) -> str:
        """Its name at run time, "arm-neon"."""
        return self.id.replace("_", "-")


class Algorithm(NamedTuple):
    """A menuconfig, and the backends below it in order of preference."""

    symbol: Symbol
    family: str
    backends: list[Backend]

    @property
    def name(self) -> str:
        """Its C spelling, "adler32"."""
        return str(self.symbol.name).lower()


@contextmanager
def no_garbage() -> Iterator[None]:
    """Let nobody look for garbage in what only grows: that would take longer than the work, and more than linear."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


class Tree:
    """A loaded and checked Kconfig, its symbols at their defaults until an intent is applied."""

    @no_garbage()
    def __init__(self, source_dir: str, target: Target, probes: dict[str, Probe]) -> None:
        self.source_dir = source_dir
        self.target = target
        self.probes = probes
        self.facts = target.facts()
        sys.setrecursionlimit(max(sys.getrecursionlimit(), _NESTING))
        self.kconfig = _load(source_dir, self.facts, probes)
        self.symbols: dict[str, Symbol] = {s.name: s for s in self.kconfig.unique_defined_syms}
        self.formers = read_renames(source_dir)
        _check_probes(self)
        check_structure(self, location)
        check_renames(self)
        self.algorithms = [_algorithm(node) for node in self.kconfig.node_iter() if _is_algorithm(node)]
        self.backend_of = {b.symbol.name: (algorithm, b) for algorithm in self.algorithms for b in algorithm.backends}
        _check_unsure(self)
        adapt_defaults(self)

    @cached_property
    def twin(self) -> "Tree":
        """Another tree of the same files: to try on it what shall not touch this one."""
        twin = Tree(self.source_dir, self.target, self.probes)
        if list(twin.symbols) != list(self.symbols):
            raise KconfError("The Kconfig files were changed meanwhile: start again")
        twin.kconfig.warn = False  # that a value is out of its range, again and again
        return twin

    @cached_property
    def order(self) -> list[Symbol | Choice]:
        """Every symbol and choice, each one after those that it depends on."""
        return [item for level in self._levels for item in level]

    @cached_property
    def _levels(self) -> list[list[Symbol | Choice]]:
        return _by_level([*self.symbols.values(), *self.kconfig.unique_choices])

    @property
    def is_deep(self) -> bool:
        """Whether a symbol depends on so many others, one on the next, that they must not be followed by recursion."""
        return len(self._levels) > _LEVELS

    def evaluate(self) -> int:
        """Have kconfiglib work out every value if a symbol may depend on too many others for it; return the work done.

        From the first to the last, so that none depends on one that is not worked out. To be called when something was
        set, and before anything is read.
        """
        if not self.is_deep:
            return 0
        for item in self.order:
            item.str_value  # noqa: B018  # a property, kept by kconfiglib until something is set
        return len(self.order)

    @property
    def backends(self) -> list[Backend]:
        """Every backend of every algorithm."""
        return [backend for algorithm in self.algorithms for backend in algorithm.backends]

    @property
    def families(self) -> list[str]:
        """The folders that hold algorithms."""
        return list(dict.fromkeys(algorithm.family for algorithm in self.algorithms))

    @property
    def kconfig_files(self) -> list[str]:
        """The Kconfig files, relative to the source folder."""
        return list(dict.fromkeys(self.kconfig.kconfig_filenames))

    @property
    def files(self) -> list[str]:
        """Every file that the tree was read from, relative to the source folder."""
        return [*self.kconfig_files, *([RENAMES] if self.formers else [])]

    def symbol(self, name: str) -> Symbol:
        """Return a symbol by name; an unknown one is an error that names its neighbours."""
        try:
            return self.symbols[name]
        except KeyError:
            raise KconfError(f"there is no symbol {name}{nearest(name, self.symbols)}") from None

    def baseline(self) -> list[str]:
        """Return the ISA_* symbols that every CPU has that runs this build."""
        return [ISA + name[len(BASELINE) :] for name in self.symbols if name.startswith(BASELINE) and self.is_on(name)]

    def promise(self, isa: str) -> str:
        """Return the name of the symbol that promises ISA_X, BASELINE_X, which need not exist."""
        return BASELINE + isa[len(ISA) :]

    def is_outside(self, name: str) -> bool:
        """Whether the target or its tools decide a symbol, and no configuration does."""
        return name in self.facts or name in self.probes

    def is_on(self, name: str) -> bool:
        """Whether a bool symbol is y."""
        return bool(self.symbols[name].tri_value)

    def sources(self) -> dict[str, bool]:
        """Return every symbol that a build line gives sources for, and whether they are built."""
        shared = [family.upper() for family in self.families if family.upper() in self.symbols]
        algorithms = [str(algorithm.symbol.name) for algorithm in self.algorithms]
        backends = [str(backend.symbol.name) for backend in self.backends]
        return {name: self.is_on(name) for name in [*shared, *algorithms, *backends]}


def location(symbol: Symbol) -> str:
    """Return where a symbol or a choice is defined, "checksum/Kconfig:12"."""
    return ", ".join(f"{node.filename}:{node.linenr}" for node in symbol.nodes)


def dependents(item: Symbol | Choice) -> set[Symbol | Choice]:
    """Return the symbols and choices whose value may change with that of a symbol or choice."""
    others: set[Symbol | Choice] = item._dependents  # kconfiglib keeps them to know what to work out anew
    return others


def has_prompt(symbol: Symbol) -> bool:
    """Whether a user can set a symbol at all."""
    return any(node.prompt for node in symbol.nodes)


def takes(symbol: Symbol, value: str) -> bool:
    """Whether a value is one of the type of a symbol."""
    if symbol.orig_type == kconfiglib.BOOL:
        return value in ("y", "n")
    return symbol.orig_type not in _NUMBERS or bool(_NUMBERS[symbol.orig_type].fullmatch(value))


def has_value(symbol: Symbol, value: str) -> bool:
    """Whether a symbol has a value."""
    return is_same(symbol, str(symbol.str_value), value)


def is_same(symbol: Symbol, one: str, other: str) -> bool:
    """Whether two texts are the same value of a symbol: numbers may be written in several ways."""
    if one == other:
        return True
    if symbol.orig_type not in _NUMBERS or not one or not other:
        return False
    base = 16 if symbol.orig_type == kconfiglib.HEX else 10
    return int(one, base) == int(other, base)


def assign(symbol: Symbol, value: str) -> bool:
    """Give a symbol the value that the user wants; False if it is none of the symbol's type."""
    if not takes(symbol, value):
        return False
    if symbol.choice and value == "y":
        symbol.choice.set_value(value)  # a choice that may be empty would stay so
    elif symbol.choice and symbol.choice.user_selection is symbol:
        symbol.choice.unset_value()
    return bool(symbol.set_value(value))


def typed_value(symbol: Symbol) -> bool | int | str:
    """Return the value of a symbol as Python and JSON have it."""
    if symbol.orig_type == kconfiglib.BOOL:
        return bool(symbol.tri_value)
    if symbol.orig_type == kconfiglib.STRING:
        return str(symbol.str_value)
    return int(symbol.str_value or "0", 16 if symbol.orig_type == kconfiglib.HEX else 10)


def conjuncts(expr: Expr) -> list[Expr]:
    """Return the operands of a conjunction."""
    return operands(expr, kconfiglib.AND)


def operands(expr: Expr, operator: int) -> list[Expr]:
    """Return the operands of a conjunction or a disjunction, from left to right; of anything else, itself."""
    found, pending = [], [expr]
    while pending:
        term = pending.pop()
        if term.__class__ is tuple and term[0] == operator:
            pending += [term[2], term[1]]
        else:
            found.append(term)
    return found


def _by_level(items: list[Symbol | Choice]) -> list[list[Symbol | Choice]]:
    """Sort into levels, each of which depends on those before it alone.

    A choice and its members depend on each other: they stand together.
    """
    groups: dict[Any, list[Any]] = {}
    for item in items:
        groups.setdefault(_group(item), []).append(item)
    after = {group: _dependent_groups(group, members) for group, members in groups.items()}
    waits_for = dict.fromkeys(groups, 0)
    for others in after.values():
        for other in others:
            waits_for[other] += 1
    levels = []
    level = [group for group, count in waits_for.items() if not count]
    while level:
        levels.append([item for group in level for item in groups[group]])
        following = []
        for group in level:
            for other in after[group]:
                waits_for[other] -= 1
                if not waits_for[other]:
                    following.append(other)
        level = following
    return levels


def _group(item: Symbol | Choice) -> Symbol | Choice:
    return item.choice or item if item.__class__ is kconfiglib.Symbol else item


def _dependent_groups(group: Any, members: list[Any]) -> set[Any]:
    return {other for member in members for dependent in dependents(member) if (other := _group(dependent)) != group}


def _load(source_dir: str, facts: dict[str, bool], probes: dict[str, Probe]) -> Any:
    given = {name: _yn(value) for name, value in facts.items()}
    given.update((name, _yn(probe.answer == "yes")) for name, probe in probes.items())
    given[FRAMEWORK] = folder_in(source_dir)
    settings = {**given, "srctree": source_dir, "KCONFIG_WARN_UNDEF": "y", "KCONFIG_FUNCTIONS": __name__}
    path = os.path.join(source_dir, "Kconfig")
    if os.path.exists(path) and not os.path.isfile(path):  # a FIFO would wait for ever, a device have no end
        raise KconfError("Kconfig: not a regular file")
    with _environment(settings), redirect_stdout(sys.stderr):  # $(info,...) prints
        try:
            kconfig = kconfiglib.Kconfig("Kconfig", warn_to_stderr=False, suppress_traceback=False)
        except kconfiglib.KconfigError as error:
            text = str(error)
            if where := re.match(r"(.+?):\d+: ", text):
                _check_macros(source_dir, where[1], given)
            raise KconfError(text) from None
        except OSError as error:
            raise KconfError(str(error).split("\n", 1)[0]) from None
        except RecursionError:
            raise KconfError("Kconfig: expressions or menus are nested too deeply") from None
        except AttributeError:  # of kconfiglib, which expands a variable before it has a value
            raise KconfError("Kconfig: a variable refers to itself: X := $(X)") from None
    for file in kconfig.kconfig_filenames:
        _check_macros(source_dir, file, {**given, **kconfig.variables})
    if kconfig.warnings:
        raise KconfError("\n".join(warning.replace("warning: ", "", 1) for warning in kconfig.warnings))
    for node in kconfig.node_iter():
        node.filename = _shown(node.filename, given[FRAMEWORK])
    return kconfig


def _shown(file: str, framework: str) -> str:
    """How a Kconfig file is named in reports: the framework's everywhere alike, and by no path of the machine."""
    return file.replace(framework, "armlet/kconf", 1) if file.startswith(framework + "/") else file


def _yn(value: bool) -> str:
    return "y" if value else "n"


@contextmanager
def _environment(settings: dict[str, str]) -> Iterator[None]:
    """Give kconfiglib its variables in the environment, which is where it looks for them."""
    before = dict(os.environ)
    os.environ.update(settings)
    os.environ.pop("CONFIG_", None)  # would change the prefix of configuration files
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


def _check_macros(source_dir: str, file: str, given: dict[str, Any]) -> None:
    """Refuse $(NAME) that nothing gives a value: in a default it would count as n, without a word."""
    with open(os.path.join(source_dir, file), encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            for name in re.findall(r"\$\((\w+)\)", line.split("#", 1)[0]):
                if name in given:
                    continue
                if name.startswith(PROBE_PREFIXES):
                    raise KconfError(f"{file}:{number}: {name} has no probe: add it to the probes of meson.build")
                raise KconfError(f"{file}:{number}: $({name}) has no value{nearest(name, given)}")


def _check_probes(tree: Tree) -> None:
    for name, probe in tree.probes.items():
        if name not in tree.symbols:
            raise KconfError(
                f"meson.build probes {name} ({probe.file}), but no Kconfig file defines it: "
                f"add `config {name}` with `def_bool $({name})`, or remove the probe"
            )
    for name, symbol in tree.symbols.items():
        if name.startswith(PROBE_PREFIXES) and name not in tree.probes:
            raise KconfError(f"{location(symbol)}: {name} has no probe: add it to the probes of meson.build")
        if name.startswith(BASELINE) and ISA + name[len(BASELINE) :] not in tree.symbols:
            raise KconfError(f"{location(symbol)}: {name} promises {ISA}{name[len(BASELINE) :]}, which does not exist")


def _check_unsure(tree: Tree) -> None:
    algorithms = [str(algorithm.symbol.name) for algorithm in tree.algorithms]
    for name, symbol in tree.symbols.items():
        if name.startswith(UNSURE) and name[len(UNSURE) :] not in algorithms:
            of = name[len(UNSURE) :]
            raise KconfError(
                f"{location(symbol)}: {name} is about algorithm {of}, which does not exist{nearest(of, algorithms)}"
            )


def _is_algorithm(node: Any) -> bool:
    return bool(node.is_menuconfig and posixpath.dirname(node.filename) and node.item.__class__ is kconfiglib.Symbol)


def _algorithm(node: Any) -> Algorithm:
    backends = [_backend(node.item, entry) for entry in entries_below(node)]
    family = posixpath.basename(posixpath.dirname(node.filename))
    return Algorithm(node.item, family, backends)


def _backend(algorithm: Symbol, node: Any) -> Backend:
    symbol = node.item
    where = f"{node.filename}:{node.linenr}"
    prefix = algorithm.name + "_"
    if symbol.__class__ is not kconfiglib.Symbol or not symbol.name.startswith(prefix) or node.is_menuconfig:
        what = symbol.name if symbol.__class__ is kconfiglib.Symbol else "this entry"
        raise KconfError(
            f"{where}: {what} stands below menuconfig {algorithm.name}, where only its backends may, named {prefix}*: "
            f"move an option of the algorithm outside the menuconfig"
        )
    if len(symbol.nodes) != 1 or symbol.orig_type != kconfiglib.BOOL:
        raise KconfError(f"{location(symbol)}: backend {symbol.name} must be one bool entry")
    terms = conjuncts(symbol.direct_dep)
    for term in terms:
        if term.__class__ is tuple:
            raise KconfError(
                f"{where}: backend {symbol.name} depends on {kconfiglib.expr_str(term)}: only symbols joined by && "
                f"can be checked at run time; put the expression into a symbol of its own"
            )
    names = [term.name for term in terms]
    return Backend(
        symbol,
        algorithm.name.lower(),
        symbol.name[len(prefix) :].lower(),
        [name for name in names if name.startswith(ISA)],
        [name for name in names if name.startswith(CC)],
    )
