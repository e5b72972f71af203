"""Kconfig trees in memory: the project's own and made-up ones, for any target, without a compiler."""

from collections.abc import Iterable
from pathlib import Path

from armlet.kconf.intent import Assignment, Layer
from armlet.kconf.resolve import Resolution
from armlet.kconf.target import Probe, Target
from armlet.kconf.tree import Tree
from project import FAMILIES, PROBES, SOURCE

# What resolving has to cope with: a chain, choices that may be empty or hidden, ranges that move, select, imply.
AWKWARD = """
mainmenu "awkward"

config ARM
	def_bool $(ARM)

config ARM64
	def_bool $(ARM64)

config X86_64
	def_bool $(X86_64)

config WORD_64
	def_bool $(WORD_64)

config LITTLE_ENDIAN
	def_bool $(LITTLE_ENDIAN)

config A
	bool "a"
	default y

config B
	bool "b"
	depends on A
	default y if !C

config C
	bool "c"
	select HIDDEN

config HIDDEN
	bool
	depends on A

config D
	bool "d"
	imply E
	depends on B || HIDDEN

config E
	bool "e"

config SELECTED
	bool "selected"
	select E if D
	default A && B

choice
	prompt "colour"
	default GREEN if B

config RED
	bool "red"

config GREEN
	bool "green"
	depends on A

config BLUE
	bool "blue"
	depends on C

endchoice

choice
	prompt "taste"
	optional
	depends on A

config SWEET
	bool "sweet"

config SOUR
	bool "sour"
	depends on !BLUE

endchoice

menu "Numbers"

config LIMIT
	int "limit"
	range 1 8 if RED
	range 4 100
	default 5

config MASK
	hex "mask"
	range 0x10 0xff
	default 0x20 if LIMIT > 6
	default 0x30
	depends on A

config NAME
	string "name"
	default "x" if SWEET
	default "y"

endmenu

config LAST
	bool "last"
	depends on LIMIT > 5 && MASK != 0x30 && NAME = "y"
	default y
"""


def target(fact: str) -> Target:
    family, bits = FAMILIES[fact]
    return Target("linux", family, "little", int(bits))


def own_tree(fact: str, source: Path = SOURCE, no: Iterable[str] = ()) -> Tree:
    """Return the project's Kconfig, with probes that all say yes except those in NO."""
    probes = {}
    for name in PROBES:
        answer = "no" if name in no else "yes" if f"_{fact}_" in name else "n/a"
        probes[name] = Probe(name, answer, f"probes/{name}.S", [], [], "")
    return Tree(str(source), target(fact), probes)


def made_up_tree(folder: Path, text: str = AWKWARD) -> Tree:
    """Return a tree of one Kconfig file."""
    (folder / "Kconfig").write_text(text)
    return Tree(str(folder), target("ARM64"), {})


def values(tree: Tree) -> dict[str, str]:
    return {name: symbol.str_value for name, symbol in tree.symbols.items()}


def layer(**assignments: str) -> Layer:
    return [Assignment(name, value, "test") for name, value in assignments.items()]


def resolved(tree: Tree, assignments: Layer) -> dict[str, str]:
    """Return the values that a tree at its defaults has with a layer applied, which must go without a warning."""
    Resolution(tree, [assignments])
    assert not tree.kconfig.warnings
    return values(tree)
