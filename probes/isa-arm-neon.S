#ifdef ONLY_ARMV6
#error "the target is ARMv6: no instruction that came later may be in it"
#endif
/* Advanced SIMD on 64-bit lanes in A32 code. */
    .syntax unified
    .arch armv7-a
    .fpu neon
    .arm
    vadd.i64 q0, q1, q2
    vsli.64 d0, d1, #23
    vbsl q0, q1, q2
