"""What this build of armlet contains, and what this CPU uses of it.

>>> from armlet import config, digest
>>> config.options["SHA3"]
True
>>> [backend.name for backend in config.backends("sha384") if backend.selected]
['generic']
>>> with config.use("sha384", "generic"):
...     digest.sha384(b"abc").backend
'generic'
"""

from typing import Final

from . import _config, _core, cipher, digest
from .kconf.report import Backend, Options, Requested, SelfTest, report_of

__all__ = [
    "Backend",
    "Requested",
    "SelfTest",
    "algorithms",
    "as_dict",
    "backends",
    "baseline",
    "compiler",
    "cpu_features",
    "dotconfig",
    "dotconfig_sha256",
    "options",
    "package",
    "probes",
    "requested",
    "selftest",
    "show",
    "table",
    "target",
    "use",
    "version",
    "why",
]

# Which algorithm serves a function that has another name; tests/test_config.py compares it with the compiled tables.
FUNCTIONS: Final = {
    name.lower(): symbol.lower()
    for name, symbol in (digest._SYMBOLS | cipher._SYMBOLS).items()
    if name != symbol.lower()
}

_report = report_of(_config, _core, FUNCTIONS)

package = _report.package
version = _report.version
target = _report.target
compiler = _report.compiler
baseline = _report.baseline
options: Options = _report.options
probes = _report.probes
requested = _report.requested
dotconfig = _report.dotconfig
dotconfig_sha256 = _report.dotconfig_sha256
cpu_features = _report.cpu_features
algorithms = _report.algorithms
backends = _report.backends
use = _report.use
selftest = _report.selftest
as_dict = _report.as_dict
table = _report.table
why = _report.why
show = _report.show
