// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// How long does it take to certify a system of 40 coordinates and 15 contacts, and what is that in motions
// simulated? No other program answers the question of a certificate; the peer is what one would do without
// it: simulate motions, here one of the same system from its start to rest, by the same library.
//
// The answer is known: with M = 1, C = Q diag(theta) Q^T and W the first columns of the orthogonal Q, every
// direction has a contact of its own. Then beta = min p_i over the directions with theta_i < 0,
// rho* = min beta^2 / (2 theta_i^2), and rho_energy = min (p_i/theta_i)^2 / 2. A figure is printed only where
// these come out.
//
//     bench_certify [--csv FILE]
#include "block_chain.h"
#include "slipstick/lab.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 40, CONTACTS = 15, CASES = 4, REPETITIONS = 3 };
static const int bad_directions[CASES] = {0, 1, 3, 8};

typedef struct problem {
    double M[N * N], C[N * N], K[N * N], W[N * CONTACTS], p[CONTACTS], q[N * N], theta[N];
    double start[N], still[N];
    double beta, rho_star, rho_energy; // known
} problem;

static double draw(unsigned* state) // in [-1, 1]
{
    *state = 1664525u * *state + 1013904223u;
    return (double)(*state >> 8) / (double)(1u << 23) - 1.0;
}

// An orthogonal matrix: random reflections of the identity, one after the other.
static void draw_orthogonal(unsigned* state, double q[])
{
    for (int i = 0; i < N * N; i++) q[i] = i % (N + 1) == 0 ? 1.0 : 0.0;
    for (int round = 0; round < N; round++) {
        double v[N], square = 0.0;
        for (int i = 0; i < N; i++) {
            v[i] = draw(state);
            square += v[i] * v[i];
        }
        for (int j = 0; j < N; j++) {
            double along = 0.0;
            for (int i = 0; i < N; i++) along += v[i] * q[i * N + j];
            for (int i = 0; i < N; i++) q[i * N + j] -= 2.0 * along / square * v[i];
        }
    }
}

static void make_problem(problem* s, int bad)
{
    unsigned state = 12345u + (unsigned)bad;
    memset(s, 0, sizeof *s);
    draw_orthogonal(&state, s->q);
    s->beta = s->rho_star = s->rho_energy = INFINITY;
    for (int k = 0; k < CONTACTS; k++) s->p[k] = 1.0 + 0.5 * draw(&state);
    for (int k = 0; k < N; k++) {
        s->theta[k] = k < bad ? -0.3 - 0.2 * draw(&state) : 0.6 + 0.4 * draw(&state);
        if (k >= bad) continue;
        s->beta = fmin(s->beta, s->p[k]);
        s->rho_energy = fmin(s->rho_energy, 0.5 * pow(s->p[k] / s->theta[k], 2));
    }
    for (int k = 0; k < bad; k++) s->rho_star = fmin(s->rho_star, 0.5 * pow(s->beta / s->theta[k], 2));
    for (int i = 0; i < N; i++) {
        s->start[i] = 0.1 * draw(&state);
        for (int j = 0; j < N; j++) {
            s->M[i * N + j] = i == j ? 1.0 : 0.0;
            s->K[i * N + j] = i == j ? 2.0 : abs(i - j) == 1 ? -0.5 : 0.0;
            for (int k = 0; k < N; k++) s->C[i * N + j] += s->q[i * N + k] * s->theta[k] * s->q[j * N + k];
        }
        for (int k = 0; k < CONTACTS; k++) s->W[i * CONTACTS + k] = s->q[i * N + k];
    }
}

static bool near(double got, double want) { return got == want || fabs(got - want) <= 1e-9 * fabs(want); }

// Seconds of one certificate, or NaN where it is wrong.
static double certify(const ss_model* model, const problem* s, int bad)
{
    ss_certificate* c;
    double best = INFINITY;
    for (int k = 0; k < REPETITIONS; k++) {
        double begin = bench_cpu_seconds();
        if (ss_certify(model, NULL, &c, NULL) != SS_OK) return NAN;
        best = fmin(best, bench_cpu_seconds() - begin);
        bool good = bad == 0 ? c->verdict == SS_GLOBAL
                             : near(c->beta, s->beta) && near(c->rho_star, s->rho_star) &&
                                   (near(c->rho_energy, s->rho_energy) ||
                                    (c->rho_energy_is_bound && c->rho_energy < s->rho_energy));
        if (!good)
            fprintf(stderr, "%d bad directions: beta %g (%g), rho* %g (%g), rho_energy %g (%g)\n", bad,
                    c->beta, s->beta, c->rho_star, s->rho_star, c->rho_energy, s->rho_energy);
        ss_certificate_destroy(c);
        if (!good) return NAN;
    }
    return best;
}

// Seconds of one motion, until it rests or 100 s have passed.
static double simulate(const ss_model* model, const problem* s)
{
    ss_sim_def def = ss_sim_def_default();
    ss_sim* sim;
    ss_outcome outcome;
    def.start_x = s->start;
    def.start_v = s->still;
    double begin = bench_cpu_seconds();
    if (ss_sim_create(model, &def, &sim, NULL) != SS_OK) return NAN;
    if (ss_sim_advance(sim, 100.0, &outcome, NULL) != SS_OK) begin = NAN;
    ss_sim_destroy(sim);
    return bench_cpu_seconds() - begin;
}

static bool measure(int bad, const char* csv)
{
    static problem s;
    make_problem(&s, bad);
    ss_matrices_def matrices = {.M = ss_matrix_whole(N, N, s.M),
                                .C = ss_matrix_whole(N, N, s.C),
                                .K = ss_matrix_whole(N, N, s.K),
                                .W = ss_matrix_whole(N, CONTACTS, s.W),
                                .friction = s.p};
    ss_system_def def = ss_system_def_default();
    def.matrices = &matrices;
    ss_model* model;
    if (ss_model_create(&def, &model, NULL) != SS_OK) return false;
    double seconds = certify(model, &s, bad), motion = simulate(model, &s);
    ss_model_destroy(model);
    if (isnan(seconds) || isnan(motion)) return false;
    printf("%d bad directions: certified in %.3f s, as long as %.1f motions of the system\n", bad, seconds,
           seconds / motion);
    char row[96];
    snprintf(row, sizeof row, "%d,%.6g,%.6g", bad, seconds, seconds / motion);
    return !csv || bench_append(csv, "bad_directions,seconds,motions", row);
}

int main(int argc, char** argv)
{
    const char* csv = argc == 3 && strcmp(argv[1], "--csv") == 0 ? argv[2] : NULL;
    printf("%d coordinates, %d contacts, one core\n", (int)N, (int)CONTACTS);
    for (int k = 0; k < CASES; k++)
        if (!measure(bad_directions[k], csv)) return 1;
    return 0;
}
