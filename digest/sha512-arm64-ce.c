/*
 * SHA-512 with the arm64 SHA-512 instructions (FIPS 180-4, section 6.4.2).
 *
 * A register holds two of the working variables, or of the words of the message schedule. SHA512H and SHA512H2 do two
 * rounds: the first gives the sums T1 of both, the second the new a and b. SHA512SU0 and SHA512SU1 make the next two
 * words of the message schedule from the sixteen before.
 */
#include <arm_neon.h>
#include <stddef.h>
#include <stdint.h>

#include "sha2-round-constants.h"

void sha512_arm64_ce_blocks(uint64_t state[8], const uint8_t *data, size_t nblocks);

static const uint64_t K[] = {SHA512_ROUND_CONSTANTS};

/*
 * Compilers move instructions ahead until the registers run out, move SHA512H2 ahead of the last use of what it
 * overwrites and pay with a copy (10 % more instructions), or sum in another order. This makes them have x here, and
 * nothing moves across it.
 */
static inline uint64x2_t in_order(uint64x2_t x) {
    __asm__ volatile("" : "+w"(x));
    return x;
}

/* The two words in the middle of four. */
#define MIDDLE(a, b) vextq_u64(a, b, 1)

/*
 * Rounds t and t + 1: w holds their words of the message schedule, k their constants. Values stay where they are: what
 * was gh is the new ab, ab the new cd, cd the new ef, ef the new gh. The new ef is c_d and T1, c_d being cd or, at the
 * end of a block, its sum with the chaining value.
 */
#define TWO_ROUNDS(ab, cd, ef, gh, c_d, w, k)                                                                          \
    do {                                                                                                               \
        const uint64x2_t sum = vaddq_u64(w, k);                                                                        \
        const uint64x2_t t1 = vsha512hq_u64(vaddq_u64(gh, MIDDLE(sum, sum)), MIDDLE(ef, gh), MIDDLE(cd, ef));          \
        const uint64x2_t new_ef = in_order(vaddq_u64(c_d, t1));                                                        \
        gh = vsha512h2q_u64(t1, cd, ab);                                                                               \
        cd = new_ef;                                                                                                   \
    } while (0)

/* The words t + 16 and t + 17 take the place of w0, the words t and t + 1; the last digit is the distance, halved. */
#define EXPAND(w0, w1, w4, w5, w7) w0 = vsha512su1q_u64(vsha512su0q_u64(w0, w1), w7, MIDDLE(w4, w5))

#define EIGHT_ROUNDS(w0, w1, w2, w3, w4, w5, w6, w7, e_f)                                                              \
    do {                                                                                                               \
        const uint64x2x4_t k = vld1q_u64_x4(next_k);                                                                   \
        next_k += 8;                                                                                                   \
        TWO_ROUNDS(ab, cd, ef, gh, cd, w0, k.val[0]);                                                                  \
        EXPAND(w0, w1, w4, w5, w7);                                                                                    \
        TWO_ROUNDS(gh, ab, cd, ef, ab, w1, k.val[1]);                                                                  \
        EXPAND(w1, w2, w5, w6, w0);                                                                                    \
        TWO_ROUNDS(ef, gh, ab, cd, gh, w2, k.val[2]);                                                                  \
        EXPAND(w2, w3, w6, w7, w1);                                                                                    \
        TWO_ROUNDS(cd, ef, gh, ab, e_f, w3, k.val[3]);                                                                 \
        EXPAND(w3, w4, w7, w0, w2);                                                                                    \
    } while (0)

#define SIXTEEN_ROUNDS(e_f)                                                                                            \
    do {                                                                                                               \
        EIGHT_ROUNDS(w0, w1, w2, w3, w4, w5, w6, w7, ef);                                                              \
        EIGHT_ROUNDS(w4, w5, w6, w7, w0, w1, w2, w3, e_f);                                                             \
    } while (0)

/* The message has its words big-endian. */
static inline uint64x2_t words(uint8x16_t bytes) {
    return vreinterpretq_u64_u8(vrev64q_u8(bytes));
}

void sha512_arm64_ce_blocks(uint64_t state[8], const uint8_t *data, size_t nblocks) {
    const uint8_t *const end = data + 128 * nblocks;
    uint64x2_t ab = vld1q_u64(state);
    uint64x2_t cd = vld1q_u64(state + 2);
    uint64x2_t ef = vld1q_u64(state + 4);
    uint64x2_t gh = vld1q_u64(state + 6);
    do {
        const uint64_t *next_k = K;
        __asm__("" : "+r"(next_k)); /* one pointer that moves on, not an address for each eight constants */
        const uint64x2_t ab_in = ab, cd_in = cd, ef_in = ef, gh_in = gh;
        const uint8x16x4_t first_half = vld1q_u8_x4(data);
        const uint8x16x4_t second_half = vld1q_u8_x4(data + 64);
        uint64x2_t w0 = words(first_half.val[0]);
        uint64x2_t w1 = words(first_half.val[1]);
        uint64x2_t w2 = words(first_half.val[2]);
        uint64x2_t w3 = words(first_half.val[3]);
        uint64x2_t w4 = words(second_half.val[0]);
        uint64x2_t w5 = words(second_half.val[1]);
        uint64x2_t w6 = words(second_half.val[2]);
        uint64x2_t w7 = words(second_half.val[3]);
        SIXTEEN_ROUNDS(ef);
        SIXTEEN_ROUNDS(ef);
        SIXTEEN_ROUNDS(ef);
        SIXTEEN_ROUNDS(ef);
        /* The words that the last sixteen rounds would make are not used: nor are they made. */
        SIXTEEN_ROUNDS(in_order(vaddq_u64(ef, ef_in)));
        ab = vaddq_u64(ab, ab_in);
        cd = vaddq_u64(cd, cd_in);
        gh = vaddq_u64(gh, gh_in);
        data += 128;
    } while (data != end);
    vst1q_u64(state, ab);
    vst1q_u64(state + 2, cd);
    vst1q_u64(state + 4, ef);
    vst1q_u64(state + 6, gh);
}
