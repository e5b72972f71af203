"""What a finished package contains and what this CPU uses of it, with a reason for every no.

What is built, usable and selected comes from the tables in the compiled module; what was configured, and why something
was left out, from the record in the generated module `_config`. The two must be of one build.
"""

from collections.abc import Iterator, Mapping
from types import MappingProxyType, ModuleType, TracebackType
from typing import Any, NamedTuple, Protocol

from .errors import nearest
from .record import FINGERPRINT, Record, built_backends, compare_tables
from .table import WIDTH, columns

SCHEMA = 1
NOWHERE: dict[str, list[str]] = {"features": [], "masked": []}
RULES = ("SELECT_BY_ORDER", "SELECT_MEASURED_WHERE_UNSURE", "SELECT_BY_MEASUREMENT")


class CoreModule(Protocol):
    """The compiled module."""

    def backends_built(self) -> dict[str, Any]:
        """Return the tables of backends, and what this CPU has."""

    def backends_report(self) -> dict[str, Any]:
        """Return the tables of backends, with what this CPU can run."""

    def backends_self_test(self) -> dict[str, dict[str, bool | None]]:
        """Test every backend that this CPU can run."""

    def use(self, algorithm: str, backend: str | None, /) -> int:
        """Have a backend serve an algorithm in the whole process."""

    def use_in_thread(self, algorithm: str, backend: str | None, /) -> int:
        """Have a backend serve an algorithm in this thread."""

    def end_use(self, algorithm: str, number: int, /) -> None:
        """End what one of them began."""

    def keep_use(self, algorithm: str, number: int, /) -> None:
        """Forget what the process used before."""


class Backend(NamedTuple):
    """One implementation of an algorithm.

    usable and selected are None where no CPU was asked: in the report of a file.
    """

    name: str
    built: bool  # into this package
    usable: bool | None  # on this CPU
    selected: bool | None  # serves unless another one is named
    reason: str | None  # for the first of these that is not so
    nanoseconds: int | None  # of the work that was measured to select one
    needs: tuple[str, ...]  # what the CPU must have
    requested: str  # "default", or the value that was asked for and by what: "y (-Dset)"


class Requested(NamedTuple):
    """What was asked of a symbol, and by what: "configs/tiny.config:3", "-Dset"."""

    value: str
    origin: str


class SelfTest(NamedTuple):
    """What a backend answers to a question of known answer: True if it is right, None if this CPU cannot run it."""

    algorithm: str
    backend: str
    passed: bool | None


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


class Use:
    """A choice of a backend for the process; as a context manager, for this thread instead, until its end."""

    _in_process: int | None = None  # the number of the choice

    def __init__(self, core: CoreModule, algorithm: str, backend: str | None) -> None:
        self._core, self._algorithm, self._backend = core, algorithm, backend
        self._in_process = core.use(algorithm, backend)
        self._in_thread: list[int] = []

    def __enter__(self) -> "Use":
        self._in_thread.append(self._core.use_in_thread(self._algorithm, self._backend))
        if self._in_process is not None:
            self._core.end_use(self._algorithm, self._in_process)
            self._in_process = None
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._core.end_use(self._algorithm, self._in_thread.pop())

    def __del__(self) -> None:
        """No `with` can begin any more: the choice for the process stays."""
        if self._in_process is not None:
            self._core.keep_use(self._algorithm, self._in_process)

    def __repr__(self) -> str:
        return f"<{self._algorithm} is served by {self._backend or 'what the rule selects'}>"


class Report:
    """The report of one package; without a compiled module CORE, that of a file."""

    def __init__(
        self, record: Record, core: CoreModule | None = None, functions: Mapping[str, str] | None = None
    ) -> None:
        """FUNCTIONS names the algorithm that serves each function: {"adler32_combine": "adler32"}."""
        self._record = record
        self._core = core
        self._functions = functions or {}
        self.package: str = record["PACKAGE"]
        self.version: str = record["VERSION"]
        self.target = MappingProxyType[str, str](record["TARGET"])
        self.compiler = MappingProxyType[str, Any](record["COMPILER"])
        self.baseline = tuple[str, ...](record["BASELINE"])
        self.options = Options(record["OPTIONS"])
        probes: dict[str, Mapping[str, Any]] = {name: MappingProxyType(row) for name, row in record["PROBES"].items()}
        self.probes = MappingProxyType(probes)
        self.requested = MappingProxyType(
            {name: Requested(wish["value"], wish["origin"]) for name, wish in record["REQUESTED"].items()}
        )
        self.dotconfig: str = record["DOTCONFIG"]
        self.dotconfig_sha256: str = record["DOTCONFIG_SHA256"]
        built: dict[str, Any] = core.backends_built() if core else {"mask": None, "cpu": NOWHERE}
        self._mask_variable: str | None = built["mask"]
        self._cpu: dict[str, list[str]] = built["cpu"]
        self.cpu_features = tuple(self._cpu["features"])

    @property
    def algorithms(self) -> tuple[str, ...]:
        """The algorithms of the source tree, the ones that were not built too."""
        return tuple(self._record["ALGORITHMS"])

    def backends(self, name: str) -> list[Backend]:
        """Return the backends of an algorithm, or of a function that it serves, best first.

        Raises ValueError for an unknown name.
        """
        algorithm = self._algorithm_of(name)
        found = self._found(algorithm)
        tables = {backend["name"]: backend for backend in found["backends"]}
        return [self._backend(row, tables.get(row["name"]), found) for row in self._entry(algorithm)["backends"]]

    def use(self, name: str, backend: str | None) -> Use:
        """Have BACKEND serve an algorithm from now on, in the whole process; None: again what the rule selects.

        In a `with` statement it does so for this thread alone, to the end of the block; other threads see it for the
        moment in which the block begins. Objects that exist keep the backend that they have. Raises ValueError for an
        unknown name, for a backend that is not built or that this CPU cannot run, and for one that has failed its
        self-test.
        """
        algorithm = self._algorithm_of(name)
        entry = self._entry(algorithm)
        if self._core is None or not entry["built"]:
            raise ValueError(f"{algorithm} is not in this build: {entry['symbol']}=n")
        return Use(self._core, algorithm, backend)

    def selftest(self) -> list[SelfTest]:
        """Test every backend that this CPU can run with a known answer, now.

        One that fails is a RuntimeWarning the first time, and does not serve any more.
        """
        answers = self._core.backends_self_test() if self._core else {}
        return [SelfTest(algorithm, *row) for algorithm, rows in answers.items() for row in rows.items()]

    def _algorithm_of(self, name: str) -> str:
        if not isinstance(name, str):
            raise TypeError(f"name must be a str, not {name!r}")
        key = name.lower().replace("-", "_")
        algorithm = self._functions.get(key, key)
        if algorithm not in self._record["ALGORITHMS"]:
            known = [*self._record["ALGORITHMS"], *self._functions]
            raise ValueError(
                f"there is no algorithm {name!r}{nearest(key, known) or ': known are ' + ', '.join(known)}"
            )
        return algorithm

    def _entry(self, algorithm: str) -> dict[str, Any]:
        entry: dict[str, Any] = self._record["ALGORITHMS"][algorithm]
        return entry

    def _found(self, algorithm: str) -> dict[str, Any]:
        """What the compiled module has of an algorithm; reading it selects, as the first use does."""
        nothing: dict[str, Any] = {"backends": [], "selected": None, "rule": None}
        found = self._core.backends_report()["algorithms"] if self._core else {}
        return found.get(algorithm, nothing) if isinstance(found, dict) else nothing

    def _backend(self, row: dict[str, Any], table: dict[str, Any] | None, found: dict[str, Any]) -> Backend:
        def backend(
            usable: bool | None, selected: bool | None, reason: str | None, nanoseconds: int | None = None
        ) -> Backend:
            built, needs = row["built"], tuple(row["needs"])
            return Backend(row["name"], built, usable, selected, reason, nanoseconds, needs, row["requested"])

        if not row["built"]:
            return backend(False, False, row["reason"])
        if table is None:
            return backend(None, None, None)
        if not table["usable"]:
            return backend(False, False, self._why_unusable(table))
        selected, nanoseconds = found["selected"], table["nanoseconds"]
        if row["name"] == selected:
            return backend(True, True, None, nanoseconds)
        why = {
            "order": "comes first",
            "measurement": "comes first" if nanoseconds is None else "was as fast or faster in a measurement",
            "use": f"was chosen by {self.package}.config.use",
        }[found["rule"]]
        return backend(True, False, f"{selected} {why}", nanoseconds)

    def _why_unusable(self, table: dict[str, Any]) -> str:
        if table["failed"]:
            return "gives a wrong answer on this machine"
        needs = table["needs"]
        masked = [name for name in needs if name in self._cpu["masked"]]
        if masked:
            return f"{self._mask_variable} hides {', '.join(masked)}"
        return f"this CPU lacks {', '.join(name for name in needs if name not in self.cpu_features)}"

    def as_dict(self) -> dict[str, Any]:
        """Return the whole report in JSON's types."""
        return {
            "schema": SCHEMA,
            "package": self.package,
            "version": self.version,
            "target": dict(self.target),
            "compiler": {**self.compiler, "flags": list(self.compiler["flags"])},
            "baseline": list(self.baseline),
            "options": dict(self.options),
            "probes": {name: {**probe, "flags": list(probe["flags"])} for name, probe in self.probes.items()},
            "requested": {name: wish._asdict() for name, wish in self.requested.items()},
            "dotconfig": self.dotconfig,
            "dotconfig_sha256": self.dotconfig_sha256,
            "cpu": {key: list(names) for key, names in self._cpu.items()} if self._core else None,
            "algorithms": {name: self._algorithm(name) for name in self.algorithms},
        }

    def _algorithm(self, name: str) -> dict[str, Any]:
        entry = self._entry(name)
        backends = self.backends(name)
        return {
            "family": entry["family"],
            "built": entry["built"],
            "selected": next((backend.name for backend in backends if backend.selected), None),
            "rule": self._found(name)["rule"],
            "backends": [{**backend._asdict(), "needs": list(backend.needs)} for backend in backends],
        }

    def table(self, width: int = WIDTH, colour: bool = False) -> str:
        """Return the report as a person reads it, at most WIDTH columns wide."""
        rows = [("algorithm", "backend", "state", "reason")]
        for name in self.algorithms:
            rows += [(name, b.name, _state(b), _remark(b)) for b in self.backends(name)]
        return "\n".join([*self._heading(width), "", *columns(rows, width, colour)])

    def _heading(self, width: int) -> list[str]:
        import textwrap

        target, compiler, masked = self.target, self.compiler, self._cpu["masked"]
        flags = f" {' '.join(compiler['flags'])}" if compiler["flags"] else ""
        lines = [
            f"{self.package} {self.version} for {target['system']} {target['cpu_family']} "
            f"({target['endian']}-endian), built with {compiler['id']} {compiler['version']}{flags}"
        ]
        if self.requested:
            wishes = (f"{name}={wish.value} ({wish.origin})" for name, wish in self.requested.items())
            lines.append(f"Requested: {', '.join(wishes)}")
        if self.baseline:
            lines.append(f"Baseline, which every CPU has that runs it: {', '.join(self.baseline)}")
        if self._core:
            lines.append(
                f"CPU features: {', '.join(self.cpu_features) or 'none that matters'}"
                + (f"; masked: {', '.join(masked)}" if masked else "")
            )
        return [part for line in lines for part in textwrap.wrap(line, width, subsequent_indent="  ")]

    def why(self, name: str, width: int = WIDTH, colour: bool = False) -> str:
        """Return why an algorithm is served by what serves it, and not by the others. ValueError: an unknown name."""
        algorithm = self._algorithm_of(name)
        rows = [("backend", "state", "needs", "requested", "reason")]
        for b in self.backends(algorithm):
            why = [_remark(b), *([self._why_selected(algorithm)] if b.selected else [])]
            needs = ", ".join(b.needs) or "nothing"
            rows.append((b.name, _state(b), needs, b.requested, ": ".join(filter(None, why))))
        return "\n".join([self._verdict(algorithm), *columns(rows, width, colour)])

    def _verdict(self, algorithm: str) -> str:
        entry = self._entry(algorithm)
        if not entry["built"]:
            return f"{algorithm} is not in this build: {entry['symbol']}=n"
        serving = next((backend.name for backend in self.backends(algorithm) if backend.selected), None)
        return f"{algorithm}: {serving} serves" if serving else f"{algorithm}: nothing serves"

    def _why_selected(self, algorithm: str) -> str:
        rule = self._found(algorithm)["rule"]
        if rule is None:
            return ""
        if rule == "use":
            return f"{self.package}.config.use says so"
        symbol = next((name for name in RULES if self.options.get(name)), "SELECT_BY_ORDER")
        how = "the fastest in a measurement" if rule == "measurement" else "the first in order that this CPU can run"
        return f"{how} ({symbol})"

    def show(self) -> None:
        """Print the report, and no colour."""
        print(self.table())

    def __repr__(self) -> str:
        target = self.target
        return f"<Report of {self.package} {self.version} for {target['system']} {target['cpu_family']}>"


def report_of(config: ModuleType, core: Any, functions: Mapping[str, str] | None = None) -> Report:
    """Return the report of an installed package: its modules `_config` and `_core`.

    FUNCTIONS names the algorithm that serves each function which is called otherwise: {"adler32_combine": "adler32"}.
    Raises ImportError if they are not of one build.
    """
    record, built = vars(config), core.backends_built()
    differences = compare_tables(built_backends(record), built["algorithms"])
    if record[FINGERPRINT] != built["fingerprint"] and not differences:
        differences = ["they were configured differently"]
    if differences:
        raise ImportError(
            f"{config.__name__} and {core.__name__} are of two builds ({'; '.join(differences)}): "
            f"remove {record['PACKAGE']} wholly and install it again"
        )
    return Report(record, core, functions)


def _state(backend: Backend) -> str:
    if not backend.built:
        return "not built"
    if backend.usable is None:
        return "built"
    if backend.selected:
        return "selected"
    return "usable" if backend.usable else "not usable"


def _remark(backend: Backend) -> str:
    figure = "" if backend.nanoseconds is None else f"{backend.nanoseconds} ns"
    reason = backend.reason
    if backend.built and backend.usable is None:
        reason = f"needs {', '.join(backend.needs)}" if backend.needs else "runs on every CPU"
    return ": ".join(part for part in (figure, reason) if part)
