/*
 * SHA-256 with the arm64 SHA-2 instructions (FIPS 180-4, section 6.2.2).
 *
 * SHA256H and SHA256H2 do four rounds: they take the halves abcd and efgh of the working variables and four sums
 * K[t] + W[t], and each gives one new half. SHA256SU0 and SHA256SU1 make the next four words W[t] of the message
 * schedule from the sixteen before. All 64 constants K stay in registers from block to block.
 */
#include <arm_neon.h>
#include <stddef.h>
#include <stdint.h>

#include "sha2-round-constants.h"

void sha256_arm64_ce_blocks(uint32_t state[8], const uint8_t *data, size_t nblocks);

static const uint32_t K[] = {SHA256_ROUND_CONSTANTS};

/* Rounds t to t + 3; w holds their words of the message schedule. */
#define FOUR_ROUNDS(t, w)                                                                                              \
    do {                                                                                                               \
        const uint32x4_t sum = vaddq_u32(w, k[(t) / 16].val[(t) / 4 % 4]);                                             \
        const uint32x4_t abcd_before = (t) == 0 ? abcd_in : copy(abcd);                                                \
        abcd = vsha256hq_u32(abcd, efgh, sum);                                                                         \
        efgh = vsha256h2q_u32(efgh, abcd_before, sum);                                                                 \
    } while (0)

/* The words t + 16 to t + 19 take the place of w0, the words t to t + 3. */
#define EXPAND(w0, w1, w2, w3) w0 = vsha256su1q_u32(vsha256su0q_u32(w0, w1), w2, w3)

#define SIXTEEN_ROUNDS(t)                                                                                              \
    do {                                                                                                               \
        FOUR_ROUNDS((t), w0);                                                                                          \
        EXPAND(w0, w1, w2, w3);                                                                                        \
        FOUR_ROUNDS((t) + 4, w1);                                                                                      \
        EXPAND(w1, w2, w3, w0);                                                                                        \
        FOUR_ROUNDS((t) + 8, w2);                                                                                      \
        EXPAND(w2, w3, w0, w1);                                                                                        \
        FOUR_ROUNDS((t) + 12, w3);                                                                                     \
        EXPAND(w3, w0, w1, w2);                                                                                        \
    } while (0)

/*
 * SHA256H overwrites abcd, which SHA256H2 still needs. Left alone, a compiler copies abcd and lets SHA256H work on the
 * copy, which therefore waits for it in every one of the sixteen steps; and it moves instructions between the steps
 * until the registers run out. This copy goes to SHA256H2, and nothing moves across it.
 */
static inline uint32x4_t copy(uint32x4_t original) {
    uint32x4_t duplicate;
    __asm__ volatile("mov %0.16b, %1.16b" : "=w"(duplicate) : "w"(original));
    return duplicate;
}

/* The message has its words big-endian. */
static inline uint32x4_t words(uint8x16_t bytes) {
    return vreinterpretq_u32_u8(vrev32q_u8(bytes));
}

void sha256_arm64_ce_blocks(uint32_t state[8], const uint8_t *data, size_t nblocks) {
    const uint32x4x4_t k[4] = {vld1q_u32_x4(K), vld1q_u32_x4(K + 16), vld1q_u32_x4(K + 32), vld1q_u32_x4(K + 48)};
    const uint8_t *const end = data + 64 * nblocks;
    uint32x4_t abcd = vld1q_u32(state);
    uint32x4_t efgh = vld1q_u32(state + 4);
    do {
        const uint32x4_t abcd_in = copy(abcd);
        const uint32x4_t efgh_in = copy(efgh);
        const uint8x16x4_t block = vld1q_u8_x4(data);
        uint32x4_t w0 = words(block.val[0]);
        uint32x4_t w1 = words(block.val[1]);
        uint32x4_t w2 = words(block.val[2]);
        uint32x4_t w3 = words(block.val[3]);
        SIXTEEN_ROUNDS(0);
        SIXTEEN_ROUNDS(16);
        SIXTEEN_ROUNDS(32);
        SIXTEEN_ROUNDS(48); /* the words that these would make are not used: nor are they made */
        abcd = vaddq_u32(abcd, abcd_in);
        efgh = vaddq_u32(efgh, efgh_in);
        data += 64;
    } while (data != end);
    vst1q_u32(state, abcd);
    vst1q_u32(state + 4, efgh);
}
