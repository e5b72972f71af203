"""The one exception that reaches a user, as one paragraph and without a traceback."""

from collections.abc import Iterable


class KconfError(Exception):
    """A mistake in a tree, a configuration or a request; its text says where, what and how to mend it."""


def nearest(name: str, names: Iterable[str]) -> str:
    """Return "; did you mean X or Y?" with the NAMES closest to NAME, or "" where none is close."""
    import difflib  # only when something is wrong: it takes as long to import as kconfiglib

    close = difflib.get_close_matches(name, list(names), n=3, cutoff=0.6)
    return f"; did you mean {' or '.join(close)}?" if close else ""
