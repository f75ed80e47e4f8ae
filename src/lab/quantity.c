// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "lab/quantity.h"
#include "share/error.h"
#include "share/model_parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static int find_contact(const ss_model* model, const char* name, size_t length)
{
    for (int i = 0; i < ss_model_contact_count(model); i++)
        if (strlen(ss_model_contact_name(model, i)) == length &&
            strncmp(ss_model_contact_name(model, i), name, length) == 0)
            return i;
    return -1;
}

static int find_body(const ss_model* model, const char* name, size_t length)
{
    for (int b = 0; b < ss_model_body_count(model); b++)
        if (strlen(ss_model_body_name(model, b)) == length &&
            strncmp(ss_model_body_name(model, b), name, length) == 0)
            return b;
    return -1;
}

static int number_count(const ss_model* model)
{
    int count = 0;
    for (int kind = 0; kind < SS_NUMBER_KINDS; kind++) count += ss_model_number_count(model, kind);
    return count;
}

// A number of a contact, by what stands behind the dot.
static bool find_in_contact(const char* what, int contact, ss_quantity* out)
{
    static const struct {
        const char* name;
        ss_quantity_kind kind;
    } known[] = {{"force", SS_QUANTITY_FORCE}, {"velocity", SS_QUANTITY_VELOCITY}, {"z", SS_QUANTITY_Z}};
    for (size_t k = 0; k < sizeof known / sizeof known[0] && contact >= 0; k++)
        if (strcmp(what, known[k].name) == 0) {
            *out = (ss_quantity){known[k].kind, contact};
            return true;
        }
    return false;
}

// The names that there are, as far as they fit.
static ss_status refuse(const ss_model* model, const char* name, ss_error* err)
{
    char known[300] = "";
    size_t used = 0;
    int bodies = ss_model_body_count(model), contacts = ss_model_contact_count(model);
    for (int b = 0; b < bodies && used < sizeof known; b++)
        used += (size_t)snprintf(known + used, sizeof known - used, "%.60s.x, %.60s.v, ",
                                 ss_model_body_name(model, b), ss_model_body_name(model, b));
    for (int i = 0; i < contacts && used < sizeof known; i++)
        used += (size_t)snprintf(known + used, sizeof known - used, "%.60s.force, ",
                                 ss_model_contact_name(model, i));
    for (int k = 0; k < number_count(model) && used < sizeof known; k++)
        used +=
            (size_t)snprintf(known + used, sizeof known - used, "%.60s, ", ss_model_number_name(model, k));
    bool cut = used >= sizeof known;
    if (!cut && used >= 2) known[used - 2] = '\0';
    return ss_fail(err, SS_BAD_INPUT, NULL, "no number of the model is called '%.80s'; there are %s%s", name,
                   known, cut ? ".." : "");
}

ss_status ss_quantity_find(const ss_model* model, const char* name, ss_quantity* out, ss_error* err)
{
    const char* dot = strrchr(name, '.');
    if (strcmp(name, "t") == 0) {
        *out = (ss_quantity){SS_QUANTITY_TIME, 0};
        return SS_OK;
    }
    for (int k = 0; k < number_count(model); k++)
        if (strcmp(name, ss_model_number_name(model, k)) == 0) {
            *out = (ss_quantity){SS_QUANTITY_NUMBER, k};
            return SS_OK;
        }
    if (!dot) return refuse(model, name, err);
    size_t length = (size_t)(dot - name);
    int body = find_body(model, name, length), contact = find_contact(model, name, length);
    if (body >= 0 && (strcmp(dot, ".x") == 0 || strcmp(dot, ".v") == 0)) {
        *out = (ss_quantity){dot[1] == 'x' ? SS_QUANTITY_X : SS_QUANTITY_V, body};
        return SS_OK;
    }
    if (!find_in_contact(dot + 1, contact, out)) return refuse(model, name, err);
    if (out->kind == SS_QUANTITY_Z && (!ss_model_contact_has(model, contact, SS_TRAIT_BRISTLES) ||
                                       ss_model_contact_elements(model, contact) > 0))
        return ss_fail(err, SS_BAD_INPUT, NULL, "'%.80s': the law of this contact has no z", name);
    return SS_OK;
}

double ss_quantity_at(ss_quantity q, const ss_moment* moment)
{
    switch (q.kind) {
    case SS_QUANTITY_TIME: return moment->t;
    case SS_QUANTITY_X: return moment->x[q.index];
    case SS_QUANTITY_V: return moment->v[q.index];
    case SS_QUANTITY_FORCE: return moment->contacts[q.index].force;
    case SS_QUANTITY_VELOCITY: return moment->contacts[q.index].velocity;
    case SS_QUANTITY_Z: return moment->contacts[q.index].z;
    case SS_QUANTITY_NUMBER: return moment->numbers[q.index];
    }
    return NAN;
}

double ss_quantity_now(ss_quantity q, const ss_sim* sim, double numbers[])
{
    switch (q.kind) {
    case SS_QUANTITY_TIME: return ss_sim_time(sim);
    case SS_QUANTITY_X: return ss_sim_x(sim)[q.index];
    case SS_QUANTITY_V: return ss_sim_v(sim)[q.index];
    case SS_QUANTITY_FORCE: return ss_sim_contact(sim, q.index).force;
    case SS_QUANTITY_VELOCITY: return ss_sim_contact(sim, q.index).velocity;
    case SS_QUANTITY_Z: return ss_sim_contact(sim, q.index).z;
    case SS_QUANTITY_NUMBER: ss_sim_numbers(sim, numbers); return numbers[q.index];
    }
    return NAN;
}

const char* ss_quantity_unit(const ss_model* model, ss_quantity q, char* out, size_t size)
{
    bool contact = q.kind == SS_QUANTITY_FORCE || q.kind == SS_QUANTITY_VELOCITY || q.kind == SS_QUANTITY_Z;
    bool body = q.kind == SS_QUANTITY_X || q.kind == SS_QUANTITY_V;
    bool angular = contact ? ss_model_contact_is_angular(model, q.index)
                           : body && ss_model_body_is_angular(model, q.index);
    const char* unit = "s";
    switch (q.kind) {
    case SS_QUANTITY_TIME: break;
    case SS_QUANTITY_X:
    case SS_QUANTITY_Z: unit = angular ? "rad" : "m"; break;
    case SS_QUANTITY_V:
    case SS_QUANTITY_VELOCITY: unit = angular ? "rad/s" : "m/s"; break;
    case SS_QUANTITY_FORCE: unit = angular ? "N*m" : "N"; break;
    case SS_QUANTITY_NUMBER: return ss_dimension_format(ss_model_number_dimension(model, q.index), out, size);
    }
    snprintf(out, size, "%s", unit);
    return out;
}

ss_dimension ss_quantity_dimension(const ss_model* model, ss_quantity q)
{
    bool contact = q.kind == SS_QUANTITY_FORCE || q.kind == SS_QUANTITY_VELOCITY || q.kind == SS_QUANTITY_Z;
    bool body = q.kind == SS_QUANTITY_X || q.kind == SS_QUANTITY_V;
    bool angular = contact ? ss_model_contact_is_angular(model, q.index)
                           : body && ss_model_body_is_angular(model, q.index);
    double length = angular ? 0.0 : 1.0;
    switch (q.kind) {
    case SS_QUANTITY_TIME: return (ss_dimension){.s = 1.0};
    case SS_QUANTITY_X:
    case SS_QUANTITY_Z: return (ss_dimension){.m = length};
    case SS_QUANTITY_V:
    case SS_QUANTITY_VELOCITY: return (ss_dimension){.m = length, .s = -1.0};
    case SS_QUANTITY_FORCE: return (ss_dimension){.m = angular ? 2.0 : 1.0, .kg = 1.0, .s = -2.0};
    case SS_QUANTITY_NUMBER: return ss_model_number_dimension(model, q.index);
    }
    return (ss_dimension){0};
}
