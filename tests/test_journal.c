// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The journal of a map, torn at every byte and damaged at many: whole blocks are found, nothing else is; and
// what is made of it: attractors, files.
#define _POSIX_C_SOURCE 200809L // mkdtemp, truncate
#include "lab/map/basin_label.h"
#include "lab/sweep/sweep_journal.h"
#include "lab/sweep/sweep_map.h"
#include "slipstick/lab.h"
#include "text_rig.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[] = "/tmp/slipstick-journal-XXXXXX";
static char path[64];

static ss_basin* make(const ss_document* document, double until, const ss_basin_axis axes[], int count)
{
    ss_basin_def def = ss_basin_def_default();
    def.document = document;
    def.axes = axes;
    def.axis_count = count;
    def.until = until;
    ss_basin* basin = NULL;
    ss_error err;
    if (ss_basin_create(&def, &basin, &err) != SS_OK) fail_msg("%s", err.text);
    return basin;
}

static const char block_yaml[] =
    "slipstick: 1\ntitle: A block\nbodies: {block: {mass: 1 kg}}\n"
    "connections: [{between: [block, ground], stiffness: 1 N/m}]\n"
    "contacts: {floor: {between: [block, ground], law: coulomb, friction: 1 N}}\n";

// Something recognisable as the answers of a block.
static void fill(const ss_basin* basin, int64_t block, double payload[])
{
    size_t size = ss_basin_payload_size(basin, block);
    memset(payload, 0, size); // every fate: rest
    for (size_t k = 0; k < (size_t)ss_basin_block_count(basin, block) * 2; k++)
        payload[k] = (double)block + 1e-3 * (double)k;
}

static off_t write_journal(const ss_basin* basin)
{
    double payload[300];
    ss_journal* journal = NULL;
    struct stat info;
    assert_int_equal(ss_journal_create(path, NULL, basin, &journal, NULL), SS_OK);
    static const int64_t order[] = {1, 0, 2};
    for (int k = 0; k < 3; k++) {
        fill(basin, order[k], payload);
        assert_int_equal(ss_journal_add(journal, order[k], payload, NULL), SS_OK);
    }
    ss_journal_close(journal);
    assert_int_equal(stat(path, &info), 0);
    return info.st_size;
}

// How many blocks a resumed journal has; those must be whole, and it must take the missing ones.
static int64_t check_resumed(const ss_basin* basin)
{
    double payload[300], expected[300];
    ss_journal* journal = NULL;
    ss_error err;
    if (ss_journal_resume(path, basin, &journal, &err) != SS_OK) fail_msg("%s", err.text);
    int64_t found = 0;
    for (int64_t b = 0; b < basin->blocks; b++) {
        fill(basin, b, expected);
        found += ss_journal_has(journal, b);
        if (!ss_journal_has(journal, b)) assert_int_equal(ss_journal_add(journal, b, expected, NULL), SS_OK);
        assert_int_equal(ss_journal_read(journal, b, payload, NULL), SS_OK);
        assert_memory_equal(payload, expected, ss_basin_payload_size(basin, b));
    }
    assert_int_equal(ss_journal_counts(journal)->rest, basin->cells);
    ss_journal_close(journal);
    return found;
}

// 150 cells are blocks of 64, 64 and 22, of 17 bytes each cell.
static const ss_basin_axis axis = {.path = "block.x", .from = 0, .to = 1, .count = 150};

static void test_torn(void** state)
{
    (void)state;
    ss_document* document = text_document(block_yaml);
    ss_basin* basin = make(document, 10, &axis, 1);
    assert_int_equal(basin->blocks, 3);
    off_t whole = write_journal(basin);
    off_t ends[4] = {0, 0, 0, whole}; // of the head and of each block
    static const int64_t order[] = {1, 0, 2};
    for (int k = 2; k >= 0; k--) ends[k] = ends[k + 1] - 16 - (off_t)ss_basin_payload_size(basin, order[k]);
    for (off_t length = 0; length <= whole; length++) {
        bool near_end = false;
        for (int k = 0; k < 4; k++) near_end = near_end || labs((long)(length - ends[k])) < 20;
        if (!near_end && length % 13 != 0) continue;
        write_journal(basin);
        assert_int_equal(truncate(path, length), 0);
        ss_journal_state judged;
        assert_int_equal(ss_journal_look(path, basin, &judged, NULL), SS_OK);
        if (length <= ends[0]) { // nothing worth keeping
            assert_int_equal(judged, SS_JOURNAL_NONE);
            continue;
        }
        assert_int_equal(judged, SS_JOURNAL_SAME);
        int64_t expected = 0;
        while (expected < 3 && length >= ends[expected + 1]) expected++;
        assert_int_equal(check_resumed(basin), expected);
    }
    ss_basin_destroy(basin);
    ss_document_destroy(document);
}

static void flip(off_t at)
{
    FILE* file = fopen(path, "r+b");
    assert_non_null(file);
    assert_int_equal(fseek(file, (long)at, SEEK_SET), 0);
    int byte = fgetc(file);
    assert_int_equal(fseek(file, (long)at, SEEK_SET), 0);
    fputc(byte ^ 0x10, file);
    fclose(file);
}

// One byte changed: the block that holds it, and what comes after, is computed again.
static void test_damaged(void** state)
{
    (void)state;
    ss_document* document = text_document(block_yaml);
    ss_basin* basin = make(document, 10, &axis, 1);
    off_t whole = write_journal(basin);
    off_t head = whole - 3 * 16 - 17 * 150;
    for (off_t at = head; at < whole; at += 7) {
        write_journal(basin);
        flip(at);
        off_t block = 16 + 17 * 64;
        assert_int_equal(check_resumed(basin), at < head + block ? 0 : at < head + 2 * block ? 1 : 2);
    }
    ss_basin_destroy(basin);
    ss_document_destroy(document);
}

// One byte of the head changed: which map it was cannot be told, and the blocks behind it are not thrown
// away.
static void test_damaged_head(void** state)
{
    (void)state;
    ss_document* document = text_document(block_yaml);
    ss_basin* basin = make(document, 10, &axis, 1);
    off_t head = write_journal(basin) - 3 * 16 - 17 * 150;
    ss_journal_state judged;
    ss_error err;
    flip(head - 3);
    assert_int_equal(ss_journal_look(path, basin, &judged, &err), SS_OK);
    assert_int_equal(judged, SS_JOURNAL_DAMAGED);
    ss_journal* journal;
    assert_int_equal(ss_journal_resume(path, basin, &journal, &err), SS_BAD_INPUT);
    ss_basin_destroy(basin);
    ss_document_destroy(document);
}

static void test_other(void** state)
{
    (void)state;
    ss_document* document = text_document(block_yaml);
    ss_basin *basin = make(document, 10, &axis, 1), *other = make(document, 20, &axis, 1);
    ss_journal *journal = NULL, *second = NULL;
    ss_journal_state judged;
    ss_error err;
    write_journal(basin);
    assert_int_equal(ss_journal_look(path, other, &judged, &err), SS_OK);
    assert_int_equal(judged, SS_JOURNAL_OTHER);
    assert_string_equal(err.text, "--until was 10, now 20");
    assert_int_equal(ss_journal_resume(path, other, &journal, &err), SS_BAD_INPUT);
    assert_string_equal(err.text, "holds another map: --until was 10, now 20");

    assert_int_equal(ss_journal_resume(path, basin, &journal, NULL), SS_OK);
    assert_int_equal(ss_journal_resume(path, basin, &second, &err), SS_BAD_INPUT);
    assert_string_equal(err.text, "another run is writing it");
    ss_journal_close(journal);

    FILE* file = fopen(path, "wb");
    fputs("something else", file);
    fclose(file);
    assert_int_equal(ss_journal_look(path, basin, &judged, &err), SS_OK);
    assert_int_equal(judged, SS_JOURNAL_FOREIGN);
    ss_basin_destroy(basin);
    ss_basin_destroy(other);
    ss_document_destroy(document);
}

// Computes all blocks into a nameless journal and finds the attractors.
static ss_labels* label(const ss_basin* basin, ss_journal** journal)
{
    assert_int_equal(ss_journal_create(NULL, folder, basin, journal, NULL), SS_OK);
    double payload[4 * 64 + 8];
    void* worker = NULL;
    atomic_bool stop = false;
    assert_int_equal(basin->task.start(basin, &stop, &worker, NULL), SS_OK);
    for (int64_t b = 0; b < basin->blocks; b++) {
        assert_int_equal(basin->task.compute(worker, b, payload, NULL), SS_OK);
        assert_int_equal(ss_journal_add(*journal, b, payload, NULL), SS_OK);
    }
    basin->task.finish(worker);
    ss_labels* labels = NULL;
    assert_true(ss_basin_may_split(basin));
    assert_int_equal(ss_labels_find(basin, *journal, &labels, NULL), SS_OK);
    return labels;
}

// A block between two wells: the spring pushes with x - x^3, so friction 0.1 holds it wherever
// |x - x^3| <= 0.1: around 0 and around 1 and -1, three sets that do not touch.
static void test_wells(void** state)
{
    (void)state;
    ss_document* document =
        text_document("slipstick: 1\ntitle: Wells\nbodies: {block: {mass: 1 kg}}\n"
                      "connections: [{between: [block, ground], stiffness: -1 N/m, cubic: 1 N/m^3}]\n"
                      "contacts: {f: {between: [block, ground], law: coulomb, friction: 0.1 N}}\n"
                      "run: {until: 200 s}\n");
    const ss_basin_axis axes[2] = {{.path = "block.x", .from = -1.5, .to = 1.5, .count = 31},
                                   {.path = "block.v", .from = -1, .to = 1, .count = 15}};
    ss_basin* basin = make(document, NAN, axes, 2);
    ss_journal* journal = NULL;
    ss_labels* labels = label(basin, &journal);
    double payload[2 * 64 + 8];
    assert_int_equal(ss_labels_count(labels), 3);
    int well_of[4] = {0, 2, 2, 2};
    int64_t cells = 0;
    for (int k = 0; k < 3; k++) {
        double x = ss_labels_place(labels, k)[0];
        assert_true(fabs(x - x * x * x) <= 0.1 + 1e-9);
        well_of[k + 1] = x < -0.5 ? -1 : x > 0.5 ? 1 : 0;
        cells += ss_labels_cells(labels, k);
    }
    assert_int_equal(cells, 31 * 15);
    for (int64_t b = 0; b < basin->blocks; b++) {
        int32_t number[64];
        assert_int_equal(ss_labels_read(labels, b, number, NULL), SS_OK);
        assert_int_equal(ss_journal_read(journal, b, payload, NULL), SS_OK);
        ss_basin_block block = ss_basin_view(basin, b, payload);
        for (int64_t k = 0; k < block.count; k++) {
            double x = block.x[k];
            assert_int_equal(well_of[number[k]], x < -0.5 ? -1 : x > 0.5 ? 1 : 0);
        }
    }
    ss_labels_destroy(labels);
    ss_journal_close(journal);
    ss_basin_destroy(basin);
    ss_document_destroy(document);
}

// A block on a belt: from everywhere the same stick-slip cycle. Without friction, a block between two wells
// keeps its energy: two starts are two orbits, one the mirror image of the other, and many starts are many,
// none of which attracts anything.
static void test_motions(void** state)
{
    (void)state;
    static const char belt[] =
        "slipstick: 1\ntitle: Belt\nbodies: {block: {mass: 1 kg}, belt: {speed: 0.2 m/s}}\n"
        "connections: [{between: [block, ground], stiffness: 1 N/m}]\n"
        "contacts: {f: {between: [block, belt], law: stribeck, coulomb: 0.7 N, static: 1 N, "
        "stribeck_speed: 0.3 m/s}}\nrun: {until: 60 s}\n";
    static const char wells[] =
        "slipstick: 1\ntitle: Wells\nbodies: {block: {mass: 1 kg}}\n"
        "connections: [{between: [block, ground], stiffness: -1 N/m, cubic: 1 N/m^3}]\n"
        "run: {until: 200 s}\n";
    static const struct {
        const char* model;
        double from, to;
        int64_t count;
        int attractors;
    } truth[] = {{belt, -0.5, 0.5, 9, 1}, {wells, -1.2, 1.2, 2, 2}, {wells, 0.2, 0.95, 80, 0}};
    for (size_t k = 0; k < sizeof truth / sizeof truth[0]; k++) {
        ss_document* document = text_document(truth[k].model);
        const ss_basin_axis over = {
            .path = "block.x", .from = truth[k].from, .to = truth[k].to, .count = truth[k].count};
        ss_basin* basin = make(document, NAN, &over, 1);
        ss_journal* journal = NULL;
        ss_labels* labels = label(basin, &journal);
        assert_int_equal(ss_journal_counts(journal)->moving, truth[k].count);
        assert_int_equal(ss_labels_count(labels), truth[k].attractors);
        for (int a = 0; a < truth[k].attractors; a++) {
            assert_null(ss_labels_place(labels, a));
            assert_int_equal(ss_labels_cells(labels, a), truth[k].count / truth[k].attractors);
        }
        ss_labels_destroy(labels);
        ss_journal_close(journal);
        ss_basin_destroy(basin);
        ss_document_destroy(document);
    }
}

static int make_folder(void** state)
{
    (void)state;
    if (!mkdtemp(folder)) return -1;
    snprintf(path, sizeof path, "%s/map.part", folder);
    return 0;
}

static int remove_folder(void** state)
{
    (void)state;
    remove(path);
    return rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_torn),  cmocka_unit_test(test_damaged), cmocka_unit_test(test_damaged_head),
        cmocka_unit_test(test_other), cmocka_unit_test(test_wells),   cmocka_unit_test(test_motions),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
