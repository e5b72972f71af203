"""What a platform tag promises."""

import re
from typing import NamedTuple

from ..errors import KconfError


class Platform(NamedTuple):
    """A platform tag, taken apart."""

    tag: str
    system: str  # "glibc", "musl", "linux" (whose C library the tag does not name), "macos"
    architecture: str  # as the tag calls it: "armv7l"
    floor: tuple[int, int]  # the oldest C library, or macOS, that it runs on


_TAGS = {
    "glibc": re.compile(r"manylinux_(\d{1,4})_(\d{1,4})_(\w+)", re.ASCII),
    "musl": re.compile(r"musllinux_(\d{1,4})_(\d{1,4})_(\w+)", re.ASCII),
    "macos": re.compile(r"macosx_(\d{1,4})_(\d{1,4})_(\w+)", re.ASCII),
}
_LEGACY = {"manylinux1": (2, 5), "manylinux2010": (2, 12), "manylinux2014": (2, 17)}


def parse_platform(tag: str) -> Platform:
    """Take a platform tag apart."""
    for system, pattern in _TAGS.items():
        if parts := pattern.fullmatch(tag):
            return Platform(tag, system, parts[3], (int(parts[1]), int(parts[2])))
    prefix, _, architecture = tag.partition("_")
    is_word = re.fullmatch(r"\w+", architecture, re.ASCII)
    if prefix in _LEGACY and is_word:
        return Platform(tag, "glibc", architecture, _LEGACY[prefix])
    if prefix == "linux" and is_word:
        return Platform(tag, "linux", architecture, (0, 0))
    raise KconfError(f"{tag} is no platform of which wheels can be checked: manylinux, musllinux, linux or macosx")


def strictest(tags: list[str]) -> Platform:
    """Of the platforms that one wheel claims, return the one that promises most."""
    platforms = [parse_platform(tag) for tag in tags]
    if len({(platform.system, platform.architecture) for platform in platforms}) > 1:
        raise KconfError(f"{', '.join(tags)}: these platforms are not one")
    return min(platforms, key=lambda platform: platform.floor)
