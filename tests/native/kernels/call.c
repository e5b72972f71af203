/*
 * See call.h.
 */
#include "call.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
    BESIDE = 256,        /* bytes that are watched on either side of those given to a kernel */
    CALLERS_STACK = 256, /* bytes that are watched above the stack pointer */
};

static const char *const general_names[GENERAL_COUNT] = {GENERAL_NAMES};
static const unsigned argument_registers[] = {ARGUMENTS};
enum { REGISTER_ARGUMENTS = sizeof argument_registers / sizeof argument_registers[0] };

sigjmp_buf on_failure;
char failure[256];

_Noreturn void fail(const char *format, ...) {
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(failure, sizeof failure, format, arguments);
    va_end(arguments);
    siglongjmp(on_failure, 1);
}

static const struct memory *memories[8];
static size_t memory_count, page_size;
static struct memory stack;

void memory_create(struct memory *memory, const char *name, size_t size) {
    size = (size + page_size - 1) / page_size * page_size;
    uint8_t *pages = mmap(NULL, size + 2 * page_size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED || mprotect(pages + page_size, size, PROT_READ | PROT_WRITE) != 0)
        abort();
    *memory = (struct memory){.name = name, .begin = pages + page_size, .end = pages + page_size + size};
    memories[memory_count++] = memory;
}

struct range {
    uint8_t *begin, *end;
};

/* What is beside the bytes on both sides, as far as it is there, and themselves. */
static struct range watched_range(const struct memory *memory) {
    struct range range = {memory->begin, memory->end};

    if (memory->bytes - memory->begin > BESIDE)
        range.begin = memory->bytes - BESIDE;
    if (memory->end - (memory->bytes + memory->size) > BESIDE)
        range.end = memory->bytes + memory->size + BESIDE;
    return range;
}

void memory_fill(struct memory *memory, unsigned place, const void *content, size_t size) {
    const unsigned alignment = place % 16;

    if (place < 16) {
        memory->bytes = memory->begin + alignment;
    } else {
        memory->bytes = memory->end - size;
        memory->bytes -= ((uintptr_t)memory->bytes - alignment) % 16;
    }
    memory->size = size;
    const struct range watched = watched_range(memory);
    memset(watched.begin, PATTERN, (size_t)(watched.end - watched.begin));
    if (content)
        memcpy(memory->bytes, content, size);
}

static int is_pattern(const uint8_t *begin, const uint8_t *end) {
    return begin == end || (*begin == PATTERN && memcmp(begin, begin + 1, (size_t)(end - begin - 1)) == 0);
}

void memory_check(const struct memory *memory, const void *expected, size_t known) {
    if (memcmp(memory->bytes, expected, known) != 0)
        fail("wrong %s", memory->name);
    const struct range watched = watched_range(memory);
    if (!is_pattern(watched.begin, memory->bytes) || !is_pattern(memory->bytes + memory->size, watched.end))
        fail("writes beside %s", memory->name);
}

static void on_signal(int number, siginfo_t *info, void *context) {
    const uint8_t *address = info->si_addr;

    (void)context;
    if (number == SIGILL)
        fail("executes what this CPU does not know");
    for (size_t i = 0; i < memory_count; i++) {
        const struct memory *memory = memories[i];
        if (memory->begin <= address && address < memory->end)
            fail("expects another alignment of %s", memory->name);
        if (memory->begin - page_size <= address && address < memory->end + page_size)
            fail("reaches beyond %s", memory->name);
    }
    fail("reaches for %p", (const void *)address);
}

void call_init(void) {
    static uint8_t handlers_stack[1 << 16];
    const stack_t alternative = {.ss_sp = handlers_stack, .ss_size = sizeof handlers_stack};
    const struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | SA_ONSTACK};

    if (sigaltstack(&alternative, NULL) != 0 || sigaction(SIGSEGV, &action, NULL) != 0 ||
        sigaction(SIGBUS, &action, NULL) != 0 || sigaction(SIGILL, &action, NULL) != 0)
        abort();
    page_size = (size_t)sysconf(_SC_PAGESIZE);
    memory_create(&stack, "stack", STACK_SIZE + CALLERS_STACK);
}

/* Something else for each register. */
static uint64_t register_pattern(unsigned number) {
    return (number + 1) * 0x9e3779b97f4a7c15;
}

static struct registers registers_for(const uintptr_t arguments[MAX_ARGUMENTS]) {
    struct registers registers;
    uint8_t *const top = stack.begin + STACK_SIZE;

    for (unsigned i = 0; i < GENERAL_COUNT; i++)
        registers.general[i] = (uintptr_t)register_pattern(i);
    for (unsigned i = 0; i < VECTOR_COUNT; i++)
        for (unsigned j = 0; j < VECTOR_WORDS; j++)
            registers.vector[i][j] = register_pattern(GENERAL_COUNT + VECTOR_WORDS * i + j);
    registers.general[STACK_POINTER] = (uintptr_t)top;
    for (unsigned i = 0; i < MAX_ARGUMENTS; i++)
        if (i < REGISTER_ARGUMENTS)
            registers.general[argument_registers[i]] = arguments[i];
        else
            memcpy(top + (i - REGISTER_ARGUMENTS) * sizeof(uintptr_t), &arguments[i], sizeof(uintptr_t));
    return registers;
}

uintptr_t call(backend_entry *function, const uintptr_t arguments[MAX_ARGUMENTS]) {
    const struct registers before = registers_for(arguments);
    struct registers after;

    call_with_registers(&before, &after, function);
    return after.general[RESULT];
}

uintptr_t call_checked(backend_entry *function, const uintptr_t arguments[MAX_ARGUMENTS], struct remains *remains) {
    const uint8_t *const top = stack.begin + STACK_SIZE;

    memset(stack.begin, PATTERN, STACK_SIZE + CALLERS_STACK);
    const struct registers before = registers_for(arguments);
    call_with_registers(&before, &remains->registers, function);
    const struct registers *after = &remains->registers;

    if (after->general[STACK_POINTER] != before.general[STACK_POINTER])
        fail("moves sp");
    for (unsigned i = 0; i < GENERAL_COUNT; i++)
        if (PRESERVED_GENERAL >> i & 1 && after->general[i] != before.general[i])
            fail("changes %s", general_names[i]);
    for (unsigned i = 0; i < VECTOR_COUNT; i++)
        if (PRESERVED_VECTORS >> i & 1 && after->vector[i][0] != before.vector[i][0])
            fail("changes d%u", i);
    if (!is_pattern(top + STACK_RESERVED, top + CALLERS_STACK))
        fail("writes above sp");
    memcpy(remains->stack, stack.begin, STACK_SIZE);
    return after->general[RESULT];
}

void leaks_add(struct leaks *leaks, const struct remains *one, const struct remains *other) {
    for (unsigned i = 0; i < GENERAL_COUNT; i++)
        leaks->general[i] |= one->registers.general[i] != other->registers.general[i] ||
                             (SYSTEM_GENERAL >> i & 1 && one->registers.general[i] != (uintptr_t)register_pattern(i));
    for (unsigned i = 0; i < VECTOR_COUNT; i++)
        leaks->vector[i] |= memcmp(one->registers.vector[i], other->registers.vector[i], 8 * VECTOR_WORDS) != 0;
    leaks->stack |= memcmp(one->stack, other->stack, STACK_SIZE) != 0;
}

void leaks_print(const struct leaks *leaks) {
    static const struct leaks none;

    if (memcmp(leaks, &none, sizeof none) == 0)
        return;
    printf(", but leaves");
    for (unsigned i = 0; i < GENERAL_COUNT; i++)
        if (leaks->general[i])
            printf(" %s", general_names[i]);
    for (unsigned i = 0; i < VECTOR_COUNT; i++)
        if (leaks->vector[i])
            printf(" " VECTOR_NAME, i);
    if (leaks->stack)
        printf(" stack");
}
