/*
 * The XTS ciphers for Python: one type for each.
 */
#include "_core.h"

#include "cipher.h"
#include "config/lists.h"
#include "wipe.h"

#define X(algorithm) extern HIDDEN const struct cipher *const algorithm##_ciphers[];
KCONF_CIPHER(X)
#undef X

/* The ciphers of each algorithm. */
static const struct cipher *const *const algorithms[] = {
#define X(algorithm) algorithm##_ciphers,
    KCONF_CIPHER(X)
#undef X
};

enum { ALGORITHMS = sizeof algorithms / sizeof algorithms[0] };

/* Never changes once it is made, so that threads may share it. */
struct cipher_object {
    PyObject_HEAD struct cipher_key key;
    Py_ssize_t key_size; /* bytes */
};

/* The cipher that a type was made for has its name. */
static const struct cipher *find_cipher(PyTypeObject *type) {
    PyObject *name = PyType_GetName(type);
    const struct cipher *found = NULL;

    for (size_t i = 0; name && i < ALGORITHMS; i++)
        for (const struct cipher *const *cipher = algorithms[i]; *cipher; cipher++)
            if (PyUnicode_CompareWithASCIIString(name, (*cipher)->name) == 0)
                found = *cipher;
    Py_XDECREF(name);
    return found;
}

static const struct cipher *cipher_of(PyObject *self) {
    return ((struct cipher_object *)self)->key.cipher;
}

/* ---- Arguments ---- */

/* Gets the bytes of OBJECT, an argument called NAME. To be released with PyBuffer_Release. */
static int get_buffer(PyObject *object, const char *name, Py_buffer *view) {
    if (!PyObject_CheckBuffer(object)) {
        PyErr_Format(PyExc_TypeError, "%s must be a bytes-like object, not %R", name, (PyObject *)Py_TYPE(object));
        return -1;
    }
    return PyObject_GetBuffer(object, view, PyBUF_SIMPLE);
}

/* Likewise, of one that can be written to. An exporter tells so whether it was asked or not. */
static int get_writable_buffer(PyObject *object, const char *name, Py_buffer *view) {
    if (get_buffer(object, name, view) < 0)
        return -1;
    if (view->readonly) {
        PyErr_Format(PyExc_TypeError, "%s must be writable; this %R is read-only", name, (PyObject *)Py_TYPE(object));
        PyBuffer_Release(view);
        return -1;
    }
    return 0;
}

static int check_data(const struct cipher *cipher, const Py_buffer *data, const Py_buffer *tweak) {
    if (data->len % cipher->block_size) {
        PyErr_Format(PyExc_ValueError, "data must be a whole number of blocks of %d bytes, not %zd bytes",
                     cipher->block_size, data->len);
        return -1;
    }
    if (tweak->len != cipher->block_size) {
        PyErr_Format(PyExc_ValueError, "tweak must be %d bytes, not %zd", cipher->block_size, tweak->len);
        return -1;
    }
    return 0;
}

static int check_output(const Py_buffer *data, const Py_buffer *output) {
    const uintptr_t from = (uintptr_t)data->buf, to = (uintptr_t)output->buf, size = (uintptr_t)data->len;

    if (output->len < data->len) {
        PyErr_Format(PyExc_ValueError, "out must have room for the %zd bytes of data, not for %zd", data->len,
                     output->len);
        return -1;
    }
    if (from != to && from < to + size && to < from + size) {
        PyErr_SetString(PyExc_ValueError, "out overlaps data: it must begin where data begins, or be apart from it");
        return -1;
    }
    return 0;
}

/* ---- Encryption and decryption ---- */

static void run(const struct cipher_object *self, cipher_function *function, uint8_t *output, const Py_buffer *data,
                const Py_buffer *tweak) {
    if (data->len >= KEEP_GIL_BELOW) {
        PyThreadState *thread = PyEval_SaveThread();
        function(&self->key, output, data->buf, (size_t)data->len, tweak->buf);
        PyEval_RestoreThread(thread);
    } else if (data->len) {
        function(&self->key, output, data->buf, (size_t)data->len, tweak->buf);
    }
}

/* encrypt(data, tweak) and decrypt(data, tweak) */
static PyObject *to_bytes(PyObject *self, const char *name, cipher_function *function, PyObject *const *args,
                          Py_ssize_t nargs, PyObject *kwnames) {
    enum { DATA, TWEAK, COUNT };
    static const char *const names[] = {"data", "tweak", NULL};
    static const struct parameters parameters = {names, COUNT, COUNT};
    const struct cipher_object *object = (struct cipher_object *)self;
    PyObject *values[COUNT], *bytes = NULL;
    Py_buffer data, tweak;

    if (parse_arguments(name, &parameters, args, nargs, kwnames, values) < 0 ||
        get_buffer(values[DATA], "data", &data) < 0)
        return NULL;
    if (get_buffer(values[TWEAK], "tweak", &tweak) == 0) {
        if (check_data(object->key.cipher, &data, &tweak) == 0)
            bytes = PyBytes_FromStringAndSize(NULL, data.len);
        if (bytes)
            run(object, function, (uint8_t *)PyBytes_AsString(bytes), &data, &tweak);
        PyBuffer_Release(&tweak);
    }
    PyBuffer_Release(&data);
    return bytes;
}

/* encrypt_into(data, tweak, out) and decrypt_into(data, tweak, out) */
static PyObject *to_buffer(PyObject *self, const char *name, cipher_function *function, PyObject *const *args,
                           Py_ssize_t nargs, PyObject *kwnames) {
    enum { DATA, TWEAK, OUT, COUNT };
    static const char *const names[] = {"data", "tweak", "out", NULL};
    static const struct parameters parameters = {names, COUNT, COUNT};
    const struct cipher_object *object = (struct cipher_object *)self;
    PyObject *values[COUNT], *written = NULL;
    Py_buffer data = {.obj = NULL}, tweak = {.obj = NULL}, output = {.obj = NULL};

    if (parse_arguments(name, &parameters, args, nargs, kwnames, values) == 0 &&
        get_buffer(values[DATA], "data", &data) == 0 && get_buffer(values[TWEAK], "tweak", &tweak) == 0 &&
        get_writable_buffer(values[OUT], "out", &output) == 0 && check_data(object->key.cipher, &data, &tweak) == 0 &&
        check_output(&data, &output) == 0) {
        run(object, function, output.buf, &data, &tweak);
        written = PyLong_FromSsize_t(data.len);
    }
    PyBuffer_Release(&data);
    PyBuffer_Release(&tweak);
    PyBuffer_Release(&output);
    return written;
}

static PyObject *cipher_encrypt(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames) {
    return to_bytes(self, "encrypt", cipher_of(self)->encrypt, args, nargs, kwnames);
}

static PyObject *cipher_decrypt(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames) {
    return to_bytes(self, "decrypt", cipher_of(self)->decrypt, args, nargs, kwnames);
}

static PyObject *cipher_encrypt_into(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames) {
    return to_buffer(self, "encrypt_into", cipher_of(self)->encrypt, args, nargs, kwnames);
}

static PyObject *cipher_decrypt_into(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames) {
    return to_buffer(self, "decrypt_into", cipher_of(self)->decrypt, args, nargs, kwnames);
}

/* ---- Objects ---- */

enum { KEY_SIZES_TEXT = 64 };

/* Writes "32, 48 or 64". */
static void describe_key_sizes(const struct cipher *cipher, char text[KEY_SIZES_TEXT]) {
    const uint8_t *sizes = cipher->key_sizes;
    size_t length = 0;

    for (int i = 0; sizes[i]; i++) {
        const char *separator = i == 0 ? "" : sizes[i + 1] ? ", " : " or ";
        length += (size_t)PyOS_snprintf(text + length, KEY_SIZES_TEXT - length, "%s%d", separator, sizes[i]);
    }
}

static int check_key(const struct cipher *cipher, const Py_buffer *key) {
    char allowed[KEY_SIZES_TEXT];

    for (const uint8_t *size = cipher->key_sizes; *size; size++)
        if (key->len == *size)
            return 0;
    describe_key_sizes(cipher, allowed);
    PyErr_Format(PyExc_ValueError, "key must be %s bytes, not %zd", allowed, key->len);
    return -1;
}

static PyObject *cipher_new(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
    static char *names[] = {"key", "backend", NULL};
    const struct cipher *cipher = find_cipher(type);
    char format[64];
    PyObject *key, *backend_name = NULL;

    if (!cipher)
        return NULL;
    PyOS_snprintf(format, sizeof format, "O|$O:%s", cipher->name);
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, format, names, &key, &backend_name))
        return NULL;
    const struct backend *backend = backend_find(cipher->algorithm, backend_name);
    Py_buffer view;
    if (!backend || get_buffer(key, "key", &view) < 0)
        return NULL;
    struct cipher_object *object = NULL;
    if (check_key(cipher, &view) == 0)
        object = PyObject_New(struct cipher_object, type);
    if (object) {
        object->key.cipher = cipher;
        object->key.backend = backend;
        object->key_size = view.len;
        cipher->set_key(&object->key, view.buf, (size_t)view.len);
    }
    PyBuffer_Release(&view);
    return (PyObject *)object;
}

static void cipher_dealloc(PyObject *self) {
    struct cipher_object *object = (struct cipher_object *)self;
    PyObject *type = (PyObject *)Py_TYPE(self);

    wipe(&object->key, sizeof object->key);
    PyObject_Free(self);
    Py_DECREF(type);
}

static PyObject *cipher_repr(PyObject *self) {
    const struct cipher_object *object = (struct cipher_object *)self;

    return PyUnicode_FromFormat("<armlet.cipher.%s object at %p, %zd-byte key, backend %s>", cipher_of(self)->name,
                                (void *)self, object->key_size, object->key.backend->name);
}

static PyObject *cipher_get_name(PyObject *self, void *closure) {
    (void)closure;
    return PyUnicode_FromString(cipher_of(self)->name);
}

static PyObject *cipher_get_backend(PyObject *self, void *closure) {
    (void)closure;
    return PyUnicode_FromString(((struct cipher_object *)self)->key.backend->name);
}

static PyObject *cipher_get_block_size(PyObject *self, void *closure) {
    (void)closure;
    return PyLong_FromLong(cipher_of(self)->block_size);
}

static PyObject *cipher_get_key_size(PyObject *self, void *closure) {
    (void)closure;
    return PyLong_FromSsize_t(((struct cipher_object *)self)->key_size);
}

static PyGetSetDef cipher_attributes[] = {
    {"name", cipher_get_name, NULL, PyDoc_STR("The cipher and its mode: 'Speck128XTS'."), NULL},
    {"backend", cipher_get_backend, NULL, PyDoc_STR("The implementation that serves it: 'generic'."), NULL},
    {"block_size", cipher_get_block_size, NULL, PyDoc_STR("Bytes in a block, and in a tweak."), NULL},
    {"key_size", cipher_get_key_size, NULL, PyDoc_STR("Bytes in the key, both halves together."), NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyMethodDef cipher_methods[] = {
    {"encrypt", FASTCALL(cipher_encrypt),
     PyDoc_STR("encrypt($self, /, data, tweak)\n--\n\n"
               "Return data encrypted, as many bytes: a whole number of blocks, also none.\n\n"
               "tweak is block_size bytes, the number of the data unit in little-endian order, say. Raises ValueError\n"
               "for data or a tweak of another size, TypeError for what is no buffer.")},
    {"decrypt", FASTCALL(cipher_decrypt),
     PyDoc_STR(
         "decrypt($self, /, data, tweak)\n--\n\nReturn data decrypted: the reverse of encrypt, with the same errors.")},
    {"encrypt_into", FASTCALL(cipher_encrypt_into),
     PyDoc_STR(
         "encrypt_into($self, /, data, tweak, out)\n--\n\n"
         "Write data encrypted to the front of out, a writable buffer, and return the number of bytes written.\n\n"
         "out may be data itself, or begin where data begins; if it overlaps data otherwise, or is smaller, that is a\n"
         "ValueError. The other errors are those of encrypt. After an error nothing has been written.")},
    {"decrypt_into", FASTCALL(cipher_decrypt_into),
     PyDoc_STR("decrypt_into($self, /, data, tweak, out)\n--\n\n"
               "Write data decrypted to the front of out: the reverse of encrypt_into, with the same errors.")},
    NOT_PICKLED,
    {NULL, NULL, 0, NULL},
};

static PyObject *new_type(PyObject *module, const struct cipher *cipher) {
    char name[64], doc[640], key_sizes[KEY_SIZES_TEXT];

    describe_key_sizes(cipher, key_sizes);
    PyOS_snprintf(name, sizeof name, "armlet.cipher.%s", cipher->name);
    PyOS_snprintf(
        doc, sizeof doc,
        "%s(key, *, backend=None)\n--\n\n"
        "A key made ready, which encrypts and decrypts whole blocks of %d bytes in XTS mode (IEEE 1619).\n\n"
        "key is %s bytes: the data key, then the tweak key, each of little-endian words k0, l0, l1, ...\n"
        "(ePrint 2013/404); ValueError for another size. backend names the implementation to use: ValueError for\n"
        "one that is not in this build or that this CPU cannot run.",
        cipher->name, cipher->block_size, key_sizes);

    PyType_Slot slots[] = {
        {Py_tp_doc, doc},
        SLOT(Py_tp_new, cipher_new),
        SLOT(Py_tp_dealloc, cipher_dealloc),
        SLOT(Py_tp_repr, cipher_repr),
        {Py_tp_methods, cipher_methods},
        {Py_tp_getset, cipher_attributes},
        {0, NULL},
    };
    PyType_Spec spec = {name, sizeof(struct cipher_object), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE, slots};
    return PyType_FromModuleAndSpec(module, &spec, NULL); /* which copies name and doc */
}

static int add_ciphers(PyObject *module, PyObject *dict) {
    for (size_t i = 0; i < ALGORITHMS; i++) {
        for (const struct cipher *const *cipher = algorithms[i]; *cipher; cipher++) {
            PyObject *type = new_type(module, *cipher);
            const int status = type ? PyDict_SetItemString(dict, (*cipher)->name, type) : -1;
            Py_XDECREF(type);
            if (status < 0)
                return -1;
        }
    }
    return 0;
}

int cipher_add_to_module(PyObject *module) {
    PyObject *ciphers = PyDict_New();
    const int status =
        ciphers && PyModule_AddObjectRef(module, "ciphers", ciphers) == 0 ? add_ciphers(module, ciphers) : -1;

    Py_XDECREF(ciphers);
    return status;
}
