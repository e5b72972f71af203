/* The SHA-512 intrinsics, and loads of four vectors, which came later: to GCC with 8.5, 9.4 and 10.3. */
#include <arm_neon.h>

uint64x2_t probe(uint64x2_t ab, uint64x2_t cd, const uint64_t *words, const uint8_t *bytes);

uint64x2_t probe(uint64x2_t ab, uint64x2_t cd, const uint64_t *words, const uint8_t *bytes) {
    const uint64x2x4_t w = vld1q_u64_x4(words);
    const uint8x16x4_t block = vld1q_u8_x4(bytes);
    const uint64x2_t next = vsha512su1q_u64(vsha512su0q_u64(w.val[0], w.val[1]), w.val[2], w.val[3]);
    const uint64x2_t last = vreinterpretq_u64_u8(block.val[3]);

    return vaddq_u64(vsha512hq_u64(next, ab, cd), vsha512h2q_u64(last, cd, ab));
}
