/*
 * Speck-XTS but for its kernels: the key schedule, and the way from a call to a backend. A template like speck.h.
 */
#include "cipher.h"
#include "speck.h"
#include "wipe.h"

#define DECLARE(algorithm, backend, name, needs)                                                                       \
    HIDDEN speck_kernel algorithm##_##backend##_encrypt, algorithm##_##backend##_decrypt;
#define ENTRY(algorithm, backend, name, needs)                                                                         \
    {name, needs, {(backend_entry *)algorithm##_##backend##_encrypt, (backend_entry *)algorithm##_##backend##_decrypt}},

#if WORD_BITS == 32
#define ROUND_KEYS words32
#else
#define ROUND_KEYS words64
#endif

enum {
    MAX_KEY_WORDS = 4,
    MIN_ROUNDS = WORD_BITS == 32 ? 23 : 30, /* and one for each word of the key */
};

/* Each round key is made from the one before by a round of the cipher, whose x is the next of the other key words. */
static void expand(word *round_keys, unsigned rounds, const uint8_t *key, unsigned key_words) {
    const unsigned others = key_words - 1;
    word l[MAX_KEY_WORDS - 1];
    struct block block = {.y = load_word(key)};

    for (unsigned i = 0; i < others; i++)
        l[i] = load_word(key + (i + 1) * sizeof(word));
    for (unsigned i = 0; i < rounds; i++) {
        round_keys[i] = block.y;
        block.x = l[i % others];
        encrypt_round(&block, i);
        l[i % others] = block.x;
    }
    wipe(l, sizeof l);
    wipe(&block, sizeof block);
}

static void set_key(struct cipher_key *key, const uint8_t *bytes, size_t size) {
    const unsigned half = (unsigned)size / 2, key_words = half / sizeof(word);

    key->rounds = MIN_ROUNDS + key_words;
    expand(key->data.ROUND_KEYS, key->rounds, bytes, key_words);
    expand(key->tweak.ROUND_KEYS, key->rounds, bytes + half, key_words);
}

NOT_INLINED void xts(enum direction direction, const struct cipher_key *key, uint8_t *output, const uint8_t *input,
                     size_t size, const uint8_t *tweak_bytes) {
    speck_kernel *kernel = (speck_kernel *)key->backend->entry[direction];
    struct block block = {.y = load_word(tweak_bytes), .x = load_word(tweak_bytes + sizeof(word))};
    uint64_t tweak[BLOCK_SIZE / 8];

    speck(ENCRYPT, key->tweak.ROUND_KEYS, key->rounds, &block, 1);
    store_tweak(tweak, &block);

    const size_t done = BLOCK_SIZE * kernel(key->data.ROUND_KEYS, key->rounds, output, input, size / BLOCK_SIZE, tweak);
    if (done < size) {
        uint8_t last[SPECK_STEP] = {0}; /* filled up to a whole step */
        memcpy(last, input + done, size - done);
        kernel(key->data.ROUND_KEYS, key->rounds, last, last, SPECK_STEP / BLOCK_SIZE, tweak);
        memcpy(output + done, last, size - done);
        wipe(last, sizeof last);
    }
    wipe(tweak, sizeof tweak);
    wipe(&block, sizeof block);
}

static void encrypt(const struct cipher_key *key, uint8_t *output, const uint8_t *input, size_t size,
                    const uint8_t *tweak) {
    xts(ENCRYPT, key, output, input, size, tweak);
    wipe_stack(MAX_WIPED_STACK);
}

static void decrypt(const struct cipher_key *key, uint8_t *output, const uint8_t *input, size_t size,
                    const uint8_t *tweak) {
    xts(DECRYPT, key, output, input, size, tweak);
    wipe_stack(MAX_WIPED_STACK);
}

/*
 * For the self-test: whether a backend encrypts the bytes 0, 1, ... with the key 0, 1, ... and the tweak 0, 1, ... to
 * blocks whose sum (XOR) is EXPECTED, and decrypts them to what they were. They are two steps and a block.
 */
static int gives_known_answer(const struct cipher *cipher, const struct backend *backend, const uint8_t *expected) {
    enum { SIZE = 2 * SPECK_STEP + BLOCK_SIZE, KEY_SIZE = 2 * MAX_KEY_WORDS * sizeof(word) };
    struct cipher_key key = {.cipher = cipher, .backend = backend};
    uint8_t counted[SIZE], output[SIZE], sum[BLOCK_SIZE] = {0};

    for (size_t i = 0; i < SIZE; i++)
        counted[i] = (uint8_t)i;
    set_key(&key, counted, KEY_SIZE);
    encrypt(&key, output, counted, SIZE, counted);
    for (size_t i = 0; i < SIZE; i++)
        sum[i % BLOCK_SIZE] ^= output[i];
    decrypt(&key, output, output, SIZE, counted);
    return memcmp(sum, expected, sizeof sum) == 0 && memcmp(output, counted, sizeof output) == 0;
}
