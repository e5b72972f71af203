/*
 * SHA-512's block function in C, after FIPS 180-4, section 6.4.2.
 */
#include "config/options.h"
#include "sha2-round-constants.h"
#include "sha2.h"
#include "unroll.h"
#include "wipe.h"

static const uint64_t round_constants[] = {SHA512_ROUND_CONSTANTS};

static inline uint64_t load_be64(const uint8_t *bytes) {
    uint32_t high = (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
    uint32_t low = (uint32_t)bytes[4] << 24 | (uint32_t)bytes[5] << 16 | (uint32_t)bytes[6] << 8 | bytes[7];

    return (uint64_t)high << 32 | low;
}

static inline uint64_t rotr(uint64_t x, int n) {
    return x >> n | x << (64 - n);
}

/* The lower half of rotr(high:low, N), N below 64; the upper half is that with LOW and HIGH exchanged. */
static inline uint32_t rotr_half(uint32_t low, uint32_t high, int n) {
    return n < 32 ? low >> n ^ high << (32 - n) : high >> (n - 32) ^ low << (64 - n);
}

/*
 * rotr(x, A) ^ rotr(x, B) ^ rotr(x, C). Of a 64-bit rotation compilers for 32-bit machines compose each half before it
 * is used; XORing all the parts at once takes a quarter fewer instructions.
 */
static inline uint64_t upper_sigma(uint64_t x, int a, int b, int c) {
    if (CONFIG_WORD_64)
        return rotr(x, a) ^ rotr(x, b) ^ rotr(x, c);

    const uint32_t low = (uint32_t)x, high = (uint32_t)(x >> 32);
    const uint32_t new_low = rotr_half(low, high, a) ^ rotr_half(low, high, b) ^ rotr_half(low, high, c);
    const uint32_t new_high = rotr_half(high, low, a) ^ rotr_half(high, low, b) ^ rotr_half(high, low, c);
    return (uint64_t)new_high << 32 | new_low;
}

/* rotr(x, A) ^ rotr(x, B) ^ x >> C */
static inline uint64_t lower_sigma(uint64_t x, int a, int b, int c) {
    if (CONFIG_WORD_64)
        return rotr(x, a) ^ rotr(x, b) ^ x >> c;

    const uint32_t low = (uint32_t)x, high = (uint32_t)(x >> 32);
    const uint32_t new_low = rotr_half(low, high, a) ^ rotr_half(low, high, b) ^ rotr_half(low, high, c);
    const uint32_t new_high = rotr_half(high, low, a) ^ rotr_half(high, low, b) ^ high >> c;
    return (uint64_t)new_high << 32 | new_low;
}

/*
 * Round I of a block. The working variables stay in their place and change their names instead: variable N of the
 * standard (a is 0, h is 7) is v[(N - I) % 8]. Maj(a, b, c) is b ^ ((a ^ b) & (b ^ c)), and this round's a ^ b is the
 * next one's b ^ c.
 */
static inline void compress(uint64_t v[8], unsigned i, uint64_t w, uint64_t k, uint64_t *b_xor_c) {
    const uint64_t a = v[(8 - i) % 8], b = v[(9 - i) % 8], a_xor_b = a ^ b;
    const uint64_t e = v[(12 - i) % 8], f = v[(13 - i) % 8], g = v[(14 - i) % 8];
    uint64_t *d = &v[(11 - i) % 8], *h = &v[(15 - i) % 8];

    *h += w + k + ((e & f) ^ (~e & g)) + upper_sigma(e, 14, 18, 41);
    *d += *h;
    *h += upper_sigma(a, 28, 34, 39) + ((a_xor_b & *b_xor_c) ^ b);
    *b_xor_c = a_xor_b;
}

/* Word I of the message schedule, in the place of the one 16 before it. */
static inline void schedule(uint64_t w[16], unsigned i) {
    w[i] += lower_sigma(w[(i + 14) % 16], 19, 61, 6) + w[(i + 9) % 16] + lower_sigma(w[(i + 1) % 16], 1, 8, 7);
}

#define LOAD(i)     w[i] = load_be64(data + 8 * i);
#define COMPRESS(i) compress(v, i % 8, w[i], k[i], &b_xor_c);
#define SCHEDULE(i) schedule(w, i);

NOT_INLINED void compress_blocks(uint64_t state[8], const uint8_t *data, size_t nblocks) {
    const uint64_t *const last = round_constants + 80 - 16;

    for (; nblocks; nblocks--, data += 128) {
        uint64_t v[8], w[16], b_xor_c;

        for (int i = 0; i < 8; i++)
            v[i] = state[i];
        b_xor_c = v[1] ^ v[2];
        SIXTEEN(LOAD)
        for (const uint64_t *k = round_constants;; k += 16) {
            SIXTEEN(COMPRESS)
            if (k == last)
                break;
            SIXTEEN(SCHEDULE)
        }
        for (int i = 0; i < 8; i++)
            state[i] += v[i];
    }
}

void sha512_generic_blocks(uint64_t state[8], const uint8_t *data, size_t nblocks) {
    compress_blocks(state, data, nblocks);
    wipe_stack(512);
}
