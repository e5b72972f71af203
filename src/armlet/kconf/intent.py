"""What the user asks for: configuration files and SYMBOL=value, each assignment with the place it came from."""

import os
import re
import stat
from typing import NamedTuple

from .errors import Errors, KconfError, nearest

PREFIX = "CONFIG_"
NO_FILE = "default"  # as a name of a configuration
MAX_LINE = 4096  # characters
MAX_BYTES = 1 << 20  # of a configuration file; the largest that anybody keeps, the kernel's, has a quarter of it

_SET = re.compile(r"(?:CONFIG_)?(\w+)=(.*)", re.ASCII)
_UNSET = re.compile(r"# CONFIG_(\w+) is not set", re.ASCII)
_ALMOST_UNSET = re.compile(r"#\s*\S+\s+is\s+not\s+set\W*", re.IGNORECASE)
_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"')


class Assignment(NamedTuple):
    """One wish: SYMBOL shall have VALUE, because ORIGIN ("configs/tiny.config:3", "-Dset") says so."""

    symbol: str
    value: str
    origin: str

    def __str__(self) -> str:
        return f"{self.symbol}={self.value} ({self.origin})"


Layer = list[Assignment]


def find_configs(source_dir: str, names: list[str], errors: Errors | None = None) -> list[str]:
    """Return the paths of the configuration files that `-Dconfig=` names, in order.

    A name is a file configs/NAME.config; what has a slash or ends in .config is a path, relative to the source folder.
    No name at all means .config in the source folder, where there is one; "default" means no file.
    """
    if not names:
        dotconfig = os.path.join(source_dir, ".config")
        return [dotconfig] if os.path.lexists(dotconfig) else []
    errors = errors or Errors()
    paths = []
    for name in names:
        with errors.each():
            if name != NO_FILE:
                paths.append(find_config(source_dir, name, f"-Dconfig={name}"))
    return paths


def config_path(source_dir: str, name: str) -> str:
    """Return the path of the configuration file that NAME names, whether it exists or not."""
    return os.path.join(source_dir, name if is_path(name) else f"configs/{name}.config")


def is_path(name: str) -> bool:
    """Whether a configuration is named by its path, and not by its name in configs/."""
    return "/" in name or os.sep in name or name.startswith(".") or name.endswith(".config")


def find_config(source_dir: str, name: str, origin: str) -> str:
    """Return the path of the configuration file that NAME names; one that is not there is an error of ORIGIN."""
    if not name.isprintable():
        raise KconfError(f"{origin.partition('=')[0]}: control characters in {name[:80]!r}")
    path = config_path(source_dir, name)
    if os.path.exists(path):
        return path
    if is_path(name):
        raise KconfError(f"{origin}: there is no file {path}")
    known = sorted(entry[: -len(".config")] for entry in _listdir(source_dir, "configs") if entry.endswith(".config"))
    raise KconfError(
        f"{origin}: there is no configs/{name}.config{nearest(name, known) or '.'} "
        f"Known are {', '.join(known) or 'none'}; give a path for a file of your own."
    )


def _listdir(*parts: str) -> list[str]:
    try:
        return os.listdir(os.path.join(*parts))
    except OSError:
        return []


def read_config(path: str, shown: str, errors: Errors | None = None) -> Layer:
    """Read a configuration file; SHOWN is how its name appears in origins and errors."""
    errors = errors or Errors()
    layer = []
    with errors.each():
        for origin, line in read_lines(path, shown):
            with errors.each():
                assignment = parse_line(line, origin)
                if assignment:
                    layer.append(assignment)
    return layer


def read_lines(path: str, shown: str) -> list[tuple[str, str]]:
    """Return the lines of a configuration file, each with where it stands."""
    lines = re.split(r"\r\n|\n|\r", read_text(path, shown))
    return [(f"{shown}:{number}", line.strip()) for number, line in enumerate(lines, 1)]


def read_text(path: str, shown: str) -> str:
    """Read a text file that the user may have named by mistake; SHOWN is its name in errors."""
    try:
        with open(path, "rb", opener=_open_at_once) as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise KconfError(f"{shown}: not a regular file")
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise KconfError(f"{shown}: {error.strerror}") from None
    if len(data) > MAX_BYTES:
        raise KconfError(f"{shown}: more than {MAX_BYTES} bytes: not a configuration")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise KconfError(f"{shown}:{line}: not UTF-8 text") from None


def _open_at_once(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))  # a FIFO without a writer would wait for ever


def parse_line(line: str, origin: str) -> Assignment | None:
    """Read a line of a configuration file; None if it assigns nothing."""
    _check_characters(line, origin)
    if unset := _UNSET.fullmatch(line):
        return Assignment(unset[1], "n", origin)
    if _ALMOST_UNSET.fullmatch(line):
        raise KconfError(f"{origin}: not understood: {line[:80]!r}: write `# CONFIG_SYMBOL is not set`, just so")
    if not line or line.startswith("#"):
        return None
    parts = _SET.fullmatch(line)
    if not parts:
        raise KconfError(f"{origin}: not understood: {line[:80]!r}: write CONFIG_SYMBOL=value, or a comment after #")
    if not line.startswith(PREFIX):
        raise KconfError(f"{origin}: write {PREFIX}{parts[1]}={parts[2]}: in a file symbols carry that prefix")
    return Assignment(parts[1], _unquote(parts[2], origin), origin)


def _check_characters(text: str, origin: str) -> None:
    if len(text) > MAX_LINE:
        raise KconfError(f"{origin}: more than {MAX_LINE} characters in one line: not a configuration")
    if not text.replace("\t", " ").isprintable():
        raise KconfError(f"{origin}: control characters in {text[:80]!r}")


def _unquote(value: str, origin: str) -> str:
    if not value.startswith('"'):
        return value
    quoted = _QUOTED.fullmatch(value)
    if not quoted:
        raise KconfError(f"{origin}: the string {value[:80]} does not end where the line does")
    return re.sub(r"\\(.)", r"\1", quoted[1])


def parse_set(entries: list[str], origin: str = "-Dset", errors: Errors | None = None) -> Layer:
    """Read SYMBOL=value entries, with or without the CONFIG_ prefix."""
    errors = errors or Errors()
    layer = []
    for entry in entries:
        with errors.each():
            _check_characters(entry, origin)
            parts = _SET.fullmatch(entry.strip())
            if not parts:
                several = "; several go into one: -Dset=A=y,B=n" if origin == "-Dset" else ""
                raise KconfError(f"{origin}: {entry!r} is not SYMBOL=value{several}")
            layer.append(Assignment(parts[1], _unquote(parts[2], origin), origin))
    return layer
