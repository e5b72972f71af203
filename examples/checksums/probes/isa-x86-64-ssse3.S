/* SSSE3. */
    .intel_syntax noprefix
    pmaddubsw xmm1, xmm0
