/* Code for BTI and PAC, and marks that say so, which only this object format has. */
#if !defined(__ELF__)
#error "the object format has no marks for it"
#endif
#if !defined(__ARM_FEATURE_BTI_DEFAULT) || !defined(__ARM_FEATURE_PAC_DEFAULT)
#error "the compiler does not say that it protects branches"
#endif
int probe;
