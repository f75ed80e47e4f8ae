// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Numbers of the atlas, asked of a command that answers what this file wants. A check has to fail where the
// answer is wrong, where the paper is wrong and nobody says so, and where it is blamed without reason.
#define _POSIX_C_SOURCE 200809L // mkdtemp, chdir

#include "atlas/atlas.h"
#include "command.h"
#include "option/load.h"
#include "option/options.h"
#include "slipstick/lab.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

static const char answer[] =
    "{\"rho_star\": 16.000000000000007, \"verdict\": \"local\", \"free\": null, \"stable\": false,\n"
    " \"amplitude\": {\"block.x\": 2.5, \"block\": {\"v\": 7}},\n"
    " \"rows\": [[1, 2], [3, -4.5e-3]],\n"
    " \"events\": [{\"t\": 1, \"to\": \"slip\"}, {\"t\": 2, \"to\": \"stick\"}, {\"t\": 3, \"to\": "
    "\"slip\"}]}\n";

static int asked, exit_status;

// ---- what the atlas would get from the program ----

int atlas_run(const char* line, const char* output)
{
    asked++;
    assert_string_equal(line, "certify models/m.yaml --json");
    FILE* file = fopen(output, "wb");
    assert_non_null(file);
    fputs(answer, file);
    fclose(file);
    return exit_status;
}

ss_status cli_read_document(const char* path, ss_document** out, ss_error* err)
{
    return ss_document_read_yaml(path, out, err);
}

int cli_print_error(const ss_error* err)
{
    fprintf(stderr, "%s\n", err->text);
    return CLI_WRONG;
}

static atlas_finding find(atlas_number number)
{
    atlas_finding finding = {0};
    number.name = "it";
    number.ask = "certify models/m.yaml";
    const atlas_entry entry = {.numbers = &number, .number_count = 1};
    assert_int_equal(atlas_ask(&entry, &finding), CLI_GO_ON);
    return finding;
}

// ---- cases ----

static void test_places(void** state)
{
    (void)state;
    static const struct {
        const char* place;
        double value;
    } truth[] = {
        {"{rho_star}", 16.000000000000007},
        {"{amplitude.block.x}", 2.5}, // a key with a dot in it
        {"{amplitude.block.v}", 7},   // beside a map of the shorter name
        {"{rows[0][1]}", 2},
        {"{rows[-1][1]}", -4.5e-3},
        {"{rows[]}", 2},
        {"{events[1].t}", 2},
        {"{events[-1].t}", 3},
        {"{events[to=stick].t}", 2},
        {"{events[to=slip][]}", 2},
        {"{events[to=slide][]}", 0},
        {"sqrt({rho_star} + 9 - 16)/{rows[0][1]} - {rows[1][1]}", 1.5045},
        {"2*{rows[1][1]}^2", 2 * 4.5e-3 * 4.5e-3}, // the sign stays inside
    };
    for (size_t k = 0; k < sizeof truth / sizeof truth[0]; k++) {
        atlas_finding found = find((atlas_number){.answer = truth[k].place, .exact = "0"});
        if (!(fabs(found.ours - truth[k].value) <= 1e-14 * fmax(1, fabs(truth[k].value))))
            fail_msg("%s: %.17g", truth[k].place, found.ours);
    }
}

static void test_no_such_place(void** state)
{
    (void)state;
    static const char* const places[] = {
        "{rho}",  "{rho_star.x}",        "{rows[2][0]}", "{rows[-3][0]}", "{rows[0]}",
        "{free}", "{events[to=fall].t}", "{verdict}",    "{amplitude.x}", "{stable}"};
    for (size_t k = 0; k < sizeof places / sizeof places[0]; k++) {
        atlas_finding found = find((atlas_number){.answer = places[k], .exact = "0", .tolerance = 1e9});
        if (!isnan(found.ours) || atlas_passes(&found)) fail_msg("%s", places[k]);
    }
}

static void test_tolerance(void** state)
{
    (void)state;
    atlas_finding near = find((atlas_number){.answer = "{rho_star}", .exact = "4^2", .tolerance = 1e-15});
    atlas_finding far = find((atlas_number){.answer = "{rho_star}", .exact = "4^2", .tolerance = 1e-16});
    atlas_finding wrong = find((atlas_number){.answer = "{rho_star}", .exact = "4", .tolerance = 1e-3});
    atlas_finding zero = find((atlas_number){.answer = "{rows[1][1]}", .exact = "0", .tolerance = 5e-3});
    assert_true(atlas_passes(&near));
    assert_false(atlas_passes(&far));
    assert_false(atlas_passes(&wrong));
    assert_true(atlas_passes(&zero));
}

static void test_words(void** state)
{
    (void)state;
    atlas_finding right = find((atlas_number){.answer = "{verdict}", .exact = "'local'"});
    atlas_finding longer = find((atlas_number){.answer = "{verdict}", .exact = "'local-subset'"});
    atlas_finding shorter = find((atlas_number){.answer = "{verdict}", .exact = "'loc'"});
    atlas_finding truth = find((atlas_number){.answer = "{stable}", .exact = "'false'"});
    atlas_finding gone = find((atlas_number){.answer = "{unstable}", .exact = "'false'"});
    assert_true(atlas_passes(&right));
    assert_false(atlas_passes(&longer));
    assert_false(atlas_passes(&shorter));
    assert_true(atlas_passes(&truth));
    assert_false(atlas_passes(&gone));
}

// What the paper prints against the exact 2.5, with and without a word on it.
static void test_paper(void** state)
{
    (void)state;
    static const struct {
        const char *printed, *errs;
        bool told;
    } truth[] = {
        {NULL, NULL, true},     {"about two", NULL, true}, {"2.5", NULL, true},
        {"2.50", NULL, true},   {"2.46", NULL, false},     {"2.46", "a slip", true},
        {"2.5", "none", false}, {"3", NULL, false},        {"3", "a slip", true},
        {"5/2", NULL, true},    {"sqrt(6)", NULL, false},  {"sqrt(6)", "a slip", true},
    };
    for (size_t k = 0; k < sizeof truth / sizeof truth[0]; k++) {
        atlas_finding found = find((atlas_number){.answer = "{amplitude.block.x}",
                                                  .exact = "5/2",
                                                  .tolerance = 1e-15,
                                                  .paper = truth[k].printed,
                                                  .errs = truth[k].errs});
        assert_true(found.right);
        if (atlas_passes(&found) != truth[k].told) fail_msg("%s", truth[k].printed);
    }
}

static void test_asks_once(void** state)
{
    (void)state;
    const atlas_number numbers[] = {
        {.ask = "certify models/m.yaml", .answer = "{rho_star}", .exact = "16", .tolerance = 1e-12},
        {.answer = "{verdict}", .exact = "'local'"},
        {.ask = "certify models/m.yaml", .answer = "{rows[0][0]}", .exact = "1", .tolerance = 0},
    };
    const atlas_entry entry = {ATLAS_NUMBERS(numbers)};
    atlas_finding findings[3] = {{0}};
    asked = 0;
    assert_int_equal(atlas_ask(&entry, findings), CLI_GO_ON);
    assert_int_equal(asked, 2);
    for (int k = 0; k < 3; k++) assert_true(atlas_passes(&findings[k]));
}

static void test_no_answer(void** state)
{
    (void)state;
    const atlas_number number = {.ask = "certify models/m.yaml", .answer = "{rho_star}", .exact = "16"};
    const atlas_entry entry = {.numbers = &number, .number_count = 1};
    atlas_finding finding = {0};
    exit_status = CLI_WRONG;
    int status = atlas_ask(&entry, &finding);
    exit_status = CLI_DONE;
    assert_int_equal(status, CLI_UNFINISHED);
    assert_false(atlas_passes(&finding));
}

// Answers pass through a file of the present folder.
static char folder[] = "/tmp/test_atlas_XXXXXX";

static int enter_folder(void** state)
{
    (void)state;
    return mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

static int leave_folder(void** state)
{
    (void)state;
    return chdir("/") == 0 && rmdir(folder) == 0 ? 0 : -1; // empty again
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_places),    cmocka_unit_test(test_no_such_place),
        cmocka_unit_test(test_tolerance), cmocka_unit_test(test_words),
        cmocka_unit_test(test_paper),     cmocka_unit_test(test_asks_once),
        cmocka_unit_test(test_no_answer),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
