/*
 * What the module may use of this CPU. Between the C files of this folder; the module itself needs backend.h.
 */
#ifndef KCONF_ALLOWED_H
#define KCONF_ALLOWED_H

#include <Python.h>

#include "backend.h"

extern HIDDEN const char *mask_variable;     /* the environment variable that hides features */
extern HIDDEN cpu_features allowed_features; /* what this CPU has and may be used */
extern HIDDEN cpu_features masked_features;  /* what it has besides */

/* Sets them. Returns 0, or -1 with an exception; see backends_init. */
HIDDEN int features_init(PyObject *module, const char *variable);

static inline int is_allowed(cpu_features needed) {
    return (needed & ~allowed_features) == 0;
}

/* The names of features, as a list of str without repetition. */
HIDDEN PyObject *features_list(cpu_features features);

/* One str, "a, b", of a list of them, which is released; NULL gives NULL. */
HIDDEN PyObject *join_texts(PyObject *list);

#endif
