"""What a finished package contains and what this CPU uses of it, with a reason for every no.

What is built, usable and selected comes from the tables in the compiled module; what was configured, and why something
was left out, from the generated module `_config`.
"""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol

from .errors import nearest

SCHEMA = 1
WIDTH = 80  # columns of the table


class ConfigModule(Protocol):
    """The generated module `_config`."""

    PACKAGE: str
    VERSION: str
    TARGET: dict[str, str]
    COMPILER: dict[str, str]
    OPTIONS: dict[str, bool | int | str]
    PROBES: dict[str, dict[str, Any]]
    ALGORITHMS: dict[str, dict[str, Any]]


class CoreModule(Protocol):
    """The compiled module."""

    def backends_report(self) -> dict[str, Any]:
        """Return the tables of backends, with what this CPU can run."""


class Backend(NamedTuple):
    """One implementation of an algorithm."""

    name: str
    built: bool  # into this package
    usable: bool  # on this CPU
    selected: bool  # serves unless another one is named
    reason: str | None  # for the first of these that is not so
    nanoseconds: int | None  # of the work that was measured to select one


class Options(Mapping[str, bool | int | str]):
    """Every Kconfig symbol and its value, the false ones too; an unknown name is a KeyError with its neighbours."""

    def __init__(self, values: dict[str, bool | int | str]) -> None:
        self._values = values

    def __getitem__(self, name: str) -> bool | int | str:
        if not isinstance(name, str):
            raise KeyError(f"a symbol is a str, not {name!r}")
        try:
            return self._values[name]
        except KeyError:
            raise KeyError(f"there is no symbol {name}{nearest(name, self._values)}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __repr__(self) -> str:
        return f"<Options: {', '.join(name for name, value in self.items() if value)}>"


class Report:
    """The report of one package."""

    def __init__(self, config: ConfigModule, core: CoreModule, functions: Mapping[str, str]) -> None:
        """FUNCTIONS names the algorithm that serves each function: {"adler32_combine": "adler32"}."""
        self._config = config
        self._functions = functions
        self._core = core
        self.options = Options(config.OPTIONS)
        probes: dict[str, Mapping[str, Any]] = {name: MappingProxyType(row) for name, row in config.PROBES.items()}
        self.probes = MappingProxyType(probes)
        self.target = MappingProxyType(config.TARGET)
        self._cpu: dict[str, list[str]] = core.backends_report()["cpu"]
        self.cpu_features = tuple(self._cpu["features"])

    @property
    def algorithms(self) -> tuple[str, ...]:
        """The algorithms of the source tree, the ones that were not built too."""
        return tuple(self._config.ALGORITHMS)

    def backends(self, name: str) -> list[Backend]:
        """Return the backends of an algorithm, or of a function that it serves, best first.

        Raises ValueError for an unknown name.
        """
        if not isinstance(name, str):
            raise TypeError(f"name must be a str, not {name!r}")
        key = name.lower().replace("-", "_")
        algorithm = self._functions.get(key, key)
        if algorithm not in self._config.ALGORITHMS:
            known = [*self._config.ALGORITHMS, *self._functions]
            raise ValueError(
                f"there is no algorithm {name!r}{nearest(key, known) or ': known are ' + ', '.join(known)}"
            )
        found = self._found(algorithm)
        tables = {backend["name"]: backend for backend in found["backends"]}
        configured = self._config.ALGORITHMS[algorithm]["backends"]
        return [self._backend(row, tables.get(row["name"]), found) for row in configured]

    def _found(self, algorithm: str) -> dict[str, Any]:
        """What the compiled module has of an algorithm; reading it selects, as the first use does."""
        nothing: dict[str, Any] = {"backends": [], "selected": None, "rule": None}
        found: dict[str, Any] = self._core.backends_report()["algorithms"].get(algorithm, nothing)
        return found

    def _backend(self, row: dict[str, Any], table: dict[str, Any] | None, found: dict[str, Any]) -> Backend:
        name = row["name"]
        if table is None:
            return Backend(name, False, False, False, row["reason"], None)
        if not table["usable"]:
            return Backend(name, True, False, False, self._why_unusable(table), None)
        selected, nanoseconds = found["selected"], table["nanoseconds"]
        if name == selected:
            return Backend(name, True, True, True, None, nanoseconds)
        why = "comes first" if nanoseconds is None else "was as fast or faster in a measurement"
        return Backend(name, True, True, False, f"{selected} {why}", nanoseconds)

    def _why_unusable(self, table: dict[str, Any]) -> str:
        if table["failed"]:
            return "gives a wrong answer on this machine"
        needs = table["needs"]
        masked = [name for name in needs if name in self._cpu["masked"]]
        if masked:
            return f"{self._config.PACKAGE.upper()}_CPU_MASK hides {', '.join(masked)}"
        return f"this CPU lacks {', '.join(name for name in needs if name not in self.cpu_features)}"

    def as_dict(self) -> dict[str, Any]:
        """Return the whole report in JSON's types."""
        return {
            "schema": SCHEMA,
            "package": self._config.PACKAGE,
            "version": self._config.VERSION,
            "target": dict(self.target),
            "compiler": dict(self._config.COMPILER),
            "options": dict(self.options),
            "probes": {name: dict(probe) for name, probe in self.probes.items()},
            "cpu": {key: list(self._cpu[key]) for key in ("features", "masked")},
            "algorithms": {name: self._algorithm(name) for name in self.algorithms},
        }

    def _algorithm(self, name: str) -> dict[str, Any]:
        configured = self._config.ALGORITHMS[name]
        backends = self.backends(name)
        return {
            "family": configured["family"],
            "built": configured["built"],
            "selected": next((backend.name for backend in backends if backend.selected), None),
            "rule": self._found(name)["rule"],
            "backends": [backend._asdict() for backend in backends],
        }

    def table(self) -> str:
        """Return the report as a person reads it."""
        target, compiler = self.target, self._config.COMPILER
        masked = self._cpu["masked"]
        lines = [
            f"{self._config.PACKAGE} {self._config.VERSION} for {target['system']} {target['cpu_family']} "
            f"({target['endian']}-endian), built with {compiler['id']} {compiler['version']}",
            f"CPU features: {', '.join(self.cpu_features) or 'none that matters'}"
            + (f"; masked: {', '.join(masked)}" if masked else ""),
            "",
        ]
        rows = [("algorithm", "backend", "state", "reason")]
        for name in self.algorithms:
            rows += [(name, b.name, _state(b), _remark(b)) for b in self.backends(name)]
        return "\n".join(lines + _columns(rows))

    def show(self) -> None:
        """Print the report."""
        print(self.table())


def _state(backend: Backend) -> str:
    if backend.selected:
        return "selected"
    if backend.usable:
        return "usable"
    return "not usable" if backend.built else "not built"


def _remark(backend: Backend) -> str:
    figure = "" if backend.nanoseconds is None else f"{backend.nanoseconds} ns"
    return ": ".join(part for part in (figure, backend.reason) if part)


def _columns(rows: list[tuple[str, str, str, str]]) -> list[str]:
    """Align all columns; the last one is wrapped, a name that repeats is left out."""
    import textwrap

    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    room = max(WIDTH - sum(widths) - 2 * len(widths), 20)
    lines, above = [], ""
    for first, *others, reason in rows:
        cells = ["" if first == above else first, *others]
        start = "  ".join(map(str.ljust, cells, widths)) + "  "
        wrapped = textwrap.wrap(reason, room) or [""]
        lines.append((start + wrapped[0]).rstrip())
        lines += [" " * len(start) + more for more in wrapped[1:]]
        above = first
    return lines
