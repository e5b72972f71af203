/*
 * Keccak-f[1600] (FIPS 202, section 3) in plain C, for machines with 32-bit words.
 *
 * Lanes are bit-interleaved: one word has the even bits of a lane and one the odd bits. A rotation of the lane by 2n is
 * then a rotation of both words by n, and one by 2n + 1 rotates the odd bits by n + 1, which become the even ones, and
 * the even bits by n. Everything else works on each word by itself. Lane A[x, y] is at index x + 5 * y. All loops over
 * lanes are unrolled, so that every index and every rotation is a constant.
 */
#include <stdatomic.h>

#include "sha3-offsets.h"
#include "sha3-round-constants.h"
#include "sha3.h"
#include "unroll.h"
#include "wipe.h"

enum { EVEN, ODD, HALVES };

typedef uint32_t lanes[25][HALVES];

/* A round constant has bits only at 0, an even place, and at 1, 3, 7, 15, 31, 63: places 0, 1, 3, ... of the odd. */
#define ODD_BIT(constant, n) ((uint32_t)((uint64_t)(constant) >> (2 * (n) + 1) & 1) << (n))
#define ODD_BITS(constant)                                                                                             \
    (ODD_BIT(constant, 0) | ODD_BIT(constant, 1) | ODD_BIT(constant, 3) | ODD_BIT(constant, 7) |                       \
     ODD_BIT(constant, 15) | ODD_BIT(constant, 31))
#define INTERLEAVED(constant)                                                                                          \
    { (uint32_t)(constant) & 1, ODD_BITS(constant) }
static const uint32_t round_constants[][HALVES] = {SHA3_ROUND_CONSTANTS(INTERLEAVED)};
enum { ROUNDS = sizeof(round_constants) / sizeof(round_constants[0]) };

ALWAYS_INLINE uint32_t rotate_left(uint32_t word, unsigned n) {
    return word << (n & 31) | word >> (-n & 31);
}

/* To rotate a lane by N is to rotate its halves, and to exchange them if N is odd: HALF comes from this one, */
ALWAYS_INLINE int source_half(int half, unsigned n) {
    return half ^ (int)(n & 1);
}

/* in this way. */
ALWAYS_INLINE uint32_t rotate_half(uint32_t source, int half, unsigned n) {
    return rotate_left(source, half == EVEN ? (n + 1) / 2 : n / 2);
}

/* clang-format off */
ALWAYS_INLINE void keccak_round(lanes out, lanes a, const uint32_t constant[HALVES]) {
    uint32_t c[5][HALVES], d[5][HALVES];

    /* theta; D is added to the lanes on their way through rho */
    UNROLL for (int x = 0; x < 5; x++)
        UNROLL for (int half = EVEN; half <= ODD; half++)
            c[x][half] = a[x][half] ^ a[x + 5][half] ^ a[x + 10][half] ^ a[x + 15][half] ^ a[x + 20][half];
    UNROLL for (int x = 0; x < 5; x++)
        UNROLL for (int half = EVEN; half <= ODD; half++)
            d[x][half] = c[(x + 4) % 5][half] ^ rotate_half(c[(x + 1) % 5][source_half(half, 1)], half, 1);

    UNROLL for (int y = 0; y < 5; y++)
        UNROLL for (int half = EVEN; half <= ODD; half++) {
            uint32_t b[5];

            /* rho and pi: B[x, y] comes from A[x + 3y, x] */
            UNROLL for (int x = 0; x < 5; x++) {
                const int from_x = (x + 3 * y) % 5, from = from_x + 5 * x;
                const int from_half = source_half(half, rho[from]);
                b[x] = rotate_half(a[from][from_half] ^ d[from_x][from_half], half, rho[from]);
            }

            /* chi */
            UNROLL for (int x = 0; x < 5; x++)
                out[x + 5 * y][half] = b[x] ^ (~b[(x + 1) % 5] & b[(x + 2) % 5]);

            /* Registers are few: keep the compiler from loading the next lanes before it is done with these. */
            atomic_signal_fence(memory_order_seq_cst);
        }

    /* iota */
    out[0][EVEN] ^= constant[EVEN];
    out[0][ODD] ^= constant[ODD];
}
/* clang-format on */

/* Not inlined: a fence means nothing for lanes that the compiler can see to be nobody else's. */
NOT_INLINED void keccak_f1600(lanes a, lanes scratch) {
    for (int i = 0; i < ROUNDS; i += 2) {
        keccak_round(scratch, a, round_constants[i]);
        keccak_round(a, scratch, round_constants[i + 1]);
    }
}

/* Exchanges the bits of MASK with those N places above. */
ALWAYS_INLINE uint32_t exchange(uint32_t word, uint32_t mask, unsigned n) {
    const uint32_t difference = (word ^ word >> n) & mask;
    return word ^ difference ^ difference << n;
}

/* Even bits to the lower 16, odd bits to the upper. */
static uint32_t unshuffle(uint32_t word) {
    word = exchange(word, 0x22222222, 1);
    word = exchange(word, 0x0c0c0c0c, 2);
    word = exchange(word, 0x00f000f0, 4);
    return exchange(word, 0x0000ff00, 8);
}

static uint32_t shuffle(uint32_t word) {
    word = exchange(word, 0x0000ff00, 8);
    word = exchange(word, 0x00f000f0, 4);
    word = exchange(word, 0x0c0c0c0c, 2);
    return exchange(word, 0x22222222, 1);
}

static void absorb_lane(uint32_t lane[HALVES], uint32_t low, uint32_t high) {
    low = unshuffle(low);
    high = unshuffle(high);
    lane[EVEN] ^= (low & 0xffff) | high << 16;
    lane[ODD] ^= low >> 16 | (high & 0xffff0000);
}

static uint64_t plain_lane(const uint32_t lane[HALVES]) {
    const uint32_t low = shuffle((lane[EVEN] & 0xffff) | lane[ODD] << 16);
    const uint32_t high = shuffle(lane[EVEN] >> 16 | (lane[ODD] & 0xffff0000));
    return low | (uint64_t)high << 32;
}

NOT_INLINED void absorb_blocks(uint64_t state[25], const uint8_t *data, size_t nblocks, size_t block_size) {
    lanes a = {{0}}, scratch;

    for (int i = 0; i < 25; i++)
        absorb_lane(a[i], (uint32_t)state[i], (uint32_t)(state[i] >> 32));
    for (; nblocks > 0; nblocks--, data += block_size) {
        for (size_t i = 0; i < block_size / 8; i++)
            absorb_lane(a[i], load_little_endian_32(data + 8 * i), load_little_endian_32(data + 8 * i + 4));
        keccak_f1600(a, scratch);
    }
    for (int i = 0; i < 25; i++)
        state[i] = plain_lane(a[i]);
}

void sha3_generic_blocks(uint64_t state[25], const uint8_t *data, size_t nblocks, size_t block_size) {
    absorb_blocks(state, data, nblocks, block_size);
    wipe_stack(MAX_WIPED_STACK);
}
