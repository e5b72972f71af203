/*
 * CPU features: what a backend may need, and how each system is asked for it.
 *
 * One row for each Kconfig symbol ISA_*; the CPU_ISA_* below are its bits. A backend that depends on an ISA_* symbol
 * without a row does not compile. A project has rows of its own in a file own-cpu.h on its include path, in the same
 * three macros with OWN_ before their names, as many of them as it needs:
 *
 *     #define OWN_CPU_ARM64_FEATURES(X) X(ISA_ARM64_DOTPROD, "dotprod", AT_HWCAP, 20, "hw.optional.arm.FEAT_DotProd",
 * 43)
 */
#ifndef KCONF_CPU_H
#define KCONF_CPU_H

#include <stdint.h>

#if __has_include("own-cpu.h")
#include "own-cpu.h"
#endif
#ifndef OWN_CPU_ARM_FEATURES
#define OWN_CPU_ARM_FEATURES(X)
#endif
#ifndef OWN_CPU_ARM64_FEATURES
#define OWN_CPU_ARM64_FEATURES(X)
#endif
#ifndef OWN_CPU_X86_64_FEATURES
#define OWN_CPU_X86_64_FEATURES(X)
#endif

/* A missing entry point of a hidden declaration fails when the module is linked, not when it is imported. */
#if defined(_WIN32)
#define HIDDEN
#else
#define HIDDEN __attribute__((visibility("hidden")))
#endif

/*
 * ARM: Linux and FreeBSD give the same bits, in words of the auxiliary vector (Linux: uapi/asm/hwcap.h of each
 * architecture; FreeBSD: machine/elf.h); macOS has a sysctl for each; Windows a number for IsProcessorFeaturePresent
 * (winnt.h). NO_SYSCTL and -1: that system does not run on such CPUs, or has no way to ask.
 *
 * x86-64: the CPU itself answers on every system, in a register and bit of a leaf of CPUID (Intel's manual, volume 2A);
 * and the system says in XCR0 which registers it keeps (volume 1, 13.3), without which the instructions fault.
 */
/* clang-format off */
/* X(symbol,            name,     word,      bit, macOS,                          Windows) */
#define CPU_ARM_FEATURES(X) \
    X(ISA_ARM_NEON,     "neon",   AT_HWCAP,  12,  NO_SYSCTL,                       19) \
    X(ISA_ARM_SHA2,     "sha2",   AT_HWCAP2,  3,  NO_SYSCTL,                       30) \
    X(ISA_ARM_CRC32,    "crc32",  AT_HWCAP2,  4,  NO_SYSCTL,                       31) \
    OWN_CPU_ARM_FEATURES(X)

#define CPU_ARM64_FEATURES(X) \
    X(ISA_ARM64_NEON,   "neon",   AT_HWCAP,   1,  "hw.optional.neon",              19) \
    X(ISA_ARM64_CRC32,  "crc32",  AT_HWCAP,   7,  "hw.optional.armv8_crc32",       31) \
    X(ISA_ARM64_SHA2,   "sha2",   AT_HWCAP,   6,  "hw.optional.arm.FEAT_SHA256",   30) \
    X(ISA_ARM64_SHA512, "sha512", AT_HWCAP,  21,  "hw.optional.arm.FEAT_SHA512",   65) \
    X(ISA_ARM64_SHA3,   "sha3",   AT_HWCAP,  17,  "hw.optional.arm.FEAT_SHA3",     64) \
    OWN_CPU_ARM64_FEATURES(X)

/* X(symbol,            name,     leaf, register, bit, XCR0) */
#define CPU_X86_64_FEATURES(X) \
    X(ISA_X86_64_SSSE3, "ssse3",  1,    CPUID_ECX,  9, 0) \
    X(ISA_X86_64_SSE42, "sse42",  1,    CPUID_ECX, 20, 0) \
    X(ISA_X86_64_AVX2,  "avx2",   7,    CPUID_EBX,  5, XCR0_AVX) \
    OWN_CPU_X86_64_FEATURES(X)
/* clang-format on */

#define CPU_FEATURES(X) CPU_ARM_FEATURES(X) CPU_ARM64_FEATURES(X) CPU_X86_64_FEATURES(X)

enum cpu_feature_index {
#define X(symbol, name, where, what, macos, windows) CPU_INDEX_##symbol,
    CPU_FEATURES(X)
#undef X
};

enum cpu_feature {
#define X(symbol, name, where, what, macos, windows) CPU_##symbol = 1 << CPU_INDEX_##symbol,
    CPU_FEATURES(X)
#undef X
};

typedef uint32_t cpu_features; /* a set of enum cpu_feature */

struct cpu_feature_name {
    cpu_features feature;
    const char *symbol; /* "ISA_ARM64_SHA2" */
    const char *name;   /* "sha2": a feature that two architectures have stands here twice, as two features */
};

/* Every feature, of all architectures, ended by an entry whose name is NULL. */
extern HIDDEN const struct cpu_feature_name cpu_feature_names[];

/* What this CPU has; on a system that cannot be asked, what the baseline of the build promises. */
HIDDEN cpu_features cpu_detect(cpu_features promised);

#endif
