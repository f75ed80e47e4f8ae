// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Model: from definition to compiled form.
#include "model/model_impl.h"

#include "core/definition.h"
#include "core/error.h"
#include "law/table.h"
#include "model/actions.h"
#include "model/build/build_joints.h"
#include "model/build/build_plane.h"
#include "share/model_parts.h"
#include "share/quantity.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

ss_status ss_model_adopt_signal(ss_model* model, const ss_signal* signal, const ss_signal** out,
                                ss_error* err)
{
    *out = NULL;
    if (!signal) return SS_OK;
    ss_signal* clone = NULL;
    ss_status status = ss_signal_clone(signal, &clone, err);
    if (status != SS_OK) return status;
    model->signals[model->signal_count++] = clone;
    *out = clone;
    return SS_OK;
}

// i: among the bodies given one by one; negative for a coordinate of the matrices.
static ss_status fail_body(ss_error* err, int i, const char* field, const char* text)
{
    char path[64];
    if (i < 0) return ss_fail(err, SS_BAD_INPUT, "matrices.names", "%s", text);
    snprintf(path, sizeof path, "bodies[%d].%s", i, field);
    return ss_fail(err, SS_BAD_INPUT, path, "%s", text);
}

static ss_status check_body(const ss_body_def* def, int i, ss_error* err)
{
    if (!def->name || !def->name[0]) return fail_body(err, i, "name", "a body needs a name");
    bool driven = def->position || def->speed;
    if (def->position && def->speed) return fail_body(err, i, "speed", "position and speed are both given");
    if (driven && !isnan(def->mass)) return fail_body(err, i, "mass", "a driven body has no mass");
    if (!driven && isnan(def->mass))
        return fail_body(err, i, "mass", "a body needs a mass or a given motion");
    if (!driven && !(def->mass > 0.0 && isfinite(def->mass)))
        return fail_body(err, i, "mass", "must be positive and finite");
    if (!isfinite(def->start_x)) return fail_body(err, i, "start_x", "must be finite");
    if (!isfinite(def->start_v)) return fail_body(err, i, "start_v", "must be finite");
    return SS_OK;
}

// Where a driven body is at t = 0, and how fast. A signal that has no derivative there is a fault that the
// simulation tells.
static ss_status place_driven(ss_body* body, const ss_drive* drive, ss_error* err)
{
    double series[3], *scratch = ss_new(ss_signal_scratch_size(drive->signal, 2), sizeof *scratch);
    if (!scratch) return ss_fail_no_memory(err);
    ss_clearance clear = {.span = 1.0, .derivatives = drive->is_speed ? 0 : 1};
    bool smooth = ss_signal_series_clear(drive->signal, 0.0, 2, series, NULL, &clear, scratch);
    free(scratch);
    double value = ss_signal_value(drive->signal, 0.0);
    body->start_v = drive->is_speed ? value : smooth ? series[1] : 0.0;
    if (!drive->is_speed) body->start_x = value;
    return SS_OK;
}

// Tells the coordinates that a reduction left out what they follow.
static void adopt_reduction(ss_model* model)
{
    const ss_block* block = &model->matrices.block;
    for (int b = 0, k = 0; b < block->given && block->basis; b++) {
        bool moves = k < block->count && block->body[k] == b;
        k += moves;
        if (!moves) model->bodies[b].follows = block->basis + (size_t)b * (size_t)block->count;
    }
}

// Coordinate and speed as they are told: "block", "x" and "v"; of a body in the plane "rod", "angle" and
// "spin".
static bool name_coordinate(ss_model* model, ss_body* body)
{
    static const char* const places[] = {"x", "x", "y", "angle"};
    static const char* const speeds[] = {"v", "vx", "vy", "spin"};
    const char* dot = strrchr(body->name, '.');
    body->place = places[body->plane];
    body->speed = speeds[body->plane];
    body->owner = body->plane == SS_PLANE_NONE || !dot
                      ? body->name
                      : ss_pool_text(&model->pool, body->name, (size_t)(dot - body->name));
    return body->owner != NULL;
}

static ss_status check_plane(const ss_system_def* def, int i, ss_error* err)
{
    const ss_body_def* body = &def->bodies[i];
    char field[48];
    snprintf(field, sizeof field, "bodies[%d]", i);
    if (body->plane < SS_PLANE_NONE || body->plane > SS_PLANE_ANGLE)
        return ss_fail(err, SS_BAD_INPUT, field, "there is no such coordinate");
    int first = i - (body->plane == SS_PLANE_NONE ? 0 : (int)body->plane - 1), whole = 0;
    for (int k = 0; k < 3 && first >= 0 && first + k < def->body_count; k++)
        whole += (int)def->bodies[first + k].plane == k + 1;
    const ss_body_def* x = &def->bodies[first < 0 ? 0 : first];
    bool driven = body->position || body->speed, with_x = (x->position || x->speed) == driven;
    bool good = body->plane == SS_PLANE_NONE ||
                (whole == 3 && with_x && body->angular == (body->plane == SS_PLANE_ANGLE) &&
                 (driven || body->plane != SS_PLANE_Y || body->mass == x->mass));
    return good ? SS_OK
                : ss_fail(err, SS_BAD_INPUT, field,
                          "expected x, y and angle of a body in the plane one after the other, all driven, "
                          "or with one mass and a moment of inertia");
}

static ss_status add_bodies(ss_model* model, const ss_system_def* def, ss_error* err)
{
    model->body_count = def->body_count;
    model->bodies = ss_pool_new(&model->pool, (size_t)def->body_count, sizeof(ss_body));
    model->drives = ss_pool_new(&model->pool, (size_t)def->body_count, sizeof(ss_drive));
    ss_words_make(&model->body_names, &model->pool, def->body_count);
    if (model->pool.failed) return ss_fail_no_memory(err);
    for (int i = 0; i < def->body_count; i++) {
        const ss_body_def* from = &def->bodies[i];
        ss_body* body = &model->bodies[i];
        int given = i - model->matrices.block.given;
        ss_status status = given < 0 ? SS_OK : check_body(from, given, err);
        if (status == SS_OK) status = check_plane(def, i, err);
        if (status != SS_OK) return status;
        *body = (ss_body){.name = ss_pool_text(&model->pool, from->name, strlen(from->name)),
                          .angular = from->angular,
                          .plane = from->plane,
                          .drive = -1,
                          .coordinate = -1,
                          .mass = from->mass,
                          .start_x = from->start_x,
                          .start_v = from->start_v};
        if (!body->name || !name_coordinate(model, body)) return ss_fail_no_memory(err);
        if (ss_words_find(&model->body_names, body->name, strlen(body->name)) >= 0)
            return fail_body(err, given, "name", "another body has this name");
        ss_words_add(&model->body_names, body->name);
        if (!from->position && !from->speed) continue;
        ss_drive* drive = &model->drives[model->drive_count];
        *drive = (ss_drive){.body = i, .is_speed = from->speed != NULL};
        status =
            ss_model_adopt_signal(model, from->speed ? from->speed : from->position, &drive->signal, err);
        if (status != SS_OK) return status;
        body->drive = model->drive_count++;
        body->mass = 0.0;
        status = place_driven(body, drive, err);
        if (status != SS_OK) return status;
    }
    adopt_reduction(model);
    return SS_OK;
}

static ss_status check_row(const ss_system_def* def, const ss_row_def* row, const char* field, ss_error* err)
{
    if (row->count < 1) return ss_fail(err, SS_BAD_INPUT, field, "needs at least one body");
    for (int k = 0; k < row->count; k++) {
        int body = row->terms[k].body;
        if (body != SS_GROUND && (body < 0 || body >= def->body_count))
            return ss_fail(err, SS_BAD_INPUT, field, "there is no body %d", body);
        if (!isfinite(row->terms[k].factor))
            return ss_fail(err, SS_BAD_INPUT, field, "factors must be finite");
    }
    return SS_OK;
}

static ss_status check_points(const ss_system_def* def, const ss_connection_def* connection,
                              const char* field, ss_error* err)
{
    for (int k = 0; k < 2; k++)
        if (connection->points[k] < 0 || connection->points[k] >= def->point_count)
            return ss_fail(err, SS_BAD_INPUT, field, "there is no point %d", connection->points[k]);
    if (connection->points[0] == connection->points[1] || connection->along.count > 0)
        return ss_fail(err, SS_BAD_INPUT, field, "expected two different points, and no row beside them");
    return SS_OK;
}

static ss_status add_connections(ss_model* model, const ss_system_def* def, ss_error* err)
{
    model->connection_count = def->connection_count;
    model->connections = ss_pool_new(&model->pool, (size_t)def->connection_count, sizeof(ss_connection));
    if (model->pool.failed) return ss_fail_no_memory(err);
    for (int i = 0; i < def->connection_count; i++) {
        const ss_connection_def* from = &def->connections[i];
        ss_connection* to = &model->connections[i];
        char field[48];
        snprintf(field, sizeof field, "connections[%d]", i);
        ss_status status =
            from->points ? check_points(def, from, field, err) : check_row(def, &from->along, field, err);
        if (status != SS_OK) return status;
        if (!isfinite(from->stiffness) || !isfinite(from->damping) || !isfinite(from->cubic) ||
            !isfinite(from->length))
            return ss_fail(err, SS_BAD_INPUT, field, "stiffness, damping, cubic and length must be finite");
        *to = (ss_connection){.name = from->name ? ss_pool_text(&model->pool, from->name, strlen(from->name))
                                                 : NULL,
                              .force = from->force,
                              .stiffness = from->stiffness,
                              .damping = from->damping,
                              .cubic = from->cubic,
                              .length = from->length};
        if (from->points) { // energies and forces of the open part
            *to = (ss_connection){.name = to->name,
                                  .force = from->force,
                                  .between_points = true,
                                  .points = {from->points[0], from->points[1]}};
            continue;
        }
        ss_model_map_row(model, &from->along, &to->bodies, &to->q, &to->d);
        if (from->cubic != 0.0) model->nature.linear = model->nature.piecewise_linear = false;
    }
    return model->pool.failed ? ss_fail_no_memory(err) : SS_OK;
}

static ss_status add_forces(ss_model* model, const ss_system_def* def, ss_error* err)
{
    ss_status status = SS_OK;
    model->forces = ss_pool_new(&model->pool, (size_t)def->force_count + 2, sizeof(ss_force)); // 2: gravity
    if (model->pool.failed) return ss_fail_no_memory(err);
    for (int i = 0; i < def->force_count; i++) {
        const ss_force_def* from = &def->forces[i];
        char field[48];
        snprintf(field, sizeof field, "forces[%d]", i);
        if (from->plane) continue; // the open part's
        if (from->along.count > 0 && (status = check_row(def, &from->along, field, err)) != SS_OK)
            return status;
        if (from->along.count > 0) continue; // the open part's, as all expressions are
        if (from->body < 0 || from->body >= def->body_count || model->bodies[from->body].drive >= 0)
            return ss_fail(err, SS_BAD_INPUT, field, "a force acts on a body with mass");
        if (from->expression) continue;
        if (!from->force) return ss_fail(err, SS_BAD_INPUT, field, "a force needs a signal");
        ss_term term = {from->body, 1.0};
        ss_row bodies, drives;
        ss_force* to = &model->forces[model->force_count++];
        ss_model_map_row(model, &(ss_row_def){&term, 1}, &bodies, &to->q, &drives);
        status = ss_model_adopt_signal(model, from->force, &to->signal, err);
        if (status != SS_OK) return status;
    }
    return model->pool.failed ? ss_fail_no_memory(err) : ss_plane_add_gravity(model, def, err);
}

static ss_status check_law(const ss_contact_def* def, ss_error* err)
{
    const ss_law* row = ss_law_entry(def->law);
    if (!row) return ss_fail(err, SS_BAD_INPUT, "law", "there is no such law");
    return row->keys.make(&def->coulomb, NULL, NULL, err); // all laws begin where the union does
}

static bool is_angular_row(const ss_model* model, const ss_row* bodies)
{
    for (int k = 0; k < bodies->count; k++)
        if (!model->bodies[bodies->index[k]].angular) return false;
    return bodies->count > 0;
}

// A law under a normal force that varies: this stands where Coulomb has its kinetic levels.
static ss_status adopt_normal(ss_model* model, const ss_contact_def* from, ss_contact* to, ss_error* err)
{
    if (!from->normal && !from->normal_level.expression) return SS_OK;
    if (!ss_contact_is(to, SS_TRAIT_HOLDS | SS_TRAIT_BRISTLES) || ss_contact_is(to, SS_TRAIT_LEVELS))
        return ss_fail(err, SS_BAD_INPUT, "normal", "belongs to laws of friction other than coulomb");
    ss_status status = ss_model_adopt_signal(model, from->normal, &to->level[SS_FORWARD], err);
    to->level[SS_BACKWARD] = to->level[SS_FORWARD];
    to->field[0] = to->field[1] = "normal";
    to->loaded = model->nature.loaded = true;
    to->varies = from->normal != NULL;
    return status;
}

// Levels that vary take their constants from t = 0, so that what is asked of the model has an answer.
static ss_status adopt_levels(ss_model* model, const ss_contact_def* from, ss_contact* to, ss_error* err)
{
    const ss_signal* signals[4] = {from->forward, from->backward, from->static_forward,
                                   from->static_backward};
    double* levels[4] = {&to->coulomb.forward, &to->coulomb.backward, &to->coulomb.static_forward,
                         &to->coulomb.static_backward};
    for (int k = 0; k < 4; k++) {
        ss_status status = ss_model_adopt_signal(model, signals[k], &to->level[k], err);
        if (status != SS_OK) return status;
        if (!signals[k]) continue;
        to->varies = true;
        *levels[k] = ss_signal_value(signals[k], 0.0);
    }
    for (int k = 0; k < 2; k++) {
        const char* field = from->level[k].field ? from->level[k].field : "friction";
        to->field[k] = ss_pool_text(&model->pool, field, strlen(field));
        if (!to->field[k]) return ss_fail_no_memory(err);
        to->at_rest[k] = to->level[k + 2] || !(*levels[k + 2] > 0.0) ? 0.0 : *levels[k + 2];
        if (to->varies) *levels[k + 2] = fmax(*levels[k], *levels[k + 2]);
    }
    return SS_OK;
}

// Whether the static level may ever exceed the kinetic one: it does, or it is given and one of both varies.
static bool may_fall(const ss_contact* contact)
{
    bool given =
        contact->level[2] || contact->level[3] || contact->at_rest[0] > 0.0 || contact->at_rest[1] > 0.0;
    if (contact->varies && !contact->loaded) return given;
    const double* level = contact->levels;
    return level[SS_STATIC_FORWARD] > level[SS_FORWARD] || level[SS_STATIC_BACKWARD] > level[SS_BACKWARD];
}

// A fault in a law, with the path of its field.
static ss_status name_field(const ss_contact_def* def, ss_status status, ss_error* err)
{
    char field[128];
    if (!err) return status;
    snprintf(field, sizeof field, "contacts.%.60s.%.40s", def->name, err->field);
    memcpy(err->field, field, sizeof err->field);
    return status;
}

// All laws begin where the union does.
static void copy_law(const ss_contact_def* from, ss_contact* to, size_t size)
{
    memcpy((char*)to + offsetof(ss_contact, coulomb), (const char*)from + offsetof(ss_contact_def, coulomb),
           size);
}

static ss_status make_law(ss_model* model, const ss_system_def* def, const ss_contact_def* from,
                          ss_contact* to, ss_error* err)
{
    ss_scope scope = {.parameters = def->parameters, .parameter_count = def->parameter_count};
    bool loaded = from->normal || from->normal_level.expression;
    ss_dimension force = {.m = to->angular ? 2 : 1, .kg = 1, .s = -2};
    ss_law_making with = {.pool = &model->pool,
                          .scope = &scope,
                          .force = loaded ? (ss_dimension){0} : force,
                          .speed = {.m = to->angular ? 0 : 1, .s = -1},
                          .row = &to->law_entry};
    return to->law_entry->keys.make(&from->coulomb, (char*)to + offsetof(ss_contact, coulomb), &with, err);
}

static const double* keep(ss_model* model, const double from[], int count)
{
    double* own = ss_pool_new(&model->pool, (size_t)count, sizeof *own);
    return own ? memcpy(own, from, (size_t)count * sizeof *own) : NULL;
}

static bool is_made_of_elements(const ss_law* row)
{
    for (const ss_key* key = row ? row->keys.list : NULL; key && key->name; key++)
        if (key->form == SS_KEY_ELEMENTS) return true;
    return false;
}

// The elements as they were given, to be asked for.
static ss_maxwell_def keep_elements(ss_model* model, const ss_law* row, const ss_contact_def* from)
{
    ss_maxwell_def given = {&from->jenkins.stiffness, &from->jenkins.breakaway, 1};
    if (is_made_of_elements(row)) given = from->maxwell_slip;
    return (ss_maxwell_def){.stiffness = keep(model, given.stiffness, given.count),
                            .breakaway = keep(model, given.breakaway, given.count),
                            .count = given.count};
}

void ss_contact_adopt_levels(ss_contact* contact)
{
    ss_law_facts facts = ss_law_ask(contact->law_entry, ss_law_of(contact), NAN);
    if (!isnan(facts.levels[0])) memcpy(contact->levels, facts.levels, sizeof contact->levels);
}

static ss_status add_contact(ss_model* model, const ss_system_def* def, const ss_contact_def* from,
                             ss_contact* to, ss_error* err)
{
    *to = (ss_contact){.name = ss_pool_text(&model->pool, from->name, strlen(from->name)),
                       .given = from->law,
                       .other = -1,
                       .force = from->force,
                       .restitution = from->restitution,
                       .law = from->law,
                       .law_entry = ss_law_entry(from->law)};
    const ss_law* row = to->law_entry;
    ss_status status = SS_OK;
    to->traits = row ? row->traits : 0;
    ss_model_map_row(model, &from->along, &to->bodies, &to->q, &to->d);
    if (model->pool.failed) return ss_fail_no_memory(err);
    to->angular = is_angular_row(model, &to->bodies);
    bool by_levels = ss_contact_is(to, SS_TRAIT_LEVELS); // which are checked when they are known
    if (row) copy_law(from, to, row->size);
    if (row && !by_levels) status = make_law(model, def, from, to, err);
    if (status != SS_OK) return name_field(from, status, err);
    row = to->law_entry;
    if (row && row->elements.bounds) to->elements = row->elements.bounds(&from->coulomb, NULL);
    to->law_events = row ? ss_law_ask(row, ss_law_of(to), NAN).events : 0;
    if (ss_contact_is(to, SS_TRAIT_STEPWISE)) to->given_elements = keep_elements(model, row, from);
    if (model->pool.failed) return ss_fail_no_memory(err);
    if (by_levels && !(from->restitution >= 0.0 && from->restitution <= 1.0))
        return name_field(
            from, ss_fail(err, SS_BAD_INPUT, "restitution", "must be in [0, 1], not %g", from->restitution),
            err);
    if (by_levels && (status = adopt_levels(model, from, to, err)) != SS_OK) return status;
    if ((status = adopt_normal(model, from, to, err)) != SS_OK) return name_field(from, status, err);
    if (ss_has_bristles(to)) status = ss_model_adopt_bristles(model, from, to, err);
    if (status != SS_OK) return name_field(from, status, err);
    ss_contact_def check = *from;
    if (by_levels) check.coulomb = to->coulomb;
    if ((status = check_law(&check, err)) != SS_OK) return name_field(from, status, err);
    ss_contact_adopt_levels(to);
    for (int k = 0; k < 4 && to->loaded && ss_has_bristles(to); k++) to->levels[k] = 1.0;
    to->falling = (row->traits & SS_TRAIT_HOLDS) && may_fall(to);
    if (by_levels && (isinf(to->coulomb.forward) || isinf(to->coulomb.backward)))
        model->nature.one_way = true;
    if (to->loaded || !(row->traits & SS_TRAIT_LINEAR)) model->nature.linear = false;
    if (to->loaded || !(row->traits & (SS_TRAIT_LINEAR | SS_TRAIT_STEPWISE)))
        model->nature.piecewise_linear = false;
    return SS_OK;
}

static ss_status check_contact(ss_model* model, const ss_system_def* def, int i, ss_error* err)
{
    const ss_contact_def* contact = &def->contacts[i];
    char field[128];
    snprintf(field, sizeof field, "contacts[%d]", i);
    if (!contact->name || !contact->name[0])
        return ss_fail(err, SS_BAD_INPUT, field, "a contact needs a name");
    const char* name = ss_pool_text(&model->pool, contact->name, strlen(contact->name));
    if (!name) return ss_fail_no_memory(err);
    if (ss_words_find(&model->contact_names, name, strlen(name)) >= 0)
        return ss_fail(err, SS_BAD_INPUT, field, "another contact has the name '%s'", contact->name);
    ss_words_add(&model->contact_names, name);
    return check_row(def, &contact->along, field, err);
}

static bool is_two(const ss_contact_def* contact)
{
    const ss_law* row = ss_law_entry(contact->law);
    return row && ss_law_is_two(row);
}

// A law that is two others: two contacts of one name, the second after all that are shown.
static ss_status add_halves(ss_model* model, const ss_system_def* def, const ss_contact_def* from, int first,
                            int second, ss_error* err)
{
    const ss_law* row = ss_law_entry(from->law);
    const int places[2] = {first, second};
    ss_status status = check_law(from, err);
    if (status != SS_OK) return name_field(from, status, err);
    void* numbers = ss_pool_new(&model->pool, 1, row->size);
    if (!numbers) return ss_fail_no_memory(err);
    memcpy(numbers, &from->coulomb, row->size);
    for (int k = 0; k < 2 && status == SS_OK; k++) {
        ss_contact_def half = *from;
        ss_contact* to = &model->contacts[places[k]];
        half.law = ss_law_half(numbers, k, &half.coulomb);
        status = add_contact(model, def, &half, to, err);
        to->given = from->law;
        to->given_numbers = numbers;
        to->other = places[1 - k];
    }
    return status;
}

// A contact that always holds.
static ss_status add_holding(ss_model* model, const ss_system_def* def, const ss_contact_def* as_contact,
                             ss_contact* to, ss_error* err)
{
    ss_status status = add_contact(model, def, as_contact, to, err);
    to->coulomb = (ss_coulomb){INFINITY, INFINITY, INFINITY, INFINITY};
    for (int k = 0; k < 4; k++) to->levels[k] = INFINITY;
    to->is_tie = true;
    return status;
}

// A tie that has a name.
static ss_status add_tie(ss_model* model, const ss_system_def* def, int tie, ss_contact* to, ss_error* err)
{
    ss_contact_def as_contact = ss_contact_def_default();
    as_contact.name = def->tie_names[tie];
    as_contact.along = def->ties[tie];
    if (def->tie_forces) as_contact.force = def->tie_forces[tie];
    as_contact.coulomb = (ss_coulomb){0};
    return add_holding(model, def, &as_contact, to, err);
}

// The rows of all joints, from *to on.
static ss_status add_joints(ss_model* model, const ss_system_def* def, ss_contact** to, ss_error* err)
{
    ss_status status = ss_joints_make(model, def, err);
    for (int j = 0, r = 0; j < def->joint_count && status == SS_OK; j++)
        for (int row = 0; row < ss_joint_row_count(def->joints[j].kind) && status == SS_OK; row++) {
            ss_contact_def as_contact;
            status = ss_joints_contact(model, def, j, row, &as_contact, err);
            if (status != SS_OK) return status;
            model->joints->rows[r++].contact = (int)(*to - model->contacts);
            status = add_holding(model, def, &as_contact, (*to)++, err);
        }
    if (def->joint_count > 0) model->nature.linear = model->nature.piecewise_linear = false;
    return status;
}

static ss_status add_contacts(ss_model* model, const ss_system_def* def, ss_error* err)
{
    int halves = 0;
    for (int i = 0; i < def->contact_count; i++) halves += is_two(&def->contacts[i]);
    model->shown_count = def->contact_count;
    model->tie_count += ss_joints_rows(def); // after the ties that have names
    model->contact_count = def->contact_count + halves + model->tie_count;
    model->contacts = ss_pool_new(&model->pool, (size_t)model->contact_count, sizeof(ss_contact));
    ss_words_make(&model->contact_names, &model->pool, def->contact_count);
    if (model->pool.failed) return ss_fail_no_memory(err);
    int second = def->contact_count;
    for (int i = 0; i < def->contact_count; i++) {
        const ss_contact_def* from = &def->contacts[i];
        ss_status status = check_contact(model, def, i, err);
        if (status == SS_OK && is_two(from))
            status = add_halves(model, def, from, i, second++, err);
        else if (status == SS_OK)
            status = add_contact(model, def, from, &model->contacts[i], err);
        if (status != SS_OK) return status;
    }
    ss_contact* tie = &model->contacts[ss_first_tie(model)];
    ss_status status = add_joints(model, def, &tie, err);
    if (status != SS_OK) return status;
    for (int r = 0; r < def->tie_count && def->tie_names; r++) {
        if (!def->tie_names[r]) continue;
        status = add_tie(model, def, r, tie++, err);
        if (status != SS_OK) return status;
    }
    return SS_OK;
}

static ss_status fail_name(const char* name, const char* what, const char* other, ss_error* err)
{
    return ss_fail(err, SS_BAD_INPUT, what, "the name '%.60s' is that of %s already; choose another", name,
                   other);
}

static bool is_body(const ss_model* model, const char* name)
{
    bool found = false;
    for (int b = 0; b < model->body_count && !found; b++) found = strcmp(model->bodies[b].owner, name) == 0;
    return found;
}

// Names of ties and connections are not those of anything else.
static ss_status check_names(const ss_model* model, const ss_system_def* def, ss_error* err)
{
    for (int j = 0; j < def->joint_count; j++) {
        const char* name = def->joints[j].name;
        if (is_body(model, name)) return fail_name(name, "joints", "a body", err);
        for (int k = 0; k < model->contact_count; k++)
            if (strcmp(model->contacts[k].name, name) == 0)
                return fail_name(name, "joints", model->contacts[k].is_tie ? "a tie" : "a contact", err);
        for (int k = 0; k < model->connection_count; k++)
            if (model->connections[k].name && strcmp(model->connections[k].name, name) == 0)
                return fail_name(name, "joints", "a connection", err);
        for (int k = 0; k < j; k++)
            if (strcmp(def->joints[k].name, name) == 0) return fail_name(name, "joints", "a joint", err);
    }
    for (int i = 0; i < model->contact_count; i++) {
        const ss_contact* tie = &model->contacts[i];
        if (!tie->is_tie || i < ss_first_tie(model) + ss_joints_rows(def)) continue;
        if (is_body(model, tie->name)) return fail_name(tie->name, "ties", "a body", err);
        for (int k = 0; k < i; k++)
            if (strcmp(model->contacts[k].name, tie->name) == 0)
                return fail_name(tie->name, "ties", model->contacts[k].is_tie ? "a tie" : "a contact", err);
    }
    for (int i = 0; i < model->connection_count; i++) {
        const char* name = model->connections[i].name;
        if (!name) continue;
        if (is_body(model, name)) return fail_name(name, "connections", "a body", err);
        for (int k = 0; k < model->contact_count; k++)
            if (strcmp(model->contacts[k].name, name) == 0)
                return fail_name(name, "connections", model->contacts[k].is_tie ? "a tie" : "a contact", err);
        for (int k = 0; k < i; k++)
            if (model->connections[k].name && strcmp(model->connections[k].name, name) == 0)
                return fail_name(name, "connections", "a connection", err);
    }
    return SS_OK;
}

static ss_status fill(ss_model* model, const ss_system_def* def, ss_error* err)
{
    if (def->body_count < 1) return ss_fail(err, SS_BAD_INPUT, "bodies", "a system needs at least one body");
    for (int i = 0; i < def->tie_count; i++) {
        char field[48];
        snprintf(field, sizeof field, "ties[%d]", i);
        ss_status status = check_row(def, &def->ties[i], field, err);
        if (status != SS_OK) return status;
    }
    ss_status status = add_bodies(model, def, err);
    if (status == SS_OK) status = ss_model_reduce_ties(model, def, err);
    if (status == SS_OK) status = ss_plane_add_points(model, def, err);
    if (status == SS_OK) status = add_connections(model, def, err);
    if (status == SS_OK) status = add_forces(model, def, err);
    if (status == SS_OK) status = add_contacts(model, def, err);
    if (status == SS_OK) status = check_names(model, def, err);
    if (status == SS_OK) status = ss_model_open(model, def, err);
    if (status == SS_OK) status = ss_model_assemble(model, err);
    return status;
}

static bool is_steady(const ss_model* model)
{
    for (int i = 0; i < model->signal_count; i++)
        if (!ss_signal_is_constant(model->signals[i])) return false;
    if (model->actions && (model->actions->depends & SS_ON_TIME)) return false;
    for (int i = 0; i < model->drive_count; i++)
        if (model->drives[i].is_speed && ss_signal_value(model->drives[i].signal, 0.0) != 0.0) return false;
    return true;
}

static ss_status create(const ss_system_def* def, ss_model** out, ss_error* err)
{
    if (!(def->until >= 0.0) || !isfinite(def->until))
        return ss_fail(err, SS_BAD_INPUT, "run.until", "must be a time >= 0");
    ss_model* model = ss_new(1, sizeof *model);
    if (!model) return ss_fail_no_memory(err);
    size_t signals = 2 * (size_t)def->body_count + (size_t)def->force_count + 4 * (size_t)def->contact_count +
                     (size_t)def->input_count + (size_t)def->state_count + 2 * (size_t)def->force_count +
                     6 * (size_t)def->connection_count + 2; // of the plane
    const char* title = def->title ? def->title : "";
    model->title = ss_pool_text(&model->pool, title, strlen(title));
    model->signals = ss_pool_new(&model->pool, signals, sizeof(ss_signal*));
    model->shared = ss_store_new();
    model->until = def->until;
    model->nature.linear = model->nature.piecewise_linear = true;
    ss_pool pool = {0};
    ss_system_def unfolded;
    ss_status status = model->pool.failed || !model->shared ? ss_fail_no_memory(err) : SS_OK;
    if (status == SS_OK) status = ss_model_unfold_matrices(model, def, &pool, &unfolded, err);
    if (status == SS_OK) status = fill(model, &unfolded, err);
    ss_pool_free(&pool);
    if (status == SS_OK) status = ss_model_couple(model, err);
    if (status != SS_OK) {
        ss_model_destroy(model);
        return status;
    }
    model->nature.steady = is_steady(model);
    *out = model;
    return SS_OK;
}

// Elements as this library knows them; copies, where the caller is older.
static ss_status take_elements(ss_system_def* own, void* copies[3], ss_error* err)
{
    const ss_body_def body = ss_body_def_default();
    const ss_contact_def contact = ss_contact_def_default();
    const ss_connection_def connection = ss_connection_def_default();
    const void *bodies, *contacts, *connections;
    ss_status status = ss_take_list(own->bodies, own->body_count, own->body_size, &body, sizeof body, &bodies,
                                    &copies[0], err);
    if (status == SS_OK)
        status = ss_take_list(own->contacts, own->contact_count, own->contact_size, &contact, sizeof contact,
                              &contacts, &copies[1], err);
    if (status == SS_OK)
        status = ss_take_list(own->connections, own->connection_count, own->connection_size, &connection,
                              sizeof connection, &connections, &copies[2], err);
    if (status != SS_OK) return status;
    own->bodies = bodies;
    own->contacts = contacts;
    own->connections = connections;
    own->body_size = sizeof body;
    own->contact_size = sizeof contact;
    own->connection_size = sizeof connection;
    return SS_OK;
}

ss_status ss_model_create(const ss_system_def* def, ss_model** out, ss_error* err)
{
    ss_system_def own = ss_system_def_default();
    void* copies[3] = {NULL};
    *out = NULL;
    ss_status status = ss_take_def(&own, sizeof own, def, "ss_system_def_default", err);
    if (status == SS_OK) status = take_elements(&own, copies, err);
    if (status == SS_OK) status = create(&own, out, err);
    for (int k = 0; k < 3; k++) free(copies[k]);
    return status;
}

void ss_model_destroy(ss_model* model)
{
    if (!model) return;
    for (int i = 0; i < model->signal_count; i++) ss_signal_destroy(model->signals[i]);
    ss_open_destroy(model->open);
    ss_store_free(model->shared);
    ss_pool_free(&model->pool);
    free(model);
}
