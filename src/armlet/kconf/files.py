"""Files replaced whole: whoever reads one sees the old text or the new one, whatever interrupts the writer."""

import os
import tempfile

from .errors import KconfError


def replace_file(path: str, text: str, *, keep_old: bool = False) -> None:
    """Give a file a new text, through a temporary one beside it that takes its name when it is complete.

    With KEEP_OLD the text that it had until now goes to a file .old beside it.
    """
    path = os.path.realpath(path)  # a link stays one
    old, new = _content(path), text.encode()
    if old == new:
        return
    try:
        if keep_old and old is not None:
            _replace(path + ".old", old)
        _replace(path, new)
    except OSError as error:
        raise KconfError(f"{path}: cannot be written: {error.strerror}") from None


def _content(path: str) -> bytes | None:
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError:  # the attempt to write it says what is wrong
        return None


def _replace(path: str, content: bytes) -> None:
    handle, temporary = tempfile.mkstemp(dir=os.path.dirname(path), prefix=os.path.basename(path) + ".")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(handle)
        os.chmod(temporary, _mode(path))
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


def _mode(path: str) -> int:
    try:
        return os.stat(path).st_mode & 0o777
    except FileNotFoundError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask


def write_files(folder: str, files: dict[str, str]) -> None:
    """Write FILES below FOLDER, and touch none whose text is as before: what is newer is rebuilt."""
    for name, text in files.items():
        path = os.path.join(folder, name)
        try:
            os.makedirs(os.path.dirname(path), exist_ok=True)
        except OSError as error:
            raise KconfError(f"{path}: cannot be written: {error.strerror}") from None
        replace_file(path, text)
