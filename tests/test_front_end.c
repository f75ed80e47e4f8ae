// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// What a front end does with the public headers alone: a motion to a file and read back, pictures into memory
// that are the bytes of the files, a map that is ended, resumed, and the same as one that was not.
#define _POSIX_C_SOURCE 200809L // mkdtemp
#include "share/blocks.h"
#include "share/file.h"
#include "slipstick/file.h"
#include "slipstick/lab.h"
#include "slipstick/picture.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[] = "/tmp/slipstick-front-XXXXXX";
static ss_error err;

static const char* in_folder(const char* name, char out[64])
{
    snprintf(out, 64, "%s/%s", folder, name);
    return out;
}

static const char block_yaml[] =
    "slipstick: 1\ntitle: A block\nbodies: {block: {mass: 1 kg}}\n"
    "connections: [{between: [block, ground], stiffness: 100 N/m}]\n"
    "contacts: {floor: {between: [block, ground], law: coulomb, friction: 1 N}}\n"
    "start: {block: {x: 0.155 m}}\n";

static ss_document* parse(void)
{
    ss_document* document = NULL;
    assert_int_equal(ss_document_parse_yaml("m.yaml", block_yaml, sizeof block_yaml - 1, &document, &err),
                     SS_OK);
    return document;
}

static size_t read_file(const char* path, char* bytes, size_t room)
{
    FILE* file = fopen(path, "rb");
    assert_non_null(file);
    size_t size = fread(bytes, 1, room - 1, file);
    fclose(file);
    bytes[size] = '\0';
    return size;
}

// The block swings with 10 rad/s about +-1 cm: from 15.5 cm it turns every pi/10 s, 2 cm nearer each time, at
// -1.5 cm after seven half swings; the eighth ends at -0.5 cm, where friction holds it.
static ss_motion* run_block(const ss_model* model)
{
    ss_motion_def def = ss_motion_def_default();
    ss_motion* motion;
    def.every = 0.1;
    def.until = 5.0;
    assert_int_equal(ss_motion_create(model, &def, &motion, &err), SS_OK);
    assert_int_equal(ss_motion_run(motion, &err), SS_OK);
    assert_int_equal(motion->outcome, SS_AT_REST);
    assert_true(fabs(motion->end.t - 0.8 * acos(-1.0)) <= 1e-12);
    assert_true(fabs(motion->end.x[0] - (-0.005)) <= 1e-14);
    return motion;
}

static void test_trace(void** state)
{
    (void)state;
    static char text[1 << 16];
    char path[64];
    ss_document* document = parse();
    ss_model* model;
    assert_int_equal(ss_model_create_from_document(document, &model, &err), SS_OK);
    ss_motion* motion = run_block(model);
    ss_trace_def def = {.path = in_folder("motion.csv", path), .model = model};
    ss_trace* trace;
    assert_int_equal(ss_file_check(path, &err), SS_OK);
    assert_int_equal(ss_file_check("/nowhere/motion.csv", &err), SS_BAD_INPUT);
    assert_int_equal(ss_trace_create(&def, &trace, &err), SS_OK);
    for (size_t k = 0; k < motion->rows.count; k++) {
        ss_moment moment = ss_motion_row(motion, k);
        assert_int_equal(ss_trace_add(trace, &moment, &err), SS_OK);
    }
    assert_int_equal(ss_trace_finish(trace, ss_outcome_name(motion->outcome), &err), SS_OK);
    ss_trace_destroy(trace);
    read_file(path, text, sizeof text);
    char* line = strchr(strstr(text, "\nt [s],block.x [m],") + 1, '\n');
    for (size_t k = 0; k < motion->rows.count; k++, line = strchr(line + 1, '\n')) {
        char* end;
        assert_true(strtod(line + 1, &end) == motion->rows.t[k]);
        assert_true(strtod(end + 1, &end) == motion->rows.x[k]);
    }
    assert_string_equal(line, "\n");
    remove(path);
    ss_motion_destroy(motion);
    ss_model_destroy(model);
    ss_document_destroy(document);
}

// ---- pictures

typedef struct bytes {
    char* at;
    size_t size;
    bool refuse;
} bytes;

static bool take(void* user, const void* picture, size_t size)
{
    bytes* b = user;
    if (b->refuse) return false;
    memcpy(b->at, picture, size);
    b->size = size;
    return true;
}

static void test_picture_in_memory(void** state)
{
    (void)state;
    static char file[1 << 20], memory[1 << 20];
    char path[64];
    ss_document* document = parse();
    ss_model* model;
    assert_int_equal(ss_model_create_from_document(document, &model, &err), SS_OK);
    ss_motion* motion = run_block(model);
    ss_motion_picture picture = {.sheet = {.path = in_folder("phase.svg", path)},
                                 .view = SS_VIEW_PHASE,
                                 .motions = (const ss_motion* const[]){motion},
                                 .count = 1};
    assert_int_equal(ss_picture_motion(&picture, &err), SS_OK);
    size_t size = read_file(path, file, sizeof file);
    remove(path);
    bytes b = {.at = memory};
    picture.sheet = (ss_sheet){.path = ".svg", .sink = take, .user = &b};
    assert_int_equal(ss_picture_motion(&picture, &err), SS_BAD_INPUT); // an ending alone is no name
    picture.sheet.path = "phase.svg";
    assert_int_equal(ss_picture_motion(&picture, &err), SS_OK);
    assert_int_equal(b.size, size);
    assert_memory_equal(memory, file, size);
    assert_int_not_equal(access("phase.svg", F_OK), 0);
    b.refuse = true;
    assert_int_equal(ss_picture_motion(&picture, &err), SS_FILE_ERROR);
    ss_sliding_picture sliding = {.sheet = picture.sheet, .motions = picture.motions, .count = 1};
    assert_int_equal(ss_picture_sliding(&sliding, &err), SS_BAD_INPUT);
    picture.count = 0;
    assert_int_equal(ss_picture_motion(&picture, &err), SS_BAD_INPUT);
    ss_motion_destroy(motion);
    ss_model_destroy(model);
    ss_document_destroy(document);
}

// ---- maps

static bool first_blocks(void* user, const ss_basin_block* block)
{
    (void)block;
    return --*(int*)user >= 0;
}

static void test_map_is_resumed(void** state)
{
    (void)state;
    static char whole[1 << 20], resumed[1 << 20];
    char journal[64], path[64];
    const ss_basin_axis axes[] = {{.path = "block.x", .from = -1, .to = 1, .count = 81},
                                  {.path = "block.v", .from = -1, .to = 1, .count = 41}};
    ss_document* document = parse();
    ss_basin_def basin_def = ss_basin_def_default();
    basin_def.document = document;
    basin_def.axes = axes;
    basin_def.axis_count = 2;
    ss_basin* basin;
    assert_int_equal(ss_basin_create(&basin_def, &basin, &err), SS_OK);
    assert_true(ss_basin_block_total(basin) > 2);
    in_folder("map.csv", path);
    // In one go, without a name.
    ss_map_def def = {.basin = basin, .keep = true};
    ss_map* map;
    assert_int_equal(ss_map_create(&def, &map, &err), SS_OK);
    assert_int_equal(ss_map_write_csv(map, path, &err), SS_BAD_INPUT); // not yet
    assert_int_equal(ss_map_run(map, &(ss_basin_run_def){.threads = 2}, NULL, &err), SS_OK);
    assert_true(ss_map_is_complete(map));
    assert_int_equal(ss_map_get_summary(map)->counts.rest, 81 * 41); // friction wins in the end
    assert_int_equal(ss_map_write_csv(map, path, &err), SS_OK);
    size_t size = read_file(path, whole, sizeof whole);
    ss_map_destroy(map);
    // Ended after the first block, and resumed.
    int blocks = 1;
    def.journal = in_folder("map.part", journal);
    assert_int_equal(ss_map_create(&def, &map, &err), SS_OK);
    ss_basin_run_def short_run = {.threads = 1, .sink = first_blocks, .user = &blocks};
    assert_int_equal(ss_map_run(map, &short_run, NULL, &err), SS_OK);
    assert_false(ss_map_is_complete(map));
    ss_map_destroy(map);
    ss_journal_state there;
    assert_int_equal(ss_journal_look(journal, basin, &there, &err), SS_OK);
    assert_int_equal(there, SS_JOURNAL_SAME);
    assert_int_equal(ss_map_resume(&def, &map, &err), SS_OK);
    int64_t before = ss_basin_counts_all(&ss_map_get_summary(map)->counts);
    assert_true(before > 0 && before < 81 * 41);
    assert_int_equal(ss_map_run(map, &(ss_basin_run_def){.threads = 1}, NULL, &err), SS_OK);
    assert_int_equal(ss_map_get_summary(map)->computed, 81 * 41 - before);
    assert_int_equal(ss_map_write_csv(map, path, &err), SS_OK);
    assert_int_equal(read_file(path, resumed, sizeof resumed), size);
    assert_memory_equal(whole, resumed, size);
    ss_map_destroy(map);
    remove(path);
    remove(journal);
    ss_basin_destroy(basin);
    ss_document_destroy(document);
}

static int make_folder(void** state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void** state)
{
    (void)state;
    return rmdir(folder);
}

// Which lines a picture has is told by its legend; the window by what is left of them.
static void test_chosen_traces(void** state)
{
    (void)state;
    static char text[1 << 20];
    static const char* const show[] = {"block.x", "floor.force"};
    ss_document* document = parse();
    ss_model* model;
    assert_int_equal(ss_model_create_from_document(document, &model, &err), SS_OK);
    ss_motion* motion = run_block(model);
    bytes b = {.at = text};
    ss_motion_picture picture = {.sheet = {.path = "t.svg", .sink = take, .user = &b},
                                 .show = show,
                                 .show_count = 2,
                                 .motions = (const ss_motion* const[]){motion},
                                 .count = 1};
    assert_int_equal(ss_picture_motion(&picture, &err), SS_OK);
    text[b.size] = '\0';
    assert_non_null(strstr(text, ">block.x</text>"));
    assert_non_null(strstr(text, ">floor.force</text>"));
    assert_null(strstr(text, ">block.v</text>"));
    assert_non_null(strstr(text, ">grey: floor sticks</text>"));
    picture.from = 0.1; // until it first turns, at pi/10 s: it does not stick
    picture.to = 0.3;
    b.size = 0;
    assert_int_equal(ss_picture_motion(&picture, &err), SS_OK);
    text[b.size] = '\0';
    assert_null(strstr(text, ">grey: floor sticks</text>"));
    picture.motions = (const ss_motion* const[]){motion, motion};
    picture.labels = (const char* const[]){NULL, "friction=2"};
    picture.count = 2;
    b.size = 0;
    assert_int_equal(ss_picture_motion(&picture, &err), SS_OK);
    text[b.size] = '\0';
    assert_non_null(strstr(text, ">block.x (as it is)</text>"));
    assert_non_null(strstr(text, ">block.x (friction=2)</text>"));
    picture.show = (const char* const[]){"block.y", "block.x"};
    assert_int_equal(ss_picture_motion(&picture, &err), SS_BAD_INPUT);
    picture.show_count = 0;
    picture.count = 1;
    picture.view = SS_VIEW_PHASE; // in this window it does not come to rest
    b.size = 0;
    assert_int_equal(ss_picture_motion(&picture, &err), SS_OK);
    text[b.size] = '\0';
    assert_null(strstr(text, ">at rest</text>"));
    picture.from = picture.to = 0.0;
    b.size = 0;
    assert_int_equal(ss_picture_motion(&picture, &err), SS_OK);
    text[b.size] = '\0';
    assert_non_null(strstr(text, ">at rest</text>"));
    picture.from = 1e6; // after the end of both: an empty frame would say nothing
    picture.to = 0.0;
    assert_int_equal(ss_picture_motion(&picture, &err), SS_BAD_INPUT);
    assert_non_null(strstr(err.text, "nothing to draw from"));
    ss_motion_destroy(motion);
    ss_model_destroy(model);
    ss_document_destroy(document);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_trace), cmocka_unit_test(test_picture_in_memory),
                                       cmocka_unit_test(test_map_is_resumed),
                                       cmocka_unit_test(test_chosen_traces)};
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
