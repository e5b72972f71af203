/*
 * Asks the system, or the CPU itself, what this CPU has.
 */
#include "cpu.h"

#include <stddef.h>

#if defined(__aarch64__) || defined(_M_ARM64)
#define FEATURES CPU_ARM64_FEATURES
#elif defined(__arm__)
#define FEATURES CPU_ARM_FEATURES
#elif defined(__x86_64__) || defined(_M_X64)
#define FEATURES CPU_X86_64_FEATURES
#define IS_X86_64
#endif

#if !defined(FEATURES)

#define FEATURES(X) /* none that a backend needs */

#elif defined(IS_X86_64)

#include <cpuid.h>

enum cpuid_register { CPUID_EAX, CPUID_EBX, CPUID_ECX, CPUID_EDX };
enum { OSXSAVE = 27 }; /* bit of ECX of leaf 1: there is an XCR0 that the system has set */
enum { XCR0_AVX = 6 }; /* the lower and upper halves of the ymm registers */

static uint32_t cpuid(unsigned leaf, enum cpuid_register answer) {
    unsigned registers[4] = {0};
    __get_cpuid_count(leaf, 0, &registers[CPUID_EAX], &registers[CPUID_EBX], &registers[CPUID_ECX],
                      &registers[CPUID_EDX]); /* leaves zeros where the CPU has no such leaf */
    return registers[answer];
}

/* The registers that the system keeps when it switches from one thread to another. */
static uint32_t xcr0(void) {
    uint32_t low, high;
    if (!(cpuid(1, CPUID_ECX) >> OSXSAVE & 1))
        return 0;
    __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return low;
}

static int has(unsigned leaf, enum cpuid_register answer, int bit, uint32_t kept) {
    return (cpuid(leaf, answer) >> bit & 1) && (xcr0() & kept) == kept;
}
#define HAS(leaf, answer, bit, kept) has(leaf, answer, bit, kept)

#elif defined(__linux__)

#include <sys/auxv.h>
#ifndef AT_HWCAP2
#define AT_HWCAP2 26 /* glibc 2.17 does not know it yet */
#endif
#define HAS(word, bit, sysctl, windows) (getauxval(word) >> (bit)&1)

#elif defined(__FreeBSD__)

#include <sys/auxv.h>
static int has(int word, int bit) {
    unsigned long bits = 0;
    return elf_aux_info(word, &bits, sizeof bits) == 0 && (bits >> bit & 1);
}
#define HAS(word, bit, sysctl, windows) has(word, bit)

#elif defined(__APPLE__)

#include <sys/sysctl.h>
#define NO_SYSCTL                       ""
static int has(const char *name) {
    int value = 0;
    size_t size = sizeof value;
    return sysctlbyname(name, &value, &size, NULL, 0) == 0 && value;
}
#define HAS(word, bit, sysctl, windows) has(sysctl)

#elif defined(_WIN32)

#include <windows.h>
#define HAS(word, bit, sysctl, windows) IsProcessorFeaturePresent(windows)

#else
#define CANNOT_BE_ASKED
#endif

const struct cpu_feature_name cpu_feature_names[] = {
#define X(symbol, name, where, what, macos, windows) {CPU_##symbol, #symbol, name},
    CPU_FEATURES(X)
#undef X
        {0, NULL, NULL},
};

cpu_features cpu_detect(cpu_features promised) {
#if defined(CANNOT_BE_ASKED)
    return promised;
#else
    cpu_features found = 0;

    (void)promised;
#define X(symbol, name, where, what, macos, windows)                                                                   \
    if (HAS(where, what, macos, windows))                                                                              \
        found |= CPU_##symbol;
    FEATURES(X)
#undef X
    return found;
#endif
}
