/*
 * What every .S file of every object format needs: ELF, Mach-O and PE; 32-bit ARM, arm64 and x86-64.
 *
 *     FUNCTION name        begins a function that C can call, hidden from other modules
 *     END_FUNCTION name
 *     CONSTANTS name       begins read-only data, aligned to 16 bytes
 *     END_CONSTANTS name
 *     LOAD_ADDRESS r, name puts the address of such data into r; position-independent, no text relocation
 *
 * What saves registers also says in .cfi_* where they are, and what restores them that they are back:
 *
 *     arm64   PUSH_FRAME r, s, size     r and s at the bottom of a new frame of SIZE bytes
 *             SAVE r, s, offset         at an offset in the frame
 *             RESTORE r, s, offset
 *             POP_FRAME r, s, size
 *     ARM     PUSH_REGISTERS r, s, ...  ascending
 *             POP_REGISTERS r, s, ...
 *             PUSH_VECTORS              d8 to d15
 *             POP_VECTORS
 *
 * x86-64 has Intel's syntax, destination first, and the arguments of a function by number, since systems pass them in
 * different registers: ARGUMENT_1 to ARGUMENT_4. A function may change xmm0 to xmm5, rax, r10, r11 and its arguments.
 *
 * Including it marks the object as one that needs no executable stack and, if the compiler is told so, as one with
 * protected branches: on arm64 BTI and PAC (-mbranch-protection), on x86-64 IBT and shadow stack (-fcf-protection). One
 * object without the mark would drop it for the whole module. FUNCTION then opens with `bti c` or `endbr64`. On arm64 a
 * function that stores its return address must sign it (SIGN_RETURN_ADDRESS, AUTHENTICATE_RETURN_ADDRESS).
 *
 * Macros here are the assembler's, one instruction a line: on Darwin `;` begins a comment.
 */
/* clang-format off */
#if defined(__APPLE__)
#define ASM_SYMBOL(name) _##name
#else
#define ASM_SYMBOL(name) name
#endif

#if defined(__ARM_FEATURE_BTI_DEFAULT)
#define MARK_OF_BTI 1
#else
#define MARK_OF_BTI 0
#endif
#if defined(__ARM_FEATURE_PAC_DEFAULT)
#define MARK_OF_PAC 2
#else
#define MARK_OF_PAC 0
#endif

#if defined(__ELF__)

    .section .note.GNU-stack, "", %progbits
#if defined(__CET__)
    .section .note.gnu.property, "a"
    .balign 8
    .long 4, 16, 5           /* sizes of name and value, NT_GNU_PROPERTY_TYPE_0 */
    .asciz "GNU"
    .long 0xc0000002, 4, __CET__ & 3, 0 /* GNU_PROPERTY_X86_FEATURE_1_AND */
#endif
#if MARK_OF_BTI || MARK_OF_PAC
    .section .note.gnu.property, "a"
    .balign 8
    .long 4, 16, 5           /* sizes of name and value, NT_GNU_PROPERTY_TYPE_0 */
    .asciz "GNU"
    .long 0xc0000000, 4, MARK_OF_BTI | MARK_OF_PAC, 0 /* GNU_PROPERTY_AARCH64_FEATURE_1_AND */
#endif
    .text

.macro HIDE name
    .globl \name
    .hidden \name
    .type \name, %function
.endm
.macro SIZE_OF name
    .size \name, . - \name
.endm
.macro READ_ONLY_SECTION
    .section .rodata
.endm

#elif defined(__APPLE__)

.macro HIDE name
    .globl \name
    .private_extern \name
.endm
.macro SIZE_OF name
.endm
.macro READ_ONLY_SECTION
    .section __TEXT,__const
.endm

#elif defined(_WIN32)

.macro HIDE name
    .globl \name
    .def \name
    .scl 2
    .type 32
    .endef
.endm
.macro SIZE_OF name
.endm
.macro READ_ONLY_SECTION
    .section .rdata, "dr"
.endm

#else
#error "asm.h knows ELF, Mach-O and PE: add this object format"
#endif

.macro CONSTANTS name
    READ_ONLY_SECTION
    .balign 16
\name:
.endm

.macro END_CONSTANTS name
    SIZE_OF \name
    .text
.endm

#if defined(__aarch64__) || defined(_M_ARM64)

.macro FUNCTION name
    .text
    .balign 16
    HIDE ASM_SYMBOL(\name)
ASM_SYMBOL(\name):
    .cfi_startproc
#if MARK_OF_BTI
    hint #34 /* bti c */
#endif
.endm

.macro LOAD_ADDRESS register, name
#if defined(__APPLE__)
    adrp \register, \name@PAGE
    add \register, \register, \name@PAGEOFF
#else
    adrp \register, \name
    add \register, \register, :lo12:\name
#endif
.endm

.macro SIGN_RETURN_ADDRESS
#if MARK_OF_PAC
    hint #25 /* paciasp */
    .cfi_negate_ra_state
#endif
.endm

.macro AUTHENTICATE_RETURN_ADDRESS
#if MARK_OF_PAC
    hint #29 /* autiasp */
    .cfi_negate_ra_state
#endif
.endm

.macro SAVED first, second, offset
    .cfi_rel_offset \first, \offset
    .cfi_rel_offset \second, \offset + 8
.endm

.macro RESTORED first, second
    .cfi_restore \first
    .cfi_restore \second
.endm

.macro PUSH_FRAME first, second, size
    stp \first, \second, [sp, #-\size]!
    .cfi_adjust_cfa_offset \size
    SAVED \first, \second, 0
.endm

.macro SAVE first, second, offset
    stp \first, \second, [sp, #\offset]
    SAVED \first, \second, \offset
.endm

.macro RESTORE first, second, offset
    ldp \first, \second, [sp, #\offset]
    RESTORED \first, \second
.endm

.macro POP_FRAME first, second, size
    ldp \first, \second, [sp], #\size
    .cfi_adjust_cfa_offset -\size
    RESTORED \first, \second
.endm

#elif defined(__arm__)

    .syntax unified
    /* .eh_frame would ask for a personality routine, and the linker would bring all of the compiler's run-time. */
    .cfi_sections .debug_frame

.macro FUNCTION name
    .text
    .arm
    .balign 16
    HIDE ASM_SYMBOL(\name)
ASM_SYMBOL(\name):
    .cfi_startproc
.endm

.macro LOAD_ADDRESS register, name
    movw \register, #:lower16:(\name - (.Lpc\@ + 8))
    movt \register, #:upper16:(\name - (.Lpc\@ + 8))
.Lpc\@:
    add \register, pc, \register
.endm

.macro PUSH_REGISTERS registers:vararg
    push {\registers}
    .set .Lpushed, 0
    .irp register, \registers
    .cfi_adjust_cfa_offset 4
    .endr
    .irp register, \registers
    .cfi_rel_offset \register, .Lpushed
    .set .Lpushed, .Lpushed + 4
    .endr
.endm

.macro POP_REGISTERS registers:vararg
    pop {\registers}
    .irp register, \registers
    .cfi_adjust_cfa_offset -4
    .cfi_restore \register
    .endr
.endm

.macro PUSH_VECTORS
    vpush {d8-d15}
    .cfi_adjust_cfa_offset 64
    .irp n, 8, 9, 10, 11, 12, 13, 14, 15
    .cfi_rel_offset d\n, (\n - 8) * 8
    .endr
.endm

.macro POP_VECTORS
    vpop {d8-d15}
    .cfi_adjust_cfa_offset -64
    .irp n, 8, 9, 10, 11, 12, 13, 14, 15
    .cfi_restore d\n
    .endr
.endm

#elif defined(__x86_64__) || defined(_M_X64)

    .intel_syntax noprefix

#if defined(_WIN32)
#define ARGUMENT_1 rcx
#define ARGUMENT_2 rdx
#define ARGUMENT_3 r8
#define ARGUMENT_4 r9
#else
#define ARGUMENT_1 rdi
#define ARGUMENT_2 rsi
#define ARGUMENT_3 rdx
#define ARGUMENT_4 rcx
#endif

.macro FUNCTION name
    .text
    .balign 16
    HIDE ASM_SYMBOL(\name)
ASM_SYMBOL(\name):
    .cfi_startproc
#if defined(__CET__)
    endbr64
#endif
.endm

.macro LOAD_ADDRESS register, name
    lea \register, [rip + \name]
.endm

#endif

.macro END_FUNCTION name
    .cfi_endproc
    SIZE_OF ASM_SYMBOL(\name)
.endm
