from typing import Any

PACKAGE: str
VERSION: str
TARGET: dict[str, str]
COMPILER: dict[str, str]
OPTIONS: dict[str, bool | int | str]
PROBES: dict[str, dict[str, Any]]
REQUESTED: dict[str, str]
ALGORITHMS: dict[str, dict[str, Any]]
