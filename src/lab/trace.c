// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Traces: choosing the format, and what the formats share.
#define _XOPEN_SOURCE 700 // realpath, getpid
#include "lab/trace.h"

#include "core/error.h"
#include "lab/trace_writer.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct ss_trace {
    const ss_trace_writer* writer;
    void* self;
};

static const ss_trace_writer* writer_of(const char* path)
{
    static const ss_trace_writer* const writers[] = {&ss_trace_csv, &ss_trace_hdf5};
    size_t length = strlen(path);
    for (size_t k = 0; k < sizeof writers / sizeof writers[0]; k++) {
        size_t ending = strlen(writers[k]->ending);
        if (length > ending && strcmp(path + length - ending, writers[k]->ending) == 0) return writers[k];
    }
    return NULL;
}

bool ss_trace_knows(const char* path) { return writer_of(path) != NULL; }

ss_status ss_trace_create(const ss_trace_def* def, ss_trace** out, ss_error* err)
{
    *out = NULL;
    const ss_trace_writer* writer = writer_of(def->path);
    if (!writer) return ss_fail(err, SS_BAD_INPUT, NULL, "the name must end in .csv or .h5");
    ss_trace* trace = ss_new(1, sizeof *trace);
    if (!trace) return ss_fail_no_memory(err);
    trace->writer = writer;
    ss_status status = writer->create(def, &trace->self, err);
    if (status != SS_OK) {
        free(trace);
        return status;
    }
    *out = trace;
    return SS_OK;
}

ss_status ss_trace_add(ss_trace* trace, const ss_trace_row* row, ss_error* err)
{
    return trace->writer->add(trace->self, row, err);
}

ss_status ss_trace_finish(ss_trace* trace, const char* outcome, ss_error* err)
{
    return trace->writer->finish(trace->self, outcome, err);
}

void ss_trace_destroy(ss_trace* trace)
{
    if (!trace) return;
    trace->writer->destroy(trace->self);
    free(trace);
}

ss_column* ss_trace_columns(const ss_model* model, int* count)
{
    int bodies = ss_model_body_count(model), contacts = ss_model_contact_count(model);
    ss_column* columns = ss_new(1 + 2 * (size_t)bodies + 2 * (size_t)contacts, sizeof *columns);
    if (!columns) return NULL;
    int n = 0;
    columns[n++] = (ss_column){SS_COLUMN_T, 0, "", false};
    for (int b = 0; b < bodies; b++) {
        const char* name = ss_model_body_name(model, b);
        bool angular = ss_model_body_is_angular(model, b);
        columns[n++] = (ss_column){SS_COLUMN_X, b, name, angular};
        columns[n++] = (ss_column){SS_COLUMN_V, b, name, angular};
    }
    for (int c = 0; c < contacts; c++) {
        const char* name = ss_model_contact_name(model, c);
        bool angular = ss_model_contact_is_angular(model, c);
        columns[n++] = (ss_column){SS_COLUMN_FORCE, c, name, angular};
        columns[n++] = (ss_column){SS_COLUMN_MODE, c, name, angular};
    }
    *count = n;
    return columns;
}

const char* ss_column_field(ss_column_kind kind)
{
    static const char* const fields[] = {"t", "x", "v", "force", "mode"};
    return fields[kind];
}

const char* ss_column_unit(const ss_column* column)
{
    switch (column->kind) {
    case SS_COLUMN_T: return "s";
    case SS_COLUMN_X: return column->angular ? "rad" : "m";
    case SS_COLUMN_V: return column->angular ? "rad/s" : "m/s";
    case SS_COLUMN_FORCE: return column->angular ? "N*m" : "N";
    case SS_COLUMN_MODE: break;
    }
    return "";
}

double ss_column_value(const ss_column* column, const ss_trace_row* row)
{
    switch (column->kind) {
    case SS_COLUMN_X: return row->x[column->index];
    case SS_COLUMN_V: return row->v[column->index];
    case SS_COLUMN_FORCE: return row->contacts[column->index].force;
    case SS_COLUMN_T:
    case SS_COLUMN_MODE: break;
    }
    return row->t;
}

ss_mode ss_column_mode(const ss_column* column, const ss_trace_row* row)
{
    return row->contacts[column->index].mode;
}

char* ss_trace_target(const char* path)
{
    char* real = realpath(path, NULL); // NULL for a file that is yet to be made
    return real ? real : strdup(path);
}

char* ss_trace_temporary(const char* target)
{
    size_t size = strlen(target) + 32;
    char* name = malloc(size);
    if (name) snprintf(name, size, "%s.%ld.part", target, (long)getpid());
    return name;
}

ss_status ss_trace_open(const char* target, const char* temporary, FILE** out, ss_error* err)
{
    struct stat info;
    errno = stat(target, &info) == 0 && S_ISDIR(info.st_mode) ? EISDIR : 0;
    *out = errno ? NULL : fopen(temporary, "wb");
    if (*out) return SS_OK;
    ss_status status = errno == ENOSPC || errno == EDQUOT || errno == EIO ? SS_FILE_ERROR : SS_BAD_INPUT;
    return ss_fail(err, status, NULL, "cannot create: %s", strerror(errno));
}
