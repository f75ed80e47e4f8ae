// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// A state of an instance that an importer holds: the same bytes whether they are written out or not.
#ifndef SLIPSTICK_FMU_BLOB_H
#define SLIPSTICK_FMU_BLOB_H

#include "instance.h"

typedef struct fmu_blob {
    size_t size;
    _Alignas(8) char bytes[];
} fmu_blob;

/// Keeps the present state in *blob, whose memory is used again where there is some already.
fmu_status fmu_blob_take(fmu_instance* instance, fmu_blob** blob);
fmu_status fmu_blob_bring_back(fmu_instance* instance, const fmu_blob* blob);
void fmu_blob_free(fmu_blob** blob);
fmu_status fmu_blob_write(fmu_instance* instance, const fmu_blob* blob, void* bytes, size_t size);
fmu_status fmu_blob_read(fmu_instance* instance, const void* bytes, size_t size, fmu_blob** blob);

#endif
