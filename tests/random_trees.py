"""Kconfig trees made at random, and what brute force says of every one of their configurations."""

import itertools
import random
from collections.abc import Iterator, Mapping
from pathlib import Path

import kconfiglib

from armlet.kconf.intent import Assignment
from armlet.kconf.resolve import apply, faults
from armlet.kconf.rules import Rule
from armlet.kconf.target import Probe, Target
from armlet.kconf.tree import Symbol, Tree, has_prompt

X86_64 = Target("linux", "x86_64", "little", 64)
PROBES = {
    "ISA_X86_64_ONE": Probe("ISA_X86_64_ONE", "yes", "probes/isa-x86-64-one.S", [], [], ""),
    "ISA_X86_64_TWO": Probe("ISA_X86_64_TWO", "no", "probes/isa-x86-64-two.S", [], ["cc"], "two.S:1: Error: no"),
}
NUMBERS = range(-1, 5)  # all that random trees can tell apart, and more
TEXTS = ("", "a", "b", "other")


def load(folder: Path, files: Mapping[str, str], probes: Mapping[str, Probe] | None = None) -> Tree:
    """Write Kconfig files, and load them."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return Tree(str(folder), X86_64, dict(probes or {}))


class RandomTree:
    """Some symbols of all kinds that depend on each other in all ways: each one on those before it."""

    def __init__(self, seed: int, layers: int = 300, symbols: int = 9) -> None:
        self.random = random.Random(seed)
        self.layers = layers  # of assignments that there may be: more prompts, more of them
        self.bools: list[str] = []  # those before the one that is being written
        self.valued: dict[str, list[str]] = {"int": [], "hex": [], "string": []}
        names = [f"S{number}" for number in range(symbols)]
        types = self.random.choices(["bool", "int", "hex", "string"], [10, 3, 1, 1], k=symbols)
        self.types = dict(zip(names, types, strict=True))
        self.waiting = names  # those after it
        self.members: set[str] = set()  # of choices: these cannot be selected
        self.blocks: list[str] = []
        self.files: dict[str, str] = {}
        self.probes: dict[str, Probe] = {}
        self._write()

    def load(self, folder: Path) -> Tree:
        """Return the tree, in a folder of its own."""
        return load(folder, self.files, self.probes)

    def _write(self) -> None:
        if self._chance(0.3):
            self.probes = PROBES
            for name in PROBES:
                self.blocks.append(f"config {name}\n\tdef_bool $({name})\n")
                self.bools.append(name)
        has_algorithm = bool(self.probes) and self._chance(0.7) and self._affords(27)
        for kind, names in self._plan():
            self.blocks.append(getattr(self, f"_{kind}")(names))
        if has_algorithm:
            self._algorithm()
        self.files["Kconfig"] = "\n".join(self.blocks)

    def _plan(self) -> list[tuple[str, list[str]]]:
        """Cut the symbols into blocks, and find out first which are members of choices."""
        plan, rest = [], list(self.waiting)
        while rest:
            kind = self.random.choices(["plain", "choice", "condition", "menu"], [10, 3, 2, 2])[0]
            length = {"plain": 1, "choice": self.random.randint(2, 3)}.get(kind, self.random.randint(1, 2))
            names, rest = rest[:length], rest[length:]
            if kind == "choice" and not self._affords(8 if len(names) == 2 else 20):
                plan += [("plain", [name]) for name in names]
                continue
            if kind == "choice":
                self.members.update(names)
                self.types.update(dict.fromkeys(names, "bool"))
            plan.append((kind, names))
        return plan

    def _affords(self, factor: int) -> bool:
        """Whether there may be so many times as many layers; if so, there will."""
        affords = self.layers >= factor
        self.layers //= factor if affords else 1
        return affords

    def _chance(self, share: float) -> bool:
        return self.random.random() < share

    # -- blocks

    def _plain(self, names: list[str]) -> str:
        return self._symbol(names[0])

    def _condition(self, names: list[str]) -> str:
        condition = self._expression()
        return f"if {condition}\n{''.join(map(self._symbol, names))}endif\n"

    def _menu(self, names: list[str]) -> str:
        keyword = self.random.choice(["visible if", "depends on"])
        return f'menu "menu"\n\t{keyword} {self._expression()}\n{"".join(map(self._symbol, names))}endmenu\n'

    def _choice(self, names: list[str]) -> str:
        lines = ["choice", '\tprompt "choice"' + self._if(0.2)]
        if self._chance(0.3):
            lines.append("\toptional")
        if self._chance(0.4):
            lines.append(f"\tdepends on {self._expression()}")
        if self._chance(0.6):
            lines.append(f"\tdefault {self.random.choice(names)}{self._if(0.4)}")
        for name in names:
            self.waiting.remove(name)
            lines += [f"config {name}", f'\tbool "member"{self._if(0.2)}']
            if self._chance(0.3):
                lines.append(f"\tdepends on {self._expression()}")
        self.bools += names
        return "\n".join([*lines, "endchoice\n"])

    def _algorithm(self) -> None:
        """Two backends, one of which not every CPU can run unless the baseline promises it."""
        self.blocks.append(f'config BASELINE_X86_64_ONE\n\tbool "baseline"\n\tdepends on ISA_X86_64_ONE{self._and()}\n')
        self.files["sum/Kconfig"] = (
            f'menuconfig SUM\n\tbool "sum"\n\tdefault y\n{self._depends(0.3)}\nif SUM\n\n'
            f'config SUM_ONE\n\tbool "one"\n\tdefault y\n\tdepends on ISA_X86_64_ONE{self._and()}\n\n'
            f'config SUM_GENERIC\n\tbool "generic"\n\tdefault {self.random.choice("yn")}\n\nendif\n'
        )
        self.blocks.append('source "sum/Kconfig"\n')

    # -- symbols

    def _symbol(self, name: str) -> str:
        self.waiting.remove(name)
        kind = self.types[name]
        lines = [f"config {name}", self._typed(kind), *self._properties(kind)]
        again = self._chance(0.1)
        if again:
            lines += [f"config {name}", self._typed(kind), *self._properties(kind)]
        if kind == "bool":
            self.bools.append(name)
        else:
            self.valued[kind].append(name)
        return "\n".join(lines) + "\n"

    def _typed(self, kind: str) -> str:
        if self._chance(0.3) or not self._affords(3 if kind == "bool" else len(NUMBERS) + 1):
            return f"\t{kind}"
        return f'\t{kind} "prompt"{self._if(0.25)}'

    def _properties(self, kind: str) -> list[str]:
        lines = [self._depends(0.5)] if self._chance(0.7) else []
        lines += [f"\tdefault {self._value(kind)}{self._if(0.5)}" for _ in range(self.random.choice([0, 1, 1, 2]))]
        if kind in ("int", "hex") and self._chance(0.6):
            low, high = sorted((self.random.randint(0, 3), self.random.randint(0, 3)))
            bounds = [self._number(kind, low), self._number(kind, high)]
            if self.valued[kind] and self._chance(0.3):
                bounds[self.random.randrange(2)] = self.random.choice(self.valued[kind])
            lines.append(f"\trange {bounds[0]} {bounds[1]}{self._if(0.3)}")
        targets = [other for other in self.waiting if self.types[other] == "bool" and other not in self.members]
        for verb, share in (("select", 0.2), ("imply", 0.2)):
            if kind == "bool" and targets and self._chance(share):
                lines.append(f"\t{verb} {self.random.choice(targets)}{self._if(0.3)}")
        return [line for line in lines if line]

    def _value(self, kind: str) -> str:
        if kind == "bool":
            return self._expression() if self._chance(0.4) else self.random.choice("yyn")
        if self.valued[kind] and self._chance(0.3):
            return self.random.choice(self.valued[kind])
        return (
            '"' + self.random.choice("ab") + '"' if kind == "string" else self._number(kind, self.random.randint(0, 3))
        )

    def _number(self, kind: str, number: int) -> str:
        return hex(number) if kind == "hex" else str(number)

    # -- expressions

    def _if(self, share: float) -> str:
        return f" if {self._expression()}" if self._chance(share) else ""

    def _depends(self, share: float) -> str:
        return f"\tdepends on {self._expression()}" if self._chance(share) else ""

    def _and(self) -> str:
        names = [name for name in self.bools if name not in self.probes]
        return f" && {self.random.choice(names)}" if names and self._chance(0.4) else ""

    def _expression(self, depth: int = 0) -> str:
        shape = self.random.random()
        if depth < 2 and shape < 0.25:
            operator = self.random.choice([" && ", " || "])
            return f"({self._expression(depth + 1)}{operator}{self._expression(depth + 1)})"
        valued = [(kind, name) for kind, names in self.valued.items() for name in names]
        if valued and shape < 0.55:
            return self._comparison(*self.random.choice(valued))
        if not self.bools:
            return self.random.choice(["y", "y", "n"])
        name = self.random.choice(self.bools)
        return self.random.choice([name, name, name, f"!{name}", f"{name} = n", f"{name} != n"])

    def _comparison(self, kind: str, name: str) -> str:
        if kind == "string":
            return f'{name} {self.random.choice(["=", "!="])} "{self.random.choice(["a", "b", ""])}"'
        operator = self.random.choice(["=", "!=", "<", "<=", ">", ">="])
        others = [other for other in self.valued[kind] if other != name]
        if others and self._chance(0.3):
            return f"{name} {operator} {self.random.choice(others)}"
        return f"{name} {operator} {self._number(kind, self.random.randint(0, 3))}"


class BruteForce:
    """Every layer of assignments on top of some wishes, and the values that the symbols have with it.

    What does not hold with the wishes alone may stay so, if the layer has nothing to do with it.
    """

    def __init__(self, tree: Tree, wishes: dict[str, Assignment]) -> None:
        self.tree = tree
        self.wishes = wishes
        apply(tree, [list(wishes.values())])
        self.faults = {_key(fault) for fault in faults(tree, wishes)}
        self._least: dict[tuple[str, str], int] = {}
        self._least_without: dict[tuple[str, str], int] = {}  # a change of that symbol's own wish
        for layer in self._layers():
            if self.holds(layer):
                self._note(layer)

    def least(self, symbol: Symbol, value: str) -> int | None:
        """Return the size of the smallest layer that gives a symbol a value; the user's wish for it is not changed."""
        wish = self.wishes.get(symbol.name)
        least = self._least_without if wish and wish.value == value else self._least
        return least.get((symbol.name, value))

    def holds(self, layer: Mapping[str, str | None]) -> bool:
        """Apply a layer; whether all holds then that should."""
        kept = [wish for wish in self.wishes.values() if layer.get(wish.symbol, "") is not None]
        added = [Assignment(name, value, "brute force") for name, value in layer.items() if value is not None]
        wishes = apply(self.tree, [kept, added])
        return all(_key(fault) in self.faults and _key(fault) not in layer for fault in faults(self.tree, wishes))

    def _note(self, layer: dict[str, str | None]) -> None:
        for name, symbol in self.tree.symbols.items():
            key = (name, str(symbol.str_value))
            self._least[key] = min(self._least.get(key, 99), len(layer))
            if name not in layer:
                self._least_without[key] = min(self._least_without.get(key, 99), len(layer))

    def _layers(self) -> Iterator[dict[str, str | None]]:
        symbols = [symbol for symbol in self.tree.symbols.values() if has_prompt(symbol)]
        for values in itertools.product(*map(self._options, symbols)):
            layer = {s.name: value for s, value in zip(symbols, values, strict=True) if value != "-"}
            chosen = [symbol.choice for symbol in symbols if symbol.choice and layer.get(symbol.name) == "y"]
            if len(chosen) == len(set(chosen)):
                yield layer

    def _options(self, symbol: Symbol) -> list[str | None]:
        options: list[str | None] = ["-", *values_of(symbol)]
        return [*options, None] if symbol.name in self.wishes else options


def _key(fault: Assignment | Rule) -> str:
    return fault.key if isinstance(fault, Rule) else fault.symbol


def values_of(symbol: Symbol) -> list[str]:
    """Return all values of a symbol that a random tree can tell apart."""
    if symbol.orig_type == kconfiglib.BOOL:
        return ["n", "y"]
    if symbol.orig_type == kconfiglib.STRING:
        return list(TEXTS)
    if symbol.orig_type == kconfiglib.HEX:
        return [hex(number) for number in NUMBERS if number >= 0]
    return [str(number) for number in NUMBERS]
