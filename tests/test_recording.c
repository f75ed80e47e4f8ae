// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Reading recordings: what a table means, and every way it can be wrong, with the line it is wrong on.
#define _POSIX_C_SOURCE 200809L // fmemopen
#include "lab/file/recording.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static ss_status read_text(const char* text, const char* time, const char* column, ss_recording** out,
                           ss_error* err)
{
    FILE* file = text[0] ? fmemopen((void*)text, strlen(text), "r") : fopen("/dev/null", "r");
    assert_non_null(file);
    ss_status status = ss_recording_read_stream("data.csv", file, time, &column, 1, out, err);
    fclose(file);
    return status;
}

// A recording with one column: its times and values, NaN where there is no sample.
typedef struct good_case {
    const char *text, *time, *column;
    int count;
    double t[4], x[4];
} good_case;

static void tables_mean_what_they_say(void** state)
{
    (void)state;
    static const good_case cases[] = {
        {"t,x\n0,1\n0.5,2\n", NULL, "x", 2, {0, 0.5}, {1, 2}},
        {"t,x\r\n0,1\r\n0.5,2\r\n", NULL, "x", 2, {0, 0.5}, {1, 2}},              // Windows
        {"\xef\xbb\xbft,x\n0,1\n", NULL, "x", 1, {0}, {1}},                       // a byte order mark
        {"# a comment\n\nt;x\n0;1\n# more\n\n1;2", NULL, "x", 2, {0, 1}, {1, 2}}, // no newline at the end
        {"t\tx\n0\t-1e-3\n", NULL, "x", 1, {0}, {-1e-3}},
        {" t , x \n 0 , +.5 \n", NULL, "x", 1, {0}, {0.5}},
        {"x,t\n1,0\n2,1\n", "t", "x", 2, {0, 1}, {1, 2}},              // the time need not come first
        {"t,x\n0,1\n1,\n2,3\n", NULL, "x", 3, {0, 1, 2}, {1, NAN, 3}}, // a gap
        {"t,x\n0,1\n0,2\n", NULL, "x", 2, {0, 0}, {1, 2}},             // twice at one time
        {"t,x_mm\n0,1\n", NULL, "x_mm mm", 1, {0}, {1e-3}},            // a unit
        {"time_ms,x\n250,1\n", "time_ms ms", "x", 1, {0.25}, {1}},
        {"t,c\n0,4\n", NULL, "c 0.5 um", 1, {0}, {2e-6}},               // counts of half a micrometre
        {"t,x\n0,4\n", NULL, "x -1 mm", 1, {0}, {-4e-3}},               // a sensor that looks the other way
        {"t [s],block.x [mm]\n0,4\n", NULL, "block.x", 1, {0}, {4e-3}}, // as slipstick writes it
        {"t [ms],block.x [mm]\n7,4\n", NULL, "block.x [mm]", 1, {7e-3}, {4e-3}},
        {"t,x [V]\n0,4\n", NULL, "x mm", 1, {0}, {4e-3}}, // what is asked for wins
        {"t,\"x, raw\"\n0,\"4\"\n", NULL, "x, raw", 1, {0}, {4}},
        {"t,\"x \"\"raw\"\"\"\n0,4\n", NULL, "x \"raw\"", 1, {0}, {4}},
        {"0,1\n1,2\n", NULL, "2", 2, {0, 1}, {1, 2}}, // no header
        {"0,1\n1,2\n", NULL, "2 mm", 2, {0, 1}, {1e-3, 2e-3}},
        {"t,a b c\n0,1\n", NULL, "a b c", 1, {0}, {1}},
        {"t,x\n0,1234567890123456789e-18\n", NULL, "x", 1, {0}, {1.234567890123456789}},
        // A row of units below the headers.
        {"t,x\nms,mm\n250,4\n500,5\n", NULL, "x", 2, {0.25, 0.5}, {4e-3, 5e-3}},
        {"t;x;f\n[s];[um];[kN]\n0;4;1\n", NULL, "f", 1, {0}, {1e3}},
        {"t,x,f\ns,-,m/s^2\n0,4,1\n", NULL, "x", 1, {0}, {4}}, // of those without a unit, none
        {"t,x,f\ns,,N*s/m\n0,4,1\n", NULL, "f", 1, {0}, {1}},
        {"# made by a rig\n t , x \n\n s , deg \n0,180\n", NULL, "x", 1, {0}, {3.141592653589793}},
        {"t,x\ns,1/s\n0,4\n", NULL, "x", 1, {0}, {4}},
        {"t,x\ns,mm\n0,4\n", NULL, "x um", 1, {0}, {4e-6}}, // what is asked for wins here, too
        {"t,x\nms,mm\n7,4\n", "t s", "x", 1, {7}, {4e-3}},
        {"t [ms],x [mm]\nms,mm\n7,4\n", NULL, "x", 1, {7e-3}, {4e-3}}, // said twice
        {"t [ms],x\n-,mm\n7,4\n", NULL, "x", 1, {7e-3}, {4e-3}},
        {"t,x\nms,mm\n7,\n8,4\n", NULL, "x", 2, {7e-3, 8e-3}, {NAN, 4e-3}},
        {"s,m\ns,mm\n1,4\n", NULL, "m", 1, {1}, {4e-3}}, // headers that look like units
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        const good_case* c = &cases[k];
        ss_recording* recording = NULL;
        ss_error err = {0};
        if (read_text(c->text, c->time, c->column, &recording, &err) != SS_OK)
            fail_msg("case %zu: %s", k, err.text);
        assert_int_equal(ss_recording_count(recording), c->count);
        for (int i = 0; i < c->count; i++) {
            double t = ss_recording_time(recording, i), x = ss_recording_value(recording, i, 0);
            bool same =
                fabs(t - c->t[i]) <= 1e-15 && (isnan(c->x[i]) ? isnan(x) : fabs(x - c->x[i]) <= 1e-15);
            if (!same) fail_msg("case %zu, row %d: %.17g, %.17g", k, i, t, x);
        }
        ss_recording_destroy(recording);
    }
}

// What other programs write where there is no sample is as good as an empty cell, also in the first line.
static void a_sample_may_be_missing(void** state)
{
    (void)state;
    static const char* const texts[] = {"t,x\n0,1\n1,nan\n2,3\n", "t,x\n0,1\n1,NaN\n2,3\n",
                                        "t,x\n0,1\n1,NA\n2,3\n", "t,x\n0,1\n1,\n2,3\n"};
    for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++) {
        ss_recording* recording;
        ss_error err;
        assert_int_equal(read_text(texts[k], NULL, "x", &recording, &err), SS_OK);
        assert_int_equal(recording->count, 3);
        assert_true(recording->values[0] == 1.0 && isnan(recording->values[1]) &&
                    recording->values[2] == 3.0);
        ss_recording_destroy(recording);
    }
    ss_recording* recording;
    ss_error err;
    assert_int_equal(read_text("0,nan\n1,2\n", NULL, "2", &recording, &err), SS_OK);
    assert_int_equal(recording->count, 2);
    ss_recording_destroy(recording);
}

typedef struct bad_case {
    const char *text, *time, *column;
    int line, at;
    const char* says;
} bad_case;

static void faults_name_the_line(void** state)
{
    (void)state;
    static const bad_case cases[] = {
        {"", NULL, "x", 1, 1, "empty"},
        {"\n# nothing\n", NULL, "x", 1, 1, "empty"},
        {"t,x\n", NULL, "x", 2, 1, "no line of numbers"},
        {"t,x\n0,1\n1,oops\n", NULL, "x", 3, 3, "'oops' is not a finite decimal number"},
        {"t,x\n0,1\nNaN,2\n", NULL, "x", 3, 1, "the time is missing"},
        {"t,x\n0,1\n1,nano\n", NULL, "x", 3, 3, "'nano'"},
        {"t,x\n0,1\n1,-inf\n", NULL, "x", 3, 3, "'-inf'"},
        {"t,x\n0,1\n1,1e999\n", NULL, "x", 3, 3, "'1e999'"},
        {"t,x\n0,1\n1,0x10\n", NULL, "x", 3, 3, "'0x10'"},
        {"t,x\n0,1\n1,1 2\n", NULL, "x", 3, 3, "'1 2'"},
        {"t;x\n0;1,5\n", NULL, "x", 2, 3, "'1,5'"},
        {"t,x\n0,1\nlater,2\n", NULL, "x", 3, 1, "'later'"},
        {"t,x\n0,1\n,2\n", NULL, "x", 3, 1, "the time is missing"},
        {"t,x\n0,1\n2,1\n1.5,2\n", NULL, "x", 4, 1, "goes back, from 2 s to 1.5 s"},
        {"t,x\n0,1\n1\n", NULL, "x", 3, 1, "1 cell, where the first line has 2"},
        {"t,x\n0,1\n1,2,3\n", NULL, "x", 3, 1, "3 cells, where the first line has 2"},
        {"t,x\n0,1\n", NULL, "y", 1, 1, "there is no column 'y'; the columns are t, x"},
        {"t,x\n0,1\n", "tau", "x", 1, 1, "there is no column 'tau'"},
        {"0,1\n", NULL, "x", 1, 1, "no header line, its columns are 1 to 2"},
        {"t,x,x\n0,1,2\n", NULL, "x", 1, 1, "two columns"},
        {"t,x\n0,1\n", NULL, "x furlong", 1, 1, "'furlong' is no unit"},
        {"t,x\n0,1\n", "t kg", "x", 1, 1, "no time"},
        {"t,x [inch]\n0,1\n", NULL, "x", 1, 1, "column 'x [inch]': 'inch' is no unit"},
        {"t [fortnight],x\n0,1\n", NULL, "x", 1, 1, "'fortnight' is no unit"},
        {"t [h],x\n1e306,1\n", NULL, "x", 2, 1, "not a finite decimal number"},
        // Rows of units that are none, or do not fit.
        {"t,x\ns,furlong\n0,1\n", NULL, "x", 2, 3, "x: 'furlong' is no unit (leave out a row of units"},
        {"t,x,note\ns,m,remark\n0,1,\n", NULL, "x", 2, 5, "note: 'remark' is no unit"},
        {"t,x\n0 s,5 mm\n1,2\n", NULL, "x", 2, 1, "'0 s' is not a finite decimal number"}, // a sample
        {"t,x\n1 s,5 mm\n1,2\n", NULL, "x", 2, 1, "'1 s' is not a finite decimal number"},
        {"t,x\ns,5\n1,2\n", NULL, "x", 2, 1, "'s' is not a finite decimal number"},
        {"t,x\n-,-\n1,2\n", NULL, "x", 2, 1, "'-' is not a finite decimal number"},
        {"t,x\ns,m+mm\n1,2\n", NULL, "x", 2, 3, "'m+mm' is no unit"},
        {"t,x\ns,m 2\n1,2\n", NULL, "x", 2, 3, "'m 2' is no unit"},
        {"t,x\nmm,mm\n1,2\n", NULL, "x", 2, 1, "the column of the time, 't', has a unit that is no time: mm"},
        {"x,t\nmm,kg\n1,2\n", "t", "x", 2, 4, "the column of the time, 't'"},
        {"t,x [mm]\ns,m\n1,2\n", NULL, "x", 2, 3, "column 'x [mm]' has another unit in the row of units: m"},
        {"t,x\ns,m\ns,m\n1,2\n", NULL, "x", 3, 1, "'s' is not a finite decimal number"},
        {"t,x\n1,2\ns,m\n", NULL, "x", 3, 1, "'s' is not a finite decimal number"},
        {"t,x\ns,m,N\n1,2\n", NULL, "x", 2, 1, "3 cells, where the first line has 2"},
        {"t,x\ns,m\n", NULL, "x", 3, 1, "no line of numbers follows"},
        {"t,x\n0,\"1\n", NULL, "x", 2, 3, "a quote that is not closed"},
        {"t,x\n0,\"1\"2\n", NULL, "x", 2, 3, "text after a closing quote"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        const bad_case* c = &cases[k];
        ss_recording* recording = (ss_recording*)&state;
        ss_error err = {0};
        assert_int_not_equal(read_text(c->text, c->time, c->column, &recording, &err), SS_OK);
        assert_null(recording);
        if (!strstr(err.text, c->says) || err.line != c->line || err.column != c->at ||
            strcmp(err.origin, "data.csv") != 0)
            fail_msg("case %zu: %s:%d:%d: %s", k, err.origin, err.line, err.column, err.text);
    }
}

// However long a file is, reading ends at a limit: of a line, and of the rows.
static void too_long_is_refused(void** state)
{
    (void)state;
    static char line[1100000];
    memset(line, '7', sizeof line - 1);
    ss_recording* recording = NULL;
    ss_error err = {0};
    assert_int_equal(read_text(line, NULL, "2", &recording, &err), SS_BAD_INPUT);
    assert_non_null(strstr(err.text, "1048576 bytes"));
    assert_int_equal(err.line, 1);

    const long rows = SS_RECORDING_LIMIT + 2;
    char* text = malloc((size_t)rows * 4 + 1);
    assert_non_null(text);
    for (long k = 0; k < rows; k++) memcpy(text + 4 * k, "1,2\n", 5);
    assert_int_equal(read_text(text, NULL, "2", &recording, &err), SS_BAD_INPUT);
    assert_non_null(strstr(err.text, "more than 4000000 rows"));
    assert_int_equal(err.line, SS_RECORDING_LIMIT + 1);
    free(text);
}

static void files_that_cannot_be_read(void** state)
{
    (void)state;
    const char* column = "x";
    ss_recording* recording = NULL;
    ss_error err = {0};
    assert_int_equal(ss_recording_read_csv("no/such/file.csv", NULL, &column, 1, &recording, &err),
                     SS_BAD_INPUT);
    assert_string_equal(err.origin, "no/such/file.csv");
    assert_int_not_equal(ss_recording_read_csv("/", NULL, &column, 1, &recording, &err), SS_OK);
    assert_null(recording);
}

static void numbers_from_memory_are_checked(void** state)
{
    (void)state;
    ss_recording* recording = NULL;
    ss_error err = {0};
    const double t[] = {0, 1, 2}, back[] = {0, 2, 1}, x[] = {1, NAN, 3}, bad[] = {1, INFINITY, 3};
    assert_int_equal(ss_recording_create("r", t, x, 3, 1, &recording, &err), SS_OK);
    assert_int_equal(ss_recording_count(recording), 3);
    assert_int_equal(ss_recording_column_count(recording), 1);
    assert_string_equal(ss_recording_name(recording), "r");
    ss_recording_destroy(recording);
    assert_int_equal(ss_recording_create("r", back, x, 3, 1, &recording, &err), SS_BAD_INPUT);
    assert_int_equal(ss_recording_create("r", t, bad, 3, 1, &recording, &err), SS_BAD_INPUT);
    assert_int_equal(ss_recording_create("r", t, x, 0, 1, &recording, &err), SS_BAD_INPUT);
    assert_int_equal(ss_recording_create("r", t, x, 3, 0, &recording, NULL), SS_BAD_INPUT);
    ss_recording_destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_mean_what_they_say), cmocka_unit_test(a_sample_may_be_missing),
        cmocka_unit_test(faults_name_the_line),      cmocka_unit_test(too_long_is_refused),
        cmocka_unit_test(files_that_cannot_be_read), cmocka_unit_test(numbers_from_memory_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
