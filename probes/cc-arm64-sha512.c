/* The SHA-512 intrinsics. */
#include <arm_neon.h>

uint64x2_t probe(uint64x2_t sum, uint64x2_t gh, uint64x2_t ef);

uint64x2_t probe(uint64x2_t sum, uint64x2_t gh, uint64x2_t ef) {
    return vsha512hq_u64(sum, gh, ef);
}
