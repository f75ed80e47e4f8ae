// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// What the scripts ask the program for while a line is typed: `slipstick completion numbers MODEL` lists what
// --set and its kin may change, `slipstick completion names MODEL` what --show may draw. The model is read
// and built, never run. A fault is no matter here: then less is offered, or nothing, and nothing is told.
#include "completion/shell.h"

#include "../../fmu/resource.h"
#include "command.h"
#include "option/load.h"
#include "share/model_parts.h"

#include <string.h>

enum {
    MOST_OFFERED = 2000
}; // more than anybody reads; a shell must not wait for a file of millions of numbers

typedef struct listing {
    ss_document* document;
    ss_model* model; // NULL where the document is a slider, or makes no model (yet)
    int count;
} listing;

// Names may have any letter; those that a shell would read otherwise than as they stand ("a b", "$(b)") would
// need quotes, each shell its own, and are left to the user.
static bool is_plain(const char* path)
{
    for (const unsigned char* c = (const unsigned char*)path; *c; c++) {
        bool letter = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9');
        if (!letter && *c < 0x80 && !strchr("_.-[]", *c)) return false;
    }
    return true;
}

static bool offer(listing* l, const char* path)
{
    if (!is_plain(path)) return true;
    puts(path);
    return ++l->count < MOST_OFFERED;
}

// Starts are offered in their short form, `block.x` for `start.block.x`.
static bool offer_number(void* user, const char* path)
{
    listing* l = user;
    double value;
    ss_dimension dimension;
    bool has_unit;
    bool is_other =
        strcmp(path, "slipstick") == 0 || strcmp(path, "title") == 0 || strncmp(path, "start.", 6) == 0;
    if (is_other || fmu_find_number(l->document, path, &value, &dimension, &has_unit, NULL) != SS_OK)
        return true;
    return offer(l, path);
}

static bool offer_of(listing* l, const char* name, const char* field)
{
    char path[256];
    int length = snprintf(path, sizeof path, "%s.%s", name, field);
    return length >= (int)sizeof path || offer(l, path);
}

static void offer_states_of_motion(listing* l)
{
    static const char* const of_slider[] = {"x", "y", "angle", "vx", "vy", "spin"};
    bool is_slider = ss_node_find(ss_document_root(l->document), "slider") != NULL;
    for (int k = 0; is_slider && k < 6; k++) offer_of(l, "slider", of_slider[k]);
    for (int k = 0; l->model && k < ss_model_body_count(l->model); k++)
        if (!offer_of(l, ss_model_body_name(l->model, k), "x") ||
            !offer_of(l, ss_model_body_name(l->model, k), "v"))
            return;
}

static void offer_forces(listing* l)
{
    for (int k = 0; k < ss_model_contact_count(l->model); k++)
        if (!offer_of(l, ss_model_contact_name(l->model, k), "force")) return;
}

static void offer_names(listing* l)
{
    offer_states_of_motion(l);
    if (!l->model) return;
    offer_forces(l);
    for (int k = 0; k < ss_model_state_count(l->model); k++)
        if (!offer(l, ss_model_state_name(l->model, k))) return;
    for (int k = 0; k < ss_model_signal_count(l->model); k++)
        if (!offer(l, ss_model_signal_name(l->model, k))) return;
}

int cli_list_for_shell(const cli_line* line)
{
    listing l = {0};
    if (line->count != 2 || cli_read_document(line->words[1], &l.document, NULL) != SS_OK) return CLI_DONE;
    if (ss_model_create_from_document(l.document, &l.model, NULL) != SS_OK) l.model = NULL;
    if (strcmp(line->words[0], CLI_LIST_NAMES) == 0) {
        offer_names(&l);
    } else {
        ss_document_each_path(l.document, offer_number, &l);
        offer_states_of_motion(&l);
    }
    ss_model_destroy(l.model);
    ss_document_destroy(l.document);
    return CLI_DONE;
}
