"""The one exception that reaches a user, as one paragraph and without a traceback."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager


class KconfError(Exception):
    """A mistake in a tree, a configuration or a request; its text says where, what and how to mend it."""


class Errors:
    """What goes wrong: the first error ends the work, or with KEEP_GOING they are collected."""

    def __init__(self, keep_going: bool = False) -> None:
        self.keep_going = keep_going
        self.found: list[KconfError] = []

    @contextmanager
    def each(self) -> Iterator[None]:
        """Do a part of the work on which no other part depends."""
        try:
            yield
        except KconfError as error:
            if not self.keep_going:
                raise
            self.found.append(error)

    def finish(self) -> None:
        """Raise what was collected, as one error with a paragraph for each."""
        if self.found:
            raise KconfError("\n\n".join(map(str, self.found)))


def nearest(name: str, names: Iterable[str]) -> str:
    """Return "; did you mean X or Y?" with the NAMES closest to NAME, or "" where none is close."""
    import difflib  # only when something is wrong: it takes as long to import as kconfiglib

    by_shape = {known.casefold(): known for known in names}
    close = [by_shape[shape] for shape in difflib.get_close_matches(name.casefold()[:200], by_shape, n=3, cutoff=0.6)]
    return f"; did you mean {' or '.join(close)}?" if close else ""
