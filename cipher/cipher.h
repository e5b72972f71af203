/*
 * What the XTS ciphers share: a key made ready for one of them.
 *
 * XTS is that of IEEE 1619 without ciphertext stealing: data are a whole number of blocks, and the tweak is the IV
 * encrypted with the second half of the key, multiplied by x from block to block.
 */
#ifndef ARMLET_CIPHER_H
#define ARMLET_CIPHER_H

#include <stdint.h>

#include "backend.h"

enum { CIPHER_MAX_ROUNDS = 34 }; /* Speck128 with a 256-bit key */

struct cipher_key {
    const struct cipher *cipher;
    const struct backend *backend;
    unsigned rounds;
    union {
        uint32_t words32[CIPHER_MAX_ROUNDS];
        uint64_t words64[CIPHER_MAX_ROUNDS];
    } data, tweak; /* round keys */
};

/*
 * Works on SIZE bytes, a multiple of the block size; output may be input itself. The tweak is one block, read before
 * any output is written: that may lie over it.
 */
typedef void cipher_function(const struct cipher_key *key, uint8_t *output, const uint8_t *input, size_t size,
                             const uint8_t *tweak);

struct cipher {
    const char *name;            /* the Python class: "Speck128XTS" */
    struct algorithm *algorithm; /* whose backends serve it */
    uint8_t block_size;          /* bytes, also of the tweak */
    uint8_t key_sizes[4];        /* bytes, both halves together, ascending; ended by 0 */
    /*
     * BYTES are the data key, then the tweak key, each little-endian words k0, l0, l1, ...; SIZE is one of key_sizes.
     * Sets all of KEY but its cipher and its backend.
     */
    void (*set_key)(struct cipher_key *key, const uint8_t *bytes, size_t size);
    cipher_function *encrypt;
    cipher_function *decrypt;
};

#endif
