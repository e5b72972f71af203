/*
 * SHA-384, SHA-512 and SHA-512/t (FIPS 180-4): the initial values, the length in the last block, and the output.
 */
#include <string.h>

#include "config/sha512.h"
#include "digest.h"
#include "sha2.h"
#include "wipe.h"

#define DECLARE(algorithm, backend, name, needs) HIDDEN sha512_blocks_function algorithm##_##backend##_blocks;
#define ENTRY(algorithm, backend, name, needs)   {name, needs, {(backend_entry *)algorithm##_##backend##_blocks}},

SHA512_BACKENDS(DECLARE)
static const struct backend backends[] = {SHA512_BACKENDS(ENTRY)};
static backend_self_test self_test;
HIDDEN struct algorithm sha512_algorithm = ALGORITHM("sha512", backends, self_test, SHA512_SELECTION);
BACKENDS_NOTE(SHA512_BACKENDS);

static void sha512_blocks(struct digest_state *state, const uint8_t *data, size_t nblocks) {
    sha512_blocks_function *blocks = (sha512_blocks_function *)state->backend->entry[0];
    blocks(state->words64, data, nblocks);
}

static inline void store_be64(uint8_t *bytes, uint64_t word) {
    for (int i = 0; i < 8; i++)
        bytes[i] = (uint8_t)(word >> (56 - 8 * i));
}

static void sha512_final(struct digest_state *state, uint8_t *output, size_t size) {
    uint8_t bytes[DIGEST_MAX_SIZE];

    digest_pad(state, 16);
    store_be64(state->buffer + 112, state->length >> 61); /* the length in bits, all 128 of them */
    store_be64(state->buffer + 120, state->length << 3);
    sha512_blocks(state, state->buffer, 1);
    for (int i = 0; i < 8; i++)
        store_be64(bytes + 8 * i, state->words64[i]);
    memcpy(output, bytes, size); /* SHA-512/224 ends in the middle of a word */
    wipe(bytes, sizeof bytes);
}

/* The first 64 bits of the fractional parts of the square roots of the 9th to the 16th prime. */
static const uint64_t sha384_initial[DIGEST_INITIAL_SIZE / 8] = {
    0xcbbb9d5dc1059ed8, 0x629a292a367cd507, 0x9159015a3070dd17, 0x152fecd8f70e5939,
    0x67332667ffc00b31, 0x8eb44a8768581511, 0xdb0c2e0d64f98fa7, 0x47b5481dbefa4fa4,
};
/* The first 64 bits of the fractional parts of the square roots of the first eight primes. */
static const uint64_t sha512_initial[DIGEST_INITIAL_SIZE / 8] = {
    0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1,
    0x510e527fade682d1, 0x9b05688c2b3e6c1f, 0x1f83d9abfb41bd6b, 0x5be0cd19137e2179,
};
/* What SHA-512 makes of "SHA-512/224" when 0xa5a5a5a5a5a5a5a5 is XORed to its initial values (section 5.3.6). */
static const uint64_t sha512_224_initial[DIGEST_INITIAL_SIZE / 8] = {
    0x8c3d37c819544da2, 0x73e1996689dcd4d6, 0x1dfab7ae32ff9c82, 0x679dd514582f9fcf,
    0x0f6d2b697bd44da8, 0x77e36f7304c48942, 0x3f9d85a86a1d36c8, 0x1112e6ad91d692a1,
};
/* Likewise of "SHA-512/256". */
static const uint64_t sha512_256_initial[DIGEST_INITIAL_SIZE / 8] = {
    0x22312194fc2bf72c, 0x9f555fa3c84c64c2, 0x2393b86b6f53b151, 0x963877195940eabd,
    0x96283ee2a88effe3, 0xbe5e1e2553863992, 0x2b0199fc2c85b8aa, 0x0eb72ddc81c52ca2,
};

#define SHA512(name, bits)                                                                                             \
    { #name, &sha512_algorithm, (bits) / 8, 128, SHA2_SUFFIX, name##_initial, sha512_blocks, sha512_final }

static const struct digest sha384 = SHA512(sha384, 384);
static const struct digest sha512 = SHA512(sha512, 512);
static const struct digest sha512_224 = SHA512(sha512_224, 224);
static const struct digest sha512_256 = SHA512(sha512_256, 256);

/* What SHA-512 gives for the message of digest_self_test. */
static const uint8_t known_answer[] = {
    0xf8, 0xd1, 0xc9, 0x17, 0xda, 0x2e, 0x66, 0xbe, 0x92, 0x02, 0x2d, 0x6a, 0x49, 0xec, 0xee, 0x0f,
    0x0d, 0x89, 0x7c, 0x6d, 0x97, 0x92, 0x7a, 0xdc, 0x65, 0x4c, 0x73, 0xd7, 0x35, 0xdc, 0xa4, 0x20,
    0xdd, 0x80, 0x8b, 0xe0, 0x67, 0x94, 0xf5, 0x14, 0xd5, 0xa8, 0x8f, 0xa2, 0xe2, 0x4c, 0x0c, 0x0f,
    0x08, 0x17, 0xc9, 0x5a, 0xd4, 0x48, 0x37, 0x1b, 0x4c, 0xd6, 0xa8, 0xcb, 0x6a, 0xa6, 0x56, 0xb3,
};

static int self_test(const struct backend *backend) {
    return digest_self_test(&sha512, backend, known_answer);
}

extern HIDDEN const struct digest *const sha512_digests[];
const struct digest *const sha512_digests[] = {&sha384, &sha512, &sha512_224, &sha512_256, NULL};
