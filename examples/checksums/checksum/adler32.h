/*
 * Adler-32 (RFC 1950): a is 1 and the sum of all bytes, b the sum of all values of a, both modulo 65521.
 */
#ifndef CHECKSUMS_ADLER32_H
#define CHECKSUMS_ADLER32_H

#include <stdint.h>

#include "backend.h"

enum {
    ADLER32_BLOCK = 32,       /* bytes */
    ADLER32_MAX_BLOCKS = 173, /* in one call of a kernel: b stays below 2^32 */
};

/*
 * A kernel: adds whole blocks, at least one, to sums[0], a, and sums[1], b. They are below 65521 when it begins; it
 * reduces neither.
 */
typedef void adler32_blocks_function(uint32_t sums[2], const uint8_t *data, size_t nblocks);

/* The checksum of what VALUE is the checksum of, and then SIZE bytes. VALUE is 1 for nothing. */
HIDDEN uint32_t adler32_update(const struct backend *backend, uint32_t value, const uint8_t *data, size_t size);

extern HIDDEN struct algorithm adler32_algorithm;

#endif
