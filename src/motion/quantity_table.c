// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "share/quantity_table.h"

#include "core/error.h"
#include "share/law.h"
#include "share/model_parts.h"
#include "share/quantity.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef ss_quantity_place place;

static double time_of(const place* p) { return p->t; }
static double x_of(const place* p) { return p->x; }
static double v_of(const place* p) { return p->v; }
static double number_of(const place* p) { return p->number; }
static double force_of(const place* p) { return p->contact->force; }
static double mode_of(const place* p) { return p->contact->mode; }
static double limit_of(const place* p) { return p->contact->limit; }
static double side_of(const place* p) { return p->contact->side; }
static double determined_of(const place* p) { return p->contact->determined; }
static double z_of(const place* p) { return p->contact->z; }
static double velocity_of(const place* p) { return p->contact->velocity; }
static double power_of(const place* p) { return p->contact->force * p->contact->velocity; }
static double slide_x(const place* p) { return p->slide->x; }
static double slide_y(const place* p) { return p->slide->y; }
static double slide_angle(const place* p) { return p->slide->angle; }
static double slide_vx(const place* p) { return p->slide->vx; }
static double slide_vy(const place* p) { return p->slide->vy; }
static double slide_spin(const place* p) { return p->slide->spin; }

static double support_force(const place* p) { return p->number; }
static double support_mode(const place* p) { return p->support->mode; }

enum {
    ALL = SS_TOLD_ANSWER | SS_TOLD_TEXT | SS_TOLD_TRACE | SS_TOLD_FMU,
    LINE = ALL | SS_TOLD_PICTURE | SS_TOLD_DERIVATIVE | SS_TOLD_BY_NAME,
};
#define LENGTH         .straight = {.m = 1}, .angle = 1
#define SPEED          .straight = {.m = 1, .s = -1}, .turning = {.s = -1}, .angle = 1
#define FORCE          .straight = {1, 1, -2, 0}, .turning = {2, 1, -2, 0}
#define OF(owner, key) .name = (key), .of = SS_OF_##owner

// In the order in which they are told.
static const ss_quantity_row rows[] = {
    [SS_QUANTITY_TIME] = {OF(RUN, "t"), .straight = {.s = 1}, .told = ALL, .at = time_of},
    [SS_QUANTITY_X] = {OF(BODY, "x"), LENGTH, .told = LINE, .exchange = 1 + SS_EXCHANGE_X, .at = x_of,
                       .unknown = 1 + SS_UNKNOWN_X, .about = {"position of @", "angle of @"}},
    [SS_QUANTITY_V] = {OF(BODY, "v"), SPEED, .told = LINE, .exchange = 1 + SS_EXCHANGE_V, .at = v_of,
                       .unknown = 1 + SS_UNKNOWN_V, .about = {"speed of @", "speed of @"}},
    [SS_QUANTITY_FORCE] = {OF(CONTACT, "force"), FORCE, .changes = true, .told = LINE, .at = force_of,
                           .unknown = 1 + SS_UNKNOWN_FORCE,
                           .about = {"force of @ (#) on its first body",
                                     "moment of @ (#) on its first body"}},
    [SS_QUANTITY_MODE] = {OF(CONTACT, "mode"), .value = SS_QUANTITY_IS_MODE, .told = ALL, .at = mode_of,
                          .about = {"mode of @", "mode of @"}},
    [SS_QUANTITY_NUMBER] = {OF(NUMBER, NULL), .dimension = ss_model_number_dimension, .changes = true,
                            .told = ALL | SS_TOLD_DERIVATIVE | SS_TOLD_BY_NAME, .at = number_of},
    [SS_QUANTITY_SUPPORT_FORCE] = {OF(SUPPORT, NULL), FORCE, .told = ALL, .at = support_force},
    [SS_QUANTITY_SUPPORT_MODE] = {OF(SUPPORT, "mode"), .value = SS_QUANTITY_IS_MODE, .told = ALL,
                                  .at = support_mode},
    {OF(CONTACT, "limit"), FORCE, .changes = true, .told = SS_TOLD_ANSWER | SS_TOLD_TEXT, .at = limit_of},
    {OF(CONTACT, "side"), .value = SS_QUANTITY_IS_SIDE, .told = SS_TOLD_ANSWER, .at = side_of},
    {OF(CONTACT, "determined"), .value = SS_QUANTITY_IS_FLAG, .told = SS_TOLD_ANSWER | SS_TOLD_TEXT,
     .at = determined_of},
    {OF(CONTACT, "z"), .dimension = ss_model_contact_state_dimension, .angle = 1, .optional = true,
     .at = z_of, .told = SS_TOLD_ANSWER | SS_TOLD_TRACE | SS_TOLD_FMU | SS_TOLD_BY_NAME, .trait = SS_TRAIT_Z,
     .exchange = 1 + SS_EXCHANGE_Z, .about = {"bristle deflection of @", "bristle deflection of @"}},
    {OF(ELEMENT, NULL), LENGTH, .told = SS_TOLD_TRACE, .at = number_of},
    {OF(CONTACT, "velocity"), SPEED, .told = SS_TOLD_BY_NAME, .at = velocity_of},
    // What the contact gives to the bodies, in W: of dry friction never more than 0.
    {OF(CONTACT, "power"), .straight = {2, 1, -3, 0}, .turning = {2, 1, -3, 0}, .told = SS_TOLD_BY_NAME,
     .at = power_of},
    {OF(SLIDER, "x"), .straight = {.m = 1}, .told = ALL, .about = {"position"}, .at = slide_x},
    {OF(SLIDER, "y"), .straight = {.m = 1}, .told = ALL, .about = {"position"}, .at = slide_y},
    {OF(SLIDER, "angle"), .angle = 1, .told = ALL, .about = {"angle"}, .at = slide_angle},
    {OF(SLIDER, "vx"), .straight = {.m = 1, .s = -1}, .told = ALL, .about = {"speed"}, .at = slide_vx},
    {OF(SLIDER, "vy"), .straight = {.m = 1, .s = -1}, .told = ALL, .about = {"speed"}, .at = slide_vy},
    {OF(SLIDER, "spin"), .turning = {.s = -1}, .angle = 1, .told = ALL, .about = {"spin"}, .at = slide_spin},
};
enum { ROWS = sizeof rows / sizeof rows[0] };

int ss_quantity_row_count(void) { return ROWS; }
const ss_quantity_row* ss_quantity_row_at(int kind) { return &rows[kind]; }

// ---- all of a model

static int number_count(const ss_model* model)
{
    int count = 0;
    for (int kind = 0; kind < SS_NUMBER_KINDS; kind++) count += ss_model_number_count(model, kind);
    return count;
}

// Elements are told with their contacts.
static ss_quantity_owner told_with(int kind)
{
    return rows[kind].of == SS_OF_ELEMENT ? SS_OF_CONTACT : rows[kind].of;
}

static int owner_count(const ss_model* model, ss_quantity_owner of)
{
    switch (of) {
    case SS_OF_RUN: return 1;
    case SS_OF_BODY: return ss_model_body_count(model);
    case SS_OF_CONTACT: return ss_model_contact_count(model);
    case SS_OF_NUMBER: return number_count(model);
    default: return 0;
    }
}

// The next row of the same owners, or ROWS. kind may be -1.
static int next_row(int kind, ss_quantity_owner of)
{
    do kind++;
    while (kind < ROWS && told_with(kind) != of);
    return kind;
}

static bool exists(const ss_model* model, const ss_quantity* q)
{
    const ss_quantity_row* row = &rows[q->kind];
    if (row->of == SS_OF_ELEMENT) return q->part < ss_moment_elements(model, q->index);
    return row->trait == 0 || (ss_model_get_contact(model, q->index).traits & row->trait) != 0;
}

// Goes to the next row, then to the next owner, then to the next kind of owners. False at the end.
static bool advance(const ss_model* model, ss_quantity* q)
{
    static const ss_quantity_owner after[] = {
        [SS_OF_RUN] = SS_OF_BODY, [SS_OF_BODY] = SS_OF_CONTACT, [SS_OF_CONTACT] = SS_OF_NUMBER};
    ss_quantity_owner of = told_with(q->kind);
    if (rows[q->kind].of == SS_OF_ELEMENT && exists(model, q)) {
        q->part++;
        return true;
    }
    q->part = 0;
    q->kind = next_row(q->kind, of);
    if (q->kind < ROWS) return true;
    if (of == SS_OF_CONTACT) q->before += ss_moment_elements(model, q->index);
    q->index++;
    while (q->index >= owner_count(model, of)) {
        if (of == SS_OF_NUMBER) return false;
        of = after[of];
        q->index = 0;
    }
    q->kind = next_row(-1, of);
    return true;
}

bool ss_quantity_next(const ss_model* model, unsigned told, ss_quantity* q)
{
    while (advance(model, q))
        if ((rows[q->kind].told & told) && exists(model, q)) return true;
    return false;
}

// ---- names

const char* ss_quantity_owner_name(const ss_model* model, ss_quantity q)
{
    switch (rows[q.kind].of) {
    case SS_OF_BODY: return ss_model_get_body(model, q.index).owner;
    case SS_OF_CONTACT:
    case SS_OF_ELEMENT: return ss_model_contact_name(model, q.index);
    case SS_OF_NUMBER: return ss_model_number_name(model, q.index);
    case SS_OF_SLIDER: return "slider";
    default: return "";
    }
}

const char* ss_quantity_body_word(const ss_model* model, int kind, int body)
{
    ss_body_info info = ss_model_get_body(model, body);
    return kind == SS_QUANTITY_X ? info.place : info.speed;
}

const char* ss_quantity_field(const ss_model* model, ss_quantity q, char* out, size_t size)
{
    static const char* const components[] = {"force", "force_x", "force_y", "moment"};
    const ss_quantity_row* row = &rows[q.kind];
    const char* name = row->name ? row->name : "";
    if (row->of == SS_OF_BODY) name = ss_quantity_body_word(model, q.kind, q.index);
    if (q.kind == SS_QUANTITY_SUPPORT_FORCE) name = components[q.part + 1];
    if (row->of == SS_OF_ELEMENT)
        snprintf(out, size, "%.11s[%d]", ss_law_element_word(ss_model_contact_law(model, q.index)), q.part);
    else
        snprintf(out, size, "%s", name);
    return out;
}

const char* ss_quantity_name(const ss_model* model, ss_quantity q, char* out, size_t size)
{
    char field[32];
    const char* owner = ss_quantity_owner_name(model, q);
    ss_quantity_field(model, q, field, sizeof field);
    snprintf(out, size, "%s%s%s", owner, owner[0] && field[0] ? "." : "", field);
    return out;
}

const char* ss_quantity_about(const ss_model* model, ss_quantity q, char* out, size_t size)
{
    const char* about = rows[q.kind].about[ss_quantity_is_angular(model, q)];
    size_t used = 0;
    out[0] = '\0';
    for (const char* p = about ? about : ""; *p && used < size; p++) {
        const char one[] = {*p, '\0'};
        const char* part = *p == '@'   ? ss_quantity_owner_name(model, q)
                           : *p == '#' ? ss_model_contact_law_name(model, q.index)
                                       : one;
        used += (size_t)snprintf(out + used, size - used, "%s", part);
    }
    return out;
}

// The names that there are, as far as they fit.
static ss_status refuse(const ss_model* model, const char* name, ss_error* err)
{
    char known[300] = "", one[70];
    size_t used = 0;
    ss_quantity q = {0};
    while (used < sizeof known && ss_quantity_next(model, SS_TOLD_DERIVATIVE, &q)) {
        ss_quantity_name(model, q, one, sizeof one);
        used += (size_t)snprintf(known + used, sizeof known - used, "%s, ", one);
    }
    bool cut = used >= sizeof known;
    if (!cut && used >= 2) known[used - 2] = '\0';
    return ss_fail(err, SS_BAD_INPUT, NULL, "no number of the model is called '%.80s'; there are %s%s", name,
                   known, cut ? ".." : "");
}

// `name` goes on with the word of the quantity, after a dot.
static int find_owner(const ss_model* model, int kind, const char* name, size_t length)
{
    ss_quantity_owner of = rows[kind].of;
    for (int k = 0; k < owner_count(model, of); k++) {
        bool body = of == SS_OF_BODY;
        const char* known = body ? ss_model_get_body(model, k).owner : ss_model_contact_name(model, k);
        bool same = strlen(known) == length && strncmp(known, name, length) == 0;
        if (same && (!body || strcmp(ss_quantity_body_word(model, kind, k), name + length + 1) == 0))
            return k;
    }
    return -1;
}

ss_status ss_quantity_find(const ss_model* model, const char* name, ss_quantity* out, ss_error* err)
{
    const char* dot = strrchr(name, '.');
    *out = (ss_quantity){.kind = SS_QUANTITY_TIME};
    if (strcmp(name, rows[SS_QUANTITY_TIME].name) == 0) return SS_OK;
    for (int k = 0; k < number_count(model); k++)
        if (strcmp(name, ss_model_number_name(model, k)) == 0) {
            *out = (ss_quantity){SS_QUANTITY_NUMBER, .index = k};
            return SS_OK;
        }
    for (int kind = 0; kind < ROWS && dot; kind++) {
        const ss_quantity_row* row = &rows[kind];
        bool of_body = row->of == SS_OF_BODY; // which says itself what its coordinates are called
        if (!(row->told & SS_TOLD_BY_NAME) || !row->name) continue;
        if (!of_body && strcmp(row->name, dot + 1) != 0) continue;
        ss_quantity q = {kind, .index = find_owner(model, kind, name, (size_t)(dot - name))};
        if (q.index < 0) continue;
        *out = q;
        if (exists(model, &q)) return SS_OK;
        return ss_fail(err, SS_BAD_INPUT, NULL, "'%.80s': the law of this contact has no %s", name,
                       row->name);
    }
    return refuse(model, name, err);
}

// ---- units

bool ss_quantity_is_angular(const ss_model* model, ss_quantity q)
{
    switch (rows[q.kind].of) {
    case SS_OF_BODY: return ss_model_body_is_angular(model, q.index);
    case SS_OF_CONTACT:
    case SS_OF_ELEMENT: return ss_model_contact_is_angular(model, q.index);
    case SS_OF_SLIDER: return rows[q.kind].angle != 0;
    case SS_OF_SUPPORT: return q.part == 2;
    default: return false;
    }
}

// Some elements are told by their forces.
static const ss_quantity_row* unit_row(const ss_model* model, ss_quantity q)
{
    bool force = rows[q.kind].of == SS_OF_ELEMENT && ss_model_contact_has(model, q.index, SS_TRAIT_MANY);
    return &rows[force ? (int)SS_QUANTITY_FORCE : q.kind];
}

ss_dimension ss_quantity_dimension(const ss_model* model, ss_quantity q)
{
    const ss_quantity_row* row = unit_row(model, q);
    if (row->dimension) return row->dimension(model, q.index);
    return ss_quantity_is_angular(model, q) ? row->turning : row->straight;
}

// Rows whose dimension the model says are angles only where it says none.
int ss_quantity_angle(const ss_model* model, ss_quantity q)
{
    const ss_quantity_row* row = unit_row(model, q);
    bool plain = !row->dimension || ss_dimension_equal(row->dimension(model, q.index), (ss_dimension){0});
    return plain && ss_quantity_is_angular(model, q) ? row->angle : 0;
}

const char* ss_quantity_unit(const ss_model* model, ss_quantity q, char* out, size_t size)
{
    out[0] = '\0';
    if (rows[q.kind].value != SS_QUANTITY_IS_NUMBER) return out;
    return ss_dimension_format_angle(ss_quantity_dimension(model, q), ss_quantity_angle(model, q), out, size);
}

// ---- values

double ss_quantity_at(ss_quantity q, const ss_moment* m)
{
    place p = {.t = m->t, .x = NAN, .v = NAN, .number = NAN};
    switch (rows[q.kind].of) {
    case SS_OF_RUN: break;
    case SS_OF_BODY:
        if (m->x) p.x = m->x[q.index];
        if (m->v) p.v = m->v[q.index];
        break;
    case SS_OF_CONTACT: p.contact = &m->contacts[q.index]; break;
    case SS_OF_ELEMENT: p.number = m->deflections ? m->deflections[q.before + q.part] : NAN; break;
    case SS_OF_NUMBER: p.number = m->numbers ? m->numbers[q.index] : NAN; break;
    case SS_OF_SLIDER: p.slide = m->slide; break;
    case SS_OF_SUPPORT:
        p.support = &m->supports[q.index];
        p.number = p.support->force[q.part < 0 ? 0 : q.part];
        break;
    }
    return rows[q.kind].at(&p);
}

double ss_quantity_now(ss_quantity q, const ss_sim* sim, double numbers[])
{
    place p = {.t = ss_sim_time(sim), .x = NAN, .v = NAN, .number = NAN};
    ss_contact_state contact;
    switch (rows[q.kind].of) {
    case SS_OF_BODY:
        p.x = ss_sim_x(sim)[q.index];
        p.v = ss_sim_v(sim)[q.index];
        break;
    case SS_OF_CONTACT:
        contact = ss_sim_contact(sim, q.index);
        p.contact = &contact;
        break;
    case SS_OF_NUMBER:
        ss_sim_numbers(sim, numbers);
        p.number = numbers[q.index];
        break;
    default: break;
    }
    return rows[q.kind].at(&p);
}
