/* The SHA-2 intrinsics. */
#include <arm_neon.h>

uint32x4_t probe(uint32x4_t abcd, uint32x4_t efgh, uint32x4_t wk);

uint32x4_t probe(uint32x4_t abcd, uint32x4_t efgh, uint32x4_t wk) {
    return vsha256hq_u32(abcd, efgh, wk);
}
