/*
 * SHA-224 and SHA-256 (FIPS 180-4): the initial values, the length in the last block, and the output.
 */
#include <string.h>

#include "config/sha256.h"
#include "digest.h"
#include "sha2.h"

#define DECLARE(algorithm, backend, name, needs) HIDDEN sha256_blocks_function algorithm##_##backend##_blocks;
#define ENTRY(algorithm, backend, name, needs)   {name, needs, {(backend_entry *)algorithm##_##backend##_blocks}},

SHA256_BACKENDS(DECLARE)
static const struct backend backends[] = {SHA256_BACKENDS(ENTRY)};
static backend_self_test self_test;
HIDDEN struct algorithm sha256_algorithm = ALGORITHM("sha256", backends, self_test, SHA256_SELECTION);
BACKENDS_NOTE(SHA256_BACKENDS);

static void sha256_blocks(struct digest_state *state, const uint8_t *data, size_t nblocks) {
    sha256_blocks_function *blocks = (sha256_blocks_function *)state->backend->entry[0];
    blocks(state->words32, data, nblocks);
}

static inline void store_be32(uint8_t *bytes, uint32_t word) {
    for (int i = 0; i < 4; i++)
        bytes[i] = (uint8_t)(word >> (24 - 8 * i));
}

static void sha256_final(struct digest_state *state, uint8_t *output, size_t size) {
    digest_pad(state, 8);
    store_be32(state->buffer + 56, (uint32_t)(state->length >> 29)); /* the length in bits */
    store_be32(state->buffer + 60, (uint32_t)(state->length << 3));
    sha256_blocks(state, state->buffer, 1);
    for (size_t i = 0; i < size / 4; i++)
        store_be32(output + 4 * i, state->words32[i]);
}

/* The second 32 bits of the fractional parts of the square roots of the 9th to the 16th prime. */
static const uint32_t sha224_initial[DIGEST_INITIAL_SIZE / 4] = {
    0xc1059ed8, 0x367cd507, 0x3070dd17, 0xf70e5939, 0xffc00b31, 0x68581511, 0x64f98fa7, 0xbefa4fa4,
};
/* The first 32 bits of the fractional parts of the square roots of the first eight primes. */
static const uint32_t sha256_initial[DIGEST_INITIAL_SIZE / 4] = {
    0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
};

#define SHA256(name, bits)                                                                                             \
    { #name, &sha256_algorithm, (bits) / 8, 64, SHA2_SUFFIX, name##_initial, sha256_blocks, sha256_final }

static const struct digest sha224 = SHA256(sha224, 224);
static const struct digest sha256 = SHA256(sha256, 256);

/* What SHA-256 gives for the message of digest_self_test. */
static const uint8_t known_answer[] = {
    0x6a, 0x25, 0x9d, 0xa4, 0xda, 0xcd, 0xfb, 0x0f, 0x51, 0x36, 0x96, 0x49, 0xcb, 0xf8, 0x86, 0x4d,
    0x8e, 0x2d, 0x67, 0x54, 0x62, 0xc8, 0x62, 0x5a, 0x70, 0x33, 0x4b, 0xfc, 0x2c, 0x50, 0xd1, 0xaf,
};

static int self_test(const struct backend *backend) {
    return digest_self_test(&sha256, backend, known_answer);
}

extern HIDDEN const struct digest *const sha256_digests[];
const struct digest *const sha256_digests[] = {&sha224, &sha256, NULL};
