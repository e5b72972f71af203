/*
 * Do SHA-2's counters hold more than 32 bits, and more than 2^64 bits where the standard has 128?
 *
 * digest.c, sha256.c and sha512.c are linked with kernels that only count blocks and keep the last one, so that
 * gigabytes take no time. For each digest, a line for each message: the name, the number of blocks, and the last block
 * in hexadecimal, which ends with the length of the message.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "digest.h"
#include "sha2.h"

extern const struct digest *const sha256_digests[];
extern const struct digest *const sha512_digests[];

static uint64_t block_count;
static uint8_t last_block[128];

static void record(const uint8_t *data, size_t nblocks, size_t block_size) {
    block_count += nblocks;
    memcpy(last_block, data + (nblocks - 1) * block_size, block_size);
}

HIDDEN sha256_blocks_function sha256_recorder_blocks;
void sha256_recorder_blocks(uint32_t state[8], const uint8_t *data, size_t nblocks) {
    (void)state;
    record(data, nblocks, 64);
}

HIDDEN sha512_blocks_function sha512_recorder_blocks;
void sha512_recorder_blocks(uint64_t state[8], const uint8_t *data, size_t nblocks) {
    (void)state;
    record(data, nblocks, 128);
}

/* A message of 5 GiB and 17 bytes, after BEFORE bytes that the state is told it has seen. */
static void try(const struct digest *digest, const uint8_t *gibibyte, uint64_t before) {
    struct digest_state state;
    uint8_t output[DIGEST_MAX_SIZE];

    block_count = 0;
    digest_init(&state, digest, &digest->algorithm->backends[0]);
    state.length = before;
    digest_update(&state, NULL, 0);
    digest_update(&state, gibibyte, 17);
    for (int i = 0; i < 5; i++)
        digest_update(&state, gibibyte, (size_t)1 << 30);
    digest_final(&state, output, digest->size);

    printf("%s %" PRIu64 " ", digest->name, block_count);
    for (size_t i = 0; i < digest->block_size; i++)
        printf("%02x", last_block[i]);
    printf("\n");
}

int main(void) {
    const void *gibibyte = mmap(NULL, (size_t)1 << 30, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    if (gibibyte == MAP_FAILED)
        return 1;
    for (const struct digest *const *digest = sha256_digests; *digest; digest++)
        try(*digest, gibibyte, 0);
    for (const struct digest *const *digest = sha512_digests; *digest; digest++) {
        try(*digest, gibibyte, 0);
        try(*digest, gibibyte, (uint64_t)1 << 62);
    }
    return 0;
}
