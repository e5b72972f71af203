"""What the framework's options mean to the compiler and the linker."""

from .tree import Tree

PROTECTIONS = {
    "BRANCH_PROTECTION_NONE": "none",
    "BRANCH_PROTECTION_BTI": "bti",
    "BRANCH_PROTECTION_PAC_BTI": "standard",
}
WITHOUT_ELF = ("darwin", "windows", "cygwin")


def c_args(tree: Tree) -> list[str]:
    """Return what every source of the module is compiled with."""
    size = ["-Os"] if _is_on(tree, "OPTIMIZE_FOR_SIZE") else []
    return ["-fvisibility=hidden", *size, *(f"-mbranch-protection={kind}" for kind in _protections(tree))]


def link_args(tree: Tree) -> list[str]:
    """Return what the module is linked with."""
    args = []
    if tree.target.system not in WITHOUT_ELF:
        # Functions are bound when the module is loaded: at a first call the dynamic linker would store every register
        # on the stack, those that held a secret included; and then what it writes to can be read-only.
        args += ["-Wl,-z,relro", "-Wl,-z,now"]
    if any(kind != "none" for kind in _protections(tree)):
        # Branches are protected if every object in the module is marked so. The C library's start files may not be, and
        # a module without constructors needs none.
        args.append("-nostartfiles")
    return args


def _protections(tree: Tree) -> list[str]:
    return [kind for symbol, kind in PROTECTIONS.items() if _is_on(tree, symbol)]


def _is_on(tree: Tree, name: str) -> bool:
    return name in tree.symbols and tree.is_on(name)
