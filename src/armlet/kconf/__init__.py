"""Kconfig and Meson for Python packages whose native core has one implementation per instruction set.

The framework knows nothing of the algorithms it configures: it resolves a project's Kconfig with what Meson's probes
found and what the user asked for, and writes what the build, the C code and the installed package read.

It imports nothing else of armlet, and this module nothing at all, so that a meson.build can run it from a bare
checkout and an installed package can report what it is without kconfiglib.
"""

INTERFACE = "1.0"  # docs/interface.md: what a project may rely on, and what changes the two numbers


def get_include() -> str:
    """Return the folder of the framework's C: backend.h, cpu.h, asm.h, wipe.h, and what serves them."""
    import os

    return os.path.join(os.path.dirname(os.path.abspath(__file__)), "native")
