// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// How long does a fit of five numbers to 5000 samples take? The recording of the carried disk (5 kHz, 8 um):
// stiffness, alpha and position of the frame, friction and speed of the platform, from guesses 10 to 40
// percent off. The peer is the same search (cminpack's lmdif, its own forward differences) on the same
// motions with nothing known about events: what one writes first. A wrong answer prints no figure.
#include "block_chain.h"
#include "lab/fit/fit_impl.h"

#include <cminpack.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 5 };
static const char* const paths[N] = {"contacts.frame.stiffness", "contacts.frame.alpha",
                                     "contacts.frame.above", "contacts.surface.friction",
                                     "bodies.platform.speed"};
static const double truth[N] = {8e4, 1.2, 0.0123, 0.1106, 0.1};
static const double guess[N] = {5e4, 1.0, 0.012, 0.1, 0.11};

typedef struct job {
    ss_document* document;
    ss_recording* recording;
    const ss_recording* recordings[1];
    ss_fit_free free[N];
    ss_fit_trace trace;
    ss_fit_def def;
} job;

static bool load(job* j)
{
    const char* columns[] = {"position_m"};
    ss_error err;
    *j = (job){.trace = {"disk.x", NAN}, .def = ss_fit_def_default()};
    if (ss_document_read_yaml(SS_SOURCE_DIR "/models/carried-disk-recording.yaml", &j->document, &err) !=
            SS_OK ||
        ss_recording_read_csv(SS_SOURCE_DIR "/tests/data/carried-disk.csv", NULL, columns, 1, &j->recording,
                              &err) != SS_OK) {
        fprintf(stderr, "%s\n", err.text);
        return false;
    }
    for (int k = 0; k < N; k++) {
        j->free[k] = ss_fit_free_default();
        j->free[k].path = paths[k];
        j->free[k].guess = guess[k];
    }
    j->recordings[0] = j->recording;
    j->def.document = j->document;
    j->def.recordings = j->recordings;
    j->def.recording_count = 1;
    j->def.traces = &j->trace;
    j->def.trace_count = 1;
    j->def.free = j->free;
    j->def.free_count = N;
    return true;
}

static bool is_right(const double x[], const double error[])
{
    for (int k = 0; k < N; k++)
        if (!(fabs(x[k] - truth[k]) < 4.0 * error[k])) {
            fprintf(stderr, "%s = %.9g, not %.9g\n", paths[k], x[k], truth[k]);
            return false;
        }
    return true;
}

static int peer_residual(void* user, int m, int n, const double* x, double* out, int flag)
{
    (void)n;
    (void)flag;
    ss_fit_problem* p = user;
    bool good = ss_fit_motion(p, x, p->scratch.values, NULL);
    for (int i = 0; i < m; i++) out[i] = good ? (p->scratch.values[i] - p->rows[i].value) / 8e-6 : 1e60;
    return 0;
}

// Plain lmdif from the same guess; tells its sum of squares and the motions it took.
static double run_peer(const job* j, double x[], long* motions, double* seconds)
{
    ss_fit_problem* p = NULL;
    ss_error err;
    int m = 5000, pivots[N], evaluations = 0, info;
    double* work = calloc((size_t)m * (N + 3), sizeof *work);
    double diagonal[N], qtf[N], w1[N], w2[N], w3[N];
    if (!work || ss_fit_problem_create(&j->def, &p, &err) != SS_OK) {
        free(work);
        return INFINITY;
    }
    double begin = bench_cpu_seconds(), *residual = work, *jacobian = work + m,
           *last = jacobian + (size_t)m * N;
    memcpy(x, guess, sizeof guess);
    info = lmdif(peer_residual, p, m, N, x, residual, 1e-11, 1e-10, 0, 2000, 1e-10, diagonal, 1, 1.0, 0,
                 &evaluations, jacobian, m, pivots, qtf, w1, w2, w3, last);
    *seconds = bench_cpu_seconds() - begin;
    *motions = p->effort.motions;
    double sum = 0;
    peer_residual(p, m, N, x, residual, 0);
    for (int i = 0; i < m; i++) sum += residual[i] * residual[i];
    ss_fit_problem_destroy(p);
    free(work);
    return info >= 0 ? sum : INFINITY;
}

int main(int argc, char** argv)
{
    job j;
    ss_error err;
    if (!load(&j)) return 1;
    double best = INFINITY, x[N], error[N];
    long motions = 0;
    for (int k = 0; k < 3; k++) {
        ss_fit* fit = NULL;
        double begin = bench_cpu_seconds();
        if (ss_fit_run(&j.def, &fit, &err) != SS_OK) {
            fprintf(stderr, "%s\n", err.text);
            return 1;
        }
        best = fmin(best, bench_cpu_seconds() - begin);
        motions = ss_fit_motions(fit);
        for (int i = 0; i < N; i++) {
            x[i] = ss_fit_get_parameter(fit, i).value;
            error[i] = ss_fit_get_parameter(fit, i).standard_error;
        }
        ss_fit_destroy(fit);
    }
    if (!is_right(x, error)) return 1;
    double y[N], peer_s = 0;
    long peer_motions = 0;
    double sum = run_peer(&j, y, &peer_motions, &peer_s);
    bool peer_right = true;
    for (int k = 0; k < N; k++) peer_right = peer_right && fabs(y[k] - truth[k]) < 4.0 * error[k];
    printf("five numbers, 5000 samples: %.3f s, %ld motions (goal: under 1 s)\n", best, motions);
    printf("plain lmdif on the same motions: %.3f s, %ld motions, %s (reduced sum of squares %.4g)\n", peer_s,
           peer_motions, peer_right ? "the same answer" : "a wrong answer", sum / 5000);
    char row[160];
    snprintf(row, sizeof row, "%.4f,%ld,%.4f,%ld,%d", best, motions, peer_s, peer_motions, peer_right);
    bool good = argc < 3 || strcmp(argv[1], "--csv") != 0 ||
                bench_append(argv[2], "fit_s,motions,lmdif_s,lmdif_motions,lmdif_right", row);
    ss_recording_destroy(j.recording);
    ss_document_destroy(j.document);
    return good ? 0 : 1;
}
