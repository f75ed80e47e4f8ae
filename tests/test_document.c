// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Documents: what was written is found again, with its place; what --set changes is told apart from it.
#include "model/read/node.h"
#include "share/node.h"
#include "slipstick/lab.h"
#include "text_rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// The error of a text that cannot be read, as a person sees it.
static void assert_refused(const char* text, size_t length, const char* expected)
{
    ss_document* document = NULL;
    ss_error err;
    char line[1024];
    assert_int_not_equal(ss_document_parse_yaml("m.yaml", text, length, &document, &err), SS_OK);
    assert_null(document);
    assert_string_equal(ss_error_format(&err, line, sizeof line), expected);
}

static const ss_node* child(const ss_node* node, const char* key)
{
    const ss_node* found = ss_node_find(node, key);
    assert_non_null(found);
    return found;
}

static void assert_place(const ss_node* node, int line, int column, int text_column)
{
    assert_int_equal(ss_node_line(node), line);
    assert_int_equal(ss_node_column(node), column);
    assert_int_equal(ss_node_text_column(node), text_column);
}

// Lines and columns counted by hand.
static void test_places(void** state)
{
    (void)state;
    ss_document* document = text_document("a: 1 N\n"
                                          "bc: {d:   2, e: 'x y', f: \"z\"}\n"
                                          "g:\n"
                                          "  - \"tab\\t\"\n"
                                          "  - h: u\n"
                                          "    i: v\n");
    const ss_node* root = ss_document_root(document);
    assert_int_equal(ss_node_get_kind(root), SS_NODE_MAP);
    assert_place(child(root, "a"), 1, 4, 4);
    const ss_node* bc = child(root, "bc");
    assert_place(bc, 2, 5, 0);
    assert_int_equal(ss_node_key_line(bc), 2);
    assert_int_equal(ss_node_key_column(bc), 1);
    assert_place(child(bc, "d"), 2, 11, 11);
    assert_int_equal(ss_node_key_column(child(bc, "d")), 6);
    assert_place(child(bc, "e"), 2, 17, 18); // the quote, and the text after it
    assert_place(child(bc, "f"), 2, 27, 28);
    const ss_node* first = ss_node_first(child(root, "g"));
    assert_place(first, 4, 5, 0); // an escape: columns do not map one to one
    assert_string_equal(ss_node_text(first), "tab\t");
    assert_null(ss_node_key(first));
    assert_int_equal(ss_node_key_line(child(ss_node_next(first), "i")), 6);
    ss_document_destroy(document);
}

// Columns count characters, not bytes; a byte order mark and CR LF do not shift anything.
static void test_unicode_and_line_ends(void** state)
{
    (void)state;
    ss_document* document = text_document("\xef\xbb\xbf"
                                          "a: 1\r\nb: {\xc3\xa4: 2, c: 3}\r\n");
    const ss_node* b = child(ss_document_root(document), "b");
    assert_place(child(b, "\xc3\xa4"), 2, 8, 8);
    assert_place(child(b, "c"), 2, 14, 14);
    assert_string_equal(ss_node_text(child(b, "c")), "3");
    ss_document_destroy(document);
}

static void test_nulls_are_empty(void** state)
{
    (void)state;
    ss_document* document = text_document("a:\nb: ~\nc: null\nd: 'null'\ne: {}\nf: []\n");
    const ss_node* root = ss_document_root(document);
    assert_string_equal(ss_node_text(child(root, "a")), "");
    assert_int_equal(ss_node_line(child(root, "a")), 1);
    assert_string_equal(ss_node_text(child(root, "b")), "");
    assert_string_equal(ss_node_text(child(root, "c")), "");
    assert_string_equal(ss_node_text(child(root, "d")), "null");
    assert_int_equal(ss_node_count(child(root, "e")), 0);
    assert_int_equal(ss_node_get_kind(child(root, "f")), SS_NODE_LIST);
    ss_document_destroy(document);
}

// An alias is a copy: the same text at the same place, changed on its own.
static void test_aliases(void** state)
{
    (void)state;
    ss_document* document = text_document("a: &x {m: 1 kg, n: [2, 3]}\nb: *x\nc: *x\n");
    ss_error err;
    assert_int_equal(ss_document_set(document, "b.n[1]", "7", "--set b.n[1]=7", &err), SS_OK);
    const ss_node* root = ss_document_root(document);
    assert_place(child(child(root, "b"), "m"), 1, 11, 11);
    assert_int_equal(ss_node_key_line(child(root, "b")), 2);
    assert_string_equal(ss_node_text(ss_node_next(ss_node_first(child(child(root, "b"), "n")))), "7");
    assert_string_equal(ss_node_text(ss_node_next(ss_node_first(child(child(root, "c"), "n")))), "3");
    ss_document_destroy(document);
}

// Bytes that no text file holds; transcripts cannot hold them either.
static void test_bytes(void** state)
{
    (void)state;
    assert_refused("a: 1\nb: \0", 9, "m.yaml:2:4: a control character (byte 0x00) in the text");
    assert_refused("a: \x07", 4, "m.yaml:1:4: a control character (byte 0x07) in the text");
    assert_refused("a: \xff", 4, "m.yaml:1:4: not UTF-8 text");
    assert_refused("a: \xc3", 4, "m.yaml:1:4: not UTF-8 text");             // cut short
    assert_refused("a: \xc0\x80", 5, "m.yaml:1:4: not UTF-8 text");         // NUL in disguise
    assert_refused("a: \xed\xa0\x80", 6, "m.yaml:1:4: not UTF-8 text");     // half a surrogate pair
    assert_refused("a: \xf4\x90\x80\x80", 7, "m.yaml:1:4: not UTF-8 text"); // beyond Unicode
    assert_refused("a: \"\\0\"", 7, "m.yaml:1:4: a NUL character in a text");
    assert_refused("", 0, "m.yaml:1:1: the file is empty");
}

static void test_limits(void** state)
{
    (void)state;
    enum { SIZE = 64 * 1024 * 1024 + 1 };
    char* text = malloc(SIZE);
    assert_non_null(text);
    memset(text, ' ', SIZE);
    assert_refused(text, SIZE, "m.yaml: larger than 64 MiB");
    memset(text, '[', 200);
    assert_refused(text, 200, "m.yaml:1:65: nested too deeply; at most 64 levels are read");
    free(text);
}

static ss_status add(ss_document* document, ss_node* parent, ss_node_kind kind, const char* key,
                     const char* text, ss_node** out, ss_error* err)
{
    ss_node_def def = {.kind = kind, .key = key, .text = text, .length = text ? strlen(text) : 0};
    return ss_document_add(document, parent, &def, out, err);
}

// What a browser does from JSON: a document without a file.
static void test_add(void** state)
{
    (void)state;
    ss_document* document = NULL;
    ss_node *root, *list, *scalar, *none;
    ss_error err;
    assert_int_equal(ss_document_create("page", &document, &err), SS_OK);
    assert_null(ss_document_root(document));
    assert_int_equal(add(document, NULL, SS_NODE_MAP, "k", NULL, &root, &err), SS_BAD_INPUT);
    assert_int_equal(add(document, NULL, SS_NODE_MAP, NULL, NULL, &root, &err), SS_OK);
    assert_int_equal(add(document, NULL, SS_NODE_MAP, NULL, NULL, &none, &err), SS_BAD_INPUT);
    assert_int_equal(add(document, root, SS_NODE_LIST, "list", NULL, &list, &err), SS_OK);
    assert_int_equal(add(document, root, SS_NODE_LIST, "list", NULL, &none, &err), SS_BAD_INPUT);
    assert_string_equal(err.text, "duplicate key 'list'");
    assert_null(none);
    assert_int_equal(add(document, root, SS_NODE_LIST, NULL, NULL, &none, &err), SS_BAD_INPUT);
    assert_int_equal(add(document, list, SS_NODE_SCALAR, "k", "1", &none, &err), SS_BAD_INPUT);
    assert_int_equal(add(document, list, SS_NODE_SCALAR, NULL, "1", &scalar, &err), SS_OK);
    assert_int_equal(add(document, scalar, SS_NODE_SCALAR, NULL, "1", &none, &err), SS_BAD_INPUT);
    ss_node_def nul = {.kind = SS_NODE_SCALAR, .text = "a\0b", .length = 3};
    assert_int_equal(ss_document_add(document, list, &nul, &none, &err), SS_BAD_INPUT);
    assert_int_equal(ss_node_count(list), 1);
    char path[64];
    assert_string_equal(ss_node_path(scalar, path, sizeof path), "list[0]");
    ss_document_destroy(document);
    ss_document_destroy(NULL);
}

// Every key of a large map is found, and its twin is refused.
static void test_many_keys(void** state)
{
    (void)state;
    enum { COUNT = 20000 };
    ss_document* document = NULL;
    ss_node *root, *none;
    ss_error err;
    char key[16];
    assert_int_equal(ss_document_create("many", &document, &err), SS_OK);
    assert_int_equal(add(document, NULL, SS_NODE_MAP, NULL, NULL, &root, &err), SS_OK);
    for (int i = 0; i < COUNT; i++) {
        snprintf(key, sizeof key, "k%d", i);
        assert_int_equal(add(document, root, SS_NODE_SCALAR, key, key, NULL, &err), SS_OK);
    }
    for (int i = 0; i < COUNT; i++) {
        snprintf(key, sizeof key, "k%d", i);
        assert_string_equal(ss_node_text(child(root, key)), key);
        assert_int_equal(add(document, root, SS_NODE_SCALAR, key, key, &none, &err), SS_BAD_INPUT);
    }
    assert_null(ss_node_find(root, "k20000"));
    assert_int_equal(ss_node_count(root), COUNT);
    ss_document_destroy(document);
}

static void set(ss_document* document, const char* path, const char* value, const char* option)
{
    ss_error err;
    if (ss_document_set(document, path, value, option, &err) != SS_OK)
        fail_msg("%s: %s", err.origin, err.text);
}

static void test_set_remembers(void** state)
{
    (void)state;
    ss_document* document = text_document("k: {a: 1 N/m}\n");
    const ss_node* a = child(child(ss_document_root(document), "k"), "a");
    assert_null(ss_node_option(a));
    assert_null(ss_node_replaced(a));
    set(document, "k.a", "2", "--set k.a=2");
    set(document, "k.a", "3", "--set k.a=3");
    assert_string_equal(ss_node_text(a), "3");
    assert_string_equal(ss_node_option(a), "--set k.a=3");
    assert_string_equal(ss_node_replaced(a), "1 N/m"); // the file's own text, not the first option's
    ss_document_destroy(document);
}

static void test_set_makes_what_is_missing(void** state)
{
    (void)state;
    ss_document* document = text_document("start:\nlist: [{a: 1}]\n");
    set(document, "start.block.x", "4", "--set start.block.x=4");
    set(document, "list[0].b", "5", "--set list[0].b=5");
    set(document, "p.q.r", "6", "--set p.q.r=6");
    const ss_node* root = ss_document_root(document);
    assert_string_equal(ss_node_text(child(child(child(root, "start"), "block"), "x")), "4");
    const ss_node* b = child(ss_node_first(child(root, "list")), "b");
    assert_string_equal(ss_node_text(b), "5");
    assert_null(ss_node_replaced(b));
    assert_string_equal(ss_node_option(child(child(root, "p"), "q")), "--set p.q.r=6");
    ss_document_destroy(document);
}

// NAME.x is short for start.NAME.x, but the parameter x is the parameter x.
static void test_set_short_form(void** state)
{
    (void)state;
    ss_document* document =
        text_document("parameters: {x: 1}\nbodies: {block: {mass: 1}, run: {mass: 1}}\nrun: {}\n");
    set(document, "block.x", "2", "--set block.x=2");
    set(document, "block.v", "3", "--set block.v=3");
    set(document, "run.v", "4", "--set run.v=4");
    set(document, "parameters.x", "5", "--set parameters.x=5");
    const ss_node* root = ss_document_root(document);
    const ss_node* start = child(root, "start");
    assert_string_equal(ss_node_text(child(child(start, "block"), "x")), "2");
    assert_string_equal(ss_node_text(child(child(start, "block"), "v")), "3");
    assert_string_equal(ss_node_text(child(child(start, "run"), "v")), "4");
    assert_string_equal(ss_node_text(child(child(root, "parameters"), "x")), "5");
    ss_document_destroy(document);
}

// A change that is refused changes nothing.
static void test_set_refused(void** state)
{
    (void)state;
    static const char* const paths[] = {"",
                                        ".",
                                        "a.",
                                        "a..b",
                                        "[0]",
                                        "a[",
                                        "a[1",
                                        "a[-1]",
                                        "a]b",
                                        "l[2]",
                                        "l.x.y",
                                        "a.b",
                                        "m",
                                        "l",
                                        "new[0]",
                                        "l[0][0]",
                                        "m[0]",
                                        "a[0]",
                                        "l[99999999999999999999]"};
    ss_document* document = text_document("a: 1\nl: [1, 2]\nm: {b: 1}\n");
    ss_error err;
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        assert_int_equal(ss_document_set(document, paths[i], "9", "--set bad", &err), SS_BAD_INPUT);
        assert_string_equal(err.origin, "--set bad");
        assert_true(err.text[0] != '\0');
    }
    assert_int_equal(ss_document_set(document, "a", "  ", "--set bad", &err), SS_BAD_INPUT);
    assert_int_equal(ss_document_set(document, "a", "", "--set bad", NULL), SS_BAD_INPUT);
    const ss_node* root = ss_document_root(document);
    assert_int_equal(ss_node_count(root), 3);
    assert_string_equal(ss_node_text(child(root, "a")), "1");
    assert_int_equal(ss_node_count(child(root, "l")), 2);
    ss_document_destroy(document);
}

// The copy is the same document, what options left behind included, and goes its own way from there.
static void test_clone(void** state)
{
    (void)state;
    ss_document *document = text_document("a: {b: [1, {c: 2}], d: 3}\ne: 4\n"), *copy = NULL;
    set(document, "e", "5", "--set e=5");
    assert_int_equal(ss_document_clone(document, &copy, NULL), SS_OK);
    set(copy, "a.d", "6", "--set a.d=6");
    const ss_node *a = child(ss_document_root(copy), "a"), *e = child(ss_document_root(copy), "e");
    assert_string_equal(ss_node_text(child(a, "d")), "6");
    assert_string_equal(ss_node_text(child(child(ss_document_root(document), "a"), "d")), "3");
    assert_string_equal(ss_node_text(e), "5");
    assert_string_equal(ss_node_replaced(e), "4");
    assert_string_equal(ss_node_option(e), "--set e=5");
    ss_document_destroy(document); // the copy borrows nothing
    const ss_node* list = child(a, "b");
    assert_int_equal(ss_node_count(list), 2);
    assert_string_equal(ss_node_text(child(ss_node_next(ss_node_first(list)), "c")), "2");
    assert_place(list, 1, 8, 0);
    assert_string_equal(ss_document_name(copy), "m.yaml");
    ss_document_destroy(copy);

    assert_int_equal(ss_document_create("empty", &document, NULL), SS_OK);
    assert_int_equal(ss_document_clone(document, &copy, NULL), SS_OK);
    assert_null(ss_document_root(copy));
    ss_document_destroy(copy);
    ss_document_destroy(document);
}

static void test_files(void** state)
{
    (void)state;
    ss_document* document = NULL;
    ss_error err;
    assert_int_equal(ss_document_read_yaml("no such file.yaml", &document, &err), SS_FILE_ERROR);
    assert_null(document);
    assert_string_equal(err.origin, "no such file.yaml");
    assert_int_equal(ss_document_read_yaml(SS_SOURCE_DIR, &document, &err), SS_FILE_ERROR);
    assert_int_equal(ss_document_read_yaml(SS_SOURCE_DIR "/models/bar.yaml", &document, &err), SS_OK);
    assert_string_equal(ss_document_name(document), SS_SOURCE_DIR "/models/bar.yaml");
    assert_string_equal(ss_node_text(child(ss_document_root(document), "title")), "Sliding bar");
    ss_document_destroy(document);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_places),
        cmocka_unit_test(test_unicode_and_line_ends),
        cmocka_unit_test(test_nulls_are_empty),
        cmocka_unit_test(test_aliases),
        cmocka_unit_test(test_bytes),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_add),
        cmocka_unit_test(test_many_keys),
        cmocka_unit_test(test_set_remembers),
        cmocka_unit_test(test_set_makes_what_is_missing),
        cmocka_unit_test(test_set_short_form),
        cmocka_unit_test(test_set_refused),
        cmocka_unit_test(test_clone),
        cmocka_unit_test(test_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
