// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "random_row.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// 1 and 2 are analytic where v passes 0, the others are not.
static const double fall_shapes[] = {0.7, 1.0, 2.0, 1.5, 2.5};
static const double dahl_shapes[] = {0.3, 0.5, 0.7, 1.0, 1.5, 2.0};
static const row_kind beside[] = {ROW_STRIBECK, ROW_CURVE, ROW_GMS}; // stiff steps, in which others stop
static const double exponents[] = {1.0, 1.5, 2.0, 2.2};

static double power_of_ten(random_source* dice, double low, double high)
{
    return pow(10.0, random_between(dice, low, high));
}

static void rub_curve(ss_contact_def* contact, random_source* dice, double speeds[], double forces[])
{
    speeds[0] = 0.0;
    for (int k = 1; k < 3; k++) speeds[k] = speeds[k - 1] + random_between(dice, 0.03, 0.6);
    for (int k = 0; k < 3; k++) forces[k] = random_between(dice, 0.2, 1.5);
    ss_curve_side side = {.speed = speeds, .force = forces, .count = 3};
    contact->law = SS_LAW_CURVE;
    contact->curve = (ss_curve){.side = {side, side}, .hold = {NAN, NAN}};
}

static void rub_maxwell(ss_contact_def* contact, random_source* dice, double stiffness[], double breakaway[])
{
    for (int k = 0; k < ROW_ELEMENTS; k++) {
        stiffness[k] = power_of_ten(dice, 1.0, 3.0);
        breakaway[k] = random_between(dice, 0.1, 0.6);
    }
    contact->law = SS_LAW_MAXWELL_SLIP;
    contact->maxwell_slip = (ss_maxwell_def){stiffness, breakaway, ROW_ELEMENTS};
}

static void rub_gms(ss_contact_def* contact, random_source* dice, const ss_lugre* like, double stiffness[],
                    double share[])
{
    share[0] = random_between(dice, 0.2, 0.8);
    share[1] = 1.0 - share[0];
    for (int k = 0; k < 2; k++) stiffness[k] = power_of_ten(dice, 1.5, 3.5);
    contact->law = SS_LAW_GMS;
    contact->gms = (ss_gms){2,
                            stiffness,
                            share,
                            like->coulomb,
                            like->static_level,
                            like->speed,
                            like->shape,
                            power_of_ten(dice, 0.0, 2.0),
                            like->sigma2};
}

static void rub(random_row* row, random_source* dice, row_kind law, int body, int base)
{
    double level = random_between(dice, 0.2, 1.5), more = level * random_between(dice, 1.0, 1.6);
    double speed = random_between(dice, 0.02, 0.5), viscous = random_between(dice, 0.0, 0.3);
    double sigma0 = power_of_ten(dice, 1.0, 6.5), sigma1 = random_between(dice, 0.0, 2.0) * sqrt(sigma0);
    double fall = fall_shapes[random_integer(dice, law == ROW_STRIBECK ? 1 : 0, 4)];
    ss_lugre lugre = {sigma0, sigma1, viscous, level, more, speed, fall};
    int index = row->law[body] = row->rig.def.contact_count;
    ss_contact_def* contact = rig_contact(&row->rig, rig_row(&row->rig, body, 1.0, base, -1.0));
    switch (law) {
    case ROW_LUGRE:
        contact->law = SS_LAW_LUGRE;
        contact->lugre = lugre;
        break;
    case ROW_DAHL:
        contact->law = SS_LAW_DAHL;
        contact->dahl = (ss_dahl){sigma0, level, dahl_shapes[random_integer(dice, 0, 5)]};
        break;
    case ROW_ELASTO_PLASTIC:
        contact->law = SS_LAW_ELASTO_PLASTIC;
        contact->elasto_plastic = (ss_elasto_plastic){
            .lugre = lugre, .breakaway = random_between(dice, 0.2, 0.95) * level / sigma0};
        break;
    case ROW_STRIBECK:
        contact->law = SS_LAW_STRIBECK;
        contact->stribeck = (ss_stribeck){level, more, speed, fall, viscous};
        break;
    case ROW_MAXWELL: rub_maxwell(contact, dice, row->stiffness[index], row->breakaway[index]); break;
    case ROW_GMS: rub_gms(contact, dice, &lugre, row->stiffness[index], row->breakaway[index]); break;
    case ROW_CURVE: rub_curve(contact, dice, row->stiffness[index], row->breakaway[index]); break;
    default: contact->law = SS_LAW_COULOMB; contact->coulomb = ss_coulomb_make(level);
    }
}

static void stop_at(random_row* row, random_source* dice, row_kind of, int body)
{
    rig* r = &row->rig;
    int side = random_integer(dice, 0, 1) ? 1 : -1;
    double position = side * random_between(dice, 0.1, 0.8), stiffness = power_of_ten(dice, 1.5, 4.5);
    double exponent = exponents[random_integer(dice, 0, 3)], loss = random_between(dice, 0.0, 0.5);
    row->stop[body] = r->def.contact_count;
    if (of == ROW_RIGID_STOP)
        rig_stop(r, body, SS_GROUND, position, side, loss + 0.3);
    else if (of == ROW_ELASTIC_STOP)
        rig_damped(r, body, SS_GROUND,
                   (ss_elastic_stop){position, side, stiffness, exponent, loss * sqrt(stiffness),
                                     random_integer(dice, 0, 1) == 1});
    else
        rig_elastic(r, body, SS_GROUND, (ss_hunt_crossley){position, side, stiffness, exponent, loss});
}

static bool is_mixed(row_kind of) { return of == ROW_MIXED || of == ROW_SHAKEN; }

static bool stops_for_sure(row_kind of)
{
    return of == ROW_HUNT_CROSSLEY || of == ROW_ELASTIC_STOP || of == ROW_RIGID_STOP;
}

// Blocks, springs and a force. Returns what the first block lies on.
static int draw_blocks(random_row* row, random_source* dice, row_kind of)
{
    rig* r = &row->rig;
    char text[160];
    int belt = SS_GROUND, blocks = row->blocks = random_integer(dice, of == ROW_BESIDE ? 2 : 1, ROW_BLOCKS);
    for (int i = 0; i < blocks; i++) {
        double mass = random_between(dice, 0.5, 2.0), x = random_between(dice, -1.0, 1.0);
        if (of == ROW_RIGID_STOP) x *= 0.1; // within its stop
        rig_body(r, mass, x, random_between(dice, -2.0, 2.0));
    }
    // What a hard stop keeps on a belt stands and slips, which other tests look at.
    if (of == ROW_SHAKEN || (random_integer(dice, 0, 1) && of != ROW_RIGID_STOP)) {
        snprintf(text, sizeof text, "%.3f", random_between(dice, -0.5, 0.5));
        row->belt = strtod(text, NULL);
        if (of == ROW_SHAKEN) {
            row->shake = random_between(dice, 0.1, 2.0);
            row->beat = random_between(dice, 1.0, 8.0);
            snprintf(text, sizeof text, "%.17g + %.17g*sin(%.17g*t)", row->belt, row->shake, row->beat);
        }
        belt = rig_driven_speed(r, text);
    }
    for (int i = 0; i < blocks; i++) {
        int other = i > 0 && random_integer(dice, 0, 1) ? i - 1 : SS_GROUND;
        double stiffness = random_between(dice, 1.0, 40.0), damping = random_between(dice, 0.0, 0.3);
        ss_connection_def* spring = rig_spring(r, i, other, stiffness, damping);
        if (of == ROW_CUBIC || (is_mixed(of) && random_integer(dice, 0, 1)))
            spring->cubic = random_between(dice, 1.0, 40.0);
    }
    if (random_integer(dice, 0, 2) > 0) {
        row->size = random_between(dice, 0.5, 4.0);
        row->omega = random_between(dice, 1.0, 8.0);
        row->phase = random_between(dice, 0.0, 6.0);
        row->pushed = random_integer(dice, 0, blocks - 1);
        snprintf(text, sizeof text, "%.17g*sin(%.17g*t + %.17g)", row->size, row->omega, row->phase);
        rig_force(r, row->pushed, text);
    }
    return belt;
}

ss_model* random_row_draw(random_row* row, row_kind of, uint64_t seed)
{
    random_source dice = {seed};
    memset(row, 0, sizeof *row);
    rig_init(&row->rig);
    row->pushed = -1;
    int belt = draw_blocks(row, &dice, of);
    for (int i = 0; i < row->blocks; i++) {
        row_kind law = of;
        row->law[i] = row->stop[i] = -1;
        if (is_mixed(of)) law = (row_kind)random_integer(&dice, 0, ROW_CUBIC);
        if (of == ROW_BESIDE) law = i % 2 == 0 ? ROW_LUGRE : beside[random_integer(&dice, 0, 2)];
        if (!stops_for_sure(of) || random_integer(&dice, 0, 1))
            rub(row, &dice, law, i, i == 0 ? belt : SS_GROUND);
        if (stops_for_sure(of) || ((is_mixed(of) || of == ROW_BESIDE) && random_integer(&dice, 0, 1)))
            stop_at(row, &dice, of, i);
    }
    return rig_model(&row->rig);
}
