/*
 * What the module may use of this CPU: what was detected, less what the user hides, never less than the baseline.
 */
#include "allowed.h"

#include <stdlib.h>
#include <string.h>

#include "config/lists.h"
#include "config/options.h"

/* The features that matter here: each ISA_* symbol of Kconfig has its row in cpu.h, or this does not compile. */
#define X(symbol) | CPU_##symbol
enum { KNOWN_FEATURES = 0 KCONF_ISA(X) };
#undef X

const char *mask_variable;
cpu_features allowed_features;
cpu_features masked_features;

typedef PyObject *spelling(const struct cpu_feature_name *feature);

static PyObject *spell_name(const struct cpu_feature_name *feature) {
    return PyUnicode_FromString(feature->name);
}

static PyObject *spell_promise(const struct cpu_feature_name *feature) {
    return PyUnicode_FromFormat("BASELINE_%s=y", feature->symbol + strlen("ISA_"));
}

static PyObject *spell_remedy(const struct cpu_feature_name *feature) {
    return PyUnicode_FromFormat("BASELINE_%s=n", feature->symbol + strlen("ISA_"));
}

/* A list of str without repetition. */
static PyObject *list_features(cpu_features features, spelling *spell) {
    PyObject *list = PyList_New(0);

    for (const struct cpu_feature_name *feature = cpu_feature_names; list && feature->name; feature++) {
        if (!(feature->feature & features))
            continue;
        PyObject *text = spell(feature);
        int listed = text ? PySequence_Contains(list, text) : -1;
        if (listed < 0 || (!listed && PyList_Append(list, text) < 0))
            Py_CLEAR(list);
        Py_XDECREF(text);
    }
    return list;
}

PyObject *features_list(cpu_features features) {
    return list_features(features, spell_name);
}

PyObject *join_texts(PyObject *list) {
    PyObject *comma = list ? PyUnicode_FromString(", ") : NULL;
    PyObject *joined = comma ? PyUnicode_Join(comma, list) : NULL;

    Py_XDECREF(list);
    Py_XDECREF(comma);
    return joined;
}

/* ImportError for features that CPU_BASELINE promises, which the CPU lacks or the mask hides. */
static int refuse_import(PyObject *module, cpu_features features, int hidden) {
    PyObject *package = PyModule_GetNameObject(module);
    PyObject *names = join_texts(features_list(features));
    PyObject *promises = join_texts(list_features(features, spell_promise));
    PyObject *remedies = join_texts(list_features(features, spell_remedy));

    if (package && names && promises && remedies)
        PyErr_Format(PyExc_ImportError, "%U is built for CPUs with %U (%U), which %s %s: %srebuild it with %U", package,
                     names, promises, hidden ? mask_variable : "this one", hidden ? "hides" : "lacks",
                     hidden ? "unset the variable, or " : "", remedies);
    Py_XDECREF(package);
    Py_XDECREF(names);
    Py_XDECREF(promises);
    Py_XDECREF(remedies);
    return -1;
}

/* The features of all architectures that are called so, in any case. */
static cpu_features find_features(const char *name, size_t length) {
    cpu_features found = 0;

    for (const struct cpu_feature_name *feature = cpu_feature_names; feature->name; feature++)
        if (feature->feature & KNOWN_FEATURES && strlen(feature->name) == length &&
            PyOS_strnicmp(feature->name, name, (Py_ssize_t)length) == 0)
            found |= feature->feature;
    return found;
}

static int warn_of_unknown(const char *name, size_t length) {
    PyObject *text = PyUnicode_DecodeUTF8(name, (Py_ssize_t)length, "replace");
    PyObject *known = join_texts(features_list(KNOWN_FEATURES));
    int status = -1;

    if (text && known)
        status = PyErr_WarnFormat(PyExc_RuntimeWarning, 1, "%s: there is no CPU feature %R; known are %U",
                                  mask_variable, text, known);
    Py_XDECREF(text);
    Py_XDECREF(known);
    return status;
}

/* Reads "sha2, NEON". */
static int read_mask(cpu_features *mask) {
    static const char separators[] = ", \t";
    const char *rest = CONFIG_HONOUR_CPU_MASK ? getenv(mask_variable) : NULL;

    for (*mask = 0; rest && *(rest += strspn(rest, separators));) {
        size_t length = strcspn(rest, separators);
        cpu_features features = find_features(rest, length);
        if (!features && warn_of_unknown(rest, length) < 0)
            return -1;
        *mask |= features;
        rest += length;
    }
    return 0;
}

int features_init(PyObject *module, const char *variable) {
    static int done; /* maybe by the module of another interpreter */

    if (done)
        return 0;
    mask_variable = variable;
    const cpu_features found = cpu_detect(CPU_BASELINE) & KNOWN_FEATURES;
    if (CPU_BASELINE & ~found)
        return refuse_import(module, CPU_BASELINE & ~found, 0);
    cpu_features mask;
    if (read_mask(&mask) < 0)
        return -1;
    if (CPU_BASELINE & mask)
        return refuse_import(module, CPU_BASELINE & mask, 1);
    allowed_features = found & ~mask;
    masked_features = found & mask;
    done = 1;
    return 0;
}
