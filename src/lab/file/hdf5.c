// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "lab/file/hdf5.h"

#include "core/error.h"
#include "lab/file/output_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static herr_t keep_deepest(unsigned depth, const H5E_error2_t* entry, void* data)
{
    ss_hdf5_listener* l = data;
    if (depth > 0 || !entry->desc || l->cause[0]) return 0;
    // The text of errno, where the entry has it: "... error message = 'No space left on device', buf = ..."
    const char* quoted = strstr(entry->desc, "error message = '");
    if (quoted) quoted += strlen("error message = '");
    int length = quoted ? (int)strcspn(quoted, "'") : (int)strlen(entry->desc);
    snprintf(l->cause, sizeof l->cause, "%.*s", length, quoted ? quoted : entry->desc);
    return 0;
}

static herr_t on_failure(hid_t stack, void* data)
{
    return H5Ewalk2(stack, H5E_WALK_UPWARD, keep_deepest, data);
}

void ss_hdf5_listen(ss_hdf5_listener* l)
{
    l->cause[0] = '\0';
    H5Eget_auto2(H5E_DEFAULT, &l->before, &l->before_data);
    H5Eset_auto2(H5E_DEFAULT, on_failure, l);
}

void ss_hdf5_stop_listening(const ss_hdf5_listener* l)
{
    H5Eset_auto2(H5E_DEFAULT, l->before, l->before_data);
}

ss_status ss_hdf5_failed(ss_error* err, const char* what, const ss_hdf5_listener* l)
{
    const char* cause = l->cause[0] ? l->cause : "HDF5 gives no reason";
    return ss_fail(err, SS_FILE_ERROR, NULL, "%s: %s", what, cause);
}

bool ss_hdf5_write_text(hid_t object, const char* name, const char* text)
{
    size_t length = strlen(text);
    hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
    bool good = H5Tset_size(type, length ? length : 1) >= 0 && H5Tset_cset(type, H5T_CSET_UTF8) >= 0 &&
                H5Tset_strpad(type, H5T_STR_NULLPAD) >= 0;
    hid_t attribute = good ? H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT) : -1;
    good = attribute >= 0 && H5Awrite(attribute, type, text) >= 0;
    if (attribute >= 0) H5Aclose(attribute);
    H5Sclose(space);
    H5Tclose(type);
    return good;
}

bool ss_hdf5_has_text(hid_t object, const char* name, const char* wanted)
{
    hid_t attribute = H5Aopen(object, name, H5P_DEFAULT);
    if (attribute < 0) return false;
    hid_t type = H5Aget_type(attribute);
    size_t size = H5Tget_size(type), length = strlen(wanted);
    char* text = H5Tget_class(type) == H5T_STRING && size == length ? malloc(size) : NULL;
    bool same = text && H5Aread(attribute, type, text) >= 0 && memcmp(text, wanted, length) == 0;
    free(text);
    H5Tclose(type);
    H5Aclose(attribute);
    return same;
}

ss_status ss_hdf5_lay_out(const char* target, const char* temporary, bool (*make)(void* self), void* self,
                          ss_error* err)
{
    FILE* probe; // tells a missing folder from a full disk better than HDF5 does
    ss_status status = ss_file_open(target, temporary, &probe, err);
    if (status != SS_OK) return status;
    fclose(probe);
    H5dont_atexit(); // HDF5 would try again at exit what a full disk has refused, and crash (1.10.8)
    ss_hdf5_listener l;
    ss_hdf5_listen(&l);
    if (!make(self)) status = ss_hdf5_failed(err, "cannot write", &l);
    ss_hdf5_stop_listening(&l);
    if (status != SS_OK) remove(temporary);
    return status;
}
