// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Sensitivities of states in a variable of their own: a law whose rate grows beyond bounds where its state
// saturates (Dahl's of shape below 1) has dz = scale p + offset with p smooth, see ss_law_measure. While
// sensitivities go along a step by collocation, their numbers z of such contacts are p; elsewhere they are
// dz.
#include "engine/field/field.h"
#include "engine/sensitivity/sensitivity.h"

static bool measure_at(const ss_derivative* der, const ss_sensitivity* to, int i, double z, double v,
                       ss_law_measure* out)
{
    const ss_sim* sim = der->sim;
    const ss_contact* contact = &der->model->contacts[i];
    if (der->z_at[i] < 0 || !contact->law_entry->point.measure || !ss_slips(&sim->modes, i)) return false;
    const ss_along* along = &sim->step.laws.bristles[sim->step.laws.bristle_at[i]].along;
    const void* numbers = to && to->change && to->change->law[i] ? to->change->numbers[i] : NULL;
    ss_law_point point = {.v = v, .sign = along->sign, .z = z, .along = along};
    return contact->law_entry->point.measure(ss_law_of(contact), numbers, &point, out);
}

static bool measure_on_step(const ss_derivative* der, const ss_sensitivity* to, int i, double s,
                            ss_law_measure* out)
{
    if (der->z_at[i] < 0 || !der->model->contacts[i].law_entry->point.measure) return false;
    const ss_along* along = &der->sim->step.laws.bristles[der->sim->step.laws.bristle_at[i]].along;
    return measure_at(der, to, i, ss_along_at(along->z, der->sim->step.order - 1, s), 0.0, out);
}

void ss_sensitivity_unmeasure(const ss_derivative* der, const ss_sensitivity* to, double s, double z[])
{
    ss_law_measure own;
    for (int i = 0; i < der->m; i++)
        if (measure_on_step(der, to, i, s, &own)) z[der->z_at[i]] = own.scale * z[der->z_at[i]] + own.offset;
}

static void measure(const ss_derivative* der, ss_sensitivity* to)
{
    ss_law_measure own;
    for (int i = 0; i < der->m; i++) {
        if (!measure_on_step(der, to, i, 0.0, &own)) continue;
        double* z = &to->z[der->z_at[i]];
        *z = own.scale != 0.0 ? (*z - own.offset) / own.scale : 0.0;
    }
}

bool ss_sensitivity_take_measures(ss_derivative* der)
{
    ss_law_measure own;
    bool any = false, takes = false;
    for (int i = 0; i < der->m; i++) {
        if (!measure_on_step(der, NULL, i, 0.0, &own)) continue;
        any = true;
        takes = takes || own.scale != 0.0;
    }
    for (int j = 0; j < der->count && any; j++) {
        ss_sensitivity* to = &der->sensitivities[j];
        if (to->lost) continue;
        measure(der, to);
        if (!takes) ss_sensitivity_unmeasure(der, to, 0.0, to->z);
    }
    return takes;
}

static bool measure_there(const ss_derivative* der, const ss_sensitivity* to, const ss_linear* lin, int i,
                          ss_law_measure* out)
{
    const ss_contact* contact = &der->model->contacts[i];
    double v = ss_row_dot(&contact->q, lin->at.v) + ss_row_dot(&contact->d, lin->at.d1);
    return der->z_at[i] >= 0 && measure_at(der, to, i, lin->at.z[der->z_at[i]], v, out);
}

void ss_sensitivity_unmeasure_at(const ss_derivative* der, const ss_sensitivity* to, const ss_linear* lin,
                                 double z[])
{
    ss_law_measure own;
    for (int i = 0; i < der->m; i++)
        if (measure_there(der, to, lin, i, &own)) z[der->z_at[i]] = own.scale * z[der->z_at[i]] + own.offset;
}

void ss_sensitivity_measure_rates(const ss_derivative* der, const ss_sensitivity* to, const ss_linear* lin,
                                  ss_delta* io)
{
    ss_law_measure own;
    for (int i = 0; i < der->m; i++) {
        const ss_contact* contact = &der->model->contacts[i];
        if (!measure_there(der, to, lin, i, &own)) continue;
        double dv = ss_row_dot(&contact->q, io->v) + ss_row_dot(&contact->d, io->d1);
        if (to && to->change)
            dv += ss_row_dot(&to->change->q[i], lin->at.v) + ss_row_dot(&to->change->d[i], lin->at.d1);
        io->z_rate[der->z_at[i]] = own.rate_v * dv + own.rate;
    }
}
