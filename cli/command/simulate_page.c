// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "command/simulate_page.h"

#include "command.h"
#include "option/target.h"
#include "share/build.h"
#include "share/file.h"
#include "share/model_parts.h"
#include "share/node.h"
#include "share/text.h"
#include "slipstick/file.h"

#include <stdlib.h>
#include <string.h>

bool cli_page_wanted(const cli_plot* plot)
{
    size_t length = plot->path ? strlen(plot->path) : 0;
    return length > 5 && strcmp(plot->path + length - 5, ".html") == 0;
}

int cli_page_check(const cli_plot* plot, const cli_texts* also)
{
    const char* other = plot->theme       ? "--theme"
                        : plot->size      ? "--size"
                        : plot->view      ? "--view"
                        : also->count > 0 ? "--also"
                                          : NULL;
    if (other)
        return cli_option_fault(other, NULL, "does not go with a page to play (--plot %s)", plot->path);
    if (!cli_player_script[0])
        return cli_option_fault("--plot", plot->path,
                                "this program was built without esbuild, so it has no player for pages");
    return cli_target_check("--plot", plot->path);
}

// ---- JSON inside a script: "</script>" in a title must not end it

static bool add_piece(void* user, const char* piece, size_t length)
{
    ss_text* text = user;
    for (size_t begin = 0; begin < length;) {
        const char* angle = memchr(piece + begin, '<', length - begin);
        size_t end = angle ? (size_t)(angle - piece) : length;
        ss_text_add(text, "%.*s%s", (int)(end - begin), piece + begin, angle ? "\\u003c" : "");
        begin = end + (angle != NULL);
    }
    return !text->failed;
}

// A node of the model's document: maps, lists and texts, as written.
static void put_node(ss_answer* answer, const ss_node* node)
{
    switch (ss_node_get_kind(node)) {
    case SS_NODE_SCALAR:
        if (ss_node_text(node))
            ss_answer_text(answer, ss_node_text(node));
        else
            ss_answer_null(answer);
        return;
    case SS_NODE_LIST: ss_answer_list(answer, false); break;
    case SS_NODE_MAP: ss_answer_object(answer, false); break;
    }
    for (const ss_node* child = ss_node_first(node); child; child = ss_node_next(child)) {
        if (ss_node_key(child)) ss_answer_key(answer, ss_answer_keep(answer, ss_node_key(child)));
        put_node(answer, child); // NOLINT(misc-no-recursion): documents are at most 64 levels deep
    }
    ss_answer_end(answer);
}

static ss_status add_model(ss_text* text, const ss_document* document, ss_error* err)
{
    ss_answer* answer = NULL;
    ss_status status = ss_answer_create(&answer, err);
    if (status != SS_OK) return status;
    put_node(answer, ss_document_root(document));
    status = ss_answer_finish(answer, err);
    if (status == SS_OK) status = ss_answer_print_json(answer, add_piece, text, err);
    ss_answer_destroy(answer);
    return status;
}

// Units of states, signals, inputs and memory, by their names; a slider has none.
static ss_status add_units(ss_text* text, const ss_model* model, ss_error* err)
{
    ss_answer* answer = NULL;
    ss_status status = ss_answer_create(&answer, err);
    if (status != SS_OK) return status;
    ss_answer_object(answer, false);
    for (int kind = 0, first = 0; model && kind < SS_NUMBER_KINDS; kind++) {
        int count = ss_model_number_count(model, kind);
        for (int k = first; k < first + count; k++) {
            char unit[64];
            ss_dimension_format(ss_model_number_dimension(model, k), unit, sizeof unit);
            ss_answer_put_text(answer, ss_model_number_name(model, k), unit);
        }
        first += count;
    }
    ss_answer_end(answer);
    status = ss_answer_finish(answer, err);
    if (status == SS_OK) status = ss_answer_print_json(answer, add_piece, text, err);
    ss_answer_destroy(answer);
    return status;
}

// The answer of simulate, with the moments that were kept for pictures as its samples.
static ss_status add_motion(ss_text* text, const cli_common* common, const ss_motion* motion, ss_error* err)
{
    ss_motion drawn = *motion;
    ss_answer* answer = NULL;
    drawn.rows = ss_motion_sketch(motion);
    drawn.direction_count = 0; // no derivatives are kept for pictures
    ss_status status = ss_answer_motion(&drawn, &answer, err);
    if (status == SS_OK) cli_made_put(common, answer);
    if (status == SS_OK) status = ss_answer_finish(answer, err);
    if (status == SS_OK) status = ss_answer_print_json(answer, add_piece, text, err);
    ss_answer_destroy(answer);
    return status;
}

static const char head[] =
    "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'unsafe-inline'; "
    "style-src 'unsafe-inline'; img-src data:\">\n"
    "<link rel=\"icon\" href=\"data:,\">\n<title>Slipstick: a motion</title>\n<style>";

int cli_page_write(const cli_plot* plot, const cli_common* common, const ss_document* document,
                   const ss_motion* motion)
{
    ss_text text = {0};
    ss_error err;
    ss_text_add(&text, "%s%s</style>\n</head>\n<body>\n<script>\nconst SLIPSTICK_MODEL = ", head,
                cli_player_style);
    ss_status status = add_model(&text, document, &err);
    ss_text_add(&text, ";\nconst SLIPSTICK_UNITS = ");
    if (status == SS_OK) status = add_units(&text, motion->model, &err);
    ss_text_add(&text, ";\nconst SLIPSTICK_MOTION = ");
    if (status == SS_OK) status = add_motion(&text, common, motion, &err);
    ss_text_add(&text, ";\n%s</script>\n</body>\n</html>\n", cli_player_script);
    size_t length = text.length;
    char* all = ss_text_take(&text);
    if (status == SS_OK && !all) status = ss_fail_no_memory(&err);
    if (status == SS_OK) status = ss_file_write(plot->path, all, length, &err);
    free(all);
    return status == SS_OK ? CLI_DONE : cli_option_error("--plot", plot->path, &err);
}
