// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "peer_row_modes.h"

#include <math.h>
#include <string.h>

enum { NUMBERS = PEER_ROW_NUMBERS, SIZE = PEER_ROW_SIZE };

static const double unclear = 1e-7;   // share of the forces below which a decision is a doubt
static const double beyond = 1e-8;    // share of its end by which a piece of bristles goes on
static const double slowest = 1e-8;   // m/s: slower impacts are the last
static const double no_digit = 1e-13; // of 1: Dahl's distance from full sliding

static const ss_contact_def* law_of(const peer* p, int i)
{
    return p->row->law[i] < 0 ? NULL : &p->row->rig.contacts[p->row->law[i]];
}

static const ss_contact_def* stop_of(const peer* p, int i)
{
    return p->row->stop[i] < 0 ? NULL : &p->row->rig.contacts[p->row->stop[i]];
}

// Speed and acceleration of what block i lies on.
static double base_of(const peer* p, int i, double t)
{
    return i == 0 ? p->row->belt + p->row->shake * sin(p->row->beat * t) : 0.0;
}

static double base_rate(const peer* p, int i, double t)
{
    return i == 0 ? p->row->shake * p->row->beat * cos(p->row->beat * t) : 0.0;
}

static bool holds(const ss_contact_def* law)
{
    return law && (law->law == SS_LAW_COULOMB || law->law == SS_LAW_STRIBECK || law->law == SS_LAW_CURVE);
}

static bool is_rigid(const ss_contact_def* stop) { return stop && stop->law == SS_LAW_RIGID_STOP; }

// ---- the motion

// What pulls at the blocks, their own friction aside.
static void loads(const peer* p, double t, const double y[], double out[])
{
    const random_row* row = p->row;
    for (int i = 0; i < row->blocks; i++)
        out[i] = i == row->pushed ? row->size * sin(row->omega * t + row->phase) : 0.0;
    for (int i = 0; i < row->blocks; i++) {
        const ss_connection_def* spring = &row->rig.connections[i];
        const double *own = y + i * NUMBERS, *other = own - NUMBERS;
        bool chained = spring->along.count > 1 && spring->along.terms[1].body != SS_GROUND;
        double e = own[0] - (chained ? other[0] : 0.0), rate = own[1] - (chained ? other[1] : 0.0);
        double force = spring->stiffness * e + spring->damping * rate + spring->cubic * e * e * e;
        out[i] -= force;
        if (chained) out[i - 1] += force;
        if (stop_of(p, i)) out[i] += peer_row_stop_force(stop_of(p, i), p->mode[i].stop, own[0], own[1]);
    }
}

static bool is_held(const peer* p, int i)
{
    const block_mode* m = &p->mode[i];
    return (is_rigid(stop_of(p, i)) && m->stop == CLOSED) || (holds(law_of(p, i)) && m->way == 0);
}

void peer_row_rates(const peer* p, double t, const double y[], double out[])
{
    double load[ROW_BLOCKS];
    loads(p, t, y, load);
    memset(out, 0, SIZE * sizeof out[0]);
    for (int i = 0; i < p->row->blocks; i++) {
        const double* own = y + i * NUMBERS;
        const ss_contact_def* law = law_of(p, i);
        double* rate = out + i * NUMBERS;
        rate[0] = own[1];
        rate[1] = base_rate(p, i, t);
        if (is_held(p, i)) continue;
        double friction =
            law ? peer_row_rub(law, &p->mode[i], own[1] - base_of(p, i, t), own + 2, rate + 2) : 0.0;
        rate[1] = (load[i] + friction) / p->row->rig.bodies[i].mass;
    }
}

// ---- what ends a mode

static int add(guard out[], int count, guard_kind kind, int block, int element, double value)
{
    out[count] = (guard){kind, block, element, value};
    return count + 1;
}

// Pieces of elasto-plastic bristles meet so smoothly that each may go on a little beyond its end: there is no
// way back and forth in steady sliding, which lies on one.
static int guard_plastic(const ss_elasto_plastic* law, const block_mode* m, int i, double s, double z,
                         guard out[], int count)
{
    double x = m->way * z, full = peer_row_lugre_level(&law->lugre, s) / law->lugre.sigma0;
    if (m->piece == 0) return add(out, count, FASTER, i, 0, law->breakaway - x);
    if (m->piece == 1) return add(out, count, FASTER, i, 0, (1.0 + beyond) * full - x);
    return add(out, count, SLOWER, i, 0, x - (1.0 - beyond) * full);
}

static int guard_law(const peer* p, int i, double t, const double own[], guard out[], int count)
{
    const ss_contact_def* law = law_of(p, i);
    const block_mode* m = &p->mode[i];
    double s = own[1] - base_of(p, i, t), fast = m->way * s;
    count = add(out, count, WAY, i, 0, fast);
    if (law->law == SS_LAW_CURVE) {
        const double* speed = law->curve.side[0].speed;
        if (m->piece < law->curve.side[0].count - 1)
            count = add(out, count, FASTER, i, 0, speed[m->piece + 1] - fast);
        if (m->piece > 0) count = add(out, count, SLOWER, i, 0, fast - speed[m->piece]);
    }
    if (law->law == SS_LAW_ELASTO_PLASTIC)
        count = guard_plastic(&law->elasto_plastic, m, i, s, own[2], out, count);
    if (law->law == SS_LAW_DAHL && law->dahl.shape < 1.0 && !m->full)
        count = add(out, count, FULL, i, 0,
                    1.0 - law->dahl.sigma0 * own[2] * m->way / law->dahl.coulomb - no_digit);
    for (int k = 0; law->law == SS_LAW_MAXWELL_SLIP && k < law->maxwell_slip.count; k++)
        if (!m->slips[k])
            count =
                add(out, count, ELEMENT, i, k,
                    law->maxwell_slip.breakaway[k] / law->maxwell_slip.stiffness[k] - m->way * own[2 + k]);
    for (int k = 0; law->law == SS_LAW_GMS && k < law->gms.count; k++)
        if (!m->slips[k])
            count = add(out, count, ELEMENT, i, k,
                        law->gms.share[k] * peer_row_gms_level(&law->gms, s) - m->way * own[2 + k]);
    return count;
}

static int guard_stop(const peer* p, int i, const double own[], guard out[], int count)
{
    const ss_contact_def* stop = stop_of(p, i);
    stop_mode mode = p->mode[i].stop;
    if (is_rigid(stop))
        return mode == CLOSED ? count
                              : add(out, count, TOUCH, i, 0,
                                    stop->rigid_stop.side * (stop->rigid_stop.position - own[0]));
    push f = peer_row_push(stop, own[0], own[1]);
    bool hunt = stop->law == SS_LAW_HUNT_CROSSLEY;
    double cut = hunt ? 1.0 + 1.5 * stop->hunt_crossley.alpha * f.rate : f.spring + f.damper;
    count = add(out, count, TOUCH, i, 0, mode == OPEN ? -f.p : f.p);
    if (mode == CLOSED) count = add(out, count, CUT, i, 0, cut);
    if (mode == CUT_OFF) count = add(out, count, CUT, i, 0, -cut);
    if (!hunt && stop->elastic_stop.limited && (mode == CLOSED || mode == LIMITED))
        count = add(out, count, LIMIT, i, 0, (mode == CLOSED ? 1.0 : -1.0) * (f.spring - f.damper));
    return count;
}

int peer_row_guards(const peer* p, double t, const double y[], guard out[])
{
    double load[ROW_BLOCKS];
    int count = 0;
    loads(p, t, y, load);
    for (int i = 0; i < p->row->blocks; i++) {
        const double* own = y + i * NUMBERS;
        const ss_contact_def *law = law_of(p, i), *stop = stop_of(p, i);
        if (is_held(p, i)) {
            double room = peer_row_at_rest(law);
            load[i] -= p->row->rig.bodies[i].mass * base_rate(p, i, t); // what friction must do
            bool leans = is_rigid(stop) && p->mode[i].stop == CLOSED;
            if (!leans || stop->rigid_stop.side < 0) count = add(out, count, HOLD, i, 1, room - load[i]);
            if (!leans || stop->rigid_stop.side > 0) count = add(out, count, HOLD, i, -1, room + load[i]);
        } else if (law)
            count = guard_law(p, i, t, own, out, count);
        if (stop) count = guard_stop(p, i, own, out, count);
    }
    return count;
}

// Block i stands on its floor: it stays, or goes on the way it is pulled.
static void stand(peer* p, int i)
{
    double load[ROW_BLOCKS], rest = peer_row_at_rest(law_of(p, i));
    block_mode* m = &p->mode[i];
    const ss_contact_def* stop = stop_of(p, i);
    bool leans = is_rigid(stop) && m->stop == CLOSED;
    p->y[i * NUMBERS + 1] = base_of(p, i, p->t);
    loads(p, p->t, p->y, load);
    load[i] -= p->row->rig.bodies[i].mass * base_rate(p, i, p->t);
    int way = load[i] > 0.0 ? 1 : -1;
    m->piece = 0;
    m->way = 0;
    if (leans && way == stop->rigid_stop.side) return;
    if (fabs(fabs(load[i]) - rest) < unclear * (1.0 + rest)) p->doubtful = true;
    if (fabs(load[i]) < rest) return;
    m->way = way;
    if (leans) m->stop = OPEN;
}

// The block strikes its hard stop.
static void strike(peer* p, int i)
{
    double* v = &p->y[i * NUMBERS + 1];
    const ss_rigid_stop* stop = &stop_of(p, i)->rigid_stop;
    block_mode* m = &p->mode[i];
    p->y[i * NUMBERS] = stop->position;
    *v *= -stop->restitution;
    if (fabs(*v) > slowest) {
        m->way = *v > 0.0 ? 1 : -1;
        return;
    }
    m->stop = CLOSED;
    stand(p, i);
}

static void touch(peer* p, int i)
{
    block_mode* m = &p->mode[i];
    const ss_contact_def* stop = stop_of(p, i);
    if (is_rigid(stop)) {
        strike(p, i);
        return;
    }
    push f = peer_row_push(stop, p->y[i * NUMBERS], p->y[i * NUMBERS + 1]);
    if (m->stop != OPEN)
        m->stop = OPEN;
    else if (stop->law == SS_LAW_ELASTIC_STOP && stop->elastic_stop.limited && f.damper > f.spring)
        m->stop = LIMITED;
    else
        m->stop = CLOSED;
}

void peer_row_pass(peer* p, const guard* g)
{
    int i = g->block, k = g->element;
    const ss_contact_def* law = law_of(p, i);
    block_mode* m = &p->mode[i];
    double* z = p->y + i * NUMBERS + 2;
    switch (g->kind) {
    case WAY:
        if (holds(law)) {
            stand(p, i);
            break;
        }
        p->y[i * NUMBERS + 1] = base_of(p, i, p->t);
        m->way = -m->way;
        memset(m->slips, 0, sizeof m->slips);
        m->full = false;
        m->piece = 0;
        break;
    case HOLD:
        m->way = k;
        m->piece = 0;
        m->stop = is_rigid(stop_of(p, i)) ? OPEN : m->stop;
        break;
    case FASTER: m->piece++; break;
    case SLOWER: m->piece--; break;
    case ELEMENT:
        m->slips[k] = true;
        if (law->law == SS_LAW_MAXWELL_SLIP)
            z[k] = m->way * law->maxwell_slip.breakaway[k] / law->maxwell_slip.stiffness[k];
        break;
    case FULL:
        m->full = true;
        z[0] = m->way * law->dahl.coulomb / law->dahl.sigma0;
        break;
    case TOUCH: touch(p, i); break;
    case CUT: m->stop = m->stop == CLOSED ? CUT_OFF : CLOSED; break;
    case LIMIT: m->stop = m->stop == CLOSED ? LIMITED : CLOSED; break;
    }
}

// What a state of the law of block i is measured by.
static double scale_of(const ss_contact_def* law, int k)
{
    if (!law) return 1.0;
    if (law->law == SS_LAW_LUGRE) return law->lugre.coulomb / law->lugre.sigma0;
    if (law->law == SS_LAW_ELASTO_PLASTIC)
        return law->elasto_plastic.lugre.coulomb / law->elasto_plastic.lugre.sigma0;
    if (law->law == SS_LAW_DAHL) return law->dahl.coulomb / law->dahl.sigma0;
    if (law->law == SS_LAW_MAXWELL_SLIP)
        return law->maxwell_slip.breakaway[k] / law->maxwell_slip.stiffness[k];
    return 1.0;
}

void peer_row_begin(peer* p)
{
    for (int i = 0; i < p->row->blocks; i++) {
        const ss_contact_def *law = law_of(p, i), *stop = stop_of(p, i);
        double* own = p->y + i * NUMBERS;
        own[0] = p->row->rig.bodies[i].start_x;
        own[1] = p->row->rig.bodies[i].start_v;
        double s = own[1] - base_of(p, i, 0.0);
        p->mode[i].way = s > 0.0 ? 1 : -1;
        while (law && law->law == SS_LAW_CURVE && p->mode[i].piece < law->curve.side[0].count - 1 &&
               fabs(s) > law->curve.side[0].speed[p->mode[i].piece + 1])
            p->mode[i].piece++;
        for (int k = 0; k < NUMBERS; k++) p->scale[i * NUMBERS + k] = k < 2 ? 1.0 : scale_of(law, k - 2);
        if (!stop || is_rigid(stop)) continue;
        push f = peer_row_push(stop, own[0], own[1]);
        if (f.p <= 0.0) continue;
        bool limited = stop->law == SS_LAW_ELASTIC_STOP && stop->elastic_stop.limited;
        p->mode[i].stop = f.spring + f.damper < 0.0        ? CUT_OFF
                          : limited && f.damper > f.spring ? LIMITED
                                                           : CLOSED;
    }
}
