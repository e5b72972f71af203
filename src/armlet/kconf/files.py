"""Files replaced whole: whoever reads one sees the old text or the new one, whatever interrupts the writer."""

import os
import tempfile
from contextlib import suppress

from .errors import KconfError


def replace_file(path: str, content: str | bytes, *, keep_old: bool = False) -> None:
    """Give a file a new content, through a temporary one beside it that takes its name when it is complete.

    With KEEP_OLD the one that it had until now goes to a file .old beside it.
    """
    path = os.path.realpath(path)  # a link stays one
    if os.path.exists(path) and not os.path.isfile(path):
        raise KconfError(f"{path}: cannot be written: it is not a regular file")
    old, new = _content(path), content.encode() if isinstance(content, str) else content
    if old == new:
        return
    try:
        if keep_old and old is not None:
            os.replace(_prepare(path + ".old", old), path + ".old")
        os.replace(_prepare(path, new), path)
    except OSError as error:
        raise KconfError(f"{path}: cannot be written: {error.strerror}") from None


def _content(path: str) -> bytes | None:
    if not os.path.isfile(path):
        return None
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError:  # the attempt to write it says what is wrong
        return None


def _prepare(path: str, content: bytes) -> str:
    """Write CONTENT to a temporary file beside PATH, and return its name."""
    handle, temporary = tempfile.mkstemp(dir=os.path.dirname(path), prefix=os.path.basename(path) + ".")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(handle)
        os.chmod(temporary, _mode(path))
    except BaseException:
        os.unlink(temporary)
        raise
    return temporary


def _mode(path: str) -> int:
    try:
        return os.stat(path).st_mode & 0o777
    except FileNotFoundError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask


def write_files(folder: str, files: dict[str, str]) -> None:
    """Write FILES below FOLDER, and touch none whose text is as before: what is newer is rebuilt.

    Nothing takes its name before all are written, so that an error leaves the old files, every one.
    """
    prepared: dict[str, str] = {}
    path = folder
    try:
        for name, text in files.items():
            path = os.path.join(folder, name)
            if os.path.lexists(path) and not os.path.isfile(path):
                raise KconfError(f"{path}: cannot be written: there is something that is no file")
            if _content(path) != text.encode():
                os.makedirs(os.path.dirname(path), exist_ok=True)
                prepared[path] = _prepare(path, text.encode())
        for path, temporary in prepared.items():
            os.replace(temporary, path)
    except OSError as error:
        raise KconfError(f"{path}: cannot be written: {error.strerror}") from None
    finally:
        for temporary in prepared.values():
            with suppress(FileNotFoundError):  # it has taken its name
                os.unlink(temporary)
