// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Files of a motion: every number reads back exactly, an older file is never replaced by half a new one, and
// an HDF5 file whose writer was killed at any moment still opens, with rows that are whole.
#define _XOPEN_SOURCE 700 // fork, kill, mkdtemp, setrlimit
#include "slipstick/file.h"
#include "slipstick/slipstick.h"

#include <fcntl.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <hdf5.h>

#include <cmocka.h>

static char folder[64];
static char path[2][128]; // results of in_folder

static const char* in_folder(int which, const char* name)
{
    snprintf(path[which], sizeof path[which], "%s/%s", folder, name);
    return path[which];
}

static int make_folder(void** state)
{
    (void)state;
    strcpy(folder, "/tmp/slipstick-trace-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void** state)
{
    (void)state;
    static const char* const names[] = {"a.csv", "a.h5", "link.csv"};
    for (int k = 0; k < 3; k++) remove(in_folder(0, names[k]));
    return rmdir(folder); // fails, and with it the test, if something else was left behind
}

// A block on a floor and a wheel in its bearing: both kinds of unit.
static ss_model* make_model(void)
{
    ss_body_def bodies[2] = {ss_body_def_default(), ss_body_def_default()};
    bodies[0].name = "block";
    bodies[0].mass = 1;
    bodies[1].name = "wheel";
    bodies[1].mass = 2;
    bodies[1].angular = true;
    ss_term terms[2] = {{0, 1}, {1, 1}};
    ss_contact_def contacts[2] = {ss_contact_def_default(), ss_contact_def_default()};
    contacts[0].name = "floor";
    contacts[0].along = (ss_row_def){&terms[0], 1};
    contacts[1].name = "bearing";
    contacts[1].along = (ss_row_def){&terms[1], 1};
    contacts[0].coulomb = contacts[1].coulomb = ss_coulomb_make(1);
    ss_system_def def = ss_system_def_default();
    def.title = "A block and\na wheel";
    def.bodies = bodies;
    def.body_count = 2;
    def.contacts = contacts;
    def.contact_count = 2;
    ss_model* model = NULL;
    ss_error err;
    if (ss_model_create(&def, &model, &err) != SS_OK) fail_msg("%s", err.text);
    return model;
}

static ss_trace* make_trace(const ss_model* model, const char* name)
{
    ss_trace_def def = {.path = in_folder(0, name), .model = model, .model_text = "slipstick: 1\n"};
    ss_trace* trace = NULL;
    ss_error err;
    if (ss_trace_create(&def, &trace, &err) != SS_OK) fail_msg("%s", err.text);
    return trace;
}

// Row k of the motion that all tests write; every number is known from k alone.
static ss_status add_row(ss_trace* trace, long k, ss_error* err)
{
    double t = (double)k, x[2] = {t + 0.1, -t}, v[2] = {sqrt(t), 1 / (t + 1)};
    ss_contact_state contacts[2] = {{.mode = k % 2 ? SS_MODE_STICK : SS_MODE_SLIP_MINUS, .force = 3 * t},
                                    {.mode = SS_MODE_SLIP_PLUS, .force = -1e-300}};
    ss_moment row = {.t = t, .x = x, .v = v, .contacts = contacts};
    return ss_trace_add(trace, &row, err);
}

static void read_whole(const char* name, char text[], size_t size)
{
    FILE* file = fopen(in_folder(1, name), "rb");
    if (!file) fail_msg("%s is not there", name);
    text[fread(text, 1, size - 1, file)] = '\0';
    fclose(file);
}

static void write_whole(const char* name, const char* text)
{
    FILE* file = fopen(in_folder(1, name), "wb");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

// ---- CSV
// ---------------------------------------------------------------------------------------------------

// 0.1 and 1/3 need 17 digits; sqrt(2) is the double next to it.
static void csv_is_as_documented(void** state)
{
    (void)state;
    ss_model* model = make_model();
    ss_trace* trace = make_trace(model, "a.csv");
    for (long k = 0; k < 3; k++) assert_int_equal(add_row(trace, k, NULL), SS_OK);
    assert_int_equal(ss_trace_finish(trace, "time-reached", NULL), SS_OK);
    ss_trace_destroy(trace);
    ss_model_destroy(model);
    char text[2000], expected[2000];
    read_whole("a.csv", text, sizeof text);
    snprintf(expected, sizeof expected,
             "# A block and a wheel\n# slipstick %s\n"
             "t [s],block.x [m],block.v [m/s],wheel.x [rad],wheel.v [rad/s],"
             "floor.force [N],floor.mode,bearing.force [N*m],bearing.mode\n"
             "0,0.10000000000000001,0,0,1,0,slip-,-1e-300,slip+\n"
             "1,1.1000000000000001,1,-1,0.5,3,stick,-1e-300,slip+\n"
             "2,2.1000000000000001,1.4142135623730951,-2,0.33333333333333331,6,slip-,"
             "-1e-300,slip+\n",
             ss_version());
    assert_string_equal(text, expected);
}

static void csv_replaces_an_older_file_only_when_finished(void** state)
{
    (void)state;
    ss_model* model = make_model();
    char text[2000];
    write_whole("a.csv", "older");
    ss_trace* trace = make_trace(model, "a.csv");
    for (long k = 0; k < 100000; k++) assert_int_equal(add_row(trace, k, NULL), SS_OK);
    read_whole("a.csv", text, sizeof text);
    assert_string_equal(text, "older");
    ss_trace_destroy(trace); // given up: nothing is left, which remove_folder sees
    read_whole("a.csv", text, sizeof text);
    assert_string_equal(text, "older");
    ss_model_destroy(model);
}

static void csv_follows_links(void** state)
{
    (void)state;
    ss_model* model = make_model();
    char text[2000];
    write_whole("a.csv", "older");
    assert_int_equal(symlink("a.csv", in_folder(1, "link.csv")), 0);
    ss_trace* trace = make_trace(model, "link.csv");
    assert_int_equal(ss_trace_finish(trace, "at-rest", NULL), SS_OK);
    ss_trace_destroy(trace);
    ss_model_destroy(model);
    assert_true(readlink(in_folder(1, "link.csv"), text, sizeof text) > 0); // it is a link still
    read_whole("a.csv", text, sizeof text);
    assert_memory_equal(text, "# A block", 9);
}

// ---- places that cannot be
// -----------------------------------------------------------------------------------

static void impossible_places_are_told(void** state)
{
    (void)state;
    ss_model* model = make_model();
    static const struct {
        const char *path, *text;
    } rows[] = {{"/nowhere/a.csv", "cannot create: No such file or directory"},
                {"/nowhere/a.h5", "cannot create: No such file or directory"},
                {"/dev/null/a.csv", "cannot create: Not a directory"},
                {"a.txt", "the name must end in .csv, .h5 or .mat"},
                {"csv", "the name must end in .csv, .h5 or .mat"},
                {".h5", "the name must end in .csv, .h5 or .mat"}};
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        ss_trace_def def = {.path = rows[k].path, .model = model};
        ss_trace* trace = (ss_trace*)&def;
        ss_error err;
        assert_int_equal(ss_trace_create(&def, &trace, &err), SS_BAD_INPUT);
        assert_null(trace);
        assert_string_equal(err.text, rows[k].text);
    }
    ss_trace_def def = {.path = in_folder(0, "a.csv"), .model = model};
    assert_int_equal(mkdir(def.path, 0700), 0);
    ss_trace* trace;
    ss_error err;
    assert_int_equal(ss_trace_create(&def, &trace, &err), SS_BAD_INPUT);
    assert_string_equal(err.text, "cannot create: Is a directory");
    ss_model_destroy(model);
}

// A file size limit stands for a full disk: the same writes fail. The limit holds in a child only.
static int fill_disk(const char* name)
{
    struct rlimit limit = {100000, 100000};
    signal(SIGXFSZ, SIG_IGN);
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0) return 10;
    ss_model* model = make_model();
    ss_trace* trace = make_trace(model, name);
    ss_error err = {0};
    ss_status status = SS_OK;
    for (long k = 0; k < 20000 && status == SS_OK; k++) status = add_row(trace, k, &err);
    if (status == SS_OK) status = ss_trace_finish(trace, "at-rest", &err);
    ss_trace_destroy(trace);
    ss_model_destroy(model);
    if (status != SS_FILE_ERROR) return 11;
    return strcmp(err.text, "cannot write: File too large") == 0 ? 0 : 12;
}

static int status_of_child(int (*work)(const char*), const char* name)
{
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) _exit(work(name));
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void full_disk_keeps_the_older_csv(void** state)
{
    (void)state;
    char text[2000];
    write_whole("a.csv", "older");
    assert_int_equal(status_of_child(fill_disk, "a.csv"), 0);
    read_whole("a.csv", text, sizeof text);
    assert_string_equal(text, "older");
}

// ---- HDF5
// ----------------------------------------------------------------------------------------------------

// As any reader would, without special modes.
static hid_t open_h5(void)
{
    hid_t file = H5Fopen(in_folder(1, "a.h5"), H5F_ACC_RDONLY, H5P_DEFAULT);
    if (file < 0) fail_msg("%s does not open", path[1]);
    return file;
}

// Reads the first `count` elements (all, if negative) of a dataset; returns how many it has.
static hssize_t read_column(hid_t file, const char* name, hid_t type, hssize_t count, void* out)
{
    hid_t dataset = H5Dopen2(file, name, H5P_DEFAULT);
    if (dataset < 0) fail_msg("there is no %s", name);
    hid_t space = H5Dget_space(dataset);
    hssize_t length = H5Sget_simple_extent_npoints(space);
    hsize_t start = 0, some = (hsize_t)(count < 0 ? length : count);
    if (out && some > 0) {
        hid_t memory = H5Screate_simple(1, &some, NULL);
        H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, NULL, &some, NULL);
        if (H5Dread(dataset, type, memory, space, H5P_DEFAULT, out) < 0) fail_msg("%s cannot be read", name);
        H5Sclose(memory);
    }
    H5Sclose(space);
    H5Dclose(dataset);
    return length;
}

static void check_text(hid_t file, const char* object, const char* name, const char* expected)
{
    char text[200] = "";
    hid_t attribute = H5Aopen_by_name(file, object, name, H5P_DEFAULT, H5P_DEFAULT);
    if (attribute < 0) fail_msg("%s has no %s", object, name);
    hid_t type = H5Aget_type(attribute);
    assert_true(H5Tget_size(type) < sizeof text);
    assert_true(H5Aread(attribute, type, text) >= 0);
    H5Tclose(type);
    H5Aclose(attribute);
    assert_string_equal(text, expected);
}

// Every column, up to the length of /t, is what add_row wrote. Returns that length.
static long check_rows(hid_t file)
{
    hssize_t rows = read_column(file, "/t", H5T_NATIVE_DOUBLE, 0, NULL);
    double* t = malloc(((size_t)rows + 1) * sizeof *t);
    double* column = malloc(((size_t)rows + 1) * sizeof *column);
    signed char* modes = malloc((size_t)rows + 1);
    assert_true(t && column && modes);
    static const char* const numbers[] = {"/bodies/block/x",       "/bodies/block/v",
                                          "/bodies/wheel/x",       "/bodies/wheel/v",
                                          "/contacts/floor/force", "/contacts/bearing/force"};
    read_column(file, "/t", H5T_NATIVE_DOUBLE, rows, t);
    for (int c = 0; c < 6; c++) {
        assert_true(read_column(file, numbers[c], H5T_NATIVE_DOUBLE, rows, column) >= rows);
        for (long k = 0; k < rows; k++) {
            double s = (double)k, expected[] = {s + 0.1, sqrt(s), -s, 1 / (s + 1), 3 * s, -1e-300};
            if (t[k] != s || column[k] != expected[c])
                fail_msg("row %ld: %s is %.17g at t = %g", k, numbers[c], column[k], t[k]);
        }
    }
    hid_t dataset = H5Dopen2(file, "/contacts/floor/mode", H5P_DEFAULT), type = H5Dget_type(dataset);
    assert_int_equal(H5Tget_class(type), H5T_INTEGER); // which every reader knows
    assert_true(read_column(file, "/contacts/floor/mode", H5T_NATIVE_SCHAR, rows, modes) >= rows);
    for (long k = 0; k < rows; k++) assert_int_equal(modes[k], k % 2 ? SS_MODE_STICK : SS_MODE_SLIP_MINUS);
    hid_t names = H5Aopen(dataset, "names", H5P_DEFAULT), text = H5Aget_type(names);
    char told[128] = "";
    assert_true(H5Tget_size(text) < sizeof told && H5Aread(names, text, told) >= 0);
    assert_non_null(strstr(told, "1 slip-, 2 stick"));
    H5Tclose(text);
    H5Aclose(names);
    H5Tclose(type);
    H5Dclose(dataset);
    free(t);
    free(column);
    free(modes);
    return (long)rows;
}

static void check_outcome(hid_t file, const char* expected)
{
    char outcome[17] = "";
    hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, 16);
    hid_t dataset = H5Dopen2(file, "/outcome", H5P_DEFAULT);
    assert_true(H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, outcome) >= 0);
    H5Dclose(dataset);
    H5Tclose(type);
    assert_string_equal(outcome, expected);
}

static void hdf5_is_as_documented(void** state)
{
    (void)state;
    ss_model* model = make_model();
    ss_trace* trace = make_trace(model, "a.h5");
    for (long k = 0; k < 5000; k++) assert_int_equal(add_row(trace, k, NULL), SS_OK);
    assert_int_equal(ss_trace_finish(trace, "event-limit", NULL), SS_OK);
    ss_trace_destroy(trace);
    ss_model_destroy(model);
    hid_t file = open_h5();
    assert_int_equal(check_rows(file), 5000);
    check_outcome(file, "event-limit");
    check_text(file, "/", "title", "A block and\na wheel");
    check_text(file, "/", "model", "slipstick: 1\n");
    check_text(file, "/", "version", ss_version());
    check_text(file, "/t", "unit", "s");
    check_text(file, "/bodies/block/x", "unit", "m");
    check_text(file, "/bodies/wheel/v", "unit", "rad/s");
    check_text(file, "/contacts/floor/force", "unit", "N");
    check_text(file, "/contacts/bearing/force", "unit", "N*m");
    H5Fclose(file);
}

static void hdf5_given_up_keeps_its_rows(void** state)
{
    (void)state;
    ss_model* model = make_model();
    ss_trace* trace = make_trace(model, "a.h5");
    for (long k = 0; k < 10; k++) assert_int_equal(add_row(trace, k, NULL), SS_OK);
    ss_trace_destroy(trace);
    ss_model_destroy(model);
    hid_t file = open_h5();
    assert_int_equal(check_rows(file), 10);
    check_outcome(file, "running");
    H5Fclose(file);
}

// Either the disk was full before the first copy was due, or there is a copy: never a part of one.
static void full_disk_leaves_no_half_hdf5(void** state)
{
    (void)state;
    char text[2000];
    write_whole("a.h5", "older");
    assert_int_equal(status_of_child(fill_disk, "a.h5"), 0);
    read_whole("a.h5", text, sizeof text);
    if (strcmp(text, "older") == 0) return;
    hid_t file = open_h5();
    assert_true(check_rows(file) < 20000);
    check_outcome(file, "running");
    H5Fclose(file);
}

static int write_for_ever(const char* name)
{
    ss_model* model = make_model();
    ss_trace* trace = make_trace(model, name);
    for (long k = 0;; k++)
        if (add_row(trace, k, NULL) != SS_OK) return 1;
}

// Kills the writer at moments spread over its first 0.4 s, and at later ones where a busy machine has not let
// it write by then. Either there is no file yet, or it opens and its rows are whole.
static void killed_writers_leave_whole_rows(void** state)
{
    (void)state;
    long files = 0, rows = 0;
    char temporary[160];
    for (long k = 0; k < 24 || (rows == 0 && k < 1000); k++) {
        remove(in_folder(1, "a.h5"));
        pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) _exit(write_for_ever("a.h5"));
        long long delay_ns = 50000000LL + k * 15000017LL;
        struct timespec delay = {(time_t)(delay_ns / 1000000000), (long)(delay_ns % 1000000000)};
        nanosleep(&delay, NULL);
        kill(child, SIGKILL);
        int status;
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFSIGNALED(status)); // it did not end by itself
        snprintf(temporary, sizeof temporary, "%s/a.h5.%ld.part", folder, (long)child);
        remove(temporary);
        if (access(in_folder(1, "a.h5"), F_OK) != 0) continue;
        hid_t file = open_h5();
        rows += check_rows(file);
        H5Fclose(file);
        files++;
    }
    assert_true(files > 0 && rows > 0); // otherwise nothing was put to the test
}

int main(void)
{
#define CASE(test) cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)
    const struct CMUnitTest tests[] = {CASE(csv_is_as_documented),
                                       CASE(csv_replaces_an_older_file_only_when_finished),
                                       CASE(csv_follows_links),
                                       CASE(impossible_places_are_told),
                                       CASE(full_disk_keeps_the_older_csv),
                                       CASE(hdf5_is_as_documented),
                                       CASE(hdf5_given_up_keeps_its_rows),
                                       CASE(full_disk_leaves_no_half_hdf5),
                                       CASE(killed_writers_leave_whole_rows)};
    return cmocka_run_group_tests_name("trace", tests, NULL, NULL);
}
