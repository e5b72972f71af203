/*
 * What the message digests share: the state of one, and the buffering and padding in front of the kernels.
 *
 * A kernel is a block function: it takes whole blocks at any alignment, at least one, and updates the state. What
 * stands at the end of the last block is the business of the algorithm's .c.
 */
#ifndef ARMLET_DIGEST_H
#define ARMLET_DIGEST_H

#include <stdint.h>

#include "backend.h"

enum {
    DIGEST_MAX_SIZE = 64,     /* bytes, SHA-512 and SHA3-512 */
    DIGEST_MAX_BLOCK = 168,   /* bytes, the rate of SHAKE128 */
    DIGEST_INITIAL_SIZE = 64, /* bytes, the eight words of SHA-512 */
    SHA2_SUFFIX = 0x80,       /* of a message, FIPS 180-4; those of FIPS 202 are others */
};

struct digest_state {
    const struct digest *digest;
    const struct backend *backend;
    uint64_t length; /* bytes hashed so far, the buffered ones included */
    size_t buffered; /* length % block_size: that many bytes of a block not yet complete are in the buffer */
    union {
        uint32_t words32[8];
        uint64_t words64[8];
        uint64_t lanes[25];
    };
    uint8_t buffer[DIGEST_MAX_BLOCK];
};

/* One function of an algorithm: SHA-384 of sha512. */
struct digest {
    const char *name;            /* hashlib's: "sha512_256", "shake_128" */
    struct algorithm *algorithm; /* whose backends serve it */
    uint8_t size;                /* bytes of output; 0 if the caller chooses */
    uint8_t block_size;          /* bytes */
    uint8_t suffix;              /* of the message, as FIPS 202 has it with the first bit of padding; or SHA2_SUFFIX */
    const void *initial;         /* DIGEST_INITIAL_SIZE bytes of initial words, NULL if they are zero */
    void (*blocks)(struct digest_state *state, const uint8_t *data, size_t nblocks);
    void (*final)(struct digest_state *state, uint8_t *output, size_t size);
};

/* For an algorithm's self-test: whether a backend gives EXPECTED for the bytes 0, 1, ... 255, 0, 1, ... 243. */
int digest_self_test(const struct digest *digest, const struct backend *backend, const uint8_t *expected);

void digest_init(struct digest_state *state, const struct digest *digest, const struct backend *backend);
void digest_update(struct digest_state *state, const uint8_t *data, size_t size);
void digest_copy(struct digest_state *state, const struct digest_state *from);
/* Clears what came from the message. */
void digest_wipe(struct digest_state *state);
/* Pads and writes SIZE bytes: digest->size, or any number where that is 0. The state is of no use afterwards. */
void digest_final(struct digest_state *state, uint8_t *output, size_t size);

/* For `final`: ends the message with the suffix and zeros up to the end of a block, at least RESERVED zeros; that block
 * stays in the buffer. */
void digest_pad(struct digest_state *state, size_t reserved);

#endif
