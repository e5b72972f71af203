/* What the kernels of SHA-2 have in common. */
#ifndef ARMLET_SHA2_H
#define ARMLET_SHA2_H

#include <stddef.h>
#include <stdint.h>

#include "backend.h"

/* SHA-224 and SHA-256: updates the state with NBLOCKS blocks of 64 bytes. */
typedef void sha256_blocks_function(uint32_t state[8], const uint8_t *data, size_t nblocks);
/* SHA-384, SHA-512 and SHA-512/t: likewise with blocks of 128 bytes. */
typedef void sha512_blocks_function(uint64_t state[8], const uint8_t *data, size_t nblocks);

/* In plain C. */
HIDDEN sha256_blocks_function sha256_generic_blocks;
HIDDEN sha512_blocks_function sha512_generic_blocks;

#endif
