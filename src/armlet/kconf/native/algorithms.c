/*
 * The algorithms of this module for Python: what is built, and what this CPU can run of it.
 */
#include "allowed.h"

#include "config/lists.h"
#include "config/options.h"

#define X(family, name) extern HIDDEN struct algorithm name##_algorithm;
KCONF_ALGORITHMS(X)
#undef X

static const struct {
    const char *family;
    struct algorithm *algorithm;
} algorithms[] = {
#define X(family, name) {#family, &name##_algorithm},
    KCONF_ALGORITHMS(X)
#undef X
        {NULL, NULL},
};

/* Tests all backends of an algorithm that this CPU can run. */
static int test(PyObject *module, struct algorithm *algorithm) {
    int usable = 0;

    for (size_t i = 0; i < algorithm->count; i++) {
        const int status = backend_usable(algorithm, i);
        if (status < 0)
            return -1;
        usable |= status;
    }
    if (usable)
        return 0;
    PyObject *name = PyModule_GetNameObject(module);
    if (name)
        PyErr_Format(PyExc_ImportError, "%U: no backend of %s gives the right answer on this machine", name,
                     algorithm->name);
    Py_XDECREF(name);
    return -1;
}

int backends_init(PyObject *module, const char *variable) {
    if (features_init(module, variable) < 0)
        return -1;
    for (size_t i = 0; CONFIG_SELF_TEST_AT_IMPORT && algorithms[i].algorithm; i++)
        if (test(module, algorithms[i].algorithm) < 0)
            return -1;
    return 0;
}

static PyObject *nanoseconds(const struct algorithm *algorithm, size_t index) {
    if (!algorithm->nanoseconds[index])
        return Py_NewRef(Py_None);
    return PyLong_FromUnsignedLong(algorithm->nanoseconds[index]);
}

static PyObject *report_backend(struct algorithm *algorithm, size_t index) {
    const struct backend *backend = &algorithm->backends[index];
    const int usable = backend_usable(algorithm, index);

    if (usable < 0)
        return NULL;
    return Py_BuildValue("{s:s, s:N, s:N, s:N, s:N}", "name", backend->name, "needs", features_list(backend->needs),
                         "usable", PyBool_FromLong(usable), "failed", PyBool_FromLong(algorithm->failed >> index & 1),
                         "nanoseconds", nanoseconds(algorithm, index));
}

static PyObject *report_backends(struct algorithm *algorithm) {
    PyObject *list = PyList_New(0);

    for (size_t i = 0; list && i < algorithm->count; i++) {
        PyObject *entry = report_backend(algorithm, i);
        if (!entry || PyList_Append(list, entry) < 0)
            Py_CLEAR(list);
        Py_XDECREF(entry);
    }
    return list;
}

static PyObject *report_algorithm(const char *family, struct algorithm *algorithm) {
    const struct backend *selected = backend_selected(algorithm);

    if (!selected) {
        if (!PyErr_ExceptionMatches(PyExc_RuntimeError) || PyErr_ExceptionMatches(PyExc_RuntimeWarning))
            return NULL;
        PyErr_Clear(); /* none passed its self-test, which is what the report then says */
    }
    PyObject *backends = report_backends(algorithm);
    int measured = 0;
    for (size_t i = 0; i < algorithm->count; i++)
        measured |= algorithm->nanoseconds[i] != 0;
    return backends
               ? Py_BuildValue("{s:s, s:z, s:s, s:N}", "family", family, "selected", selected ? selected->name : NULL,
                               "rule", measured ? "measurement" : "order", "backends", backends)
               : NULL;
}

static PyObject *report_algorithms(void) {
    PyObject *dict = PyDict_New();

    for (size_t i = 0; dict && algorithms[i].algorithm; i++) {
        PyObject *entry = report_algorithm(algorithms[i].family, algorithms[i].algorithm);
        if (!entry || PyDict_SetItemString(dict, algorithms[i].algorithm->name, entry) < 0)
            Py_CLEAR(dict);
        Py_XDECREF(entry);
    }
    return dict;
}

PyObject *backends_report(void) {
    PyObject *found = report_algorithms();

    return found ? Py_BuildValue("{s:{s:N, s:N}, s:N}", "cpu", "features", features_list(allowed_features), "masked",
                                 features_list(masked_features), "algorithms", found)
                 : NULL;
}

PyObject *backends_reselect(PyObject *module, PyObject *args) {
    const char *name;
    PyObject *clock;

    (void)module;
    if (!PyArg_ParseTuple(args, "sO:reselect", &name, &clock))
        return NULL;
    for (size_t i = 0; algorithms[i].algorithm; i++) {
        if (PyOS_stricmp(algorithms[i].algorithm->name, name) != 0)
            continue;
        if (backend_reselect(algorithms[i].algorithm, clock) < 0)
            return NULL;
        Py_RETURN_NONE;
    }
    PyErr_Format(PyExc_ValueError, "there is no algorithm '%s' in this build", name);
    return NULL;
}
