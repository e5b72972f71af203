"""Why a symbol has its value, and what would give it another one: every symbol of awkward trees, and of random ones."""

import itertools
import json
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import kconfiglib
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "benchmarks"))

import awkward_trees
import kconf_scale
import random_trees
from armlet.kconf.errors import KconfError
from armlet.kconf.explain import Explainer, Reason, lines
from armlet.kconf.intent import Assignment, Layer
from armlet.kconf.mend import Mend, mend_value
from armlet.kconf.resolve import Resolution, apply, faults
from armlet.kconf.tree import Symbol, Tree, has_prompt
from armlet.kconf.why import Answer, read_question
from project import Project
from random_trees import BruteForce, RandomTree

pytestmark = pytest.mark.native

Changes = Mapping[str, str | None]


def asked(project: Project, request: str, *options: str) -> tuple[int, str]:
    """Ask in the build folder that `configure` wrote."""
    done = project.kconf("why", "-C", "build", request, *options)
    assert "Traceback" not in done.stderr
    return done.returncode, done.stdout + done.stderr


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path)


def configured(project: Project, *arguments: str, **how: Any) -> None:
    done = project.configure(*arguments, **how)
    assert done.returncode == 0, done.stderr


def tree_of(folder: Path, text: str) -> Tree:
    return random_trees.load(folder, {"Kconfig": text})


def mended(tree: Tree, request: str, **wishes: str) -> Mend:
    """Look for changes of some wishes."""
    standing = apply(tree, [[Assignment(name, value, "a wish") for name, value in wishes.items()]])
    symbol, value = read_question(tree, request)
    assert value is not None
    return mend_value(tree, standing, symbol, value)


# -- the command


def test_yes_by_default(project: Project) -> None:
    configured(project)
    where = project.line_of("digest/Kconfig", "menuconfig SHA256")
    assert asked(project, "SHA256") == (0, f"SHA256=y: yes\n  SHA256 ({where}) is y by default\n")
    assert asked(project, "CONFIG_SHA256=y")[0] == 0


def test_yes_by_select_and_by_the_user(project: Project) -> None:
    (project.folder / ".config").write_text("\n# CONFIG_SHA512 is not set\nCONFIG_SHA3=y\n")
    configured(project)
    status, answer = asked(project, "DIGEST")
    assert status == 0
    assert f"DIGEST ({project.line_of('digest/Kconfig', 'config DIGEST')}) is selected by SHA256, SHA3\n" in answer
    assert "is y (set in .config:3)\n" in answer
    where = project.line_of("digest/Kconfig", "menuconfig SHA512")
    assert asked(project, "SHA512=n") == (0, f"SHA512=n: yes\n  SHA512 ({where}) is n (set in .config:2)\n")


def test_no_with_the_smallest_change(project: Project) -> None:
    (project.folder / ".config").write_text("# CONFIG_SHA512 is not set\n")
    configured(project)
    backend = project.line_of("digest/Kconfig", "config SHA512_GENERIC")
    algorithm = project.line_of("digest/Kconfig", "menuconfig SHA512")
    status, answer = asked(project, "SHA512_GENERIC")
    assert status == 1
    assert answer.splitlines() == [
        "SHA512_GENERIC=y: no, it is n",
        f"  SHA512_GENERIC ({backend}) depends on SHA512, which is n",
        f"    SHA512 ({algorithm}) is n (set in .config:1)",
        "To have it, set SHA512=y instead of SHA512=n (.config:1): no smaller change does.",
        "That gives SHA512_ARM64_CE=y, SHA512_ARM64=y as well.",
    ]


def test_no_because_of_the_target(project: Project) -> None:
    configured(project)
    status, answer = asked(project, "SHA512_ARM_NEON")
    assert status == 1
    assert "is for arm; the target is aarch64 (64-bit, little-endian)\n" in answer
    assert answer.endswith(
        "No change of the configuration gives it: that is up to the target and its tools (ISA_ARM_NEON).\n"
    )


def test_no_because_of_the_assembler(project: Project) -> None:
    """The probe's command, the assembler's first error line, and the line that it refused."""
    script = project.folder / "cc"
    script.write_text(
        "#!/bin/sh\necho \"probes/isa-arm-neon.S:3: Error: unknown architecture 'armv7-a'\" >&2\nexit 1\n"
    )
    script.chmod(0o755)
    configured(project, target="ARM", no=("ISA_ARM_NEON",), cc=(str(script),))
    refused = (project.folder / "probes/isa-arm-neon.S").read_text().splitlines()[2].strip()
    answer = asked(project, "SHA512_ARM_NEON")[1]
    assert (
        "is n: the assembler refuses probes/isa-arm-neon.S: "
        "probes/isa-arm-neon.S:3: Error: unknown architecture 'armv7-a'\n"
        f"      line 3: {refused}\n"
        f"      command: {script} -c probes/isa-arm-neon.S"
    ) in answer


def test_a_rule_that_a_value_would_break(project: Project) -> None:
    configured(project)
    answer = asked(project, "SHA256_GENERIC=n")[1]
    assert "  If it is just set, something else does not hold:\n    SHA256 (" in answer
    assert "has no backend that runs on every CPU of the baseline" in answer
    assert "To have it, set SHA256=n: no smaller change does.\n" in answer
    more = answer.split("With more changes and fewer effects: set ")[1].split(".\n")[0]
    assert set(more.split(", ")) == {"SHA256_GENERIC=n", "BASELINE_ARM64_NEON=y"}


def test_json(project: Project) -> None:
    (project.folder / ".config").write_text("# CONFIG_SHA512 is not set\n")
    configured(project)
    status, text = asked(project, "SHA512_GENERIC", "--json")
    answer = json.loads(text)
    assert status == 1
    assert (answer["symbol"], answer["asked"], answer["value"], answer["answer"]) == ("SHA512_GENERIC", "y", "n", False)
    assert [(reason["depth"], reason["symbol"]) for reason in answer["because"]] == [
        (0, "SHA512_GENERIC"),
        (1, "SHA512"),
    ]
    assert (answer["possible"], answer["changes"], answer["smallest"]) == (True, {"SHA512": "y"}, True)
    assert answer["instead_of"] == [{"symbol": "SHA512", "value": "n", "origin": ".config:1"}]
    assert answer["effects"]["SHA512_GENERIC"] == {"from": "n", "to": "y"}
    impossible = json.loads(asked(project, "SHA512_ARM_NEON", "--json")[1])
    assert (impossible["possible"], impossible["changes"], impossible["blockers"]) == (False, None, ["ISA_ARM_NEON"])
    assert "changes" not in json.loads(asked(project, "SHA256", "--json")[1])


@pytest.mark.parametrize(
    ("request_", "error"),
    [
        ("SHA512_ARM_NEOM", "there is no symbol SHA512_ARM_NEOM; did you mean SHA512_ARM_NEON or "),
        ("SHA256=5", "SHA256=5: SHA256 takes y or n"),
        ("", "there is no symbol "),
        ("=y", "there is no symbol "),
    ],
)
def test_questions_without_an_answer(project: Project, request_: str, error: str) -> None:
    configured(project)
    status, answer = asked(project, request_)
    assert status == 2
    assert answer.startswith(error)


def test_a_configuration_that_setup_refuses(project: Project) -> None:
    """It was changed since: the question is answered all the same, and what else is wrong is said."""
    configured(project)
    (project.folder / ".config").write_text(
        "CONFIG_SHA512_ARM_NEON=y\n# CONFIG_SHA3 is not set\nCONFIG_SHA3_GENERIC=y\n"
    )
    status, answer = asked(project, "SHA3_GENERIC")
    assert status == 1
    assert "To have it, set SHA3=y instead of SHA3=n (.config:2): no smaller change does.\n" in answer
    assert "Setup refuses the configuration as it is. .config:1: SHA512_ARM_NEON=y cannot be had:" in answer


# -- awkward trees


@pytest.fixture(scope="module", params=awkward_trees.NAMES)
def awkward(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Tree]:
    return request.param, awkward_trees.load(request.param, tmp_path_factory.mktemp(request.param))


def test_answers_about_awkward_trees(awkward: tuple[str, Tree]) -> None:
    """They were read by people, and found right; tests/awkward_trees.py writes them anew."""
    name, tree = awkward
    assert awkward_trees.text(tree) == (awkward_trees.FOLDER / f"{name}.txt").read_text()


def test_changes_of_awkward_trees(awkward: tuple[str, Tree]) -> None:
    """Each one works, and no smaller one does; where there is said to be none, nothing does."""
    _, tree = awkward
    for answer in awkward_trees.answers(tree):
        if answer.mend is None:
            continue
        name, value = answer.symbol.name, answer.value
        for changes in answer.mend.solutions:
            assert has_with(tree, changes, name, value)
            Resolution(tree.twin, [layer_of(changes)])
        if answer.mend.changes is None:
            assert answer.mend.impossible
        elif answer.mend.smallest:
            size = len(answer.mend.changes)
            assert not any(has_with(tree, layer, name, value) for layer in smaller_layers(tree, answer.symbol, size))
        assert answer.mend.smallest or answer.mend.impossible
    for symbol, value in impossible_ones(tree):
        assert not any(has_with(tree, layer, symbol.name, value) for layer in all_layers(tree, symbol))


def layer_of(changes: Changes) -> Layer:
    return [Assignment(name, value, "a change") for name, value in changes.items() if value is not None]


def has_with(tree: Tree, changes: Changes, name: str, value: str) -> bool:
    """Resolve a copy of the tree with changes: whether that is a configuration in which a symbol has a value."""
    try:
        wishes = apply(tree.twin, [layer_of(changes)])
    except KconfError:  # two of one choice
        return False
    return bool(tree.twin.symbols[name].str_value == value) and not list(faults(tree.twin, wishes))


def impossible_ones(tree: Tree) -> list[tuple[Symbol, str]]:
    found = [a for a in awkward_trees.answers(tree) if a.mend and a.mend.changes is None]
    return [(answer.symbol, answer.value) for answer in found]


def influences(tree: Tree, symbol: Symbol) -> list[Symbol]:
    """Return the symbols that the user can set and that have to do with a symbol's value."""
    found = {symbol}
    while True:
        more = {s for s in tree.order for dependent in s._dependents if dependent in found} | found
        if more == found:
            return [s for s in tree.symbols.values() if s in found and has_prompt(s)]
        found = more


def assignments(symbol: Symbol) -> list[tuple[str, str]]:
    return [(symbol.name, value) for value in awkward_trees.values_of(symbol)]


def smaller_layers(tree: Tree, symbol: Symbol, size: int) -> Iterator[Changes]:
    """Yield all assignments of fewer symbols than SIZE."""
    for count in range(size):
        for symbols in itertools.combinations(influences(tree, symbol), count):
            yield from map(dict, itertools.product(*map(assignments, symbols)))


def all_layers(tree: Tree, symbol: Symbol) -> Iterator[Changes]:
    symbols = influences(tree, symbol)
    assert len(symbols) <= 8
    for choice in itertools.product(*([None, *assignments(symbol)] for symbol in symbols)):
        yield dict(filter(None, choice))


# -- random trees


def wishes_at_random(tree: Tree, random_tree: RandomTree) -> dict[str, Assignment]:
    """Return some wishes, whether they can come true or not."""
    random = random_tree.random
    wishes: list[Assignment] = []
    for symbol in filter(has_prompt, tree.symbols.values()):
        value = random.choice(random_trees.values_of(symbol))
        rivals = [wish for wish in wishes if symbol.choice and tree.symbols[wish.symbol].choice is symbol.choice]
        if random.random() < 0.3 and not any(wish.value == value == "y" for wish in rivals):
            wishes.append(Assignment(symbol.name, value, "a wish"))
    return apply(tree, [wishes])


@pytest.mark.parametrize("first", range(0, 200, 20))
def test_random_trees(first: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every value of every symbol, against brute force; every other twenty as if they were too deep for recursion."""
    monkeypatch.setattr("armlet.kconf.tree._LEVELS", 200 if first % 40 else 0)
    for seed in range(first, first + 20):
        folder = tmp_path / str(seed)
        folder.mkdir()
        random_tree = RandomTree(seed)
        tree = random_tree.load(folder)
        if seed % 2:
            check_tree(tree, wishes_at_random(tree, random_tree))
        else:
            check_tree(tree, {})
            check_blockers(tree, random_tree)


def check_tree(tree: Tree, wishes: dict[str, Assignment]) -> None:
    """Ask for every value of every symbol whether it can be had, and with how few changes; believe no reason."""
    brute_force = BruteForce(tree.twin, wishes)
    apply(tree, [list(wishes.values())])
    explainer = Explainer(tree, wishes)
    values = {name: symbol.str_value for name, symbol in tree.symbols.items()}
    for symbol in tree.symbols.values():
        for value in random_trees.values_of(symbol):
            if symbol.str_value == value:
                check_reasons(tree, symbol, explainer.why(symbol))
                continue
            check_reasons(tree, symbol, explainer.why_not(symbol, value))
            mend = mend_value(tree, wishes, symbol, value)
            least = brute_force.least(symbol, value)
            assert (len(mend.changes) if mend.changes is not None else None) == least
            assert mend.impossible == (least is None)
            assert mend.smallest == (least is not None)
            assert all(brute_force.holds(changes) for changes in mend.solutions)
    assert values == {name: symbol.str_value for name, symbol in tree.symbols.items()}, "the tree is left alone"


def check_blockers(tree: Tree, random_tree: RandomTree) -> None:
    """What cannot be had for the sake of probes can be had with others; what is hopeless cannot, whatever they say."""
    names = list(random_tree.probes)
    others: dict[tuple[str, ...], BruteForce] = {}
    for number, answers in enumerate(itertools.product(["yes", "no"], repeat=len(names))):
        folder = Path(tree.source_dir) / f"other{number}"
        folder.mkdir()
        probes = {n: random_tree.probes[n]._replace(answer=a) for n, a in zip(names, answers, strict=True)}
        others[answers] = BruteForce(random_trees.load(folder, random_tree.files, probes), {})
    present = others[tuple(random_tree.probes[name].answer for name in names)]
    for symbol in tree.symbols.values():
        for value in random_trees.values_of(symbol):
            if present.least(symbol, value) is not None:
                continue
            mend = mend_value(tree, {}, symbol, value)
            opposite = {name: "no" if random_tree.probes[name].answer == "yes" else "yes" for name in mend.blockers}
            answers = tuple(opposite.get(name, random_tree.probes[name].answer) for name in names)
            assert mend.hopeless != bool(mend.blockers)
            assert mend.hopeless or others[answers].least(symbol, value) is not None
            alike = [other for other in others.values() if other.faults <= present.faults]
            assert not mend.hopeless or all(other.least(symbol, value) is None for other in alike)


def check_reasons(tree: Tree, symbol: Symbol, reasons: list[Reason]) -> None:
    """Hold what an explanation says against the tree."""
    assert reasons[0].symbol == symbol.name
    assert reasons[0].depth == 0
    assert all(after.depth <= before.depth + 1 for before, after in itertools.pairwise(reasons))
    for reason in reasons:
        for pattern, is_true in CLAIMS:
            if found := re.fullmatch(pattern, reason.text):
                assert is_true(tree, *found.groups()), reason.text
                break
        else:
            assert "command: " in reason.text, f"a claim that this test does not know: {reason.text}"


NAMED = r"(\w+) \([^()]+\)"
WHERE = r"the choice (?:\w+ )?at [\w:, ]+"


def value_of(tree: Tree, name: str) -> str:
    symbol = tree.symbols[name]
    return f'"{symbol.str_value}"' if symbol.orig_type == kconfiglib.STRING else symbol.str_value or "without a value"


def holds(tree: Tree, expr: str) -> bool:
    return bool(tree.kconfig.eval_string(expr))


Claim = tuple[str, Callable[..., bool]]
CLAIMS: list[Claim] = [
    (
        rf"(?:{NAMED}|{WHERE}) (?:depends on|can be set only with) (.+), which (?:is n|does not hold)",
        lambda tree, _, expr: not holds(tree, expr),
    ),
    (rf"{NAMED} is of {WHERE}, which is off", lambda tree, name: not tree.symbols[name].choice.tri_value),
    (rf"{WHERE} may be empty, and nothing is chosen in it", lambda _: True),
    (
        rf"{NAMED} and (\w+) exclude each other, which is on .+",
        lambda tree, name, other: value_of(tree, name) == "n" and value_of(tree, other) == "y",
    ),
    (rf"{NAMED} is the chosen one of its choice .+", lambda tree, name: value_of(tree, name) == "y"),
    (
        rf"{NAMED} is selected by (.+)",
        lambda tree, name, by: value_of(tree, name) == "y" and all(holds(tree, term) for term in by.split(", ")),
    ),
    (rf"{NAMED} is y, implied by (.+)", lambda tree, name, by: value_of(tree, name) == "y" and holds(tree, by)),
    (
        rf"{NAMED} is (.+?) (?:by default(?: \(.+\))?|\(set in a wish\))",
        lambda tree, name, value: value_of(tree, name) == value,
    ),
    (rf"{NAMED} is (n|y): .+", lambda tree, name, value: value_of(tree, name) == value),
    (rf"{NAMED} is (\S+|without a value)", lambda tree, name, value: value_of(tree, name) == value),
    (r"its `default .+` does not apply", lambda _: True),
    (r"\w+ would be selected by (.+)", lambda tree, expr: not holds(tree, expr)),
    (rf"{NAMED} ranges from \S+ to \S+(?:, as (.+) holds)?", lambda tree, _, expr: expr is None or holds(tree, expr)),
    (r"(.+) does not hold", lambda tree, expr: not holds(tree, expr)),
]


# -- special cases


def test_a_wish_gives_way_by_name(tmp_path: Path) -> None:
    tree = tree_of(tmp_path, 'config A\n\tbool "a"\n\nconfig N\n\tint "n"\n\tdepends on A\n\tdefault 1\n')
    wishes = apply(tree, [[Assignment("A", "y", "x:1"), Assignment("N", "5", "x:2")]])
    answer = Answer(Explainer(tree, wishes), tree.symbols["A"], "n")
    assert answer.mend
    assert answer.mend.changes == {"A": "n", "N": None}
    assert "set A=n instead of A=y (x:1), and remove N=5 (x:2): no smaller change does." in answer.text()


def test_what_was_wrong_before_may_stay_so(tmp_path: Path) -> None:
    tree = tree_of(
        tmp_path,
        'config NO\n\tbool "no"\n\tdepends on n\n\nconfig A\n\tbool "a"\n\nconfig B\n\tbool "b"\n\tdepends on A\n',
    )
    assert mended(tree, "B=y", NO="y", B="y").changes == {"A": "y"}


def test_a_value_that_the_user_asks_for_is_not_taken_back(tmp_path: Path) -> None:
    tree = tree_of(
        tmp_path,
        'config A\n\tbool "a"\n\nconfig B\n\tbool "b"\n\tdepends on A\n\nconfig C\n\tbool "c"\n\tdepends on !A\n',
    )
    assert mended(tree, "B=y", B="y", C="y").changes == {"A": "y", "C": "n"}


def test_named_choice(tmp_path: Path) -> None:
    tree = tree_of(
        tmp_path, 'choice SHADE\n\tprompt "s"\n\nconfig DARK\n\tbool "d"\n\nconfig LIGHT\n\tbool "l"\n\nendchoice\n'
    )
    with pytest.raises(Exception, match="SHADE is a choice: ask for one of its members, DARK, LIGHT"):
        read_question(tree, "SHADE")


def test_numbers_are_compared_as_numbers(tmp_path: Path) -> None:
    tree = tree_of(tmp_path, 'config M\n\thex "m"\n\tdefault 0x1F\n')
    apply(tree, [])
    assert Answer(Explainer(tree, {}), *read_question(tree, "M=0x1f")).is_yes
    assert (
        Answer(Explainer(tree, {}), *read_question(tree, "M")).text()
        == "M=0x1F: yes\n  M (Kconfig:1) is 0x1F by default"
    )


# -- much of everything


def pigeons(holes: int) -> str:
    """One pigeon more than there are holes, each of which takes one: what many cannot be told without learning."""
    names = [[f"P{pigeon}_{hole}" for hole in range(holes)] for pigeon in range(holes + 1)]
    text = "".join(f'config {name}\n\tbool "{name}"\n\n' for row in names for name in row)
    text += 'config ALL\n\tbool "all"\n' + "".join(f"\tdepends on {' || '.join(row)}\n" for row in names)
    for column in zip(*names, strict=True):
        text += "".join(f"\tdepends on !{one} || !{other}\n" for one, other in itertools.combinations(column, 2))
    return text


def test_a_proof_that_takes_thought(tmp_path: Path) -> None:
    mend = mended(tree_of(tmp_path, pigeons(4)), "ALL=y")
    assert (mend.impossible, mend.hopeless, mend.blockers) == (True, True, [])


def test_a_search_that_gives_up_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("armlet.kconf.mend.MAX_WORK", 2000)
    tree = tree_of(tmp_path, pigeons(6))
    assert not mended(tree, "ALL=y").impossible
    answer = Answer(Explainer(tree, {}), tree.symbols["ALL"], "y")
    assert answer.text().endswith(
        "No change of the configuration that gives it was found, in a search that did not come to its end."
    )
    assert answer.as_dict()["possible"] is None


def test_a_solution_that_is_not_proven_smallest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its changes are all needed, at least."""
    monkeypatch.setattr("armlet.kconf.mend.MAX_WORK", 3000)
    names = [f"V{number}" for number in range(30)]
    terms = [" || ".join(names[(7 * n + k) % 30] for k in (0, 5, 11)) for n in range(20)]
    text = "".join(f'config {name}\n\tbool "{name}"\n\n' for name in names)
    tree = tree_of(tmp_path, text + 'config T\n\tbool "t"\n' + "".join(f"\tdepends on {term}\n" for term in terms))
    mend = mended(tree, "T=y")
    assert mend.changes
    assert not mend.smallest
    assert has_with(tree, mend.changes, "T", "y")
    for name in mend.changes:
        assert not has_with(tree, {n: v for n, v in mend.changes.items() if n != name}, "T", "y")
    assert "none of it can be left out" in Answer(Explainer(tree, {}), tree.symbols["T"], "y").text()


def test_a_symbol_that_hundreds_select(tmp_path: Path) -> None:
    names = [f"A{number}" for number in range(400)]
    text = "".join(f'config {name}\n\tbool "a"\n\tdefault y\n\tselect T\n\n' for name in names)
    tree = tree_of(tmp_path, "config T\n\tbool\n\n" + text)
    mend = mended(tree, "T=n")
    assert mend.changes == dict.fromkeys(names, "n")
    assert mend.smallest
    reasons = Explainer(tree, {}).why(tree.symbols["T"])
    assert len(reasons) < 20
    assert reasons[0].text.endswith("A6, A7 and 392 more")


def test_a_chain_of_thousands(tmp_path: Path) -> None:
    """No recursion is too deep, no explanation too long, and no search endless."""
    count = 5000
    links = (f"config C{n}\n\tdef_bool C{n - 1}\n\n" for n in range(1, count))
    tree = tree_of(tmp_path, 'config C0\n\tbool "c"\n\n' + "".join(links))
    apply(tree, [])
    answer = Answer(Explainer(tree, {}), tree.symbols[f"C{count - 1}"], "y")
    assert answer.mend
    assert answer.mend.changes == {"C0": "y"}
    text = list(lines(answer.reasons))
    assert len(text) < 50
    assert text[-1].endswith("more lines: C0 (Kconfig:1) is n by default")


def test_a_long_way_to_a_value(tmp_path: Path) -> None:
    links = (f'config C{n}\n\tbool "c"\n\tdepends on C{n - 1}\n\n' for n in range(1, 60))
    tree = tree_of(tmp_path, 'config C0\n\tbool "c"\n\n' + "".join(links))
    mend = mended(tree, "C59=y")
    assert mend.changes
    assert (len(mend.changes), mend.smallest) == (60, True)


# -- scale: calls are counted, since time depends on what else the machine does


def calls(work: Callable[[], object]) -> int:
    """Return how many functions are called to do some work."""
    count = 0

    def note(_frame: object, event: str, _argument: object) -> None:
        nonlocal count
        count += event == "call"

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(before)
    return count


def test_twice_as_many_symbols_take_twice_as_long(tmp_path: Path) -> None:
    resolving, answering = [], []
    for symbols in (1000, 2000):
        folder = tmp_path / str(symbols)
        folder.mkdir()
        kconf_scale.write_tree(folder, symbols)
        resolving.append(calls(lambda: kconf_scale.resolve(str(folder))))  # noqa: B023  # called at once
        asked = kconf_scale.questions(symbols)
        answering.append(max(calls(lambda: kconf_scale.why(str(folder), each)) for each in asked))  # noqa: B023
    for once, twice in (resolving, answering):
        assert twice <= kconf_scale.GROWTH * once


def test_ten_thousand_symbols(tmp_path: Path) -> None:
    """The limits are generous in time, for a slow machine; benchmarks/kconf_scale.py has the true ones."""
    kconf_scale.write_tree(tmp_path, 10_000)
    assert len(kconf_scale.tree_of(str(tmp_path)).symbols) == 10_000
    resolved = kconf_scale.measured("resolve", tmp_path, runs=1)
    assert resolved["mebibytes"] < kconf_scale.MEBIBYTES
    assert resolved["seconds"] < 10 * kconf_scale.SECONDS["resolve"]
    assert kconf_scale.measured("why", tmp_path, "FAMILY3=n", runs=1)["seconds"] < 10 * kconf_scale.SECONDS["why"]
