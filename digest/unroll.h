/* The portable C has its rounds one after the other, or with CONFIG_OPTIMIZE_FOR_SIZE in loops. */
#ifndef ARMLET_UNROLL_H
#define ARMLET_UNROLL_H

#include "config/options.h"

/* clang-format off */
#if CONFIG_OPTIMIZE_FOR_SIZE
#define SIXTEEN(STEP) for (unsigned step = 0; step < 16; step++) { STEP(step) }
#define UNROLL        _Pragma("GCC unroll 1")
#define ALWAYS_INLINE static inline
#else
#define SIXTEEN(STEP)                                                                                                  \
    STEP(0) STEP(1) STEP(2) STEP(3) STEP(4) STEP(5) STEP(6) STEP(7)                                                    \
    STEP(8) STEP(9) STEP(10) STEP(11) STEP(12) STEP(13) STEP(14) STEP(15)
#define UNROLL        _Pragma("GCC unroll 5")
#define ALWAYS_INLINE static inline __attribute__((always_inline))
#endif
/* clang-format on */

#endif
