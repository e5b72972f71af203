/*
 * What a module says of itself to who does not run it: notes, found by their owner's name in a file of any format and
 * architecture, as the kernel's configuration is found in its image. In ELF they are a note section too, readelf -n.
 *
 * Each is, in the target's byte order: the size of the owner's name, that of the text, the type (32 bits each); the
 * name, the text, and zeros up to a multiple of four bytes.
 */
#ifndef KCONF_NOTE_H
#define KCONF_NOTE_H

#include <stdint.h>

#define NOTE_OWNER "armlet.kconf"

enum note_type {
    NOTE_RECORD = 0x101, /* what was configured: the definitions of module _config, in JSON */
    NOTE_TABLE =
        0x102, /* a line "algorithm backend" for each row of a table of backends, from the object that holds it */
};

#if defined(__APPLE__)
#define NOTE_SECTION "__TEXT,__kconf"
#elif defined(_WIN32)
#define NOTE_SECTION ".kconf"
#else
#define NOTE_SECTION ".note.kconf"
#endif

/* Defines the note NAME of a type; what follows is its text, a literal or the list of its bytes, of SIZE bytes. */
#define NOTE(name, type, size, ...)                                                                                    \
    __attribute__((used, section(NOTE_SECTION), aligned(4))) static const struct {                                     \
        uint32_t owner_size, text_size, note_type;                                                                     \
        char owner[(sizeof NOTE_OWNER + 3) / 4 * 4];                                                                   \
        char text[((size) + 3) / 4 * 4];                                                                               \
    } name = {sizeof NOTE_OWNER, size, type, NOTE_OWNER, __VA_ARGS__}

#endif
