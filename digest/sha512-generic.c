/*
 * SHA-512's block function in C, after FIPS 180-4, section 6.4.2.
 */
#include "config/options.h"
#include "sha2.h"
#include "wipe.h"

/* clang-format off */
/* The first 64 bits of the fractional parts of the cube roots of the first 80 primes. */
static const uint64_t round_constants[80] = {
    0x428a2f98d728ae22, 0x7137449123ef65cd, 0xb5c0fbcfec4d3b2f, 0xe9b5dba58189dbbc,
    0x3956c25bf348b538, 0x59f111f1b605d019, 0x923f82a4af194f9b, 0xab1c5ed5da6d8118,
    0xd807aa98a3030242, 0x12835b0145706fbe, 0x243185be4ee4b28c, 0x550c7dc3d5ffb4e2,
    0x72be5d74f27b896f, 0x80deb1fe3b1696b1, 0x9bdc06a725c71235, 0xc19bf174cf692694,
    0xe49b69c19ef14ad2, 0xefbe4786384f25e3, 0x0fc19dc68b8cd5b5, 0x240ca1cc77ac9c65,
    0x2de92c6f592b0275, 0x4a7484aa6ea6e483, 0x5cb0a9dcbd41fbd4, 0x76f988da831153b5,
    0x983e5152ee66dfab, 0xa831c66d2db43210, 0xb00327c898fb213f, 0xbf597fc7beef0ee4,
    0xc6e00bf33da88fc2, 0xd5a79147930aa725, 0x06ca6351e003826f, 0x142929670a0e6e70,
    0x27b70a8546d22ffc, 0x2e1b21385c26c926, 0x4d2c6dfc5ac42aed, 0x53380d139d95b3df,
    0x650a73548baf63de, 0x766a0abb3c77b2a8, 0x81c2c92e47edaee6, 0x92722c851482353b,
    0xa2bfe8a14cf10364, 0xa81a664bbc423001, 0xc24b8b70d0f89791, 0xc76c51a30654be30,
    0xd192e819d6ef5218, 0xd69906245565a910, 0xf40e35855771202a, 0x106aa07032bbd1b8,
    0x19a4c116b8d2d0c8, 0x1e376c085141ab53, 0x2748774cdf8eeb99, 0x34b0bcb5e19b48a8,
    0x391c0cb3c5c95a63, 0x4ed8aa4ae3418acb, 0x5b9cca4f7763e373, 0x682e6ff3d6b2b8a3,
    0x748f82ee5defb2fc, 0x78a5636f43172f60, 0x84c87814a1f0ab72, 0x8cc702081a6439ec,
    0x90befffa23631e28, 0xa4506cebde82bde9, 0xbef9a3f7b2c67915, 0xc67178f2e372532b,
    0xca273eceea26619c, 0xd186b8c721c0c207, 0xeada7dd6cde0eb1e, 0xf57d4f7fee6ed178,
    0x06f067aa72176fba, 0x0a637dc5a2c898a6, 0x113f9804bef90dae, 0x1b710b35131c471b,
    0x28db77f523047d84, 0x32caab7b40c72493, 0x3c9ebe0a15c9bebc, 0x431d67c49c100d4c,
    0x4cc5d4becb3e42b6, 0x597f299cfc657e2a, 0x5fcb6fab3ad6faec, 0x6c44198c4a475817,
};
/* clang-format on */

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

/* clang-format off */
#define SIXTEEN(STEP)                                                                                                  \
    STEP(0) STEP(1) STEP(2) STEP(3) STEP(4) STEP(5) STEP(6) STEP(7)                                                    \
    STEP(8) STEP(9) STEP(10) STEP(11) STEP(12) STEP(13) STEP(14) STEP(15)
/* clang-format on */
#define LOAD(i)     w[i] = load_be64(data + 8 * i);
#define COMPRESS(i) compress(v, i % 8, w[i], k[i], &b_xor_c);
#define SCHEDULE(i) schedule(w, i);

void sha512_generic_blocks(uint64_t state[8], const uint8_t *data, size_t nblocks) {
    const uint64_t *const last = round_constants + 80 - 16;
    uint64_t w[16];

    for (; nblocks; nblocks--, data += 128) {
        uint64_t v[8], b_xor_c;

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
    wipe(w, sizeof w);
}
