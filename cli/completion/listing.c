// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// What the scripts ask the program for while a line is typed: `slipstick completion numbers MODEL` lists what
// --set and its kin may change, `names` what --show may draw, `measures` and `sections` what a scan may be
// asked for. The model is read
// and built, never run. A fault is no matter here: then less is offered, or nothing, and nothing is told.
#include "completion/shell.h"

#include "../../fmu/resource.h"
#include "command.h"
#include "option/load.h"
#include "share/model_parts.h"
#include "share/quantity_table.h"

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
        if (!letter && *c < 0x80 && !strchr("_.-+:[]", *c)) return false;
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

// Tells a name; false ends the list.
typedef bool visitor(listing* l, const char* name);

static bool report_of(listing* l, const char* name, const char* field, visitor* report)
{
    char path[256];
    int length = snprintf(path, sizeof path, "%s.%s", name, field);
    return length >= (int)sizeof path || report(l, path);
}

static bool report_quantity(listing* l, ss_quantity q, visitor* report)
{
    char name[256];
    return report(l, ss_quantity_name(l->model, q, name, sizeof name));
}

static void each_state_of_motion(listing* l, visitor* report)
{
    bool is_slider = ss_node_find(ss_document_root(l->document), "slider") != NULL;
    for (int kind = 0; is_slider && kind < ss_quantity_row_count(); kind++) {
        const ss_quantity_row* row = ss_quantity_row_at(kind);
        if (row->of == SS_OF_SLIDER) report_of(l, "slider", row->name, report);
    }
    ss_quantity q = {0};
    while (l->model && ss_quantity_next(l->model, SS_TOLD_DERIVATIVE, &q))
        if (ss_quantity_row_at(q.kind)->of == SS_OF_BODY && !report_quantity(l, q, report)) return;
}

static void each_name(listing* l, visitor* report)
{
    ss_quantity q = {0};
    if (!l->model) each_state_of_motion(l, report);
    while (l->model && ss_quantity_next(l->model, SS_TOLD_BY_NAME, &q))
        if (!report_quantity(l, q, report)) return;
}

// ---- of scans

static bool offer_with(listing* l, const char* before, const char* name, const char* behind)
{
    char text[300];
    int length = snprintf(text, sizeof text, "%s:%s%s", before, name, behind);
    return length >= (int)sizeof text || offer(l, text);
}

static bool offer_measures_of(listing* l, const char* name)
{
    static const char* const measures[] = {"amplitude", "mean", "rms", "max", "min", "overshoot"};
    for (size_t k = 0; k < sizeof measures / sizeof measures[0]; k++)
        if (!offer_with(l, measures[k], name, "")) return false;
    return offer_with(l, "harmonic", name, ":1") && offer_with(l, "settling", name, ":");
}

static void offer_measures(listing* l)
{
    static const char* const alone[] = {"period", "return", "lyapunov", "dissipation"};
    for (size_t k = 0; k < sizeof alone / sizeof alone[0]; k++) offer(l, alone[k]);
    for (int k = 0; l->model && k < ss_model_contact_count(l->model); k++)
        if (!ss_law_has(ss_model_contact_law(l->model, k), SS_TRAIT_STOPS))
            offer_with(l, "stick-share", ss_model_contact_name(l->model, k), "");
    each_name(l, offer_measures_of);
}

// Changes of mode such as `floor:slip+>stick` need quotes, which each shell has its own; into a mode does
// not.
static void offer_sections(listing* l)
{
    offer(l, "period");
    offer(l, "run");
    for (int k = 0; l->model && k < ss_model_contact_count(l->model); k++) {
        const char* name = ss_model_contact_name(l->model, k);
        ss_law_kind law = ss_model_contact_law(l->model, k);
        if (ss_law_has(law, SS_TRAIT_STOPS)) {
            offer_with(l, name, "impact", "");
        } else if (ss_law_has(law, SS_TRAIT_BRISTLES)) {
            offer_with(l, name, "reversal", "");
        } else {
            offer_with(l, name, "stick", "");
            offer_with(l, name, "slip+", "");
            offer_with(l, name, "slip-", "");
        }
    }
}

int cli_list_for_shell(const cli_line* line)
{
    listing l = {0};
    if (line->count != 2 || cli_read_document(line->words[1], &l.document, NULL) != SS_OK) return CLI_DONE;
    if (ss_model_create_from_document(l.document, &l.model, NULL) != SS_OK) l.model = NULL;
    const char* asked = line->words[0];
    if (strcmp(asked, CLI_LIST_NUMBERS) == 0) {
        ss_document_each_path(l.document, offer_number, &l);
        each_state_of_motion(&l, offer);
    }
    if (strcmp(asked, CLI_LIST_NAMES) == 0) each_name(&l, offer);
    if (strcmp(asked, CLI_LIST_MEASURES) == 0) offer_measures(&l);
    if (strcmp(asked, CLI_LIST_SECTIONS) == 0) offer_sections(&l);
    ss_model_destroy(l.model);
    ss_document_destroy(l.document);
    return CLI_DONE;
}
