/*
 * SHA-3 and SHAKE (FIPS 202): the sponge around Keccak-f[1600], with the padding and the squeezing.
 *
 * The state is 25 lanes, A[x, y] at index x + 5 * y, each a plain 64-bit word in the byte order of the machine; as
 * bytes they are little-endian. A kernel absorbs blocks of the digest's block size, the rate of the sponge.
 */
#include <string.h>

#include "config/sha3.h"
#include "digest.h"
#include "sha3.h"
#include "wipe.h"

#define DECLARE(algorithm, backend, name, needs) HIDDEN sha3_blocks_function algorithm##_##backend##_blocks;
#define ENTRY(algorithm, backend, name, needs)   {name, needs, {(backend_entry *)algorithm##_##backend##_blocks}},

SHA3_BACKENDS(DECLARE)
static const struct backend backends[] = {SHA3_BACKENDS(ENTRY)};
static backend_self_test self_test;
HIDDEN struct algorithm sha3_algorithm = ALGORITHM("sha3", backends, self_test, SHA3_SELECTION);
BACKENDS_NOTE(SHA3_BACKENDS);

static void sha3_blocks(struct digest_state *state, const uint8_t *data, size_t nblocks) {
    sha3_blocks_function *blocks = (sha3_blocks_function *)state->backend->entry[0];
    blocks(state->lanes, data, nblocks, state->digest->block_size);
}

/* The first SIZE bytes of the lanes. What makes a lane of bytes makes bytes of a lane too, on any machine. */
static void squeeze(uint8_t *output, size_t size, const uint64_t lanes[25]) {
    uint64_t bytes[DIGEST_MAX_BLOCK / 8];

    for (size_t i = 0; i < DIGEST_MAX_BLOCK / 8; i++)
        bytes[i] = load_little_endian_64((const uint8_t *)&lanes[i]);
    memcpy(output, bytes, size);
    wipe(bytes, sizeof bytes);
}

static void sha3_final(struct digest_state *state, uint8_t *output, size_t size) {
    const size_t block_size = state->digest->block_size;

    digest_pad(state, 0);
    state->buffer[block_size - 1] |= 0x80; /* the last bit of the padding, perhaps in one byte with the first */
    sha3_blocks(state, state->buffer, 1);

    /* Between blocks of output the state is permuted and nothing else: that is to absorb a block of zeros. */
    memset(state->buffer, 0, block_size);
    for (; size > block_size; output += block_size, size -= block_size) {
        squeeze(output, block_size, state->lanes);
        sha3_blocks(state, state->buffer, 1);
    }
    squeeze(output, size, state->lanes);
}

/* The capacity is twice the security level, and the rate the rest of the 1600 bits. */
#define BLOCK_SIZE(security_bits) ((1600 - 2 * (security_bits)) / 8)
#define SHA3(bits)                                                                                                     \
    { "sha3_" #bits, &sha3_algorithm, (bits) / 8, BLOCK_SIZE(bits), 0x06, NULL, sha3_blocks, sha3_final }
#define SHAKE(bits)                                                                                                    \
    { "shake_" #bits, &sha3_algorithm, 0, BLOCK_SIZE(bits), 0x1f, NULL, sha3_blocks, sha3_final }

static const struct digest sha3_224 = SHA3(224);
static const struct digest sha3_256 = SHA3(256);
static const struct digest sha3_384 = SHA3(384);
static const struct digest sha3_512 = SHA3(512);
static const struct digest shake_128 = SHAKE(128);
static const struct digest shake_256 = SHAKE(256);

/* What SHA3-256 gives for the message of digest_self_test. */
static const uint8_t known_answer[] = {
    0x0f, 0x96, 0x25, 0x9f, 0x82, 0xfb, 0x8c, 0x30, 0xd3, 0xd7, 0x02, 0xe8, 0xa8, 0x9a, 0x47, 0x5d,
    0x2e, 0x96, 0x69, 0x0a, 0x5e, 0xe9, 0x89, 0x2a, 0x48, 0x35, 0x18, 0x64, 0xfb, 0x49, 0x2a, 0xa5,
};

static int self_test(const struct backend *backend) {
    return digest_self_test(&sha3_256, backend, known_answer);
}

extern HIDDEN const struct digest *const sha3_digests[];
const struct digest *const sha3_digests[] = {&sha3_224, &sha3_256, &sha3_384, &sha3_512, &shake_128, &shake_256, NULL};
