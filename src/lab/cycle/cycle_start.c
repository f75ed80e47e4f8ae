// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The start of a cycle as numbers of the model file: a model with these numbers is on the cycle from t = 0.
#include "share/model_parts.h"
#include "share/node.h"
#include "slipstick/document.h"
#include "slipstick/lab.h"

#include <stdio.h>

// Counts down to the number that is asked for.
typedef struct search {
    int left;
    char* path;
    size_t size;
} search;

static bool is_it(search* s, const char* before, const char* name, const char* after)
{
    if (s->left-- != 0) return false;
    snprintf(s->path, s->size, "%s%.200s%s", before, name, after);
    return true;
}

// Where memory of this name stands in the document: "sampled.servo.memory.sum".
static bool is_memory(search* s, const ss_document* document, const char* name)
{
    const ss_node* sampled = ss_node_find(ss_document_root(document), "sampled");
    for (const ss_node* block = sampled ? ss_node_first(sampled) : NULL; block; block = ss_node_next(block)) {
        const ss_node* memory = ss_node_find(block, "memory");
        char before[200];
        if (!memory || !ss_node_find(memory, name)) continue;
        snprintf(before, sizeof before, "sampled.%.100s.memory.", ss_node_key(block));
        return is_it(s, before, name, "");
    }
    return false;
}

static bool find_body(search* s, const ss_model* model, const ss_cycle* cycle, double* value)
{
    for (int b = 0; b < ss_model_body_count(model); b++) {
        char name[300];
        if (ss_model_body_is_driven(model, b)) continue;
        *value = ss_cycle_x(cycle)[b];
        if (is_it(s, "start.", ss_model_coordinate_name(model, b, false, name, sizeof name), "")) return true;
        *value = ss_cycle_v(cycle)[b];
        if (is_it(s, "start.", ss_model_coordinate_name(model, b, true, name, sizeof name), "")) return true;
    }
    return false;
}

bool ss_cycle_start_number(const ss_cycle* cycle, const ss_model* model, const ss_document* document, int k,
                           char path[], size_t size, double* value)
{
    search s = {.left = k, .path = path, .size = size};
    const double* numbers = ss_cycle_states(cycle);
    int first = 0, memory = SS_NUMBER_KINDS - 1;
    if (find_body(&s, model, cycle, value)) return true;
    for (int i = 0; i < ss_model_state_count(model); i++) {
        *value = *numbers++;
        if (is_it(&s, "states.", ss_model_number_name(model, i), ".start")) return true;
    }
    for (int c = 0; c < ss_model_contact_count(model); c++) {
        int elements = ss_model_contact_elements(model, c);
        if (!ss_model_contact_has(model, c, SS_TRAIT_BRISTLES)) continue;
        *value = *numbers;
        numbers += elements > 0 ? elements : 1;
        if (elements == 0 && is_it(&s, "start.contacts.", ss_model_contact_name(model, c), ".z")) return true;
    }
    for (int kind = 0; kind < memory; kind++) first += ss_model_number_count(model, kind);
    for (int i = 0; i < ss_model_number_count(model, memory); i++) {
        *value = *numbers++;
        if (is_memory(&s, document, ss_model_number_name(model, first + i))) return true;
    }
    return false;
}
