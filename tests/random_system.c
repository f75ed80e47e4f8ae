// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// How the random systems are drawn. Damping is scaled by sqrt(stiffness * mass), so that a negative one feeds
// energy in gently; friction is of the order of the spring forces, so that most motions come to rest.
#include "random_system.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

uint64_t random_next(random_source* source) // splitmix64
{
    uint64_t z = source->state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

double random_between(random_source* source, double low, double high)
{
    return low + (high - low) * (double)(random_next(source) >> 11) * 0x1p-53;
}

int random_integer(random_source* source, int low, int high)
{
    return low + (int)(random_next(source) % (uint64_t)(high - low + 1));
}

int random_count(int usual)
{
    const char* share = getenv("SLIPSTICK_TEST_SHARE");
    double count = usual * (share ? strtod(share, NULL) : 1.0);
#if defined(__SANITIZE_ADDRESS__)
    count *= 0.2;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
    count *= 0.2;
#endif
#endif
    return count >= 1.0 ? (int)count : 1;
}

static double power_of_ten(random_source* source, double low, double high)
{
    return pow(10.0, random_between(source, low, high));
}

static void add_outer(int n, double A[PEER_MAX][PEER_MAX], const double row[], double factor)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) A[i][j] += factor * row[i] * row[j];
}

// A spring between bodies, or along a full row, of length now and then different from 0.
static void add_spring(random_system* s, random_source* r, int a, int b)
{
    double row[PEER_MAX] = {0};
    double light = b == SS_GROUND ? s->full.M[a][a] : fmin(s->full.M[a][a], s->full.M[b][b]);
    double k = power_of_ten(r, -0.5, 0.7), c = random_between(r, -0.03, 0.25) * sqrt(k * light);
    double length = random_integer(r, 0, 3) == 0 ? random_between(r, -0.5, 0.5) : 0.0;
    row[a] = 1.0;
    if (b != SS_GROUND) row[b] = -1.0;
    rig_spring(&s->rig, a, b, k, c)->length = length;
    add_outer(s->bodies, s->full.K, row, k);
    add_outer(s->bodies, s->full.C, row, c);
    for (int i = 0; i < s->bodies; i++) s->full.f0[i] += k * length * row[i];
}

static void draw_bodies(random_system* s, random_source* r)
{
    for (int i = 0; i < s->bodies; i++) {
        double mass = power_of_ten(r, -1.0, 1.0);
        s->x[i] = random_between(r, -3.0, 3.0);
        rig_body(&s->rig, mass, s->x[i], 0.0);
        s->full.M[i][i] = mass;
    }
    for (int i = 0; i < s->bodies; i++) {
        add_spring(s, r, i, i == 0 || random_integer(r, 0, 1) ? SS_GROUND : random_integer(r, 0, i - 1));
        if (i > 0 && random_integer(r, 0, 2) == 0) add_spring(s, r, i, random_integer(r, 0, i - 1));
    }
}

static void draw_row(random_system* s, random_source* r, double row[])
{
    memset(row, 0, sizeof(double[PEER_MAX]));
    int a = random_integer(r, 0, s->bodies - 1), b = random_integer(r, 0, s->bodies - 1);
    row[a] = 1.0;
    if (b != a) row[b] = -1.0; // otherwise a floor
    if (random_integer(r, 0, 3) == 0)
        for (int i = 0; i < s->bodies; i++) row[i] = random_between(r, -1.5, 1.5);
}

// Repeats an earlier contact, backwards or scaled, or adds two of them.
static void repeat_row(random_system* s, random_source* r, int contact, double row[])
{
    static const double factors[] = {1.0, -1.0, 0.5, 2.0};
    int a = random_integer(r, 0, contact - 1), b = random_integer(r, 0, contact - 1);
    double f = factors[random_integer(r, 0, 3)];
    for (int i = 0; i < s->bodies; i++) row[i] = f * s->full.W[i][a] + (b != a ? s->full.W[i][b] : 0.0);
}

static bool is_empty(int n, const double row[])
{
    double size = 0.0;
    for (int i = 0; i < n; i++) size += fabs(row[i]);
    return size < 1e-6;
}

static void draw_contact(random_system* s, random_source* r, int contact)
{
    double row[PEER_MAX] = {0}, level = power_of_ten(r, -0.5, 0.5), levels[4];
    bool repeats = s->kind == RANDOM_REDUNDANT && contact > 0 && random_integer(r, 0, 1);
    if (s->kind == RANDOM_SHAKEN) repeats = contact > 0 && random_integer(r, 0, 4) == 0;
    if (repeats) repeat_row(s, r, contact, row);
    if (is_empty(s->bodies, row)) draw_row(s, r, row);
    for (int i = 0; i < s->bodies; i++) s->full.W[i][contact] = row[i];
    for (int i = 0; i < 4; i++) levels[i] = level;
    if (random_falls(s->kind)) {
        levels[1] = level * power_of_ten(r, -0.3, 0.3);
        levels[2] = levels[0] * random_between(r, 1.0, 1.6);
        levels[3] = levels[1] * random_between(r, 1.0, 1.6);
    }
    ss_contact_def* c = rig_contact(&s->rig, rig_full_row(&s->rig, row, s->bodies));
    c->coulomb = (ss_coulomb){levels[0], levels[1], levels[2], levels[3]};
    s->full.forward[contact] = levels[0];
    s->full.backward[contact] = levels[1];
    s->full.static_forward[contact] = levels[2];
    s->full.static_backward[contact] = levels[3];
}

static void draw_force(random_system* s, random_source* r)
{
    s->full.omega = random_between(r, 0.5, 4.0);
    s->full.phase = random_between(r, 0.0, 6.0);
    for (int i = 0; i < s->bodies; i++) {
        if (i > 0 && random_integer(r, 0, 1)) continue;
        char text[120];
        s->full.f1[i] = power_of_ten(r, -0.5, 0.5);
        snprintf(text, sizeof text, "%.17g * sin(%.17g * t + %.17g)", s->full.f1[i], s->full.omega,
                 s->full.phase);
        rig_force(&s->rig, i, text);
    }
}

// Dense symmetric M and K with the bodies' ones on the diagonal, C with a part that is not symmetric.
static void draw_matrices(random_system* s, random_source* r)
{
    peer_system* f = &s->full;
    for (int i = 0; i < s->bodies; i++)
        for (int j = 0; j < i; j++) {
            double couple = random_between(r, -0.5, 0.5) / s->bodies * sqrt(f->M[i][i] * f->M[j][j]);
            double turn = random_between(r, -0.1, 0.1) * sqrt(f->M[i][i] * f->M[j][j]);
            f->M[i][j] = f->M[j][i] = couple;
            f->C[i][j] += turn;
            f->C[j][i] -= turn;
        }
    for (int i = 0; i < s->bodies; i++)
        for (int j = 0; j < s->bodies; j++) {
            s->flat[0][i * s->bodies + j] = f->M[i][j];
            s->flat[1][i * s->bodies + j] = f->C[i][j];
            s->flat[2][i * s->bodies + j] = f->K[i][j];
        }
    for (int i = 0; i < s->bodies; i++)
        for (int c = 0; c < s->contacts; c++) s->W[i * s->contacts + c] = f->W[i][c];
    int n = s->bodies;
    s->matrices = (ss_matrices_def){.M = ss_matrix_whole(n, n, s->flat[0]),
                                    .C = ss_matrix_whole(n, n, s->flat[1]),
                                    .K = ss_matrix_whole(n, n, s->flat[2]),
                                    .W = ss_matrix_whole(n, s->contacts, s->W),
                                    .friction = f->forward,
                                    .f = f->f0,
                                    .start_x = s->x,
                                    .start_v = s->v};
    s->rig.def = ss_system_def_default();
    s->rig.def.matrices = &s->matrices;
}

// Orthonormal N with G N = 0 for the rows of G: what the Gram-Schmidt process leaves of the axes.
static int null_space(int n, int rows, double G[][PEER_MAX], double N[PEER_MAX][PEER_MAX])
{
    double Q[2 * PEER_MAX][PEER_MAX];
    int kept = 0, columns = 0;
    for (int k = 0; k < rows + n; k++) {
        double w[PEER_MAX] = {0}, left = 0.0;
        for (int i = 0; i < n; i++) w[i] = k < rows ? G[k][i] : i == k - rows;
        for (int j = 0; j < 2 * kept; j++) {
            double share = 0.0;
            for (int i = 0; i < n; i++) share += Q[j % kept][i] * w[i];
            for (int i = 0; i < n; i++) w[i] -= share * Q[j % kept][i];
        }
        for (int i = 0; i < n; i++) left += w[i] * w[i];
        if (left < 1e-12) continue;
        for (int i = 0; i < n; i++) Q[kept][i] = w[i] / sqrt(left);
        if (k >= rows) {
            for (int i = 0; i < n; i++) N[i][columns] = Q[kept][i];
            columns++;
        }
        kept++;
    }
    return columns;
}

static int draw_ties(random_system* s, random_source* r, double G[][PEER_MAX])
{
    if (s->kind != RANDOM_TIED || s->bodies < 2) return 0;
    int count = random_integer(r, 1, s->bodies > 3 ? 2 : 1);
    for (int k = 0; k < count; k++) {
        memset(G[k], 0, sizeof G[k]);
        int a = random_integer(r, 0, s->bodies - 1),
            b = (a + random_integer(r, 1, s->bodies - 1)) % s->bodies;
        G[k][a] = random_integer(r, 1, 3);
        G[k][b] = -random_integer(r, 1, 3);
        if (s->bodies > 3 && k == 1) { // keeps the two independent
            G[k][a] += 0.25;
            G[k][(a + 1) % s->bodies] += 0.5;
        }
        s->rig.ties[k] = rig_full_row(&s->rig, G[k], s->bodies);
    }
    s->rig.def.tie_count = count;
    return count;
}

// The reduced system N^T (..) N, with the start position as origin.
static void reduce(random_system* s)
{
    const peer_system* f = &s->full;
    peer_system* p = &s->peer;
    int n = s->bodies, k = p->n;
    for (int a = 0; a < k; a++) {
        for (int i = 0; i < n; i++) {
            p->f0[a] += s->N[i][a] * f->f0[i];
            p->f1[a] += s->N[i][a] * f->f1[i];
            for (int c = 0; c < f->m; c++) p->W[a][c] += s->N[i][a] * f->W[i][c];
            for (int j = 0; j < n; j++) {
                p->f0[a] -= s->N[i][a] * f->K[i][j] * s->x[j];
                for (int b = 0; b < k; b++) {
                    p->M[a][b] += s->N[i][a] * f->M[i][j] * s->N[j][b];
                    p->C[a][b] += s->N[i][a] * f->C[i][j] * s->N[j][b];
                    p->K[a][b] += s->N[i][a] * f->K[i][j] * s->N[j][b];
                }
            }
        }
    }
}

// A contact that the ties keep from ever moving has no direction left: not even round-off.
static void clear_fixed(random_system* s)
{
    for (int c = 0; c < s->peer.m; c++) {
        double size = 0.0;
        for (int a = 0; a < s->peer.n; a++) size += fabs(s->peer.W[a][c]);
        for (int a = 0; a < s->peer.n && size < 1e-12; a++) s->peer.W[a][c] = 0.0;
    }
}

static void copy_levels(random_system* s)
{
    const peer_system* f = &s->full;
    peer_system* p = &s->peer;
    p->m = f->m;
    p->omega = f->omega;
    p->phase = f->phase;
    memcpy(p->forward, f->forward, sizeof f->forward);
    memcpy(p->backward, f->backward, sizeof f->backward);
    memcpy(p->static_forward, f->static_forward, sizeof f->forward);
    memcpy(p->static_backward, f->static_backward, sizeof f->backward);
}

void random_system_expand(const random_system* s, const double y[], bool speeds, double x[])
{
    for (int i = 0; i < s->bodies; i++) {
        x[i] = speeds ? 0.0 : s->x[i];
        for (int a = 0; a < s->peer.n; a++) x[i] += s->N[i][a] * y[a];
    }
}

void random_system_make(random_system* s, random_kind kind, uint64_t seed)
{
    memset(s, 0, sizeof *s);
    random_source r = {.state = seed * 1000003u + (uint64_t)kind};
    double G[2][PEER_MAX];
    s->kind = kind;
    s->until = random_is_forced(kind) ? 15.0 : 40.0;
    rig_init(&s->rig);
    s->full.n = s->bodies = random_integer(&r, kind == RANDOM_TIED ? 2 : 1, PEER_MAX);
    s->full.m = s->contacts = random_integer(&r, random_integer(&r, 0, 4) ? s->bodies : 1, PEER_MAX);
    draw_bodies(s, &r);
    for (int c = 0; c < s->contacts; c++) draw_contact(s, &r, c);
    if (random_is_forced(kind)) draw_force(s, &r);
    int ties = draw_ties(s, &r, G);
    s->peer.n = null_space(s->bodies, ties, G, s->N);
    assert_int_equal(s->peer.n, s->bodies - ties);
    if (random_integer(&r, 0, 1))
        for (int a = 0; a < s->peer.n; a++) s->y_speed[a] = random_between(&r, -2.0, 2.0);
    random_system_expand(s, s->y_speed, true, s->v);
    for (int i = 0; i < s->bodies; i++) s->rig.bodies[i].start_v = s->v[i];
    if (kind == RANDOM_MATRICES) draw_matrices(s, &r);
    copy_levels(s);
    reduce(s);
    clear_fixed(s);
}

ss_model* random_system_model(random_system* s) { return rig_model(&s->rig); }
