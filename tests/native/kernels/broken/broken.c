/*
 * Kernels with one fault each, to see that kernels.c finds it. A name is what it should say of the kernel; what follows
 * two underscores only tells kernels apart.
 */
#include <stddef.h>
#include <stdint.h>

#include "backend.h"

static void read_byte(const volatile uint8_t *byte) {
    (void)*byte;
}

/* Digests. */

/* clang-format off */
#if defined(__aarch64__)
#define IN_ASSEMBLER(X) \
    X(ok) X(executes_what_this_CPU_does_not_know) \
    X(changes_x19) X(changes_x20) X(changes_x21) X(changes_x22) X(changes_x23) X(changes_x24) X(changes_x25) \
    X(changes_x26) X(changes_x27) X(changes_x28) X(changes_x29) \
    X(changes_d8) X(changes_d9) X(changes_d10) X(changes_d11) X(changes_d12) X(changes_d13) X(changes_d14) \
    X(changes_d15) \
    X(moves_sp) X(writes_above_sp) \
    X(leaves_x0) X(leaves_x17) X(leaves_x18) X(leaves_v0) X(leaves_v8) X(leaves_v31) X(leaves_stack)
#elif defined(__arm__)
#define IN_ASSEMBLER(X) \
    X(ok) X(executes_what_this_CPU_does_not_know) X(expects_another_alignment_of_data) \
    X(changes_r4) X(changes_r5) X(changes_r6) X(changes_r7) X(changes_r8) X(changes_r9) X(changes_r10) X(changes_r11) \
    X(changes_d8) X(changes_d9) X(changes_d10) X(changes_d11) X(changes_d12) X(changes_d13) X(changes_d14) \
    X(changes_d15) \
    X(moves_sp) X(writes_above_sp) \
    X(leaves_r0) X(leaves_r12) X(leaves_lr) X(leaves_d0) X(leaves_d31) X(leaves_stack)
#elif defined(__x86_64__)
#define IN_ASSEMBLER(X) \
    X(ok) X(executes_what_this_CPU_does_not_know) \
    X(changes_rbx) X(changes_rbp) X(changes_r12) X(changes_r13) X(changes_r14) X(changes_r15) \
    X(moves_sp) X(writes_above_sp) \
    X(leaves_rax) X(leaves_r11) X(leaves_xmm0) X(leaves_xmm15) X(leaves_stack)
#endif

#define IN_C(X) \
    X(wrong_state) X(wrong_state__unaligned) X(wrong_data) X(writes_beside_state) \
    X(reaches_beyond_data__before) X(reaches_beyond_data__behind) X(reaches_beyond_state) X(reaches_beyond_stack)
/* clang-format on */

typedef void digest_kernel(uint32_t state[8], const uint8_t *data, size_t nblocks);

HIDDEN digest_kernel sha256_generic_blocks;
#define X(name) HIDDEN digest_kernel sha256_##name##_blocks;
IN_ASSEMBLER(X)
IN_C(X)
#undef X

/* Works as it should between two statements. */
#define DIGEST(name, before, after)                                                                                    \
    void sha256_##name##_blocks(uint32_t state[8], const uint8_t *data, size_t nblocks) {                              \
        before;                                                                                                        \
        sha256_generic_blocks(state, data, nblocks);                                                                   \
        after;                                                                                                         \
    }
#define NOTHING (void)0

DIGEST(wrong_state, NOTHING, state[7] ^= 1)
DIGEST(wrong_state__unaligned, data -= (uintptr_t)data % 16, NOTHING)
DIGEST(wrong_data, NOTHING, *(uint8_t *)(uintptr_t)data ^= 1)
DIGEST(writes_beside_state, NOTHING, state[8] = 0)
DIGEST(reaches_beyond_data__before, read_byte(data - 1), NOTHING)
DIGEST(reaches_beyond_data__behind, read_byte(data + 64 * nblocks), NOTHING)
DIGEST(reaches_beyond_state, read_byte((uint8_t *)(state + 8)), NOTHING)
DIGEST(reaches_beyond_stack, volatile uint8_t large[6000] = {0}; read_byte(large), NOTHING)

#define TABLE(algorithm, list)                                                                                         \
    { .name = (algorithm), .backends = (list), .count = sizeof(list) / sizeof((list)[0]) }

#define X(name) {#name, 0, {(backend_entry *)sha256_##name##_blocks}},
static const struct backend digests[] = {
    /* clang-format off */
    IN_ASSEMBLER(X)
    IN_C(X)
    X(generic)
    {"unusable", ~(cpu_features)0, {NULL}},
    /* clang-format on */
};
#undef X
HIDDEN struct algorithm sha256_algorithm = TABLE("sha256", digests);

static const struct backend nobody_knows[] = {{"has_no_known_answer", 0, {NULL}}};
HIDDEN struct algorithm nobody_knows_algorithm = TABLE("nobody_knows", nobody_knows);

/* Ciphers, wrong in encryption. */

/* clang-format off */
#define CIPHERS(X) \
    X(wrong_output) X(wrong_output__in_place) X(wrong_count) X(wrong_count__sometimes) X(wrong_tweak) X(wrong_input) \
    X(wrong_round_keys) X(writes_beside_output) X(reaches_beyond_output) X(reaches_beyond_input) \
    X(reaches_beyond_round_keys) X(reaches_beyond_tweak)
/* clang-format on */

typedef size_t cipher_kernel(const uint32_t *round_keys, unsigned rounds, uint8_t *output, const uint8_t *input,
                             size_t nblocks, uint64_t *tweak);

HIDDEN cipher_kernel speck64_xts_generic_encrypt, speck64_xts_generic_decrypt;
#define X(name) HIDDEN cipher_kernel speck64_xts_##name##_encrypt;
CIPHERS(X)
#undef X

#define CIPHER(name, before, after)                                                                                    \
    size_t speck64_xts_##name##_encrypt(const uint32_t *round_keys, unsigned rounds, uint8_t *output,                  \
                                        const uint8_t *input, size_t nblocks, uint64_t *tweak) {                       \
        before;                                                                                                        \
        size_t done = speck64_xts_generic_encrypt(round_keys, rounds, output, input, nblocks, tweak);                  \
        after;                                                                                                         \
        return done;                                                                                                   \
    }
#define IF_ANY if (nblocks)

CIPHER(wrong_output, NOTHING, IF_ANY output[8 * nblocks - 1] ^= 1)
CIPHER(wrong_output__in_place, IF_ANY output[0] = 0, NOTHING)
CIPHER(wrong_count, NOTHING, done++)
CIPHER(wrong_count__sometimes, nblocks -= nblocks % 16 == 5, NOTHING)
CIPHER(wrong_tweak, NOTHING, *tweak ^= 1)
CIPHER(wrong_input, NOTHING, IF_ANY *(uint8_t *)(uintptr_t)input ^= 1)
CIPHER(wrong_round_keys, NOTHING, *(uint8_t *)(uintptr_t)round_keys ^= 1)
CIPHER(writes_beside_output, NOTHING, output[8 * nblocks] = 0)
CIPHER(reaches_beyond_output, read_byte(output - 1), NOTHING)
CIPHER(reaches_beyond_input, read_byte(input + 8 * nblocks), NOTHING)
CIPHER(reaches_beyond_round_keys, read_byte((const uint8_t *)(round_keys + rounds)), NOTHING)
CIPHER(reaches_beyond_tweak, read_byte((const uint8_t *)(tweak + 1)), NOTHING)

#define ENTRY(name, encrypt, decrypt)                                                                                  \
    {name, 0, {(backend_entry *)speck64_xts_##encrypt##_encrypt, (backend_entry *)speck64_xts_##decrypt}},
#define X(name) ENTRY(#name, name, generic_decrypt)
static const struct backend ciphers[] = {
    /* clang-format off */
    CIPHERS(X)
    X(generic)
    ENTRY("wrong_output__decryption", generic, generic_encrypt)
    /* clang-format on */
};
#undef X
HIDDEN struct algorithm speck64_xts_algorithm = TABLE("speck64_xts", ciphers);
