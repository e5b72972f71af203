/*
 * The message digests for Python, with the interface of hashlib.
 */
#include "_core.h"

#include "config/lists.h"
#include "digest.h"
#include "wipe.h"

#define X(algorithm) extern HIDDEN const struct digest *const algorithm##_digests[];
KCONF_DIGEST(X)
#undef X

/* The digests of each algorithm. */
static const struct digest *const *const algorithms[] = {
#define X(algorithm) algorithm##_digests,
    KCONF_DIGEST(X)
#undef X
};

struct hash {
    PyObject_HEAD
        /*
         * While a thread hashes without the GIL, it holds this. Made when a thread is about to do so for the first
         * time, since most objects see short data alone; until then the GIL protects the state.
         */
        PyThread_type_lock lock;
    struct digest_state state;
};

/* ---- Data ---- */

/* Gets the bytes of OBJECT, as hashlib does and with its errors. To be released with PyBuffer_Release. */
static int get_data(PyObject *object, Py_buffer *view) {
    if (PyBytes_CheckExact(object)) { /* needs no view: it never changes, and the caller holds it */
        view->obj = NULL;
        return PyBytes_AsStringAndSize(object, (char **)&view->buf, &view->len);
    }
    if (PyUnicode_Check(object)) {
        PyErr_SetString(PyExc_TypeError, "Strings must be encoded before hashing");
        return -1;
    }
    if (!PyObject_CheckBuffer(object)) {
        PyErr_SetString(PyExc_TypeError, "object supporting the buffer API required");
        return -1;
    }
    if (PyObject_GetBuffer(object, view, PyBUF_SIMPLE) < 0)
        return -1;
    if (view->ndim > 1) {
        PyErr_SetString(PyExc_BufferError, "Buffer must be single dimension");
        PyBuffer_Release(view);
        return -1;
    }
    return 0;
}

/* ---- Objects ---- */

static struct hash *new_hash(PyTypeObject *type) {
    struct hash *hash = PyObject_New(struct hash, type);

    if (hash)
        hash->lock = NULL;
    return hash;
}

static void hash_dealloc(PyObject *self) {
    struct hash *hash = (struct hash *)self;
    PyObject *type = (PyObject *)Py_TYPE(self);

    if (hash->lock)
        PyThread_free_lock(hash->lock);
    digest_wipe(&hash->state);
    PyObject_Free(self);
    Py_DECREF(type);
}

static void lock_hash(struct hash *hash) {
    if (hash->lock && !PyThread_acquire_lock(hash->lock, NOWAIT_LOCK)) {
        PyThreadState *thread = PyEval_SaveThread();
        PyThread_acquire_lock(hash->lock, WAIT_LOCK);
        PyEval_RestoreThread(thread);
    }
}

static void unlock_hash(struct hash *hash) {
    if (hash->lock)
        PyThread_release_lock(hash->lock);
}

static void copy_state(struct hash *hash, struct digest_state *copy) {
    lock_hash(hash);
    digest_copy(copy, &hash->state);
    unlock_hash(hash);
}

static PyObject *hash_update(PyObject *self, PyObject *data) {
    struct hash *hash = (struct hash *)self;
    Py_buffer view;

    if (get_data(data, &view) < 0)
        return NULL;
    if (view.len >= KEEP_GIL_BELOW && !hash->lock)
        hash->lock = PyThread_allocate_lock(); /* without one, the GIL stays */
    if (view.len >= KEEP_GIL_BELOW && hash->lock) {
        PyThreadState *thread = PyEval_SaveThread();
        PyThread_acquire_lock(hash->lock, WAIT_LOCK);
        digest_update(&hash->state, view.buf, (size_t)view.len);
        PyThread_release_lock(hash->lock);
        PyEval_RestoreThread(thread);
    } else {
        lock_hash(hash);
        digest_update(&hash->state, view.buf, (size_t)view.len);
        unlock_hash(hash);
    }
    PyBuffer_Release(&view);
    Py_RETURN_NONE;
}

static PyObject *hash_copy(PyObject *self, PyObject *unused) {
    struct hash *hash = new_hash(Py_TYPE(self));

    (void)unused;
    if (hash)
        copy_state((struct hash *)self, &hash->state);
    return (PyObject *)hash;
}

/* Writes the digest of what was hashed so far. */
static void finish(struct hash *hash, uint8_t *output, size_t size) {
    struct digest_state state;

    copy_state(hash, &state);
    if (size >= KEEP_GIL_BELOW) {
        PyThreadState *thread = PyEval_SaveThread();
        digest_final(&state, output, size);
        PyEval_RestoreThread(thread);
    } else {
        digest_final(&state, output, size);
    }
    digest_wipe(&state);
}

static PyObject *finish_as_bytes(struct hash *hash, Py_ssize_t size) {
    PyObject *bytes = PyBytes_FromStringAndSize(NULL, size);

    if (bytes)
        finish(hash, (uint8_t *)PyBytes_AsString(bytes), (size_t)size);
    return bytes;
}

static PyObject *finish_as_hex(struct hash *hash, Py_ssize_t size) {
    static const char digits[] = "0123456789abcdef";
    char *text = size <= PY_SSIZE_T_MAX / 2 ? PyMem_Malloc(2 * (size_t)size) : NULL;

    if (!text)
        return PyErr_NoMemory();
    /* The bytes stand in the upper half, and their digits do not overtake them. */
    uint8_t *bytes = (uint8_t *)text + size;
    finish(hash, bytes, (size_t)size);
    for (Py_ssize_t i = 0; i < size; i++) {
        const uint8_t byte = bytes[i];
        text[2 * i] = digits[byte >> 4];
        text[2 * i + 1] = digits[byte & 15];
    }
    PyObject *string = PyUnicode_FromStringAndSize(text, 2 * size);
    wipe(text, 2 * (size_t)size);
    PyMem_Free(text);
    return string;
}

static PyObject *hash_digest(PyObject *self, PyObject *unused) {
    struct hash *hash = (struct hash *)self;

    (void)unused;
    return finish_as_bytes(hash, hash->state.digest->size);
}

static PyObject *hash_hexdigest(PyObject *self, PyObject *unused) {
    struct hash *hash = (struct hash *)self;

    (void)unused;
    return finish_as_hex(hash, hash->state.digest->size);
}

/* The argument of digest(length) and hexdigest(length), or -1 with an exception. */
static Py_ssize_t get_length(const char *function, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames) {
    static const char *const names[] = {"length", NULL};
    static const struct parameters parameters = {names, 1, 1};
    PyObject *argument;

    if (parse_arguments(function, &parameters, args, nargs, kwnames, &argument) < 0)
        return -1;
    const Py_ssize_t length = PyNumber_AsSsize_t(argument, PyExc_OverflowError);
    if (length < 0 && !PyErr_Occurred())
        PyErr_Format(PyExc_ValueError, "length must not be negative, %zd is", length);
    return length;
}

static PyObject *xof_digest(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames) {
    const Py_ssize_t length = get_length("digest", args, nargs, kwnames);
    return length < 0 ? NULL : finish_as_bytes((struct hash *)self, length);
}

static PyObject *xof_hexdigest(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames) {
    const Py_ssize_t length = get_length("hexdigest", args, nargs, kwnames);
    return length < 0 ? NULL : finish_as_hex((struct hash *)self, length);
}

static PyObject *hash_repr(PyObject *self) {
    const struct digest_state *state = &((struct hash *)self)->state;
    PyObject *type = PyType_GetQualName(Py_TYPE(self));
    PyObject *text = type ? PyUnicode_FromFormat("<%s armlet.digest.%U object at %p, backend %s>", state->digest->name,
                                                 type, (void *)self, state->backend->name)
                          : NULL;

    Py_XDECREF(type);
    return text;
}

static PyObject *hash_get_name(PyObject *self, void *closure) {
    (void)closure;
    return PyUnicode_FromString(((struct hash *)self)->state.digest->name);
}

static PyObject *hash_get_backend(PyObject *self, void *closure) {
    (void)closure;
    return PyUnicode_FromString(((struct hash *)self)->state.backend->name);
}

static PyObject *hash_get_digest_size(PyObject *self, void *closure) {
    (void)closure;
    return PyLong_FromLong(((struct hash *)self)->state.digest->size);
}

static PyObject *hash_get_block_size(PyObject *self, void *closure) {
    (void)closure;
    return PyLong_FromLong(((struct hash *)self)->state.digest->block_size);
}

static PyGetSetDef hash_attributes[] = {
    {"name", hash_get_name, NULL, PyDoc_STR("The digest, as hashlib calls it: 'sha512_256'."), NULL},
    {"backend", hash_get_backend, NULL, PyDoc_STR("The implementation that serves it: 'generic'."), NULL},
    {"digest_size", hash_get_digest_size, NULL, PyDoc_STR("Bytes of output; 0 if the caller chooses their number."),
     NULL},
    {"block_size", hash_get_block_size, NULL, PyDoc_STR("Bytes that the digest works on at a time."), NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

#define UPDATE                                                                                                         \
    {                                                                                                                  \
        "update", hash_update, METH_O,                                                                                 \
            PyDoc_STR("update($self, data, /)\n--\n\n"                                                                 \
                      "Hash more bytes, from any object that supports the buffer protocol; TypeError for others.\n\n"  \
                      "2048 bytes or more are hashed without the GIL.")                                                \
    }
#define COPY                                                                                                           \
    {                                                                                                                  \
        "copy", hash_copy, METH_NOARGS,                                                                                \
            PyDoc_STR("copy($self, /)\n--\n\nReturn a hash object in the same state, served by the same backend.")     \
    }

static PyMethodDef hash_methods[] = {
    UPDATE,
    COPY,
    {"digest", hash_digest, METH_NOARGS,
     PyDoc_STR("digest($self, /)\n--\n\nReturn the digest of the bytes so far, as digest_size bytes.")},
    {"hexdigest", hash_hexdigest, METH_NOARGS,
     PyDoc_STR(
         "hexdigest($self, /)\n--\n\nReturn the digest of the bytes so far, as 2 * digest_size hexadecimal digits.")},
    NOT_PICKLED,
    {NULL, NULL, 0, NULL},
};

static PyMethodDef xof_methods[] = {
    UPDATE,
    COPY,
    {"digest", FASTCALL(xof_digest),
     PyDoc_STR("digest($self, /, length)\n--\n\n"
               "Return the first length bytes of the output for the bytes so far.\n\n"
               "Raises ValueError if length is negative, MemoryError if that much cannot be had.")},
    {"hexdigest", FASTCALL(xof_hexdigest),
     PyDoc_STR("hexdigest($self, /, length)\n--\n\n"
               "Return the first length bytes of the output for the bytes so far, as 2 * length hexadecimal digits.\n\n"
               "Raises ValueError if length is negative, MemoryError if that much cannot be had.")},
    NOT_PICKLED,
    {NULL, NULL, 0, NULL},
};

static PyType_Slot hash_slots[] = {
    {Py_tp_doc, (void *)PyDoc_STR("A message digest in progress; has the interface of hashlib's.")},
    SLOT(Py_tp_dealloc, hash_dealloc),
    SLOT(Py_tp_repr, hash_repr),
    {Py_tp_methods, hash_methods},
    {Py_tp_getset, hash_attributes},
    {0, NULL},
};

static PyType_Slot xof_slots[] = {
    {Py_tp_doc,
     (void *)PyDoc_STR("A message digest in progress whose output has the length that the caller asks for.")},
    SLOT(Py_tp_dealloc, hash_dealloc),
    SLOT(Py_tp_repr, hash_repr),
    {Py_tp_methods, xof_methods},
    {Py_tp_getset, hash_attributes},
    {0, NULL},
};

enum { HASH_FLAGS = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE | Py_TPFLAGS_DISALLOW_INSTANTIATION };

static PyType_Spec hash_spec = {"armlet.digest.Hash", sizeof(struct hash), 0, HASH_FLAGS, hash_slots};
static PyType_Spec xof_spec = {"armlet.digest.XOF", sizeof(struct hash), 0, HASH_FLAGS, xof_slots};

/* ---- Constructors: armlet.digest.sha256 and the like ---- */

/*
 * One C function serves them all, and finds in its `self` which of them was called. That is a small module object,
 * because a builtin function whose `self` is a module calls and pickles itself by its plain name.
 */
struct constructor {
    const struct digest *digest;
    PyObject *type;
    PyMethodDef method; /* the function refers to it, and holds its `self` as long as it lives */
    char doc[640];
};

static PyObject *construct(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames) {
    enum { DATA, BACKEND, USEDFORSECURITY, STRING };
    static const char *const names[] = {"data", "backend", "usedforsecurity", "string", NULL};
    static const struct parameters parameters = {names, 0, 1};
    const struct constructor *constructor = PyModule_GetState(self);
    const struct digest *digest = constructor->digest;
    const struct backend *backend;
    PyObject *data = nargs ? args[0] : NULL;

    if (nargs > 1 || kwnames) {
        PyObject *values[4];
        if (parse_arguments(digest->name, &parameters, args, nargs, kwnames, values) < 0)
            return NULL;
        if (values[DATA] && values[STRING]) {
            PyErr_Format(PyExc_TypeError, "%s() takes 'data' or 'string', its older name, not both", digest->name);
            return NULL;
        }
        data = values[DATA] ? values[DATA] : values[STRING];
        backend = backend_find(digest->algorithm, values[BACKEND]);
    } else {
        backend = backend_selected(digest->algorithm);
    }
    if (!backend)
        return NULL;

    Py_buffer view = {.obj = NULL};
    if (data && get_data(data, &view) < 0)
        return NULL;
    struct hash *hash = new_hash((PyTypeObject *)constructor->type);
    if (hash) {
        digest_init(&hash->state, digest, backend);
        if (view.len >= KEEP_GIL_BELOW) {
            PyThreadState *thread = PyEval_SaveThread();
            digest_update(&hash->state, view.buf, (size_t)view.len);
            PyEval_RestoreThread(thread);
        } else if (view.len) {
            digest_update(&hash->state, view.buf, (size_t)view.len);
        }
    }
    PyBuffer_Release(&view);
    return (PyObject *)hash;
}

static int constructor_traverse(PyObject *self, visitproc visit, void *arg) {
    struct constructor *constructor = PyModule_GetState(self);

    if (constructor)
        Py_VISIT(constructor->type);
    return 0;
}

static void constructor_free(void *self) {
    struct constructor *constructor = PyModule_GetState(self);

    if (constructor)
        Py_XDECREF(constructor->type);
}

static PyModuleDef constructor_module = {
    .m_base = PyModuleDef_HEAD_INIT,
    .m_name = "armlet.digest",
    .m_size = sizeof(struct constructor),
    .m_traverse = constructor_traverse,
    .m_free = constructor_free,
};

static void describe(const struct digest *digest, char *doc, size_t size) {
    char output[64] = "as many bytes as the caller asks for";

    if (digest->size)
        PyOS_snprintf(output, sizeof output, "%d bytes", digest->size);
    PyOS_snprintf(doc, size,
                  "%s(data=b'', *, backend=None, usedforsecurity=True)\n--\n\n"
                  "Return a new %s object (%s), fed with the bytes of data.\n\n"
                  "data is any object that supports the buffer protocol, TypeError for others. The output has\n"
                  "%s, a block has %d. backend names the implementation to use: ValueError for one\n"
                  "that is not in this build or that this CPU cannot run. usedforsecurity makes no difference.",
                  digest->name, digest->name, digest->suffix == SHA2_SUFFIX ? "FIPS 180-4" : "FIPS 202", output,
                  digest->block_size);
}

static PyObject *new_constructor(const struct digest *digest, PyObject *type) {
    PyObject *self = PyModule_Create(&constructor_module);
    PyObject *module_name = self ? PyModule_GetNameObject(self) : NULL;
    PyObject *function = NULL;

    if (module_name) {
        struct constructor *constructor = PyModule_GetState(self);
        constructor->digest = digest;
        constructor->type = Py_NewRef(type);
        describe(digest, constructor->doc, sizeof constructor->doc);
        constructor->method = (PyMethodDef){digest->name, FASTCALL(construct), constructor->doc};
        function = PyCFunction_NewEx(&constructor->method, self, module_name);
    }
    Py_XDECREF(module_name);
    Py_XDECREF(self);
    return function;
}

static int add_digests(PyObject *dict, PyObject *hash_type, PyObject *xof_type) {
    for (size_t i = 0; i < sizeof algorithms / sizeof algorithms[0]; i++) {
        for (const struct digest *const *digest = algorithms[i]; *digest; digest++) {
            PyObject *constructor = new_constructor(*digest, (*digest)->size ? hash_type : xof_type);
            const int status = constructor ? PyDict_SetItemString(dict, (*digest)->name, constructor) : -1;
            Py_XDECREF(constructor);
            if (status < 0)
                return -1;
        }
    }
    return 0;
}

int digest_add_to_module(PyObject *module) {
    PyObject *hash_type = PyType_FromModuleAndSpec(module, &hash_spec, NULL);
    PyObject *xof_type = PyType_FromModuleAndSpec(module, &xof_spec, NULL);
    PyObject *digests = PyDict_New();
    int status = -1;

    if (hash_type && xof_type && digests && PyModule_AddObjectRef(module, "Hash", hash_type) == 0 &&
        PyModule_AddObjectRef(module, "XOF", xof_type) == 0 && PyModule_AddObjectRef(module, "digests", digests) == 0)
        status = add_digests(digests, hash_type, xof_type);
    Py_XDECREF(hash_type);
    Py_XDECREF(xof_type);
    Py_XDECREF(digests);
    return status;
}
