"""What this build of checksums contains, and what this CPU uses of it."""

from . import _config, _core
from .kconf.report import report_of

_report = report_of(_config, _core)

options = _report.options
probes = _report.probes
target = _report.target
requested = _report.requested
dotconfig = _report.dotconfig
cpu_features = _report.cpu_features
algorithms = _report.algorithms
backends = _report.backends
use = _report.use
selftest = _report.selftest
as_dict = _report.as_dict
table = _report.table
why = _report.why
show = _report.show
