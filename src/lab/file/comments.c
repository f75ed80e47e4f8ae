// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The lines before the header of comma-separated text. Readers skip them: `pandas.read_csv(name,
// comment="#")`, NumPy by itself.
#include "core/number_length.h"
#include "lab/file/output_file.h"
#include "slipstick/slipstick.h"

#include <string.h>

// A text on one line, whatever it contains.
static void write_line(FILE* file, const char* text)
{
    char shown[SS_VISIBLE_SIZE]; // whoever prints the file has a terminal that obeys
    size_t left = strlen(text), length;
    fputs("# ", file);
    for (const char* p = text; left > 0; p += length, left -= length) {
        length = *p == '\n' || *p == '\r' || *p == '\t' ? 0 : ss_visible(p, left, shown);
        fputs(length > 0 ? shown : " ", file);
        if (length == 0) length = 1;
    }
    fputc('\n', file);
}

void ss_file_write_comments(FILE* file, const char* title, const char* made)
{
    write_line(file, title);
    fprintf(file, "# slipstick %s\n", ss_version());
    if (made && made[0]) write_line(file, made);
}
