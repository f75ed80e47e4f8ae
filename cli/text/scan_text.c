// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "text/scan_text.h"
#include "share/model_parts.h"

#include <inttypes.h>
#include <math.h>

enum { MOST_ROWS = 24, WIDTH = 14 };

typedef struct table {
    FILE* out;
    int columns, rows;
} table;

// A row that lasts has no word; of the others it says why.
static bool print_rows(void* user, const double rows[], size_t count, ss_scan_status status)
{
    table* t = user;
    for (size_t k = 0; k < count; k++, t->rows++) {
        if (t->rows == MOST_ROWS) {
            fputs("  ..\n", t->out);
            return false;
        }
        for (int c = 0; c < t->columns; c++) {
            double value = rows[k * (size_t)t->columns + (size_t)c];
            if (isnan(value))
                fprintf(t->out, "  %*s", WIDTH, "-");
            else
                fprintf(t->out, "  %*.9g", WIDTH, value);
        }
        fprintf(t->out, status == SS_SCAN_SETTLED ? "\n" : "  %s\n", ss_scan_status_name(status));
    }
    return true;
}

// What became of values whose motion did not settle: why a measure is missing, or is no lasting one.
static void report_statuses(const ss_scan* scan, const ss_scan_summary* summary, FILE* out)
{
    bool whole = strcmp(ss_scan_section(scan), "run") == 0;
    const char* const told[SS_SCAN_STATUSES] = {
        NULL,
        whole ? "are moving still at the end of the run, so that their last values are none to settle at "
                "(--until ends it later)"
              : "are moving still: their last sections do not repeat (too few are skipped, they are not in "
                "step with the motion, or it never does)",
        "came to rest", "escaped", "had as many events as allowed (--max-events)"};
    for (int k = 0; k < SS_SCAN_STATUSES; k++)
        if (told[k] && summary->statuses[k] > 0)
            fprintf(out, "\n  %" PRId64 " of %" PRId64 " values %s\n", summary->statuses[k], summary->values,
                    told[k]);
}

static ss_status print_table(const ss_scan* scan, const ss_map* map, FILE* out, ss_error* err)
{
    table t = {out, ss_scan_column_count(scan), 0};
    ss_scan_summary summary;
    ss_status status = ss_scan_summarize(scan, map, &summary, err);
    if (status != SS_OK) return status;
    for (int c = 0; c < t.columns; c++) fprintf(out, "  %*s", WIDTH, ss_scan_column(scan, c));
    fputc('\n', out);
    status = ss_scan_read_rows(scan, map, print_rows, &t, err);
    if (summary.rows > MOST_ROWS)
        fprintf(out, "  %" PRId64 " rows in all; --csv, --out and --json have them\n", summary.rows);
    report_statuses(scan, &summary, out);
    if (summary.short_of > 0)
        fprintf(out, "\n  %" PRId64 " of %" PRId64 " values had fewer sections than wanted\n",
                summary.short_of, summary.values);
    for (int k = 0; ss_scan_note(scan, k); k++) fprintf(out, "\n  %s\n", ss_scan_note(scan, k));
    return status;
}

ss_status cli_scan_text(const ss_scan* scan, const ss_map* map, const ss_basin_summary* summary,
                        const char* to_resume, FILE* out, ss_error* err)
{
    const ss_basin* cells = ss_scan_cells(scan);
    int64_t done = ss_basin_counts_all(&summary->counts), all = ss_basin_cell_count(cells);
    fprintf(out, "%s\n%" PRId64 " %s, section %s\n", ss_model_title(ss_basin_model(cells)), all,
            all == 1 ? "value" : "values", ss_scan_section(scan));
    ss_status status = SS_OK;
    if (!map)
        fputs("complete: the file has been there already\n", out);
    else if (done < all)
        fprintf(out, "interrupted after %" PRId64 " of them (%.1f %%)\n", done,
                100 * (double)done / (double)all);
    else {
        fputc('\n', out);
        status = print_table(scan, map, out, err);
    }
    if (summary->computed > 0)
        fprintf(out, "\n  %.3g s, %.3g values per second\n", summary->seconds,
                (double)summary->computed / summary->seconds);
    if (to_resume) fprintf(out, "\n  --resume continues from %s\n", to_resume);
    return status;
}
