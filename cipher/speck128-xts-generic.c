/* Speck128-XTS in C, for every machine. */
#define WORD_BITS 64
#include "speck-xts-generic.h"

HIDDEN speck_kernel speck128_xts_generic_encrypt, speck128_xts_generic_decrypt;

size_t speck128_xts_generic_encrypt(const word *round_keys, unsigned rounds, uint8_t *output, const uint8_t *input,
                                    size_t nblocks, uint64_t *tweak) {
    encrypt_blocks(round_keys, rounds, output, input, nblocks, tweak);
    wipe_stack(MAX_WIPED_STACK);
    return nblocks;
}

size_t speck128_xts_generic_decrypt(const word *round_keys, unsigned rounds, uint8_t *output, const uint8_t *input,
                                    size_t nblocks, uint64_t *tweak) {
    decrypt_blocks(round_keys, rounds, output, input, nblocks, tweak);
    wipe_stack(MAX_WIPED_STACK);
    return nblocks;
}
