/*
 * Module checksums._core: the native algorithms for Python.
 */
#include <Python.h>

#include "../../checksum/adler32.h"
#include "config/lists.h"

/* A method of each algorithm. The list below refers to it if the algorithm is built; if not, `inline` has it left out.
 */
static inline PyObject *core_adler32(PyObject *module, PyObject *args, PyObject *kwargs) {
    static char *names[] = {"", "value", "backend", NULL};
    unsigned int value = 1;
    PyObject *backend_name = NULL;
    Py_buffer data;

    (void)module;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "y*|I$O:adler32", names, &data, &value, &backend_name))
        return NULL;
    const struct backend *backend = backend_find(&adler32_algorithm, backend_name);
    if (backend)
        value = adler32_update(backend, value, data.buf, (size_t)data.len);
    PyBuffer_Release(&data);
    return backend ? PyLong_FromUnsignedLong(value) : NULL;
}

#define adler32_doc                                                                                                    \
    "adler32($module, data, /, value=1, *, backend=None)\n--\n\n"                                                      \
    "Return the Adler-32 of data, as zlib.adler32 does; value is that of what came before."

static int core_exec(PyObject *module) {
    return backends_init(module, "CHECKSUMS_CPU_MASK");
}

static PyMethodDef core_methods[] = {
#define X(family, algorithm)                                                                                           \
    {#algorithm, (PyCFunction)(void (*)(void))core_##algorithm, METH_VARARGS | METH_KEYWORDS, algorithm##_doc},
    KCONF_ALGORITHMS(X)
#undef X
        {NULL, NULL, 0, NULL},
};

static PyModuleDef_Slot core_slots[] = {
    {Py_mod_exec, (void *)(uintptr_t)core_exec},
    {0, NULL},
};

static PyModuleDef core_module = {
    .m_base = PyModuleDef_HEAD_INIT,
    .m_name = "checksums._core",
    .m_doc = PyDoc_STR("The native algorithms."),
    .m_methods = core_methods,
    .m_slots = core_slots,
};

PyMODINIT_FUNC PyInit__core(void);
PyMODINIT_FUNC PyInit__core(void) {
    return PyModuleDef_Init(&core_module);
}
