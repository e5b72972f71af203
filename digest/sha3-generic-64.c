/*
 * Keccak-f[1600] (FIPS 202, section 3) in plain C, for machines with 64-bit words.
 *
 * Lane A[x, y] is at index x + 5 * y. All loops over lanes are unrolled, so that every index and every rotation is a
 * constant and the lanes live in registers.
 */
#include "sha3-offsets.h"
#include "sha3-round-constants.h"
#include "sha3.h"
#include "unroll.h"
#include "wipe.h"

#define PLAIN(constant) constant
static const uint64_t round_constants[] = {SHA3_ROUND_CONSTANTS(PLAIN)};
enum { ROUNDS = sizeof(round_constants) / sizeof(round_constants[0]) };

ALWAYS_INLINE uint64_t rotate_left(uint64_t lane, unsigned n) {
    return lane << n | lane >> (-n & 63);
}

/* clang-format off */
ALWAYS_INLINE void keccak_round(uint64_t a[25], uint64_t constant) {
    uint64_t b[25], c[5], d[5];

    /* theta; D is added to the lanes on their way through rho */
    UNROLL for (int x = 0; x < 5; x++)
        c[x] = a[x] ^ a[x + 5] ^ a[x + 10] ^ a[x + 15] ^ a[x + 20];
    UNROLL for (int x = 0; x < 5; x++)
        d[x] = c[(x + 4) % 5] ^ rotate_left(c[(x + 1) % 5], 1);

    /* rho and pi: B[x, y] comes from A[x + 3y, x] */
    UNROLL for (int y = 0; y < 5; y++)
        UNROLL for (int x = 0; x < 5; x++) {
            const int from_x = (x + 3 * y) % 5, from = from_x + 5 * x;
            b[x + 5 * y] = rotate_left(a[from] ^ d[from_x], rho[from]);
        }

    /* chi */
    UNROLL for (int y = 0; y < 25; y += 5)
        UNROLL for (int x = 0; x < 5; x++)
            a[x + y] = b[x + y] ^ (~b[(x + 1) % 5 + y] & b[(x + 2) % 5 + y]);

    /* iota */
    a[0] ^= constant;
}
/* clang-format on */

/* Two rounds at a time: compilers then move and spill less. */
static void keccak_f1600(uint64_t state[25]) {
    for (int i = 0; i < ROUNDS; i += 2) {
        keccak_round(state, round_constants[i]);
        keccak_round(state, round_constants[i + 1]);
    }
}

NOT_INLINED void absorb_blocks(uint64_t state[25], const uint8_t *data, size_t nblocks, size_t block_size) {
    for (; nblocks > 0; nblocks--, data += block_size) {
        for (size_t i = 0; i < block_size / 8; i++)
            state[i] ^= load_little_endian_64(data + 8 * i);
        keccak_f1600(state);
    }
}

void sha3_generic_blocks(uint64_t state[25], const uint8_t *data, size_t nblocks, size_t block_size) {
    absorb_blocks(state, data, nblocks, block_size);
    wipe_stack(MAX_WIPED_STACK);
}
