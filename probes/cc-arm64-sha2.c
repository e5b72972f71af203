/* The SHA-2 intrinsics, and loads of four vectors, which came later: to GCC with 8.5, 9.4 and 10.3. */
#include <arm_neon.h>

uint32x4_t probe(uint32x4_t abcd, uint32x4_t efgh, const uint32_t *words, const uint8_t *bytes);

uint32x4_t probe(uint32x4_t abcd, uint32x4_t efgh, const uint32_t *words, const uint8_t *bytes) {
    const uint32x4x4_t w = vld1q_u32_x4(words);
    const uint8x16x4_t block = vld1q_u8_x4(bytes);
    const uint32x4_t next = vsha256su1q_u32(vsha256su0q_u32(w.val[0], w.val[1]), w.val[2], w.val[3]);
    const uint32x4_t last = vreinterpretq_u32_u8(block.val[3]);

    return vaddq_u32(vsha256hq_u32(abcd, efgh, next), vsha256h2q_u32(efgh, abcd, last));
}
