/*
 * Adler-32 in C, as RFC 1950 defines it.
 */
#include "adler32.h"

HIDDEN adler32_blocks_function adler32_generic_blocks;

void adler32_generic_blocks(uint32_t sums[2], const uint8_t *data, size_t nblocks) {
    for (size_t size = nblocks * ADLER32_BLOCK; size; size--) {
        sums[0] += *data++;
        sums[1] += sums[0];
    }
}
