/*
 * What the parts of module armlet._core share. Each family of algorithms is one part, which may be left out.
 */
#ifndef ARMLET_CORE_H
#define ARMLET_CORE_H

#include <Python.h>

#include "backend.h"

/* Adds what a family has for Python. Returns 0, or -1 with an exception. */
HIDDEN int digest_add_to_module(PyObject *module);
HIDDEN int cipher_add_to_module(PyObject *module);

/* A function as Python's slots hold it: void *, to which C has no direct cast. */
#define SLOT(id, function)                                                                                             \
    { id, (void *)(uintptr_t)(function) }

/* Likewise for a table of methods. */
#define FASTCALL(function) (PyCFunction)(void (*)(void))(function), METH_FASTCALL | METH_KEYWORDS

/* Work on fewer bytes takes less time than giving the GIL up and getting it back. hashlib has the same limit. */
enum { KEEP_GIL_BELOW = 2048 };

/* A __reduce__ that raises TypeError: what has secrets in it, or half a message, is not for a file. */
HIDDEN PyObject *refuse_to_pickle(PyObject *self, PyObject *unused);
#define NOT_PICKLED                                                                                                    \
    { "__reduce__", refuse_to_pickle, METH_NOARGS, NULL }

/* Parameters of a function: names, of which some must be given and the rest but for a few also without a name. */
struct parameters {
    const char *const *names; /* ended by NULL */
    Py_ssize_t required;      /* the first so many must be given */
    Py_ssize_t positional;    /* the first so many may be given by position */
};

/*
 * The arguments of a METH_FASTCALL | METH_KEYWORDS function, in the order of the names; NULL for one not given. Returns
 * 0, or -1 with a TypeError that speaks of FUNCTION.
 */
HIDDEN int parse_arguments(const char *function, const struct parameters *parameters, PyObject *const *args,
                           Py_ssize_t nargs, PyObject *kwnames, PyObject **values);

#endif
