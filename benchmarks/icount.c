/*
 * A QEMU plugin that counts the instructions that the emulated CPU executes:
 *
 *     qemu-aarch64 -plugin icount.so,counter=FILE PROGRAM
 *
 * FILE is the counter itself, eight bytes that are mapped here. The emulated program maps it too, and reads it as it
 * would read a counter of the hardware.
 *
 * A block of instructions adds its length when it is entered, in the translated code: there is nothing to call at run
 * time. So an instruction counts whether or not its condition holds, and a block that a signal ends early counts as a
 * whole. The additions are not atomic: one thread at a time.
 *
 * The interface is described at https://www.qemu.org/docs/master/devel/tcg-plugins.html; this is its version 1, that of
 * QEMU 6.0 to 8.2. Not every distribution ships the header: what is used of it is declared here.
 */
#define _POSIX_C_SOURCE 200809L

#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

typedef uint64_t qemu_plugin_id_t;
typedef struct qemu_info_t qemu_info_t; /* not looked into */
struct qemu_plugin_tb;                  /* a translated block */
enum qemu_plugin_op { QEMU_PLUGIN_INLINE_ADD_U64 };
typedef void (*qemu_plugin_vcpu_tb_trans_cb_t)(qemu_plugin_id_t id, struct qemu_plugin_tb *block);

size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *block);
void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t id, qemu_plugin_vcpu_tb_trans_cb_t callback);
void qemu_plugin_register_vcpu_tb_exec_inline(struct qemu_plugin_tb *block, enum qemu_plugin_op operation,
                                              void *operand, uint64_t immediate);

/* What QEMU looks for. */
extern int qemu_plugin_version;
int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int argc, char **argv);

int qemu_plugin_version = 1;

static uint64_t *counter;

static void translated(qemu_plugin_id_t id, struct qemu_plugin_tb *block) {
    (void)id;
    qemu_plugin_register_vcpu_tb_exec_inline(block, QEMU_PLUGIN_INLINE_ADD_U64, counter, qemu_plugin_tb_n_insns(block));
}

/* Map the counter out of a new file; NULL if that fails. */
static uint64_t *map_counter(const char *file) {
    int descriptor = open(file, O_RDWR | O_CREAT | O_TRUNC, 0666);
    if (descriptor < 0 || ftruncate(descriptor, sizeof *counter) != 0)
        return NULL;
    void *place = mmap(NULL, sizeof *counter, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    close(descriptor);
    return place == MAP_FAILED ? NULL : place;
}

int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int argc, char **argv) {
    (void)info;
    static const char name[] = "counter=";
    if (argc != 1 || strncmp(argv[0], name, sizeof name - 1) != 0) {
        fprintf(stderr, "icount: one argument is needed, counter=FILE\n");
        return -1;
    }
    counter = map_counter(argv[0] + sizeof name - 1);
    if (counter == NULL) {
        perror("icount: the counter's file");
        return -1;
    }
    qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
    return 0;
}
