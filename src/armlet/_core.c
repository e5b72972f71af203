/*
 * Module armlet._core: the native algorithms for Python, and what serves them.
 */
#include "_core.h"

#include "config/lists.h"

static int find_parameter(const struct parameters *parameters, PyObject *name) {
    int i = 0;

    while (parameters->names[i] && PyUnicode_CompareWithASCIIString(name, parameters->names[i]) != 0)
        i++;
    return i;
}

int parse_arguments(const char *function, const struct parameters *parameters, PyObject *const *args, Py_ssize_t nargs,
                    PyObject *kwnames, PyObject **values) {
    if (nargs > parameters->positional) {
        PyErr_Format(PyExc_TypeError, "%s() takes at most %zd positional argument%s (%zd given)", function,
                     parameters->positional, parameters->positional == 1 ? "" : "s", nargs);
        return -1;
    }
    for (Py_ssize_t i = 0; parameters->names[i]; i++)
        values[i] = i < nargs ? args[i] : NULL;
    for (Py_ssize_t i = 0, count = kwnames ? PyTuple_Size(kwnames) : 0; i < count; i++) {
        PyObject *name = PyTuple_GetItem(kwnames, i);
        const int found = find_parameter(parameters, name);
        if (!parameters->names[found]) {
            PyErr_Format(PyExc_TypeError, "%s() got an unexpected keyword argument %R", function, name);
            return -1;
        }
        if (values[found]) {
            PyErr_Format(PyExc_TypeError, "%s() got multiple values for argument %R", function, name);
            return -1;
        }
        values[found] = args[nargs + i];
    }
    for (Py_ssize_t i = 0; i < parameters->required; i++) {
        if (!values[i]) {
            PyErr_Format(PyExc_TypeError, "%s() missing required argument '%s'", function, parameters->names[i]);
            return -1;
        }
    }
    return 0;
}

PyObject *refuse_to_pickle(PyObject *self, PyObject *unused) {
    (void)unused;
    PyErr_Format(PyExc_TypeError, "cannot pickle %R object", (PyObject *)Py_TYPE(self));
    return NULL;
}

static int core_exec(PyObject *module) {
    if (backends_init(module, "ARMLET_CPU_MASK") < 0)
        return -1;
#define X(family)                                                                                                      \
    if (family##_add_to_module(module) < 0)                                                                            \
        return -1;
    KCONF_FAMILIES(X)
#undef X
    return 0;
}

static PyModuleDef_Slot core_slots[] = {
    SLOT(Py_mod_exec, core_exec),
    {0, NULL},
};

static PyModuleDef core_module = {
    .m_base = PyModuleDef_HEAD_INIT,
    .m_name = "armlet._core",
    .m_doc = PyDoc_STR("The native algorithms, and the backends that serve them."),
    .m_slots = core_slots,
};

PyMODINIT_FUNC PyInit__core(void);
PyMODINIT_FUNC PyInit__core(void) {
    return PyModuleDef_Init(&core_module);
}
