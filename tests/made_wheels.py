"""What tests of `armlet inspect` are about: the module under test and its _config.py, and wheels made of them."""

import zipfile
from pathlib import Path

from armlet import _config, _core

MODULE = Path(str(_core.__file__))
CONFIG = Path(str(_config.__file__))


def files_of_a_wheel() -> dict[str, bytes]:
    return {"armlet/_core.abi3.so": MODULE.read_bytes(), "armlet/_config.py": CONFIG.read_bytes()}


def wheel(folder: Path, files: dict[str, bytes]) -> Path:
    path = folder / "made-1-cp311-abi3-linux_x86_64.whl"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return path
