/*
 * Which backend serves. Between select.c, override.c and algorithms.c; the module itself needs backend.h.
 */
#ifndef KCONF_SELECT_H
#define KCONF_SELECT_H

#include "allowed.h"

/* Whether this CPU can run a backend, and it has passed its self-test; -1 with an exception. */
HIDDEN int backend_usable(struct algorithm *algorithm, size_t index);

/* Tests a backend that this CPU can run, and takes it out of service if it fails: 1, 0, or -1 with an exception. */
HIDDEN int backend_test(struct algorithm *algorithm, size_t index);

/* What the rule selects, into `ruled`. NULL with an exception. */
HIDDEN const struct backend *backend_select_by_rule(struct algorithm *algorithm);

/* Selects anew, by measurement against CLOCK, a callable that returns nanoseconds. For tests. Returns 0 or -1. */
HIDDEN int backend_reselect(struct algorithm *algorithm, PyObject *clock);

/* Whether what serves this thread was chosen by a caller, and not by the rule. */
HIDDEN int backend_is_chosen(const struct algorithm *algorithm);

/* Of what was configured, as module _config has it. */
extern HIDDEN const char *const backends_fingerprint;

/* The algorithm of that name; NULL with a ValueError. */
HIDDEN struct algorithm *algorithm_named(const char *name);

/* The functions of override.c, METH_VARARGS; what they do says the table of functions in algorithms.c. */
HIDDEN PyObject *backends_use(PyObject *module, PyObject *args);
HIDDEN PyObject *backends_use_in_thread(PyObject *module, PyObject *args);
HIDDEN PyObject *backends_end_use(PyObject *module, PyObject *args);
HIDDEN PyObject *backends_keep_use(PyObject *module, PyObject *args);

#endif
