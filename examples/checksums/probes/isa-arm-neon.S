#ifdef ONLY_ARMV6
#error "the target is ARMv6: no instruction that came later may be in it"
#endif
/* NEON in A32 code. */
    .syntax unified
    .arch armv7-a
    .fpu neon
    .arm
    vmlal.u8 q3, d1, d2
