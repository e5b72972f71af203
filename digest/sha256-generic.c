/*
 * SHA-256's block function in C, after FIPS 180-4, section 6.2.2.
 */
#include "sha2-round-constants.h"
#include "sha2.h"
#include "unroll.h"
#include "wipe.h"

static const uint32_t round_constants[] = {SHA256_ROUND_CONSTANTS};

static inline uint32_t load_be32(const uint8_t *bytes) {
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static inline uint32_t rotr(uint32_t x, int n) {
    return x >> n | x << (32 - n);
}

/* rotr(x, 2) ^ rotr(x, 13) ^ rotr(x, 22), nested, since ARM rotates the operand of an XOR or an addition for nothing */
static inline uint32_t upper_sigma0(uint32_t x) {
    return rotr(rotr(rotr(x, 9) ^ x, 11) ^ x, 2);
}

/* rotr(x, 6) ^ rotr(x, 11) ^ rotr(x, 25), likewise */
static inline uint32_t upper_sigma1(uint32_t x) {
    return rotr(rotr(rotr(x, 14) ^ x, 5) ^ x, 6);
}

static inline uint32_t lower_sigma0(uint32_t x) {
    return rotr(x, 7) ^ rotr(x, 18) ^ x >> 3;
}

static inline uint32_t lower_sigma1(uint32_t x) {
    return rotr(x, 17) ^ rotr(x, 19) ^ x >> 10;
}

/*
 * Round I of a block. The working variables stay in their place and change their names instead: variable N of the
 * standard (a is 0, h is 7) is v[(N - I) % 8]. Ch's two terms have no bit in common, so they may be added. Maj(a, b, c)
 * is b ^ ((a ^ b) & (b ^ c)), and this round's a ^ b is the next one's b ^ c.
 */
static inline void compress(uint32_t v[8], unsigned i, uint32_t w, uint32_t k, uint32_t *b_xor_c) {
    const uint32_t a = v[(8 - i) % 8], b = v[(9 - i) % 8], a_xor_b = a ^ b;
    const uint32_t e = v[(12 - i) % 8], f = v[(13 - i) % 8], g = v[(14 - i) % 8];
    uint32_t *d = &v[(11 - i) % 8], *h = &v[(15 - i) % 8];

    *h += w;
    *h += k;
    *h += (e & f) + (~e & g);
    *h += upper_sigma1(e);
    *d += *h;
    *h += upper_sigma0(a);
    *h += (a_xor_b & *b_xor_c) ^ b;
    *b_xor_c = a_xor_b;
}

/* Word I of the message schedule, in the place of the one 16 before it. */
static inline void schedule(uint32_t w[16], unsigned i) {
    w[i] += lower_sigma1(w[(i + 14) % 16]) + w[(i + 9) % 16] + lower_sigma0(w[(i + 1) % 16]);
}

#define LOAD_AND_COMPRESS(i)                                                                                           \
    w[i] = load_be32(data + 4 * i);                                                                                    \
    compress(v, i % 8, w[i], k[i], &b_xor_c);
#define SCHEDULE_AND_COMPRESS(i)                                                                                       \
    schedule(w, i);                                                                                                    \
    compress(v, i % 8, w[i], k[i], &b_xor_c);

NOT_INLINED void compress_blocks(uint32_t state[8], const uint8_t *data, size_t nblocks) {
    const uint32_t *const last = round_constants + 64 - 16;

    for (; nblocks; nblocks--, data += 64) {
        const uint32_t *k = round_constants;
        uint32_t v[8], w[16], b_xor_c;

        for (int i = 0; i < 8; i++)
            v[i] = state[i];
        b_xor_c = v[1] ^ v[2];
        SIXTEEN(LOAD_AND_COMPRESS)
        do {
            k += 16;
            SIXTEEN(SCHEDULE_AND_COMPRESS)
        } while (k != last);
        for (int i = 0; i < 8; i++)
            state[i] += v[i];
    }
}

void sha256_generic_blocks(uint32_t state[8], const uint8_t *data, size_t nblocks) {
    compress_blocks(state, data, nblocks);
    wipe_stack(512);
}
