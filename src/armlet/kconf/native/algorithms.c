/*
 * The algorithms of this module for Python: what is built, and what this CPU can run of it.
 */
#include "select.h"

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

struct algorithm *algorithm_named(const char *name) {
    for (size_t i = 0; algorithms[i].algorithm; i++)
        if (PyOS_stricmp(algorithms[i].algorithm->name, name) == 0)
            return algorithms[i].algorithm;
    PyErr_Format(PyExc_ValueError, "there is no algorithm '%s' in this build", name);
    return NULL;
}

/* Tests all backends of an algorithm that this CPU can run. */
static int test_at_import(PyObject *module, struct algorithm *algorithm) {
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

static const char *rule_of(const struct algorithm *algorithm) {
    if (backend_is_chosen(algorithm))
        return "use";
    for (size_t i = 0; i < algorithm->count; i++)
        if (algorithm->nanoseconds[i])
            return "measurement";
    return "order";
}

static PyObject *report_algorithm(const char *family, struct algorithm *algorithm) {
    const struct backend *selected = backend_selected(algorithm);

    if (!selected) {
        if (!PyErr_ExceptionMatches(PyExc_RuntimeError)) /* a warning that is an error, say */
            return NULL;
        PyErr_Clear(); /* none passed its self-test, which is what the report then says */
    }
    PyObject *backends = report_backends(algorithm);
    return backends ? Py_BuildValue("{s:s, s:z, s:s, s:N}", "family", family, "selected",
                                    selected ? selected->name : NULL, "rule", rule_of(algorithm), "backends", backends)
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

static PyObject *report_cpu(void) {
    return Py_BuildValue("{s:N, s:N}", "features", features_list(allowed_features), "masked",
                         features_list(masked_features));
}

static PyObject *backends_report(PyObject *module, PyObject *unused) {
    PyObject *found = report_algorithms();

    (void)module, (void)unused;
    return found ? Py_BuildValue("{s:N, s:N}", "cpu", report_cpu(), "algorithms", found) : NULL;
}

static PyObject *list_backends(const struct algorithm *algorithm) {
    PyObject *list = PyList_New(0);

    for (size_t i = 0; list && i < algorithm->count; i++) {
        PyObject *name = PyUnicode_FromString(algorithm->backends[i].name);
        if (!name || PyList_Append(list, name) < 0)
            Py_CLEAR(list);
        Py_XDECREF(name);
    }
    return list;
}

static PyObject *backends_built(PyObject *module, PyObject *unused) {
    PyObject *tables = PyDict_New();

    (void)module, (void)unused;
    for (size_t i = 0; tables && algorithms[i].algorithm; i++) {
        PyObject *list = list_backends(algorithms[i].algorithm);
        if (!list || PyDict_SetItemString(tables, algorithms[i].algorithm->name, list) < 0)
            Py_CLEAR(tables);
        Py_XDECREF(list);
    }
    return tables ? Py_BuildValue("{s:s, s:s, s:N, s:N}", "fingerprint", backends_fingerprint, "mask", mask_variable,
                                  "cpu", report_cpu(), "algorithms", tables)
                  : NULL;
}

/* What each backend of an algorithm answers now: True, False, or None where this CPU cannot run it. */
static PyObject *test_now(struct algorithm *algorithm) {
    PyObject *dict = PyDict_New();

    for (size_t i = 0; dict && i < algorithm->count; i++) {
        const struct backend *backend = &algorithm->backends[i];
        const int passed = is_allowed(backend->needs) ? backend_test(algorithm, i) : -1;
        PyObject *answer = PyErr_Occurred() ? NULL : passed < 0 ? Py_None : passed ? Py_True : Py_False;
        if (!answer || PyDict_SetItemString(dict, backend->name, answer) < 0)
            Py_CLEAR(dict);
    }
    return dict;
}

static PyObject *backends_self_test(PyObject *module, PyObject *unused) {
    PyObject *dict = PyDict_New();

    (void)module, (void)unused;
    for (size_t i = 0; dict && algorithms[i].algorithm; i++) {
        PyObject *answers = test_now(algorithms[i].algorithm);
        if (!answers || PyDict_SetItemString(dict, algorithms[i].algorithm->name, answers) < 0)
            Py_CLEAR(dict);
        Py_XDECREF(answers);
    }
    return dict;
}

static PyObject *backends_reselect(PyObject *module, PyObject *args) {
    const char *name;
    PyObject *clock;

    (void)module;
    if (!PyArg_ParseTuple(args, "sO:reselect", &name, &clock))
        return NULL;
    struct algorithm *algorithm = algorithm_named(name);
    if (!algorithm || backend_reselect(algorithm, clock) < 0)
        return NULL;
    Py_RETURN_NONE;
}

static PyMethodDef functions[] = {
    {"backends_built", backends_built, METH_NOARGS,
     PyDoc_STR("backends_built($module, /)\n--\n\n"
               "Return what is built, and what this CPU has, as a new dict. Selects and tests nothing.")},
    {"backends_report", backends_report, METH_NOARGS,
     PyDoc_STR("backends_report($module, /)\n--\n\n"
               "Return what is built and what this CPU can run of it, as a new dict.")},
    {"backends_self_test", backends_self_test, METH_NOARGS,
     PyDoc_STR("backends_self_test($module, /)\n--\n\n"
               "Test every backend that this CPU can run; one that fails serves no more. Returns a new dict.")},
    {"use", backends_use, METH_VARARGS,
     PyDoc_STR(
         "use($module, algorithm, backend, /)\n--\n\n"
         "Have a backend serve an algorithm in the whole process; None: what the rule selects. Returns a number.")},
    {"use_in_thread", backends_use_in_thread, METH_VARARGS,
     PyDoc_STR("use_in_thread($module, algorithm, backend, /)\n--\n\n"
               "Have a backend serve an algorithm in this thread, whatever the process uses. Returns a number.")},
    {"end_use", backends_end_use, METH_VARARGS,
     PyDoc_STR("end_use($module, algorithm, number, /)\n--\n\n"
               "End what use() or use_in_thread() began; what was used before is used again.")},
    {"keep_use", backends_keep_use, METH_VARARGS,
     PyDoc_STR("keep_use($module, algorithm, number, /)\n--\n\n"
               "Forget what the process used before that use(), which will not end.")},
    {"reselect", backends_reselect, METH_VARARGS,
     PyDoc_STR(
         "reselect($module, algorithm, clock, /)\n--\n\n"
         "Select the backend of an algorithm anew, by a measurement against clock(), in nanoseconds. For tests.")},
    {NULL, NULL, 0, NULL},
};

int backends_init(PyObject *module, const char *variable) {
    if (features_init(module, variable) < 0)
        return -1;
    for (size_t i = 0; CONFIG_SELF_TEST_AT_IMPORT && algorithms[i].algorithm; i++)
        if (test_at_import(module, algorithms[i].algorithm) < 0)
            return -1;
    return PyModule_AddFunctions(module, functions);
}
