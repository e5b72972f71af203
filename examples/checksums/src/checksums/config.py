"""What this build of checksums contains, and what this CPU uses of it."""

from . import _config, _core
from .kconf.report import Report

_report = Report(_config, _core, {})

options = _report.options
probes = _report.probes
target = _report.target
cpu_features = _report.cpu_features
algorithms = _report.algorithms
backends = _report.backends
as_dict = _report.as_dict
table = _report.table
show = _report.show
