/*
 * What was configured, as it stands in this module.
 */
#include "select.h"

#include "config/record.h"

const char *const backends_fingerprint = KCONF_FINGERPRINT;

NOTE(record, NOTE_RECORD, KCONF_RECORD_SIZE, {KCONF_RECORD});
