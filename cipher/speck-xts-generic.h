/*
 * The kernels of Speck-XTS in C, a template like speck.h.
 */
#include "config/options.h"
#include "speck.h"
#include "wipe.h"

enum {
    POLYNOMIAL = WORD_BITS == 32 ? 0x1b : 0x87, /* x^64 = x^4 + x^3 + x + 1, x^128 = x^7 + x^2 + x + 1 */
    /* Blocks at a time, as many as the registers hold. */
    LANES = CONFIG_OPTIMIZE_FOR_SIZE || sizeof(word) > sizeof(size_t) ? 1 : sizeof(size_t),
};

INLINE void multiply_by_x(struct block *product, const struct block *tweak) {
    const word overflow = -(tweak->x >> (WORD_BITS - 1)); /* all bits or none: no branch on a secret */
    product->x = tweak->x << 1 | tweak->y >> (WORD_BITS - 1);
    product->y = tweak->y << 1 ^ (overflow & POLYNOMIAL);
}

/* Does COUNT blocks. */
INLINE void step(enum direction direction, const word *round_keys, unsigned rounds, uint8_t *output,
                 const uint8_t *input, uint64_t *tweak, unsigned count) {
    struct block blocks[LANES], tweaks[LANES + 1];

    load_tweak(&tweaks[0], tweak);
    for (unsigned i = 0; i < count; i++) {
        multiply_by_x(&tweaks[i + 1], &tweaks[i]);
        blocks[i].y = load_word(input + i * BLOCK_SIZE) ^ tweaks[i].y;
        blocks[i].x = load_word(input + i * BLOCK_SIZE + sizeof(word)) ^ tweaks[i].x;
    }
    store_tweak(tweak, &tweaks[count]);
    speck(direction, round_keys, rounds, blocks, count);
    for (unsigned i = 0; i < count; i++) {
        store_word(output + i * BLOCK_SIZE, blocks[i].y ^ tweaks[i].y);
        store_word(output + i * BLOCK_SIZE + sizeof(word), blocks[i].x ^ tweaks[i].x);
    }
}

INLINE void blocks(enum direction direction, const word *round_keys, unsigned rounds, uint8_t *output,
                   const uint8_t *input, size_t nblocks, uint64_t *tweak) {
    for (; nblocks >= LANES; nblocks -= LANES, input += LANES * BLOCK_SIZE, output += LANES * BLOCK_SIZE)
        step(direction, round_keys, rounds, output, input, tweak, LANES);
    for (; nblocks > 0; nblocks--, input += BLOCK_SIZE, output += BLOCK_SIZE)
        step(direction, round_keys, rounds, output, input, tweak, 1);
}

NOT_INLINED void encrypt_blocks(const word *round_keys, unsigned rounds, uint8_t *output, const uint8_t *input,
                                size_t nblocks, uint64_t *tweak) {
    blocks(ENCRYPT, round_keys, rounds, output, input, nblocks, tweak);
}

NOT_INLINED void decrypt_blocks(const word *round_keys, unsigned rounds, uint8_t *output, const uint8_t *input,
                                size_t nblocks, uint64_t *tweak) {
    blocks(DECRYPT, round_keys, rounds, output, input, nblocks, tweak);
}
