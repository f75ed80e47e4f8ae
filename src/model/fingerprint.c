// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// A number that tells models apart: everything that a motion depends on goes into it, names included.
#include "core/hash.h"
#include "law/formula/own.h"
#include "model/actions.h"
#include "model/joints.h"

static uint64_t hash_numbers(uint64_t hash, const double numbers[], int count)
{
    return ss_hash(ss_hash_int(hash, count), numbers, (size_t)count * sizeof *numbers);
}

static uint64_t hash_places(uint64_t hash, const ss_row* row)
{
    for (int k = 0; k < row->count; k++) hash = ss_hash_int(hash, row->index[k]);
    return hash;
}

static uint64_t hash_row(uint64_t hash, const ss_row* row)
{
    return hash_numbers(hash_places(hash, row), row->value, row->count);
}

static uint64_t hash_sparse(uint64_t hash, const ss_sparse* matrix)
{
    for (int i = 0; i < matrix->rows; i++) {
        ss_row row = {matrix->start[i + 1] - matrix->start[i], matrix->index + matrix->start[i],
                      matrix->value + matrix->start[i]};
        hash = hash_row(hash, &row);
    }
    return hash;
}

static uint64_t hash_program(uint64_t hash, const ss_program* program)
{
    for (int i = 0; i < program->count; i++) {
        const ss_instruction* in = &program->code[i];
        hash = ss_hash_int(ss_hash_int(ss_hash_int(hash, (int)in->op), in->a), in->b);
        hash = ss_hash_number(ss_hash_number(hash, in->p), in->q);
    }
    for (int i = 0; i < program->output_count; i++) hash = ss_hash_int(hash, program->outputs[i]);
    return hash;
}

static uint64_t hash_curve(uint64_t hash, const ss_curve* law)
{
    for (int way = 0; way < 2; way++) {
        const ss_curve_side* side = &law->side[way];
        if (side->count == 0) hash = hash_program(hash, side->program);
        hash = hash_numbers(hash_numbers(hash, side->speed, side->count), side->force, side->count);
    }
    return hash_numbers(hash, law->hold, 2);
}

static uint64_t hash_elements(uint64_t hash, const ss_maxwell_slip* law)
{
    return hash_numbers(hash_numbers(hash, law->reach, law->count), law->stiffness, law->count);
}

// The numbers of a law, as its keys tell where they stand; springs that slip keep their elements and no keys.
static uint64_t hash_law(uint64_t hash, const ss_contact* contact)
{
    const char* law = ss_law_of(contact);
    hash = ss_hash_text(hash, contact->law_entry->name);
    if (ss_contact_is(contact, SS_TRAIT_STEPWISE)) return hash_elements(hash, &contact->maxwell_slip);
    if (contact->traits & SS_TRAIT_OWN) hash = ss_own_hash(hash, law);
    for (const ss_key* key = contact->law_entry->keys.list; key->name; key++) {
        double number;
        int side;
        switch (key->form) {
        case SS_KEY_LEVELS:
        case SS_KEY_TENSIONS:
            hash = ss_hash(hash, &contact->coulomb, sizeof contact->coulomb);
            hash = hash_numbers(hash, contact->at_rest, 2);
            break;
        case SS_KEY_ELEMENTS:
        case SS_KEY_PART: break;
        case SS_KEY_SHARES:
            hash = hash_numbers(hash, contact->gms.stiffness, contact->gms.count);
            hash = hash_numbers(hash, contact->gms.share, contact->gms.count);
            break;
        case SS_KEY_CURVE: hash = hash_curve(hash, &contact->curve); break;
        case SS_KEY_SIDE:
            memcpy(&number, law, sizeof number);
            memcpy(&side, law + sizeof number, sizeof side);
            hash = ss_hash_int(ss_hash_number(hash, number), side);
            break;
        default: memcpy(&number, law + key->place, sizeof number); hash = ss_hash_number(hash, number);
        }
    }
    return hash;
}

static uint64_t hash_contact(uint64_t hash, const ss_contact* contact)
{
    hash = hash_law(ss_hash_text(hash, contact->name), contact);
    for (int k = 0; k < 4; k++) hash = ss_signal_hash(hash, contact->level[k]);
    if (contact->loaded) hash = ss_hash_int(hash, 1);
    // Rows that turn are those of the moment: the program of the joints says what they are made of.
    hash = contact->turns ? hash_places(hash_places(hash, &contact->q), &contact->d)
                          : hash_row(hash_row(hash, &contact->q), &contact->d);
    hash = hash_row(hash, &contact->bodies);
    if (contact->restitution != 0.0) hash = ss_hash_number(hash, contact->restitution);
    if (!ss_has_bristles(contact)) return hash;
    hash = ss_hash_number(ss_hash_number(hash, contact->start.z), contact->start.saturation);
    if (contact->start.elements) hash = hash_numbers(hash, contact->start.elements, contact->elements);
    return hash;
}

static uint64_t hash_body(uint64_t hash, const ss_body* body)
{
    hash = ss_hash_int(ss_hash_text(hash, body->name), body->angular);
    hash = ss_hash_int(ss_hash_int(hash, body->drive), body->coordinate);
    hash = ss_hash_number(ss_hash_number(hash, body->start_x), body->start_v);
    return body->drive < 0 ? hash_row(hash, &body->row) : hash;
}

static uint64_t hash_connection(uint64_t hash, const ss_connection* spring)
{
    double numbers[] = {spring->stiffness, spring->damping, spring->cubic, spring->length};
    hash = hash_row(hash_row(hash, &spring->q), &spring->d);
    return hash_numbers(hash_row(hash, &spring->bodies), numbers, 4);
}

static uint64_t hash_affine(uint64_t hash, const ss_affine* affine)
{
    if (!affine) return ss_hash_int(hash, 0);
    hash = hash_row(hash, &affine->row);
    return affine->rest ? ss_signal_hash(hash, affine->rest) : hash;
}

static uint64_t hash_actions(uint64_t hash, const ss_model* model)
{
    const ss_open* open = model->open;
    const ss_actions* actions = model->actions;
    for (int j = 0; j < open->state_count; j++) {
        hash = ss_hash_number(ss_hash_text(hash, open->states[j].name), open->states[j].start);
        hash = hash_affine(hash, actions->rates[j].affine);
    }
    for (int j = 0; j < open->input_count; j++)
        hash = ss_signal_hash(ss_hash_text(hash, open->inputs[j].name), open->inputs[j].signal);
    for (int j = 0; j < open->signal_count; j++) hash = ss_hash_text(hash, open->signals[j].name);
    for (int j = 0; j < open->memory_count; j++)
        hash = ss_hash_number(ss_hash_text(hash, open->memory[j].name), open->memory[j].value);
    for (int p = 0; p < actions->pull_count; p++) {
        hash = hash_row(hash_row(hash, &actions->pulls[p].q), &actions->pulls[p].d);
        hash = hash_affine(ss_hash_int(hash, (int)actions->pulls[p].account), actions->pulls[p].affine);
    }
    for (int b = 0; b < open->block_count; b++) {
        const ss_open_block* block = &open->blocks[b];
        double times[] = {block->every, block->offset, block->delay};
        hash = hash_numbers(ss_hash_text(hash, block->name), times, 3);
        for (int w = 0; w < block->write_count; w++) hash = ss_hash_int(hash, block->memory[w]);
        hash = hash_program(hash, &block->program);
    }
    if (model->joints) hash = hash_program(hash, &model->joints->program);
    return hash_program(hash_program(hash, &actions->motion), &actions->shown);
}

uint64_t ss_model_fingerprint(const ss_model* model)
{
    uint64_t hash = SS_HASH_START;
    for (int b = 0; b < model->body_count; b++) hash = hash_body(hash, &model->bodies[b]);
    for (int d = 0; d < model->drive_count; d++) {
        hash = ss_hash_int(ss_hash_int(hash, model->drives[d].body), model->drives[d].is_speed);
        hash = ss_signal_hash(hash, model->drives[d].signal);
    }
    for (int c = 0; c < model->connection_count; c++) hash = hash_connection(hash, &model->connections[c]);
    for (int f = 0; f < model->force_count; f++)
        hash = ss_signal_hash(hash_row(hash, &model->forces[f].q), model->forces[f].signal);
    for (int i = 0; i < model->contact_count; i++) hash = hash_contact(hash, &model->contacts[i]);
    hash = hash_sparse(hash_sparse(hash, &model->matrices.mass), &model->matrices.stiffness);
    hash = hash_sparse(hash, &model->matrices.damping);
    if (model->actions) hash = hash_actions(hash, model);
    return model->matrices.constant ? hash_numbers(hash, model->matrices.constant, model->n) : hash;
}
