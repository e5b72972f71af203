"""Message digests and ciphers with one native implementation per instruction set, chosen when they are loaded.

armlet.digest has the interface of hashlib, armlet.cipher has Speck-XTS, armlet.config tells what this build contains
and what serves here, and armlet.kconf is the build configuration for packages of the same kind. Importing armlet alone
loads none of them.
"""

__all__ = ["__version__"]


def __getattr__(name: str) -> str:
    """Look up __version__, which the build defines."""
    if name == "__version__":
        from ._config import VERSION

        return VERSION
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
