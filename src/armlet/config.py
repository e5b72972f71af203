"""What this build of armlet contains, and what this CPU uses of it.

>>> from armlet import config
>>> config.options["SHA3"]
True
>>> [backend.name for backend in config.backends("sha384") if backend.selected]
['generic']
"""

from typing import Final

from . import _config, _core, cipher, digest
from .kconf.report import Backend, Options, Report

__all__ = [
    "Backend",
    "algorithms",
    "as_dict",
    "backends",
    "cpu_features",
    "options",
    "probes",
    "show",
    "table",
    "target",
]

# Which algorithm serves a function that has another name; tests/test_config.py compares it with the compiled tables.
FUNCTIONS: Final = {
    name.lower(): symbol.lower()
    for name, symbol in (digest._SYMBOLS | cipher._SYMBOLS).items()
    if name != symbol.lower()
}

_report = Report(_config, _core, FUNCTIONS)

options: Options = _report.options
probes = _report.probes
target = _report.target
cpu_features = _report.cpu_features
algorithms = _report.algorithms
backends = _report.backends
as_dict = _report.as_dict
table = _report.table
show = _report.show
