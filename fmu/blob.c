// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "blob.h"

#include <stdlib.h>
#include <string.h>

static fmu_status fail(fmu_instance* instance, const char* text)
{
    fmu_log(instance, FMU_ERROR, FMU_TOPIC_ERROR, "%s", text);
    return FMU_ERROR;
}

static bool reserve(fmu_blob** blob, size_t size)
{
    if (*blob && (*blob)->size == size) return true;
    fmu_blob* more = realloc(*blob, sizeof **blob + size);
    if (!more) return false;
    more->size = size;
    *blob = more;
    return true;
}

fmu_status fmu_blob_take(fmu_instance* instance, fmu_blob** blob)
{
    if (!reserve(blob, fmu_state_size(instance))) return fail(instance, "out of memory");
    return fmu_state_save(instance, (*blob)->bytes, (*blob)->size);
}

fmu_status fmu_blob_bring_back(fmu_instance* instance, const fmu_blob* blob)
{
    return blob ? fmu_state_load(instance, blob->bytes, blob->size) : fail(instance, "there is no state");
}

void fmu_blob_free(fmu_blob** blob)
{
    free(*blob);
    *blob = NULL;
}

fmu_status fmu_blob_write(fmu_instance* instance, const fmu_blob* blob, void* bytes, size_t size)
{
    if (!blob || !bytes || size < blob->size) return fail(instance, "there is no state, or no room for it");
    memcpy(bytes, blob->bytes, blob->size);
    return FMU_OK;
}

fmu_status fmu_blob_read(fmu_instance* instance, const void* bytes, size_t size, fmu_blob** blob)
{
    if (!bytes || size < FMU_TOKEN) return fail(instance, "these bytes are no state of this FMU");
    if (!reserve(blob, size)) return fail(instance, "out of memory");
    memcpy((*blob)->bytes, bytes, size);
    return FMU_OK;
}
