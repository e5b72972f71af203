/*
 * The pyconfig.h of every target, in macros alone: the sizes are the compiler's own, so the other headers of any Python
 * serve, whatever machine it was built for. The build for Windows has its own, in the headers of a Python for Windows.
 */
#ifndef KCONF_PYCONFIG_H
#define KCONF_PYCONFIG_H

#ifndef Py_LIMITED_API
#error "the full API depends on what the target's own pyconfig.h says: give py.extension_module a limited_api"
#endif
#if defined(Py_GIL_DISABLED) || defined(_Py_OPAQUE_PYOBJECT) || defined(Py_TARGET_ABI3T)
#error "objects of a free-threaded Python have another layout: build that against the headers of one"
#endif

/* What else the system's headers shall declare: as Python's own. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif
#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700
#endif
#ifndef _DARWIN_C_SOURCE
#define _DARWIN_C_SOURCE 1
#endif
#ifndef _FILE_OFFSET_BITS
#define _FILE_OFFSET_BITS 64
#endif
#ifndef __BSD_VISIBLE
#define __BSD_VISIBLE 1
#endif

#define SIZEOF_SHORT     __SIZEOF_SHORT__
#define SIZEOF_INT       __SIZEOF_INT__
#define SIZEOF_LONG      __SIZEOF_LONG__
#define SIZEOF_LONG_LONG __SIZEOF_LONG_LONG__
#define SIZEOF_FLOAT     __SIZEOF_FLOAT__
#define SIZEOF_DOUBLE    __SIZEOF_DOUBLE__
#define SIZEOF_SIZE_T    __SIZEOF_SIZE_T__
#define SIZEOF_VOID_P    __SIZEOF_POINTER__
#define SIZEOF_UINTPTR_T __SIZEOF_POINTER__
#define SIZEOF_WCHAR_T   __SIZEOF_WCHAR_T__

#define HAVE_LONG_LONG     1
#define HAVE_SSIZE_T       1
#define HAVE_STDINT_H      1
#define HAVE_STDDEF_H      1
#define HAVE_INTTYPES_H    1
#define HAVE_WCHAR_H       1
#define HAVE_SYS_TYPES_H   1
#define HAVE_SYS_STAT_H    1
#define HAVE_SYS_TIME_H    1
#define HAVE_CLOCK_GETTIME 1
#define HAVE_FORK          1
#define HAVE_PTHREAD_H     1
#define WITH_DOC_STRINGS   1
#define WITH_THREAD        1

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define WORDS_BIGENDIAN 1
#endif

#endif
