#ifdef ONLY_ARMV6
#error "the target is ARMv6: no instruction that came later may be in it"
#endif
/* The SHA-2 instructions of AArch32. */
    .syntax unified
    .arch armv8-a
    .fpu crypto-neon-fp-armv8
    .arm
    sha256h.32 q0, q1, q2
    sha256su0.32 q0, q1
