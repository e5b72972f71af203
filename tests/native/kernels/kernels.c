/*
 * Tests each kernel of a build by itself: that it computes what it should, and does nothing else.
 *
 * The tables are those of the build, expanded by the algorithms' own .c. For each kernel there is a line: the
 * algorithm, the backend, and "ok", or "unusable" if this CPU lacks what it needs, or what failed first and where.
 * After "ok" may follow where parts of state, message or keys were left: in which registers, or on the stack. A kernel
 * is to clear them, but in C it cannot clear registers.
 *
 * Each kernel works twice on memory of the same shape at the same place: on a known answer, and on random data, for
 * which the generic kernel gives the answer. What it leaves must be the same both times, or it depends on the data.
 */
#include <stdio.h>
#include <string.h>

#include "call.h"
#include "config/lists.h"

/* A known answer; there is one for each shape of memory that a kernel has to do with. */
struct digest_case {
    const char *algorithm;
    size_t word_size, state_size, block_size, nblocks; /* sizes in bytes */
    const void *initial, *data, *result;               /* state, message, state */
    size_t known;                                      /* so many bytes of the result */
};

struct cipher_case {
    const char *algorithm;
    size_t word_size, block_size;
    unsigned rounds;
    const void *round_keys;
    const uint8_t *input, *output, *tweaks; /* MAX_CIPHER_BLOCKS, and one more tweak */
};

#include "answers.h" /* digest_answers, cipher_answers, and for how many blocks: made by answers.py */

/* In bytes. */
enum {
    MAX_STATE = 200,
    MAX_MESSAGE = MAX_DIGEST_BLOCKS * 168,
    MAX_ROUND_KEYS = 34 * 8,
    MAX_TEXT = MAX_CIPHER_BLOCKS * 16,
    MAX_TWEAK = 16,
    STEP = 128, /* of a cipher: see cipher/speck.h */
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static struct memory state, data, round_keys, output, input, tweak;
static char situation[100]; /* of the call that failed */

static const struct backend *generic_of(const struct algorithm *algorithm) {
    for (size_t i = 0; i < algorithm->count; i++)
        if (strcmp(algorithm->backends[i].name, "generic") == 0)
            return &algorithm->backends[i];
    fail("has no generic backend to be compared with");
}

static void randomize(void *bytes, size_t size) {
    static uint64_t random = 1;

    for (size_t i = 0; i < size; i++) {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        ((uint8_t *)bytes)[i] = (uint8_t)(random >> 32);
    }
}

/* A place for words, which are at multiples of their size. */
static unsigned place_of_words(unsigned place, size_t word_size) {
    return place / 16 * 16 + place * word_size % 16;
}

static const char *describe(unsigned place) {
    static char text[32];

    snprintf(text, sizeof text, "at %u mod 16 near the %s", place % 16, place < 16 ? "beginning" : "end");
    return text;
}

/* Digests. */

/* One of the same shape. */
static struct digest_case random_digest_case(const struct backend *generic, const struct digest_case *answer) {
    static _Alignas(8) uint8_t initial[MAX_STATE], message[MAX_MESSAGE], result[MAX_STATE];
    const uintptr_t arguments[MAX_ARGUMENTS] = {(uintptr_t)result, (uintptr_t)message, answer->nblocks,
                                                answer->block_size};
    struct digest_case random = *answer;

    randomize(initial, sizeof initial);
    randomize(message, sizeof message);
    memcpy(result, initial, sizeof result);
    call(generic->entry[0], arguments);
    random.initial = initial;
    random.data = message;
    random.result = result;
    random.known = answer->state_size;
    return random;
}

static void try_digest(const struct backend *backend, const struct digest_case *try, unsigned place,
                       struct remains *remains) {
    const size_t size = try->nblocks * try->block_size;

    snprintf(situation, sizeof situation, "%zu x %zu bytes, %s", try->nblocks, try->block_size, describe(place));
    memory_fill(&state, place_of_words(place, try->word_size), try->initial, try->state_size);
    memory_fill(&data, place, try->data, size);
    const uintptr_t arguments[MAX_ARGUMENTS] = {(uintptr_t)state.bytes, (uintptr_t)data.bytes, try->nblocks,
                                                try->block_size};
    call_checked(backend->entry[0], arguments, remains);
    memory_check(&state, try->result, try->known);
    memory_check(&data, try->data, size);
}

static void test_digest(const struct digest_case *answer, const struct backend *backend, const struct backend *generic,
                        struct leaks *leaks) {
    static struct remains remains[2];
    const struct digest_case random = random_digest_case(generic, answer);

    for (unsigned place = 0; place < PLACES; place++) {
        try_digest(backend, answer, place, &remains[0]);
        try_digest(backend, &random, place, &remains[1]);
        leaks_add(leaks, &remains[0], &remains[1]);
    }
}

/* Ciphers. */

enum direction { ENCRYPT, DECRYPT }; /* in the order of a backend's entry points */

static struct cipher_case known_cipher_case(const struct cipher_case *answer, enum direction direction) {
    struct cipher_case known = *answer;

    if (direction == DECRYPT) {
        known.input = answer->output;
        known.output = answer->input;
    }
    return known;
}

/* One of the same shape. The generic kernel does one block at a time, so that the tweak is known after each. */
static struct cipher_case random_cipher_case(const struct backend *generic, const struct cipher_case *answer,
                                             enum direction direction, size_t nblocks) {
    static _Alignas(8) uint8_t keys[MAX_ROUND_KEYS], from[MAX_TEXT], to[MAX_TEXT], tweaks[MAX_TEXT + MAX_TWEAK];
    const size_t size = answer->block_size;
    struct cipher_case random = *answer;

    randomize(keys, sizeof keys);
    randomize(from, sizeof from);
    randomize(tweaks, size);
    for (size_t i = 0; i < nblocks * size; i += size) {
        const uintptr_t arguments[MAX_ARGUMENTS] = {(uintptr_t)keys,
                                                    answer->rounds,
                                                    (uintptr_t)(to + i),
                                                    (uintptr_t)(from + i),
                                                    1,
                                                    (uintptr_t)(tweaks + i + size)};
        memcpy(tweaks + i + size, tweaks + i, size);
        call(generic->entry[direction], arguments);
    }
    random.round_keys = keys;
    random.input = from;
    random.output = to;
    random.tweaks = tweaks;
    return random;
}

static void try_cipher(const struct backend *backend, enum direction direction, const struct cipher_case *try,
                       size_t nblocks, int in_place, unsigned place, struct remains *remains) {
    static uint8_t expected[MAX_TEXT];
    const uintptr_t rubbish = (uintptr_t)0x5eed << 16 << 16; /* an unsigned does not fill a 64-bit register */
    const size_t size = nblocks * try->block_size, step = STEP / try->block_size;
    struct memory *from = in_place ? &output : &input;

    snprintf(situation, sizeof situation, "%scryption of %zu x %zu bytes in %u rounds%s, %s", direction ? "de" : "en",
             nblocks, try->block_size, try->rounds, in_place ? " in place" : "", describe(place));
    memory_fill(&round_keys, place_of_words(place, try->word_size), try->round_keys, try->rounds * try->word_size);
    memory_fill(&output, place / 16 * 16 + (place * 5 + (unsigned)nblocks) % 16, NULL, size);
    memory_fill(from, place, try->input, size);
    memory_fill(&tweak, place_of_words(place, 8), try->tweaks, try->block_size);
    const uintptr_t arguments[MAX_ARGUMENTS] = {
        (uintptr_t)round_keys.bytes, try->rounds | rubbish, (uintptr_t)output.bytes, (uintptr_t)from->bytes, nblocks,
        (uintptr_t)tweak.bytes};
    const uintptr_t done = call_checked(backend->entry[direction], arguments, remains);
    if (done != nblocks && done != nblocks / step * step)
        fail("wrong count");

    if (in_place)
        memcpy(expected, try->input, size);
    else
        memset(expected, PATTERN, size);
    memcpy(expected, try->output, done * try->block_size);
    memory_check(&output, expected, size);
    if (!in_place)
        memory_check(&input, try->input, size);
    memory_check(&tweak, try->tweaks + done * try->block_size, try->block_size);
    memory_check(&round_keys, try->round_keys, try->rounds * try->word_size);
}

static void test_direction(const struct cipher_case *answer, enum direction direction, const struct backend *backend,
                           const struct backend *generic, struct leaks *leaks) {
    static struct remains remains[2];
    const struct cipher_case known = known_cipher_case(answer, direction);

    for (size_t nblocks = 0; nblocks <= MAX_CIPHER_BLOCKS; nblocks++) {
        const struct cipher_case random = random_cipher_case(generic, answer, direction, nblocks);
        for (unsigned i = 0; i < 2 * PLACES; i++) {
            try_cipher(backend, direction, &known, nblocks, i % 2, i / 2, &remains[0]);
            try_cipher(backend, direction, &random, nblocks, i % 2, i / 2, &remains[1]);
            leaks_add(leaks, &remains[0], &remains[1]);
        }
    }
}

static void test_cipher(const struct cipher_case *answer, const struct backend *backend, const struct backend *generic,
                        struct leaks *leaks) {
    test_direction(answer, ENCRYPT, backend, generic, leaks);
    test_direction(answer, DECRYPT, backend, generic, leaks);
}

/* All kernels. */

/* Tries all that is known of the algorithm, and returns how much that is. */
#define X(family)                                                                                                      \
    static size_t test_all_##family(const struct algorithm *algorithm, const struct backend *backend,                  \
                                    struct leaks *leaks) {                                                             \
        size_t tested = 0;                                                                                             \
        for (size_t i = 0; i < COUNT(family##_answers); i++)                                                           \
            if (strcmp(family##_answers[i].algorithm, algorithm->name) == 0) {                                         \
                test_##family(&family##_answers[i], backend, generic_of(algorithm), leaks);                            \
                tested++;                                                                                              \
            }                                                                                                          \
        return tested;                                                                                                 \
    }
KCONF_FAMILIES(X)
#undef X

#define X(family, name) extern HIDDEN struct algorithm name##_algorithm;
KCONF_ALGORITHMS(X)
#undef X

typedef size_t test_function(const struct algorithm *algorithm, const struct backend *backend, struct leaks *leaks);

static const struct {
    test_function *test;
    const struct algorithm *algorithm;
} algorithms[] = {
#define X(family, name) {test_all_##family, &name##_algorithm},
    KCONF_ALGORITHMS(X)
#undef X
};

/* Tells whether it failed. */
static int test(test_function *test_all, const struct algorithm *algorithm, const struct backend *backend) {
    static struct leaks leaks;

    printf("%s %s ", algorithm->name, backend->name);
    fflush(stdout);
    if (backend->needs & ~cpu_detect(0)) {
        printf("unusable\n");
        return 0;
    }
    memset(&leaks, 0, sizeof leaks);
    situation[0] = '\0';
    if (sigsetjmp(on_failure, 1) != 0) {
        printf("%s: %s\n", failure, situation);
        return 1;
    }
    if (test_all(algorithm, backend, &leaks) == 0)
        fail("has no known answer");
    printf("ok");
    leaks_print(&leaks);
    printf("\n");
    return 0;
}

int main(void) {
    int failed = 0;

    call_init();
    memory_create(&state, "state", MAX_STATE + 16);
    memory_create(&data, "data", MAX_MESSAGE + 16);
    memory_create(&round_keys, "round keys", MAX_ROUND_KEYS + 16);
    memory_create(&output, "output", MAX_TEXT + 16);
    memory_create(&input, "input", MAX_TEXT + 16);
    memory_create(&tweak, "tweak", MAX_TWEAK + 16);
    for (size_t i = 0; i < COUNT(algorithms); i++)
        for (size_t j = 0; j < algorithms[i].algorithm->count; j++)
            failed |= test(algorithms[i].test, algorithms[i].algorithm, &algorithms[i].algorithm->backends[j]);
    return failed;
}
