"""What a resolution is written to: headers for the C, a list for Meson, a module for Python, a record for people."""

import hashlib
import json
import pprint
from functools import cached_property
from typing import Any, NamedTuple

import kconfiglib

from .baseline import is_measured
from .record import FINGERPRINT, SCHEMA, Record, to_json, with_fingerprint
from .resolve import Resolution
from .save import text
from .target import Compiler, feature
from .tree import BASELINE, CC, ISA, Algorithm, Backend, Symbol, typed_value
from .upgrade import heading

NOTICE = "Generated from Kconfig by armlet.kconf; a reconfigure overwrites it."
WRITER = "armlet.kconf"


class Request(NamedTuple):
    """What the build folder was asked for: `-Dconfig` and `-Dset`."""

    config: list[str]
    set: list[str]


class Project:
    """A resolution, and what the build calls itself."""

    def __init__(self, name: str, version: str, compiler: Compiler, resolution: Resolution) -> None:
        self.name = name
        self.version = version
        self.compiler = compiler
        self.resolution = resolution
        self.tree = resolution.tree

    def files(self, request: Request) -> dict[str, str]:
        """Return the text of every generated file, by its path in the build folder."""
        return {
            "sources.config": self._sources(),
            "options.config": self._meson_options(),
            "config/lists.h": _header(self._lists()),
            "config/options.h": _header(self._options()),
            "config/record.h": _header(_note(self._config)),
            **{f"config/{a.name}.h": _header(self._backends(a)) for a in self._built_algorithms()},
            "kconf.json": json.dumps(self._record(request), indent=2) + "\n",
        }

    def table(self) -> str:
        """Return the summary that ends a setup: backend, requested, result, reason."""
        rows = [("backend", "requested", "result", "reason")]
        for algorithm in self.tree.algorithms:
            for backend in algorithm.backends:
                rows.append(
                    (
                        f"{algorithm.name} {backend.name}",
                        self.resolution.requested(backend.symbol),
                        "built" if self.tree.is_on(backend.symbol.name) else "no",
                        self._reason(backend.symbol) or "",
                    )
                )
        widths = [max(len(row[column]) for row in rows) for column in range(3)]
        return "\n".join("  ".join([*map(str.ljust, row[:3], widths), row[3]]).rstrip() for row in rows)

    def module(self) -> str:
        """Return the definitions of the package's own `_config` module, which Meson installs."""
        return "\n".join(f"{name} = {_literal(value)}" for name, value in self._config.items())

    def _built_algorithms(self) -> list[Algorithm]:
        return [algorithm for algorithm in self.tree.algorithms if self.tree.is_on(algorithm.symbol.name)]

    def _reason(self, symbol: Symbol) -> str | None:
        return None if symbol.tri_value else self.resolution.explainer.brief(symbol)

    def _sources(self) -> str:
        """What is built, with flags that nothing else gets: those of the CC_* probes that a backend depends on."""
        flags = {
            backend.symbol.name: [flag for name in backend.flags_from for flag in self.tree.probes[name].flags]
            for backend in self.tree.backends
        }
        built = [name for name, is_built in self.tree.sources().items() if is_built]
        return "".join(f"{name}={' '.join(flags.get(name, []))}\n" for name in built)

    def _lists(self) -> list[str]:
        built = self._built_algorithms()
        families = [family for family in self.tree.families if any(a.family == family for a in built)]
        lines = [_x_macro("KCONF_FAMILIES", [f"X({family})" for family in families])]
        lines.append(_x_macro("KCONF_ALGORITHMS", [f"X({a.family}, {a.name})" for a in built]))
        for family in families:
            names = [f"X({a.name})" for a in built if a.family == family]
            lines.append(_x_macro(f"KCONF_{family.upper()}", names))
        isa = [name for name in self.tree.symbols if name.startswith(ISA)]
        lines.append(_x_macro("KCONF_ISA", [f"X({name})" for name in isa]))
        lines.append(f"#define CPU_BASELINE {_features(self.tree.baseline())}")
        return lines

    def _backends(self, algorithm: Algorithm) -> list[str]:
        rows = [
            f'X({algorithm.name}, {backend.id}, "{backend.name}", {_features(backend.needs)})'
            for backend in algorithm.backends
            if self.tree.is_on(backend.symbol.name)
        ]
        selection = "SELECT_BY_MEASUREMENT" if is_measured(self.tree, algorithm) else "SELECT_BY_ORDER"
        name = algorithm.name.upper()
        return [_x_macro(f"{name}_BACKENDS", rows), f"#define {name}_SELECTION {selection}"]

    def _options(self) -> list[str]:
        return [f"#define CONFIG_{name} {_c_value(self.tree.symbols[name])}" for name in self._option_names()]

    def _meson_options(self) -> str:
        """The same for meson.build; but Meson's reader knows no strings."""
        symbols = [(name, self.tree.symbols[name]) for name in self._option_names()]
        return "".join(f"{name}={s.str_value}\n" for name, s in symbols if s.orig_type != kconfiglib.STRING)

    def _option_names(self) -> list[str]:
        """The symbols that no other generated file stands for: options and facts of the target."""
        listed = set(self.tree.sources())
        others = (ISA, CC, BASELINE)
        return [n for n in self.tree.symbols if n not in listed and not n.startswith(others)]

    def _algorithms(self) -> dict[str, Any]:
        return {
            algorithm.name: {
                "family": algorithm.family,
                "symbol": algorithm.symbol.name,
                "built": self.tree.is_on(algorithm.symbol.name),
                "selection": "measurement" if is_measured(self.tree, algorithm) else "order",
                "backends": [self._backend(backend) for backend in algorithm.backends],
            }
            for algorithm in self.tree.algorithms
        }

    def _backend(self, backend: Backend) -> dict[str, Any]:
        return {
            "name": backend.name,
            "symbol": backend.symbol.name,
            "built": self.tree.is_on(backend.symbol.name),
            "needs": [feature(isa) for isa in backend.needs],
            "requested": self.resolution.requested(backend.symbol),
            "reason": self._reason(backend.symbol),
        }

    @cached_property
    def _config(self) -> Record:
        """What the installed package knows of its build: no path of the build machine in it."""
        target, dotconfig = self.tree.target, self._dotconfig()
        return with_fingerprint(
            {
                "SCHEMA": SCHEMA,
                "PACKAGE": self.name,
                "VERSION": self.version,
                "TARGET": {"system": target.system, "cpu_family": target.cpu_family, "endian": target.endian},
                "COMPILER": {"id": self.compiler.id, "version": self.compiler.version, "flags": self.compiler.flags},
                "BASELINE": [feature(isa) for isa in self.tree.baseline()],
                "OPTIONS": {name: typed_value(symbol) for name, symbol in self.tree.symbols.items()},
                "PROBES": {
                    name: {"answer": probe.answer, "reason": probe.reason, "flags": probe.flags}
                    for name, probe in self.tree.probes.items()
                },
                "REQUESTED": {
                    name: {"value": wish.value, "origin": wish.origin} for name, wish in self.resolution.wishes.items()
                },
                "DOTCONFIG": dotconfig,
                "DOTCONFIG_SHA256": hashlib.sha256(dotconfig.encode()).hexdigest(),
                "ALGORITHMS": self._algorithms(),
            }
        )

    def _dotconfig(self) -> str:
        """The configuration as one file: what was asked for, whichever files and options it came from."""
        wishes = self.resolution.wishes
        layer = [wishes[name] for name in self.tree.symbols if name in wishes]
        return text(self.tree, layer, heading(self.name, self.version, WRITER))

    def _record(self, request: Request) -> dict[str, Any]:
        """Everything, the commands and paths of this machine included."""
        return {
            **{key.lower(): value for key, value in self._config.items()},
            "source_dir": self.tree.source_dir,
            "intent": request._asdict(),
            "target_facts": self.tree.target._asdict(),
            "probes": {name: probe._asdict() for name, probe in self.tree.probes.items()},
            "compiler": self.compiler._asdict(),
            "requested": [wish._asdict() for wish in self.resolution.wishes.values()],
        }


def _header(lines: list[str]) -> str:
    return "\n".join([f"/* {NOTICE} */", *lines]) + "\n"


def _note(record: Record) -> list[str]:
    data = to_json(record)
    return [
        f'#define KCONF_FINGERPRINT "{record[FINGERPRINT]}"',
        f"#define KCONF_RECORD_SIZE {len(data)}",
        " \\\n    ".join(["#define KCONF_RECORD", *(_bytes(data[i : i + 24]) for i in range(0, len(data), 24))]),
    ]


def _bytes(data: bytes) -> str:
    return "".join(f"{byte}, " for byte in data).rstrip()


def _x_macro(name: str, rows: list[str]) -> str:
    return " \\\n    ".join([f"#define {name}(X)", *rows])


def _features(symbols: list[str]) -> str:
    return " | ".join(f"CPU_{name}" for name in symbols).join("()") if symbols else "0"


def _c_value(symbol: Symbol) -> str:
    if symbol.orig_type == kconfiglib.BOOL:
        return "1" if symbol.tri_value else "0"
    if symbol.orig_type == kconfiglib.STRING:
        return _c_string(symbol.str_value)
    return symbol.str_value or "0"


def _c_string(text: str) -> str:
    """Return a C literal: bytes beyond printable ASCII, quotes and what could begin a trigraph in octal."""
    plain = set(range(0x20, 0x7F)) - set(b'"\\?')
    return '"' + "".join(chr(byte) if byte in plain else f"\\{byte:03o}" for byte in text.encode()) + '"'


def _literal(value: object) -> str:
    return pprint.pformat(value, width=120, sort_dicts=False)
