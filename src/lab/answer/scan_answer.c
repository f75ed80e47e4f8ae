// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "share/build.h"
#include "slipstick/scan.h"

#include <stdlib.h>

typedef struct building {
    ss_answer* answer;
    size_t columns;
} building;

static bool add_rows(void* user, const double rows[], size_t count)
{
    const building* b = user;
    for (size_t k = 0; k < count; k++) ss_answer_numbers(b->answer, rows + k * b->columns, b->columns);
    return true;
}

static bool add_status(void* user, const double rows[], size_t count, ss_scan_status status)
{
    (void)rows;
    for (size_t k = 0; k < count; k++) ss_answer_text(user, ss_scan_status_name(status));
    return true;
}

ss_status ss_answer_scan(const ss_scan* scan, const ss_map* map, ss_answer** out, ss_error* err)
{
    ss_scan_summary summary;
    ss_status status = ss_scan_summarize(scan, map, &summary, err);
    *out = NULL;
    if (status == SS_OK) status = ss_answer_create(out, err);
    if (status != SS_OK) return status;
    building b = {*out, (size_t)ss_scan_column_count(scan)};
    ss_answer_object(*out, true);
    ss_answer_put_list(*out, "columns", false);
    for (size_t c = 0; c < b.columns; c++) ss_answer_text(*out, ss_scan_column(scan, (int)c));
    ss_answer_end(*out);
    ss_answer_put_list(*out, "rows", true);
    status = ss_scan_read(scan, map, add_rows, &b, err);
    ss_answer_end(*out);
    ss_answer_put_list(*out, "status", false);
    if (status == SS_OK) status = ss_scan_read_rows(scan, map, add_status, *out, err);
    ss_answer_end(*out);
    ss_answer_put_list(*out, "notes", true);
    for (int k = 0; ss_scan_note(scan, k); k++) ss_answer_text(*out, ss_scan_note(scan, k));
    ss_answer_end(*out);
    ss_answer_put_text(*out, "section", ss_scan_section(scan));
    ss_answer_put_number(*out, "values", (double)summary.values);
    ss_answer_put_number(*out, "short_of_sections", (double)summary.short_of);
    ss_answer_put_object(*out, "ways", false); // every value has a model of its own
    ss_answer_put_number(*out, "lanes", 0.0);
    ss_answer_put_number(*out, "alone", (double)summary.values);
    ss_answer_end(*out);
    ss_answer_end(*out);
    if (status == SS_OK) return ss_answer_finish(*out, err);
    ss_answer_destroy(*out);
    *out = NULL;
    return status;
}
