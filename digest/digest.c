#include "digest.h"

#include <string.h>

#include "wipe.h"

void digest_init(struct digest_state *state, const struct digest *digest, const struct backend *backend) {
    state->digest = digest;
    state->backend = backend;
    state->length = 0;
    state->buffered = 0;
    if (digest->initial)
        memcpy(state->words64, digest->initial, DIGEST_INITIAL_SIZE);
    else
        memset(state->lanes, 0, sizeof state->lanes);
}

void digest_copy(struct digest_state *state, const struct digest_state *from) {
    state->digest = from->digest;
    state->backend = from->backend;
    state->length = from->length;
    state->buffered = from->buffered;
    if (from->digest->initial)
        memcpy(state->words64, from->words64, sizeof state->words64);
    else
        memcpy(state->lanes, from->lanes, sizeof state->lanes);
    memcpy(state->buffer, from->buffer, from->buffered);
}

void digest_wipe(struct digest_state *state) {
    if (state->digest->initial)
        wipe(state->words64, sizeof state->words64);
    else
        wipe(state->lanes, sizeof state->lanes);
    wipe(state->buffer, state->digest->block_size);
}

void digest_update(struct digest_state *state, const uint8_t *data, size_t size) {
    const struct digest *digest = state->digest;
    const size_t block_size = digest->block_size;

    if (size == 0) /* DATA may be NULL then, which memcpy does not take */
        return;
    state->length += size;
    if (state->buffered) {
        const size_t missing = block_size - state->buffered;
        if (size < missing) {
            memcpy(state->buffer + state->buffered, data, size);
            state->buffered += size;
            return;
        }
        memcpy(state->buffer + state->buffered, data, missing);
        digest->blocks(state, state->buffer, 1);
        data += missing;
        size -= missing;
    }
    if (size >= block_size) {
        const size_t nblocks = size / block_size;
        digest->blocks(state, data, nblocks);
        data += nblocks * block_size;
        size -= nblocks * block_size;
    }
    memcpy(state->buffer, data, size);
    state->buffered = size;
}

void digest_pad(struct digest_state *state, size_t reserved) {
    const struct digest *digest = state->digest;
    const size_t block_size = digest->block_size;
    size_t used = state->buffered;

    state->buffer[used++] = digest->suffix;
    if (used > block_size - reserved) {
        memset(state->buffer + used, 0, block_size - used);
        digest->blocks(state, state->buffer, 1);
        used = 0;
    }
    memset(state->buffer + used, 0, block_size - used);
}

void digest_final(struct digest_state *state, uint8_t *output, size_t size) {
    state->digest->final(state, output, size);
}

int digest_self_test(const struct digest *digest, const struct backend *backend, const uint8_t *expected) {
    struct digest_state state;
    uint8_t message[500], output[DIGEST_MAX_SIZE];

    for (size_t i = 0; i < sizeof message; i++)
        message[i] = (uint8_t)i;
    digest_init(&state, digest, backend);
    digest_update(&state, message, sizeof message);
    digest_final(&state, output, digest->size);
    return memcmp(output, expected, digest->size) == 0;
}
