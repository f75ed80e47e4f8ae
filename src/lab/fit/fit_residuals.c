// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// What a fit leaves, sample by sample, as comma-separated text.
#include "core/error.h"
#include "core/number_length.h"
#include "lab/file/output_file.h"
#include "lab/fit/fit_impl.h"

#include <stdlib.h>

static void write_number(FILE* file, double value, char after)
{
    char text[SS_NUMBER_SIZE];
    fputs(ss_number_format(value, 17, text, sizeof text), file);
    fputc(after, file);
}

static void write_rows(const ss_fit* fit, FILE* file)
{
    ss_fit_problem* p = fit->problem;
    bool several = p->def.trace_count > 1 || p->def.recording_count > 1;
    fputs(several ? "time,measured,fitted,residual,trace,recording\n" : "time,measured,fitted,residual\n",
          file);
    for (int r = 0; r < p->def.recording_count; r++)
        for (long i = p->first[r]; i < p->first[r + 1] && !ferror(file); i++) {
            const ss_fit_row* row = &p->rows[i];
            if (!ss_fit_takes_part(p, i)) continue;
            write_number(file, row->time, ',');
            write_number(file, row->value, ',');
            write_number(file, p->scratch.values[i], ',');
            write_number(file, row->value - p->scratch.values[i], several ? ',' : '\n');
            if (several) fprintf(file, "%s,%d\n", p->columns[row->trace].shows, r + 1);
        }
}

ss_status ss_fit_write_residuals(const ss_fit* fit, const char* path, ss_error* err)
{
    if (isinf(ss_fit_cost(fit->problem, fit->x)))
        return ss_fail(err, SS_BAD_INPUT, NULL, "there is no motion with the numbers found");
    char *target = ss_file_target(path), *temporary = target ? ss_file_temporary(target) : NULL;
    FILE* file = NULL;
    ss_status status = temporary ? ss_file_open(target, temporary, &file, err) : ss_fail_no_memory(err);
    if (status == SS_OK) {
        write_rows(fit, file);
        status = ss_file_finish(file, temporary, target, err);
    }
    free(target);
    free(temporary);
    return status;
}
