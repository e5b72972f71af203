/*
 * Clears memory that held a secret and is about to go out of use, which a plain memset before the end of its life
 * does not: the compiler may drop it as without effect.
 */
#ifndef KCONF_WIPE_H
#define KCONF_WIPE_H

#include <stddef.h>
#include <string.h>

static inline void wipe(void *data, size_t size) {
    memset(data, 0, size);
    /* For all the compiler knows, this reads what DATA points to. */
    __asm__ volatile("" : : "r"(data) : "memory");
}

#endif
