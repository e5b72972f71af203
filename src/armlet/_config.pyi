from typing import Any

SCHEMA: int
PACKAGE: str
VERSION: str
TARGET: dict[str, str]
COMPILER: dict[str, Any]
BASELINE: list[str]
OPTIONS: dict[str, bool | int | str]
PROBES: dict[str, dict[str, Any]]
REQUESTED: dict[str, dict[str, str]]
DOTCONFIG: str
DOTCONFIG_SHA256: str
ALGORITHMS: dict[str, dict[str, Any]]
FINGERPRINT: str
