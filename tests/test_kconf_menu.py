"""The menu's model, in-process; and the application that shows it, driven by Textual's own pilot."""

import asyncio
import re
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Input, Static

from armlet.kconf.errors import KconfError
from armlet.kconf.menu.app import MenuApp
from armlet.kconf.menu.details import Section, details
from armlet.kconf.menu.draft import Draft, read_intent
from armlet.kconf.menu.model import Menu, Row, normalized, refused
from armlet.kconf.menu.screens import AskScreen, EditScreen, ProblemsScreen, SearchScreen, TextScreen
from armlet.kconf.menu.widgets import Paper, Rows, wrapped
from armlet.kconf.save import minimal, text
from armlet.kconf.workspace import Workspace
from project import Project

pytestmark = pytest.mark.native

AWKWARD = """
config LIMIT
	int "limit"
	range 1 8 if !WIDE
	range 1 99
	default 4

config MASK
	hex "mask"
	range 0x0 0xff
	default 0x10

config NAME
	string "name"
	default "it"

config WIDE
	bool "wide"

config NARROW
	bool "narrow" if WIDE
	default y

config FORCED
	bool "forced"

config FORCING
	bool "forcing"
	select FORCED

choice
	prompt "colour"

config RED
	bool "red"

config BLUE
	bool "blue"

config GREEN
	bool "green"
	depends on WIDE

endchoice

comment "it is wide"
	depends on WIDE

menu "Deep"
	depends on WIDE

config CHILD
	bool "child"

endmenu

menu "Unseen"
	visible if WIDE

config UNSEEN
	bool "unseen"

endmenu

"""


def awkward_project(folder: Path) -> Project:
    project = Project(folder)
    project.replace("Kconfig", 'source "digest', AWKWARD.lstrip("\n") + 'source "digest')
    return project


@pytest.fixture(scope="module")
def configured(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """A tree that was configured once; what the menu shows is read from its files as they are."""
    project = awkward_project(tmp_path_factory.mktemp("menu"))
    done = project.configure(target="ARM64")
    assert done.returncode == 0, done.stderr
    return project


@pytest.fixture
def project(configured: Project) -> Project:
    """The same tree without what another test may have left."""
    for name in (".config", ".config.old", "Kconfig.renames"):
        (configured.folder / name).unlink(missing_ok=True)
    return configured


def workspace_of(project: Project, config: str = "") -> Workspace:
    """A build folder, and then a .config that nobody has looked at yet."""
    if config:
        (project.folder / ".config").write_text(config, encoding="latin-1")
    return Workspace(str(project.build))


def menu_of(project: Project, config: str = "") -> Menu:
    workspace = workspace_of(project, config)
    return Menu(Draft(workspace.tree(), read_intent(workspace)))


def row_of(menu: Menu, name: str) -> Row:
    """The row of a symbol, in the menu that it stands in."""
    menu.go_to(menu.node_of(name))
    assert menu.row
    assert menu.row.name == name
    return menu.row


def open_menu(menu: Menu, prompt: str) -> None:
    menu.move(next(number for number, row in enumerate(menu.rows) if row.text.startswith(prompt)))
    assert menu.open()


def saved(menu: Menu) -> list[str]:
    """The assignments that a save would write."""
    tree = menu.draft.tree
    return [line for line in text(tree, minimal(tree), "heading").splitlines() if "CONFIG_" in line]


# -- rows


def test_rows_show_values_as_the_kernels_menu(project: Project) -> None:
    menu = menu_of(project)
    marks = {row.text: row.mark for row in menu.rows}
    assert marks["limit"] == "(4)"
    assert marks["mask"] == "(0x10)"
    assert marks["name"] == "(it)"
    assert marks["wide"] == "[ ]"
    assert marks["colour (red)"] == ""
    assert {row.text for row in menu.rows if row.opens} >= {"colour (red)", "Message digests", "Ciphers", "Deep"}


def test_a_menu_is_opened_and_left_where_the_cursor_was(project: Project) -> None:
    menu = menu_of(project)
    open_menu(menu, "Message digests")
    open_menu(menu, "SHA-3 and")
    assert menu.path == ["armlet", "Message digests", "SHA-3 and SHAKE"]
    assert menu.leave()
    assert menu.row
    assert menu.row.name == "SHA3"
    assert menu.leave()
    assert menu.row.text == "Message digests"
    assert not menu.leave()


def test_a_comment_is_shown_when_it_holds(project: Project) -> None:
    menu = menu_of(project)
    assert "*** it is wide ***" not in [row.text for row in menu.rows]
    menu.set(row_of(menu, "WIDE"), "y")
    assert "*** it is wide ***" in [row.text for row in menu.rows]


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("SHA512_ARM_NEON", "ISA_ARM_NEON (Kconfig:N) is for arm; the target is aarch64 (64-bit, little-endian)"),
        ("NARROW", "WIDE (Kconfig:N) is n by default"),
        ("GREEN", "WIDE (Kconfig:N) is n by default"),
        ("CHILD", "WIDE (Kconfig:N) is n by default"),
        ("UNSEEN", "WIDE (Kconfig:N) is n by default"),
        ("DIGEST", "it has no prompt: selected by SHA256, SHA512, SHA3"),
    ],
)
def test_what_cannot_be_chosen_has_a_reason(project: Project, name: str, reason: str) -> None:
    menu = menu_of(project)
    row = Row(menu.node_of(name), menu.draft)
    assert not row.enabled
    assert re.sub(r":\d+", ":N", row.reason) == reason
    change = menu.set(row, None)
    assert not change.done
    assert change.text == f"cannot be changed: {row.reason}"


def test_the_reason_is_the_assemblers_own_words(tmp_path: Path) -> None:
    project = awkward_project(tmp_path)
    (project.folder / "false").write_text(
        "#!/bin/sh\necho \"x.S:3: Error: unknown architecture 'armv7-a'\" >&2\nexit 1\n"
    )
    (project.folder / "false").chmod(0o755)
    done = project.configure(target="ARM", no=("ISA_ARM_NEON",), cc=(str(project.folder / "false"),))
    assert done.returncode == 0, done.stderr
    menu = menu_of(project)
    assert row_of(menu, "SHA512_ARM_NEON").reason.endswith("x.S:3: Error: unknown architecture 'armv7-a'")
    probe = section(details(Row(menu.node_of("ISA_ARM_NEON"), menu.draft), menu.draft.explainer), "Probe")
    assert probe[1].startswith("$ ")
    assert "probes/isa-arm-neon.S" in probe[1]
    assert "armv7-a" in probe[2]


def test_what_is_selected_cannot_be_switched_off(project: Project) -> None:
    menu = menu_of(project)
    assert row_of(menu, "FORCED").enabled
    assert menu.set(row_of(menu, "FORCING"), None).text == "FORCING=y, and with it FORCED=y"
    row = row_of(menu, "FORCED")
    assert (row.mark, row.enabled) == ("[*]", False)
    assert "is selected by FORCING" in row.reason


# -- changes


def test_the_space_bar_changes_and_changes_back(project: Project) -> None:
    menu = menu_of(project)
    assert not menu.draft.modified
    change = menu.set(row_of(menu, "SHA3"), None)
    assert change.done
    assert change.text.startswith("SHA3=n, and with it SHA3_")
    assert menu.draft.modified
    assert saved(menu) == ["# CONFIG_SHA3 is not set"]
    menu.set(row_of(menu, "SHA3"), None)
    assert not menu.draft.modified
    assert saved(menu) == []


def test_y_and_n(project: Project) -> None:
    menu = menu_of(project)
    menu.set(row_of(menu, "WIDE"), "y")
    menu.set(row_of(menu, "WIDE"), "y")
    assert row_of(menu, "WIDE").mark == "[*]"
    menu.set(row_of(menu, "WIDE"), "n")
    assert row_of(menu, "WIDE").mark == "[ ]"


def test_one_of_a_choice(project: Project) -> None:
    menu = menu_of(project)
    open_menu(menu, "colour")
    assert [(row.mark, row.text, row.enabled) for row in menu.rows] == [
        ("(X)", "red", True),
        ("( )", "blue", True),
        ("( )", "green", False),
    ]
    assert menu.row
    assert menu.row.name == "RED", "the cursor is on what is chosen"
    assert menu.set(row_of(menu, "BLUE"), None).done
    assert row_of(menu, "RED").mark == "( )"
    assert not menu.set(row_of(menu, "BLUE"), "n").done
    assert saved(menu) == ["CONFIG_BLUE=y"]


@pytest.mark.parametrize(
    ("name", "value", "why_not"),
    [
        ("LIMIT", "8", ""),
        ("LIMIT", "9", "from 1 to 8"),
        ("LIMIT", "many", "a whole number"),
        ("LIMIT", "", "a whole number"),
        ("MASK", "0xfF", ""),
        ("MASK", "100", "from 0x0 to 0xff"),
        ("MASK", "0xg", "a hexadecimal number, as 0x1f"),
        ("NAME", 'a "quoted" \\ name', ""),
        ("NAME", "two\nlines", "a value is one line of printable text"),
    ],
)
def test_numbers_and_texts_are_checked(project: Project, name: str, value: str, why_not: str) -> None:
    menu = menu_of(project)
    symbol = menu.draft.tree.symbols[name]
    assert refused(symbol, value) == why_not
    if not why_not:
        menu.set(row_of(menu, name), normalized(symbol, value))
        (project.folder / ".config").write_text("\n".join(saved(menu)) + "\n")
        assert project.configure().returncode == 0
        assert Menu(Draft(menu.draft.tree, read_intent(Workspace(str(project.build))))).draft.values()[name] == (
            symbol.str_value
        )


@pytest.mark.parametrize(("name", "value", "spelling"), [("LIMIT", "08", "8"), ("MASK", "1F", "0x1f")])
def test_numbers_have_one_spelling(project: Project, name: str, value: str, spelling: str) -> None:
    assert normalized(row_of(menu_of(project), name).symbol, value) == spelling


# -- search and help


def test_search_finds_names_first_and_wants_every_word(project: Project) -> None:
    menu = menu_of(project)
    assert menu.search("CONFIG_sha3")[0].name == "SHA3"
    assert [row.name for row in menu.search("baseline arm64 sha-512")] == ["BASELINE_ARM64_SHA512"]
    assert menu.search("  ") == menu.search("nothing has this") == []
    assert "ISA_ARM_NEON" in [row.name for row in menu.search("neon")], "what has no prompt is found too"


def section(sections: list[Section], title: str) -> list[str]:
    return next((section.lines for section in sections if section.title == title), [])


def test_help_has_all_there_is_to_say(project: Project) -> None:
    menu = menu_of(project, "# CONFIG_SHA512 is not set\n")
    sections = details(row_of(menu, "SHA512_ARM_NEON"), menu.draft.explainer)
    backend = project.line_of("digest/Kconfig", "config SHA512_ARM_NEON")
    assert section(sections, "") == ["ARMv7 NEON", f"SHA512_ARM_NEON, y or n, {backend}"]
    assert section(sections, "Help")[0].startswith("Assembler.")
    depends = section(sections, "Depends on")
    assert (
        f"n  ISA_ARM_NEON ({project.line_of('Kconfig', 'config ISA_ARM_NEON')}) is for arm; the target is aarch64"
        in (depends[0])
    )
    assert any(line.startswith("y  LITTLE_ENDIAN (") and line.endswith("64-bit, little-endian") for line in depends)
    assert f"n  SHA512 ({project.line_of('digest/Kconfig', 'menuconfig SHA512')}): set in .config:1" in depends
    assert section(details(row_of(menu, "LIMIT"), menu.draft.explainer), "Default") == ["4"]


def test_help_of_a_choice_and_of_a_menu(project: Project) -> None:
    menu = menu_of(project)
    assert section(details(row_of(menu, "SELECT_BY_ORDER"), menu.draft.explainer), "Help"), "that of the choice"
    deep = next(row for row in menu_of(project).rows if row.text == "Deep")
    assert section(details(deep, menu.draft.explainer), "Depends on")[0].startswith("n  WIDE (")


def test_values_tell_where_they_come_from(project: Project) -> None:
    menu = menu_of(project, "CONFIG_FORCING=y\nCONFIG_BLUE=y\n")

    def value(name: str) -> list[str]:
        return section(details(Row(menu.node_of(name), menu.draft), menu.draft.explainer), "Value")

    assert value("FORCING") == ["y: set in .config:1"]
    assert value("FORCED") == ["y: selected by FORCING"]
    assert value("BLUE") == ["y: set in .config:2"]
    assert value("RED") == ["n: BLUE is chosen"]
    assert value("LIMIT") == ["4: default"]
    assert value("ISA_ARM64_SHA2") == ["y: the toolchain takes probes/isa-arm64-sha2.S"]
    menu.set(row_of(menu, "LIMIT"), "5")
    assert value("LIMIT") == ["5: set in this menu"]


# -- broken configurations


BROKEN = {
    "CONFIG_SHA3_GENERIK=y\n": ".config:1: there is no symbol SHA3_GENERIK; did you mean SHA3_GENERIC",
    "CONFIG_ARM64=y\n": ".config:1: ARM64 (armlet/kconf/Kconfig:N) cannot be set: it is a fact of the target",
    "CONFIG_SHA3=m\n": ".config:1: SHA3=m: SHA3 (digest/Kconfig:N) takes y or n",
    "SHA3=y\n": ".config:1: write CONFIG_SHA3=y: in a file symbols carry that prefix",
    "\nhello\n": ".config:2: not understood: 'hello'",
    'CONFIG_NAME="x\n': '.config:1: the string "x does not end where the line does',
    "CONFIG_LIMIT=9\n": ".config:1: LIMIT=9 cannot be had:\n  LIMIT (Kconfig:N) ranges from 1 to 8",
    "CONFIG_SHA3=y\n# CONFIG_SHA3 is not set\n": ".config:2: SHA3=n contradicts SHA3=y (.config:1)",
    "CONFIG_RED=y\nCONFIG_BLUE=y\n": ".config:2: BLUE=y excludes, in the same choice, RED=y (.config:1)",
    "# CONFIG_SHA3 is not set\nCONFIG_SHA3_GENERIC=y\n": ".config:2: SHA3_GENERIC=y cannot be had:",
    "CONFIG_SHA512_ARM_NEON=y\n": ".config:1: SHA512_ARM_NEON=y cannot be had:",
    "# CONFIG_SHA256_GENERIC is not set\n": "SHA256 (digest/Kconfig:N) has no backend that runs on every CPU",
    "CONFIG_SHA3=y\n\xff\n": ".config:2: not UTF-8 text",
}


@pytest.mark.parametrize("config", BROKEN)
@pytest.mark.parametrize("last", [False, True], ids=["first-fix", "last-fix"])
def test_a_broken_configuration_is_opened_explained_and_mended(project: Project, config: str, last: bool) -> None:
    menu = menu_of(project, config)
    assert len(menu.problems) == 1
    assert re.sub(r"Kconfig:\d+", "Kconfig:N", menu.problems[0].text).startswith(BROKEN[config])
    assert not menu.draft.modified
    menu.draft.mend(menu.problems[0].fixes[-last].dropped, menu.problems[0].fixes[-last].changes)
    menu.refresh()
    assert menu.problems == []
    assert menu.draft.modified
    (project.folder / ".config").write_text("\n".join(saved(menu)) + "\n")
    done = project.configure()
    assert done.returncode == 0, done.stderr


def test_fixes(project: Project) -> None:
    def labels(config: str) -> list[str]:
        return [fix.label for problem in menu_of(project, config).problems for fix in problem.fixes]

    assert labels("CONFIG_SHA3_GENERIK=y\n")[0] == "read it as SHA3_GENERIC=y"
    assert labels("CONFIG_LIMIT=9\n") == ["set WIDE=y", "set LIMIT=8", "leave LIMIT=9 out"]
    assert labels("CONFIG_LIMIT=0\n") == ["set LIMIT=1", "leave LIMIT=0 out"]
    assert labels("# CONFIG_SHA3 is not set\nCONFIG_SHA3_GENERIC=y\n") == [
        "set SHA3=y instead of SHA3=n (.config:1)",
        "leave SHA3_GENERIC=y out",
    ]
    assert labels("# CONFIG_SHA256_GENERIC is not set\n") == [
        "set SHA256_GENERIC=y instead of SHA256_GENERIC=n (.config:1)",
        "set BASELINE_ARM64_NEON=y",
        "set BASELINE_ARM64_SHA2=y",
        "set SHA256=n",
    ]
    assert labels("CONFIG_SHA512_ARM_NEON=y\n") == ["leave SHA512_ARM_NEON=y out"]


def test_a_fix_that_cannot_be_had_is_the_next_problem(project: Project) -> None:
    menu = menu_of(project, "CONFIG_SHA512_ARM_NEOM=y\n")
    fix = menu.problems[0].fixes[0]
    assert fix.label == "read it as SHA512_ARM_NEON=y"
    menu.draft.mend(fix.dropped, fix.changes)
    menu.refresh()
    assert [problem.text.partition("\n")[0] for problem in menu.problems] == [
        "this menu: SHA512_ARM_NEON=y cannot be had:"
    ]


def test_a_symbol_of_an_older_version(project: Project) -> None:
    (project.folder / "Kconfig.renames").write_text("KECCAK renamed SHA3\nMD5 gone SHA256\n")
    menu = menu_of(project, "# CONFIG_KECCAK is not set\nCONFIG_MD5=y\n")
    assert row_of(menu, "SHA3").mark == "[ ]"
    (problem,) = menu.problems
    assert problem.text.startswith(".config:2: the symbol MD5 is gone (Kconfig.renames:2): ")


def test_what_was_asked_for_gives_way_to_a_change_in_the_menu(project: Project) -> None:
    """Whoever switches an algorithm off need not be told that its backend, once asked for, goes with it."""
    menu = menu_of(project, "CONFIG_SHA3_GENERIC=y\n")
    menu.set(row_of(menu, "SHA3"), "n")
    assert menu.problems == []
    assert saved(menu) == ["# CONFIG_SHA3 is not set"]


def test_the_menu_marks_where_a_problem_is(project: Project) -> None:
    menu = menu_of(project, "# CONFIG_SHA256_GENERIC is not set\n")
    assert [row.text for row in menu.rows if menu.is_wrong(row)] == ["Message digests"]
    open_menu(menu, "Message digests")
    assert [row.name for row in menu.rows if menu.is_wrong(row)] == ["SHA256"]


# -- the application


Test = Callable[[MenuApp, Pilot[str]], Awaitable[None]]


def drive(workspace: Workspace, test: Test, size: tuple[int, int] = (80, 24)) -> MenuApp:
    async def run() -> MenuApp:
        app = MenuApp(workspace)
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            await test(app, pilot)
        return app

    return asyncio.run(run())


def shown_text(app: MenuApp, name: str) -> str:
    return str(app.screen_stack[0].query_one(f"#{name}", Static).content)


def test_keys(project: Project) -> None:
    async def test(app: MenuApp, pilot: Pilot[str]) -> None:
        await pilot.press("end", "enter")
        assert app.menu.path == ["armlet", "Ciphers"]
        await pilot.press("down", "n")
        assert "SPECK64_XTS=n" in shown_text(app, "message")
        assert "(modified)" in shown_text(app, "title")
        await pilot.press("y", "right")
        assert "(modified)" not in shown_text(app, "title")
        assert app.menu.path[-1] == "Speck64-XTS"
        await pilot.press("left", "escape")
        assert app.menu.path == ["armlet"]
        await pilot.press("q")
        assert not app.is_running

    drive(workspace_of(project), test)


def test_search_goes_to_a_greyed_symbol_and_help_explains_it(project: Project) -> None:
    async def test(app: MenuApp, pilot: Pilot[str]) -> None:
        await pilot.press("slash", *"neon", "enter")
        assert app.menu.row
        assert not app.menu.row.enabled
        name = app.menu.row.name
        await pilot.press("question_mark")
        assert isinstance(app.screen, TextScreen)
        assert name == app.screen.TITLE_TEXT
        await pilot.press("escape", "slash")
        assert isinstance(app.screen, SearchScreen)
        assert app.screen.query_one(Input).value == ""
        await pilot.press("escape", "space")
        assert shown_text(app, "message").startswith(" cannot be changed: ")

    drive(workspace_of(project), test)


def test_a_number_is_edited_in_a_dialog(project: Project) -> None:
    async def test(app: MenuApp, pilot: Pilot[str]) -> None:
        app.menu.go_to(app.menu.node_of("LIMIT"))
        app._show()
        await pilot.press("enter")
        assert isinstance(app.screen, EditScreen)
        await pilot.press("end", "backspace", "9")
        assert str(app.screen.query_one("#refused", Static).content) == "from 1 to 8"
        await pilot.press("enter")
        assert isinstance(app.screen, EditScreen), "it takes no wrong value"
        await pilot.press("backspace", "7", "enter")
        assert shown_text(app, "message") == " LIMIT=7"

    drive(workspace_of(project), test)


@pytest.mark.parametrize("size", [(80, 24), (200, 60), (20, 5)])
def test_every_size(project: Project, size: tuple[int, int]) -> None:
    async def test(app: MenuApp, pilot: Pilot[str]) -> None:
        await pilot.press("end", "enter", "question_mark", "escape", "slash", "escape")
        is_wide = app.screen.query_one("#body").has_class("wide")
        assert is_wide == (size[0] >= 120)
        assert len(app.screen.query(Paper)) == 1
        await pilot.resize_terminal(120, 30)
        await pilot.pause()
        assert app.screen.query_one("#body").has_class("wide")

    drive(workspace_of(project), test, size)


def test_a_broken_configuration_opens_on_what_is_wrong(project: Project) -> None:
    async def test(app: MenuApp, pilot: Pilot[str]) -> None:
        assert isinstance(app.screen, ProblemsScreen)
        rows = app.screen.query_one(Rows)
        shown = ["".join(text for text, _ in item.spans) for item in rows.items]
        assert " .config:2: not understood: 'hello': write CONFIG_SYMBOL=value, or a comment" in shown
        await pilot.press("escape", "s")
        assert isinstance(app.screen, ProblemsScreen)
        assert app.screen.TITLE_TEXT == "Not saved: mend this first"
        await pilot.press("d")
        assert not isinstance(app.screen, ProblemsScreen)

    drive(workspace_of(project, "CONFIG_LIMIT=77\nhello\n"), test)


def test_thousands_of_wrong_lines(project: Project) -> None:
    """Such as the kernel's own .config, in the wrong folder."""

    async def test(app: MenuApp, pilot: Pilot[str]) -> None:
        assert isinstance(app.screen, ProblemsScreen)
        assert app.screen.query_one(Rows).items[-1].spans == [(" and 2980 more", "wrong")]
        await pilot.press("d", "q", "n")

    drive(workspace_of(project, "".join(f"CONFIG_OTHER_{number}=y\n" for number in range(3000))), test)


def test_saving_writes_the_intent_and_what_was_saved_is_read_again(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    def reconfigure(_: Workspace, *options: str) -> None:
        assert options == ("-Dconfig=[]", "-Dset=[]")
        assert project.configure().returncode == 0

    async def test(app: MenuApp, pilot: Pilot[str]) -> None:
        app.menu.go_to(app.menu.node_of("SHA3"))
        app._show()
        await pilot.press("n", "q")
        assert isinstance(app.screen, AskScreen)
        await pilot.press("escape", "s")
        await app.workers.wait_for_complete()
        await pilot.pause()
        assert "Saved .config" in shown_text(app, "message")
        assert app.menu.row
        assert app.menu.row.name == "SHA3"
        assert app.menu.draft.wishes["SHA3"].origin == ".config:4"
        (project.folder / ".config").write_text("CONFIG_BLUE=y\n")
        await pilot.press("s")
        assert isinstance(app.screen, AskScreen), "another program has changed the file"
        await pilot.press("n", "q")

    monkeypatch.setattr(Workspace, "reconfigure", reconfigure)
    app = drive(workspace_of(project), test)
    assert app.return_value == "Saved .config; meson compile -C build builds it."
    assert (project.folder / ".config").read_text() == "CONFIG_BLUE=y\n"


def test_a_save_that_fails_is_told(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    def reconfigure(*_: object) -> None:
        raise KconfError("meson setup failed:\nno space left")

    async def test(app: MenuApp, pilot: Pilot[str]) -> None:
        await pilot.press("s")
        await app.workers.wait_for_complete()
        await pilot.pause()
        assert isinstance(app.screen, TextScreen)
        await pilot.press("escape")
        assert app.is_running

    monkeypatch.setattr(Workspace, "reconfigure", reconfigure)
    drive(workspace_of(project), test)


def test_quitting_without_saving(project: Project) -> None:
    async def test(app: MenuApp, pilot: Pilot[str]) -> None:
        app.menu.go_to(app.menu.node_of("SHA3"))
        app._show()
        await pilot.press("n", "q", "n")

    assert drive(workspace_of(project), test).return_value == "Nothing was saved."
    assert not (project.folder / ".config").exists()


def test_wrapping_hangs_below_the_name() -> None:
    assert wrapped("  n  a long name", 20, 1) == ["   n  a long name"]
    assert wrapped("n  a name that is too long", 20, 1) == [" n  a name that is", "    too long"]
