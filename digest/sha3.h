/* What the kernels of SHA-3 have in common. */
#ifndef ARMLET_SHA3_H
#define ARMLET_SHA3_H

#include <stddef.h>
#include <stdint.h>

#include "backend.h"

/*
 * NBLOCKS times: XORs BLOCK_SIZE bytes, a multiple of 8 and at most 168, into the first lanes, and permutes the state
 * with Keccak-f[1600].
 */
typedef void sha3_blocks_function(uint64_t state[25], const uint8_t *data, size_t nblocks, size_t block_size);

/* In plain C: sha3-generic-64.c or sha3-generic-32.c, as the machine's words are. */
HIDDEN sha3_blocks_function sha3_generic_blocks;

/* Compilers make one load of these where the machine can. */
static inline uint32_t load_little_endian_32(const uint8_t *bytes) {
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static inline uint64_t load_little_endian_64(const uint8_t *bytes) {
    return load_little_endian_32(bytes) | (uint64_t)load_little_endian_32(bytes + 4) << 32;
}

#endif
