/*
 * Adler-32 around its kernels: the reduction, and what is less than a block.
 */
#include "adler32.h"

#include "config/adler32.h"

#define DECLARE(algorithm, backend, name, needs) HIDDEN adler32_blocks_function algorithm##_##backend##_blocks;
#define ENTRY(algorithm, backend, name, needs)   {name, needs, {(backend_entry *)algorithm##_##backend##_blocks}},

ADLER32_BACKENDS(DECLARE)
static const struct backend backends[] = {ADLER32_BACKENDS(ENTRY)};
static backend_self_test self_test;
struct algorithm adler32_algorithm = ALGORITHM("adler32", backends, self_test, ADLER32_SELECTION);
BACKENDS_NOTE(ADLER32_BACKENDS);

enum { MODULUS = 65521 };

static void reduce(uint32_t sums[2]) {
    sums[0] %= MODULUS;
    sums[1] %= MODULUS;
}

uint32_t adler32_update(const struct backend *backend, uint32_t value, const uint8_t *data, size_t size) {
    adler32_blocks_function *add_blocks = (adler32_blocks_function *)backend->entry[0];
    uint32_t sums[2] = {value & 0xffff, value >> 16};

    reduce(sums);
    while (size >= ADLER32_BLOCK) {
        const size_t blocks = size / ADLER32_BLOCK;
        const size_t now = blocks < ADLER32_MAX_BLOCKS ? blocks : ADLER32_MAX_BLOCKS;
        add_blocks(sums, data, now);
        reduce(sums);
        data += now * ADLER32_BLOCK;
        size -= now * ADLER32_BLOCK;
    }
    for (; size; size--) {
        sums[0] += *data++;
        sums[1] += sums[0];
    }
    reduce(sums);
    return sums[1] << 16 | sums[0];
}

/* The bytes 255, 254, ... 0, thirty times. */
static int self_test(const struct backend *backend) {
    uint8_t data[30 * 256];

    for (size_t i = 0; i < sizeof data; i++)
        data[i] = (uint8_t)~i;
    return adler32_update(backend, 1, data, sizeof data) == 0xdc7df1d3;
}
