/*
 * Asks the system what this CPU has.
 */
#include "cpu.h"

#include <stddef.h>

#if defined(__aarch64__) || defined(_M_ARM64)
#define FEATURES CPU_ARM64_FEATURES
#elif defined(__arm__)
#define FEATURES CPU_ARM_FEATURES
#endif

#if !defined(FEATURES)

#define FEATURES(X) /* none that a backend needs */

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
#define X(symbol, name, word, bit, sysctl, windows) {CPU_##symbol, #symbol, name},
    CPU_ARM_FEATURES(X) CPU_ARM64_FEATURES(X)
#undef X
        {0, NULL, NULL},
};

cpu_features cpu_detect(cpu_features promised) {
#if defined(CANNOT_BE_ASKED)
    return promised;
#else
    cpu_features found = 0;

    (void)promised;
#define X(symbol, name, word, bit, sysctl, windows)                                                                    \
    if (HAS(word, bit, sysctl, windows))                                                                               \
        found |= CPU_##symbol;
    FEATURES(X)
#undef X
    return found;
#endif
}
