/*
 * Speck (ePrint 2013/404), a template over its word: a file that includes this first defines WORD_BITS, as 32 for
 * Speck64 or as 64 for Speck128.
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "backend.h"
#include "config/options.h"

#if WORD_BITS == 32
typedef uint32_t word;
#elif WORD_BITS == 64
typedef uint64_t word;
#endif

/* In memory y comes first, and both are little-endian. A tweak is a block too, y being its low half as a number. */
struct block {
    word x, y;
};

enum { BLOCK_SIZE = 2 * sizeof(word) };

enum direction { ENCRYPT, DECRYPT }; /* in the order of a backend's entry points */

/*
 * A kernel does NBLOCKS blocks, or as many of them as fill whole steps of SPECK_STEP bytes, and returns how many.
 * TWEAK is that of the first block, already encrypted, low 64 bits first, and becomes that of the first block not done.
 */
typedef size_t speck_kernel(const word *round_keys, unsigned rounds, uint8_t *output, const uint8_t *input,
                            size_t nblocks, uint64_t *tweak);

enum { SPECK_STEP = 128 };

/* Inlined wherever it is called: of a constant argument nothing remains. */
#define INLINE static inline __attribute__((always_inline))

INLINE word rotate_left(word value, unsigned count) {
    return value << count | value >> (WORD_BITS - count);
}

INLINE word little_endian(word value) {
    if (CONFIG_LITTLE_ENDIAN)
        return value;
    return (word)(__builtin_bswap64(value) >> (64 - WORD_BITS));
}

INLINE word load_word(const uint8_t *bytes) {
    word value;
    memcpy(&value, bytes, sizeof value);
    return little_endian(value);
}

INLINE void store_word(uint8_t *bytes, word value) {
    value = little_endian(value);
    memcpy(bytes, &value, sizeof value);
}

INLINE void encrypt_round(struct block *block, word key) {
    block->x = (rotate_left(block->x, WORD_BITS - 8) + block->y) ^ key;
    block->y = rotate_left(block->y, 3) ^ block->x;
}

INLINE void decrypt_round(struct block *block, word key) {
    block->y = rotate_left(block->y ^ block->x, WORD_BITS - 3);
    block->x = rotate_left((block->x ^ key) - block->y, 8);
}

/* COUNT blocks abreast: they share each round key, and none waits for another. */
INLINE void speck(enum direction direction, const word *round_keys, unsigned rounds, struct block *blocks,
                  unsigned count) {
    for (unsigned i = 0; i < rounds; i++)
        for (unsigned j = 0; j < count; j++)
            if (direction == ENCRYPT)
                encrypt_round(&blocks[j], round_keys[i]);
            else
                decrypt_round(&blocks[j], round_keys[rounds - 1 - i]);
}

INLINE void load_tweak(struct block *block, const uint64_t *tweak) {
    block->y = (word)tweak[0];
    block->x = (word)(WORD_BITS == 32 ? tweak[0] >> 32 : tweak[1]);
}

INLINE void store_tweak(uint64_t *tweak, const struct block *block) {
    if (WORD_BITS == 32) {
        tweak[0] = (uint64_t)block->x << 32 | block->y;
    } else {
        tweak[0] = block->y;
        tweak[1] = block->x;
    }
}
