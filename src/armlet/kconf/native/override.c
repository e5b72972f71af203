/*
 * What a caller wants to serve an algorithm instead of what the rule selects: in the whole process, or in one thread.
 *
 * `selected` is what serves every thread. It is forgotten at each change here, and while any thread has a choice of its
 * own, so that only then a call has to look.
 */
#include "select.h"

struct thread_choice {
    long long id;
    unsigned long thread;
    const struct backend *backend; /* NULL: what the rule selects */
    struct thread_choice *next;    /* an earlier one */
};

static int is_failed(const struct algorithm *algorithm, const struct backend *backend) {
    return algorithm->failed >> (backend - algorithm->backends) & 1;
}

/* What this thread, or else the process, has chosen; NULL if nothing that can serve. */
static const struct backend *choice(const struct algorithm *algorithm) {
    const struct backend *wanted = algorithm->wanted;

    for (const struct thread_choice *one = algorithm->threads; one; one = one->next) {
        if (one->thread == PyThread_get_thread_ident()) {
            wanted = one->backend;
            break;
        }
    }
    return wanted && !is_failed(algorithm, wanted) ? wanted : NULL;
}

const struct backend *backend_select(struct algorithm *algorithm) {
    const struct backend *serving = choice(algorithm);

    if (!serving)
        serving = algorithm->ruled ? algorithm->ruled : backend_select_by_rule(algorithm);
    if (!algorithm->threads)
        algorithm->selected = serving;
    return serving;
}

int backend_is_overridden(const struct algorithm *algorithm) {
    return choice(algorithm) != NULL;
}

/* The arguments of a function: an algorithm by name, and one of its backends, or None. */
static struct algorithm *parse(PyObject *args, const struct backend **backend) {
    const char *name;
    PyObject *wanted;

    if (!PyArg_ParseTuple(args, "sO", &name, &wanted))
        return NULL;
    struct algorithm *algorithm = algorithm_named(name);
    *backend = NULL;
    if (algorithm && wanted != Py_None && !(*backend = backend_find(algorithm, wanted)))
        return NULL;
    return algorithm;
}

PyObject *backends_use(PyObject *module, PyObject *args) {
    const struct backend *backend;
    struct algorithm *algorithm = parse(args, &backend);

    (void)module;
    if (!algorithm)
        return NULL;
    const struct backend *before = algorithm->wanted;
    algorithm->wanted = backend;
    algorithm->selected = NULL;
    return Py_BuildValue("z", before ? before->name : NULL);
}

PyObject *backends_use_in_thread(PyObject *module, PyObject *args) {
    static long long last_id;
    const struct backend *backend;
    struct algorithm *algorithm = parse(args, &backend);

    (void)module;
    if (!algorithm)
        return NULL;
    struct thread_choice *one = PyMem_Malloc(sizeof *one);
    if (!one)
        return PyErr_NoMemory();
    *one = (struct thread_choice){++last_id, PyThread_get_thread_ident(), backend, algorithm->threads};
    algorithm->threads = one;
    algorithm->selected = NULL;
    return PyLong_FromLongLong(one->id);
}

PyObject *backends_leave_thread(PyObject *module, PyObject *args) {
    const char *name;
    long long id;

    (void)module;
    if (!PyArg_ParseTuple(args, "sL", &name, &id))
        return NULL;
    struct algorithm *algorithm = algorithm_named(name);
    if (!algorithm)
        return NULL;
    for (struct thread_choice **link = &algorithm->threads; *link; link = &(*link)->next) {
        struct thread_choice *one = *link;
        if (one->id == id) {
            *link = one->next;
            PyMem_Free(one);
            break;
        }
    }
    Py_RETURN_NONE;
}
