// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Answers as trees: what is put comes back, in order, and as JSON that another reader (libfyaml, since JSON
// is YAML) understands; what cannot be is refused.
#include "rig.h"
#include "share/build.h"
#include "share/node.h"
#include "slipstick/lab.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static char* to_json(const ss_answer* answer)
{
    size_t length = ss_answer_format_json(answer, NULL, 0);
    char* text = malloc(length + 1);
    assert_non_null(text);
    assert_int_equal(ss_answer_format_json(answer, text, length + 1), length);
    assert_int_equal(strlen(text), length);
    return text;
}

// The reader of YAML makes an empty scalar of null.
static void assert_null_text(const char* text) { assert_true(!text || !*text || strcmp(text, "null") == 0); }

// Compares a value with what the reader of YAML found in its place.
static void compare(const ss_value* value, const ss_node* node)
{
    switch (ss_value_get_kind(value)) {
    case SS_VALUE_NULL: assert_null_text(ss_node_text(node)); break;
    case SS_VALUE_BOOL:
        assert_string_equal(ss_node_text(node), ss_value_is_true(value) ? "true" : "false");
        break;
    case SS_VALUE_NUMBER: assert_true(strtod(ss_node_text(node), NULL) == ss_value_number(value)); break;
    case SS_VALUE_TEXT: assert_string_equal(ss_node_text(node), ss_value_text(value)); break;
    case SS_VALUE_NUMBERS: {
        const ss_node* child = ss_node_first(node);
        assert_int_equal(ss_node_count(node), (int)ss_value_count(value));
        for (size_t k = 0; k < ss_value_count(value); k++, child = ss_node_next(child)) {
            double number = ss_value_numbers(value)[k];
            if (isnan(number))
                assert_null_text(ss_node_text(child));
            else
                assert_true(strtod(ss_node_text(child), NULL) == number);
        }
        break;
    }
    case SS_VALUE_LIST:
    case SS_VALUE_OBJECT: {
        const ss_node* child = ss_node_first(node);
        const ss_value* member = ss_value_first(value);
        assert_int_equal(ss_node_count(node), (int)ss_value_count(value));
        for (; child && member; child = ss_node_next(child), member = ss_value_next(member)) {
            if (ss_value_key(member)) assert_string_equal(ss_node_key(child), ss_value_key(member));
            compare(member, child);
        }
        assert_true(!child && !member);
        break;
    }
    }
}

static void check_against_reader(const ss_answer* answer)
{
    ss_document* document;
    ss_error err;
    char* text = to_json(answer);
    assert_int_equal(ss_document_parse_yaml("answer", text, strlen(text), &document, &err), SS_OK);
    compare(ss_answer_root(answer), ss_document_root(document));
    ss_document_destroy(document);
    free(text);
}

// ---- the tree

static void test_everything_comes_back(void** state)
{
    (void)state;
    const double numbers[] = {1.0, -0.0, 1.0 / 3.0, INFINITY, 5e-324, 1.7976931348623157e308};
    ss_answer* answer;
    ss_error err;
    assert_int_equal(ss_answer_create(&answer, &err), SS_OK);
    ss_answer_object(answer, true);
    char key[] = "a \"key\" with \\ and \t";
    ss_answer_put_text(answer, ss_answer_keep(answer, key), "line\nand \x01, \xc3\xa9");
    memset(key, 'x', 3); // the answer has a copy
    ss_answer_put_numbers(answer, "numbers", numbers, 6);
    ss_answer_put_list(answer, "empty", true);
    ss_answer_end(answer);
    ss_answer_put_list(answer, "mixed", false);
    ss_answer_bool(answer, true);
    ss_answer_null(answer);
    ss_answer_number(answer, NAN);
    ss_answer_object(answer, false);
    ss_answer_end(answer);
    ss_answer_end(answer);
    ss_answer_end(answer);
    assert_int_equal(ss_answer_finish(answer, &err), SS_OK);
    check_against_reader(answer);
    const ss_value* root = ss_answer_root(answer);
    assert_string_equal(ss_value_key(ss_value_first(root)), "a \"key\" with \\ and \t");
    const ss_value* list = ss_value_find(root, "numbers");
    assert_int_equal(ss_value_count(list), 6);
    assert_true(ss_value_numbers(list)[2] == 1.0 / 3.0);
    assert_false(signbit(ss_value_numbers(list)[1]));
    assert_true(isnan(ss_value_numbers(list)[3]));
    assert_null(ss_value_first(list));
    assert_int_equal(ss_value_count(ss_value_find(root, "mixed")), 4);
    assert_null(ss_value_find(ss_value_find(root, "absent"), "either"));
    ss_answer_destroy(answer);
}

// Written by hand: the layout that programs and people have come to read.
static void test_layout(void** state)
{
    (void)state;
    ss_answer* answer;
    ss_error err;
    assert_int_equal(ss_answer_create(&answer, &err), SS_OK);
    ss_answer_object(answer, true);
    ss_answer_put_number(answer, "t", 0.1);
    ss_answer_put_list(answer, "events", true);
    for (int k = 0; k < 2; k++) {
        ss_answer_object(answer, false);
        ss_answer_put_number(answer, "t", k);
        ss_answer_put_word(answer, "to", "stick");
        ss_answer_end(answer);
    }
    ss_answer_end(answer);
    ss_answer_end(answer);
    char* text = to_json(answer);
    assert_string_equal(text, "{\"t\": 0.1,\n \"events\": [\n  {\"t\": 0, \"to\": \"stick\"},\n"
                              "  {\"t\": 1, \"to\": \"stick\"}]}\n");
    char part[8];
    assert_int_equal(ss_answer_format_json(answer, part, sizeof part), strlen(text));
    assert_string_equal(part, "{\"t\": 0");
    free(text);
    ss_answer_destroy(answer);
}

static bool refuse(void* user, const char* text, size_t length)
{
    (void)text;
    (void)length;
    return --*(int*)user > 0;
}

static void test_sink_that_is_full(void** state)
{
    (void)state;
    ss_answer* answer;
    ss_error err;
    int room = 2; // pieces
    static const double many[10000] = {0.1};
    assert_int_equal(ss_answer_create(&answer, &err), SS_OK);
    ss_answer_object(answer, false);
    ss_answer_put_numbers(answer, "x", many, 10000);
    ss_answer_end(answer);
    assert_int_equal(ss_answer_print_json(answer, refuse, &room, &err), SS_FILE_ERROR);
    assert_int_equal(room, 0); // and was not asked again
    ss_answer_destroy(answer);
}

static void build_wrongly(ss_answer* answer, int way)
{
    if (way > 0) ss_answer_object(answer, false);
    switch (way) {
    case 1: ss_answer_number(answer, 1); break;                            // no key in an object
    case 2: ss_answer_put_list(answer, "list", false); break;              // never ended
    case 3: ss_answer_key(answer, "a"), ss_answer_key(answer, "b"); break; // two keys
    case 4: ss_answer_end(answer), ss_answer_end(answer); break;           // ended twice
    case 5: ss_answer_end(answer), ss_answer_number(answer, 1); break;     // a second root
    case 6: ss_answer_key(answer, "a"); break;                             // a key without a value
    case 7:
        for (int k = 0; k < 100; k++) ss_answer_put_object(answer, "deeper", false);
        for (int k = 0; k < 100; k++) ss_answer_end(answer);
        break;
    default: break; // nothing at all
    }
    if (way == 1 || way == 3 || way == 6) ss_answer_end(answer);
}

static void test_wrong_order_is_refused(void** state)
{
    (void)state;
    for (int way = 0; way < 8; way++) {
        ss_answer* answer;
        ss_error err;
        assert_int_equal(ss_answer_create(&answer, &err), SS_OK);
        build_wrongly(answer, way);
        assert_int_equal(ss_answer_finish(answer, &err), SS_BAD_INPUT);
        ss_answer_destroy(answer);
    }
}

// ---- answers outlive what they speak of

static void test_answer_of_a_motion(void** state)
{
    (void)state;
    // A block of 1 kg thrown at 1 m/s against friction of 2 N stops after 1/2 s and 1/4 m.
    rig r;
    rig_init(&r);
    rig_coulomb(&r, rig_body(&r, 1.0, 0.0, 1.0), SS_GROUND, 2.0);
    ss_model* model = rig_model(&r);
    ss_motion* motion;
    ss_answer* answer;
    ss_error err;
    ss_motion_def wanted = ss_motion_def_default();
    wanted.every = 0.25;
    wanted.until = 1.0;
    assert_int_equal(ss_motion_create(model, &wanted, &motion, &err), SS_OK);
    assert_int_equal(ss_motion_run(motion, &err), SS_OK);
    assert_int_equal(ss_answer_motion(motion, &answer, &err), SS_OK);
    ss_motion_destroy(motion);
    ss_model_destroy(model);
    const ss_value* root = ss_answer_root(answer);
    assert_string_equal(ss_value_text(ss_value_find(root, "outcome")), "at-rest");
    assert_true(fabs(ss_value_number(ss_value_find(root, "t")) - 0.5) <= 1e-14);
    const ss_value* block = ss_value_first(ss_value_find(root, "state"));
    assert_true(fabs(ss_value_number(ss_value_find(block, "x")) - 0.25) <= 1e-14);
    assert_true(ss_value_number(ss_value_find(block, "v")) == 0.0);
    const ss_value* events = ss_value_find(root, "events");
    assert_int_equal(ss_value_count(events), 1);
    const ss_value* contact = ss_value_first(ss_value_find(root, "contacts"));
    assert_string_equal(ss_value_text(ss_value_find(ss_value_first(events), "contact")),
                        ss_value_key(contact));
    assert_int_equal(ss_value_count(ss_value_find(root, "samples")), 5);
    check_against_reader(answer);
    ss_answer_destroy(answer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_everything_comes_back), cmocka_unit_test(test_layout),
        cmocka_unit_test(test_sink_that_is_full),     cmocka_unit_test(test_wrong_order_is_refused),
        cmocka_unit_test(test_answer_of_a_motion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
