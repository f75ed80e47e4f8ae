// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// What can be asked of a model: its parts, the laws of its contacts, its matrices.
#include "law/table.h"
#include "model/actions.h"
#include "model/model_impl.h"

#include <math.h>
#include <string.h>

ss_model_info ss_model_get_info(const ss_model* model)
{
    ss_model_info info = {.title = model->title,
                          .until = model->until,
                          .matrix_count = model->matrices.block.given,
                          .first_left_out =
                              model->matrices.block.count > 0 ? model->matrices.block.first_left_out : NAN,
                          .is_linear = model->nature.linear,
                          .is_open = model->open != NULL,
                          .body_count = model->body_count,
                          .contact_count = model->shown_count,
                          .coordinate_count = model->n,
                          .coordinate_bodies = model->coordinate_body};
    if (!model->open) return info;
    info.number_counts[SS_NUMBER_STATE] = model->open->state_count;
    info.number_counts[SS_NUMBER_SIGNAL] = model->open->signal_count;
    info.number_counts[SS_NUMBER_INPUT] = model->open->input_count;
    info.number_counts[SS_NUMBER_MEMORY] = model->open->memory_count;
    return info;
}

ss_body_info ss_model_get_body(const ss_model* model, int body)
{
    const ss_body* from = &model->bodies[body];
    return (ss_body_info){.name = from->name,
                          .owner = from->owner,
                          .place = from->place,
                          .speed = from->speed,
                          .plane = from->plane,
                          .angular = from->angular,
                          .driven = from->drive >= 0,
                          .start_x = from->start_x,
                          .start_v = from->start_v};
}

// The mass that a force along the contact accelerates while nothing else acts: 1/(W^T M^-1 W).
static double mass_along(const ss_model* model, const ss_contact* contact)
{
    const ss_group* group = &model->groups[contact->group];
    double mobility = group->coupling[contact->place * (group->count + 1)];
    return mobility > 0.0 ? 1.0 / mobility : INFINITY;
}

// As the model file calls it, also where it is the user's own.
static const char* law_name(const ss_contact* contact)
{
    return contact->given == contact->law ? contact->law_entry->name : ss_law_name(contact->given);
}

// Of ss_contact_state.z.
static ss_dimension state_dimension(const ss_contact* contact)
{
    const ss_dimension* unit = contact->law_entry->state.unit;
    return unit ? *unit : (ss_dimension){.m = contact->angular ? 0 : 1};
}

enum { MOST_ELEMENTS = 1000 }; // that motions keep and answers list

ss_contact_info ss_model_get_contact(const ss_model* model, int contact)
{
    const ss_contact* from = &model->contacts[contact];
    return (ss_contact_info){.name = from->name,
                             .law = from->given,
                             .law_name = law_name(from),
                             .traits = from->traits,
                             .angular = from->angular,
                             .state_dimension = state_dimension(from),
                             .elements = from->elements,
                             .elements_told = from->elements <= MOST_ELEMENTS ? from->elements : 0,
                             .mass = mass_along(model, from)};
}

ss_law_def ss_model_get_law(const ss_model* model, int contact)
{
    const ss_contact* from = &model->contacts[contact];
    ss_law_def law = {.kind = from->given};
    const ss_maxwell_def* elements = &from->given_elements; // what the model has is made of them
    const ss_law* row = ss_law_entry(from->given);
    if (elements->count > 0 && row->size == sizeof law.maxwell_slip)
        law.maxwell_slip = *elements;
    else if (elements->count > 0)
        law.jenkins = (ss_jenkins){elements->stiffness[0], elements->breakaway[0]};
    else // all laws begin where the unions do
        memcpy(&law.coulomb, ss_given_law(from), row->size);
    return law;
}

ss_number_info ss_model_get_number(const ss_model* model, int number)
{
    const ss_open* open = model->open;
    int i = number;
    if (i < open->state_count)
        return (ss_number_info){.kind = SS_NUMBER_STATE,
                                .name = open->states[i].name,
                                .dimension = open->states[i].dimension,
                                .start = open->states[i].start};
    i -= open->state_count;
    if (i < open->signal_count)
        return (ss_number_info){.kind = SS_NUMBER_SIGNAL,
                                .name = open->signals[i].name,
                                .dimension = open->signals[i].dimension,
                                .start = NAN,
                                .force_of = open->signals[i].force_of,
                                .of_tie = open->signals[i].of_tie,
                                .of_joint = open->signals[i].of_joint,
                                .part = open->signals[i].part};
    i -= open->signal_count;
    if (i < open->input_count)
        return (ss_number_info){.kind = SS_NUMBER_INPUT,
                                .name = open->inputs[i].name,
                                .dimension = open->inputs[i].dimension,
                                .start = ss_signal_value(open->inputs[i].signal, 0.0)};
    i -= open->input_count;
    return (ss_number_info){.kind = SS_NUMBER_MEMORY,
                            .name = open->memory[i].name,
                            .dimension = open->memory[i].dimension,
                            .start = open->memory[i].value};
}

static int find_number(const ss_model* model, const char* name)
{
    const ss_open* open = model->open;
    int count = open ? open->state_count + open->signal_count + open->input_count + open->memory_count : 0;
    for (int k = 0; k < count; k++) {
        const char* own = ss_model_get_number(model, k).name;
        if (own && strcmp(own, name) == 0) return k;
    }
    return -1;
}

int ss_model_find(const ss_model* model, ss_model_part part, const char* name)
{
    switch (part) {
    case SS_PART_BODY: return ss_words_find(&model->body_names, name, strlen(name));
    case SS_PART_CONTACT: return ss_words_find(&model->contact_names, name, strlen(name));
    default: return find_number(model, name);
    }
}

static void fill_dense(const ss_sparse* from, int n, double out[])
{
    memset(out, 0, (size_t)n * (size_t)n * sizeof(double));
    for (int i = 0; i < n; i++)
        for (int k = from->start[i]; k < from->start[i + 1]; k++)
            out[i * n + from->index[k]] = from->value[k];
}

static void fill_directions(const ss_model* model, double out[])
{
    int m = model->shown_count;
    memset(out, 0, (size_t)model->n * (size_t)m * sizeof(double));
    for (int i = 0; i < m; i++)
        for (int k = 0; k < model->contacts[i].q.count; k++)
            out[model->contacts[i].q.index[k] * m + i] = model->contacts[i].q.value[k];
}

void ss_model_get_matrix(const ss_model* model, ss_matrix which, double out[])
{
    const ss_actions* actions = model->actions;
    switch (which) {
    case SS_MATRIX_MASS: fill_dense(&model->matrices.mass, model->n, out); break;
    case SS_MATRIX_DAMPING:
        fill_dense(actions ? &actions->damping : &model->matrices.damping, model->n, out);
        break;
    case SS_MATRIX_STIFFNESS:
        fill_dense(actions ? &actions->stiffness : &model->matrices.stiffness, model->n, out);
        break;
    case SS_MATRIX_DIRECTIONS: fill_directions(model, out); break;
    }
}

double ss_model_displacement(const ss_model* model, int contact, const double x[])
{
    return ss_row_dot(&model->contacts[contact].bodies, x);
}
