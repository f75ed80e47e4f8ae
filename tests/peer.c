// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The second opinion's mechanics. u_i = L^-1 W_i (M = L L^T) turns masses into plain lengths: contacts that
// stick confine the acceleration to what is orthogonal to their u_i, and can give together the zonotope
// { sum_i lambda_i u_i : lambda_i within limits }.
#include "peer.h"

#include <math.h>
#include <string.h>

static const double dependent = 1e-9; // below this share of its length a vector adds no direction
static const double still = 1e-10;    // accelerations below this are round-off

static void cholesky(int n, const double (*M)[PEER_MAX], double L[PEER_MAX][PEER_MAX])
{
    memset(L, 0, sizeof(double[PEER_MAX][PEER_MAX]));
    for (int j = 0; j < n; j++) {
        for (int i = j; i < n; i++) {
            double sum = M[i][j];
            for (int k = 0; k < j; k++) sum -= L[i][k] * L[j][k];
            L[i][j] = i == j ? sqrt(sum) : sum / L[j][j];
        }
    }
}

static void solve_lower(int n, double L[PEER_MAX][PEER_MAX], double b[])
{
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < i; k++) b[i] -= L[i][k] * b[k];
        b[i] /= L[i][i];
    }
}

static void solve_upper(int n, double L[PEER_MAX][PEER_MAX], double b[])
{
    for (int i = n - 1; i >= 0; i--) {
        for (int k = i + 1; k < n; k++) b[i] -= L[k][i] * b[k];
        b[i] /= L[i][i];
    }
}

static double dot(int n, const double a[], const double b[])
{
    double sum = 0.0;
    for (int i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

static void direction(const peer_system* s, double L[PEER_MAX][PEER_MAX], int contact, double u[])
{
    for (int i = 0; i < s->n; i++) u[i] = s->W[i][contact];
    solve_lower(s->n, L, u);
}

// Force of springs, dampers, loads and slipping contacts: all but what holds.
static void force(const peer_system* s, const double slip[], double t, const double x[], const double v[],
                  double h[])
{
    double wave = sin(s->omega * t + s->phase);
    for (int i = 0; i < s->n; i++)
        h[i] = s->f0[i] + s->f1[i] * wave + slip[i] - dot(s->n, s->C[i], v) - dot(s->n, s->K[i], x);
}

static void slip_force(const peer_system* s, const int mode[], double slip[])
{
    memset(slip, 0, sizeof(double[PEER_MAX]));
    for (int c = 0; c < s->m; c++) {
        double level = mode[c] > 0 ? -s->forward[c] : mode[c] < 0 ? s->backward[c] : 0.0;
        for (int i = 0; i < s->n; i++) slip[i] += s->W[i][c] * level;
    }
}

// Orthonormal basis Q (rows) of the span of the given vectors; twice is enough. Returns its rank.
static int orthonormal(int n, int count, double u[][PEER_MAX], double Q[PEER_MAX][PEER_MAX])
{
    int rank = 0;
    for (int c = 0; c < count && rank < n; c++) {
        double w[PEER_MAX];
        memcpy(w, u[c], sizeof w);
        for (int pass = 0; pass < 2; pass++)
            for (int k = 0; k < rank; k++) {
                double share = dot(n, Q[k], w);
                for (int i = 0; i < n; i++) w[i] -= share * Q[k][i];
            }
        double left = sqrt(dot(n, w, w));
        if (left <= dependent * sqrt(dot(n, u[c], u[c]))) continue;
        for (int i = 0; i < n; i++) Q[rank][i] = w[i] / left;
        rank++;
    }
    return rank;
}

// The unit vector of R^rank that is orthogonal to the chosen rank - 1 vectors; false if they are dependent.
static bool normal_to(int rank, int count, double u[][PEER_MAX], double normal[])
{
    double Q[PEER_MAX][PEER_MAX], best = 0.0;
    if (orthonormal(rank, count, u, Q) < rank - 1) return false;
    for (int e = 0; e < rank; e++) { // the axis that keeps most of its length without the span of Q
        double w[PEER_MAX] = {0};
        w[e] = 1.0;
        for (int pass = 0; pass < 2; pass++)
            for (int k = 0; k < rank - 1; k++) {
                double share = dot(rank, Q[k], w);
                for (int i = 0; i < rank; i++) w[i] -= share * Q[k][i];
            }
        double left = sqrt(dot(rank, w, w));
        if (left <= best) continue;
        best = left;
        for (int i = 0; i < rank; i++) normal[i] = w[i] / left;
    }
    return true;
}

// Both facets with this normal: sum_i max(normal * u_i lambda_i) - normal * load.
static void add_facets(peer_flow* f, int count, const int stuck[], double u[][PEER_MAX],
                       double Q[PEER_MAX][PEER_MAX], const double normal[])
{
    const peer_system* s = f->system;
    for (int side = -1; side <= 1; side += 2) {
        if (f->facets == PEER_FACETS) return;
        double reach = 0.0, d[PEER_MAX] = {0};
        for (int c = 0; c < count; c++) {
            double share = side * dot(f->rank, normal, u[c]);
            reach +=
                share > 0.0 ? share * s->static_backward[stuck[c]] : -share * s->static_forward[stuck[c]];
        }
        for (int i = 0; i < s->n; i++)
            for (int k = 0; k < f->rank; k++) d[i] -= side * normal[k] * Q[k][i];
        solve_upper(s->n, f->L, d);
        memcpy(f->d[f->facets], d, sizeof d);
        f->s[f->facets++] = reach;
    }
}

static void find_facets(peer_flow* f, int count, const int stuck[], double u[][PEER_MAX],
                        double Q[PEER_MAX][PEER_MAX])
{
    double flat[PEER_MAX][PEER_MAX] = {{0}}; // u_i in the basis Q
    for (int c = 0; c < count; c++)
        for (int k = 0; k < f->rank; k++) flat[c][k] = dot(f->system->n, Q[k], u[c]);
    for (unsigned subset = 0; subset < 1u << count; subset++) {
        double chosen[PEER_MAX][PEER_MAX], normal[PEER_MAX] = {0};
        int size = 0;
        for (int c = 0; c < count; c++)
            if (subset >> c & 1u) memcpy(chosen[size++], flat[c], sizeof chosen[0]);
        if (size != f->rank - 1 || !normal_to(f->rank, size, chosen, normal)) continue;
        add_facets(f, count, stuck, flat, Q, normal);
    }
}

void peer_flow_init(peer_flow* flow, const peer_system* system, const int mode[])
{
    int n = system->n, count = 0, stuck[PEER_MAX];
    double u[PEER_MAX][PEER_MAX], Q[PEER_MAX][PEER_MAX];
    memset(flow, 0, sizeof *flow);
    flow->system = system;
    memcpy(flow->mode, mode, sizeof(int) * (size_t)system->m);
    cholesky(n, system->M, flow->L);
    slip_force(system, mode, flow->slip);
    for (int c = 0; c < system->m; c++) {
        if (mode[c] != 0) continue;
        direction(system, flow->L, c, u[count]);
        stuck[count++] = c;
    }
    flow->rank = orthonormal(n, count, u, Q);
    for (int j = 0; j < n; j++) { // column j of P = L^-T (1 - Q^T Q) L^-1
        double e[PEER_MAX] = {0};
        e[j] = 1.0;
        solve_lower(n, flow->L, e);
        for (int k = 0; k < flow->rank; k++) {
            double share = dot(n, Q[k], e);
            for (int i = 0; i < n; i++) e[i] -= share * Q[k][i];
        }
        solve_upper(n, flow->L, e);
        for (int i = 0; i < n; i++) flow->P[i][j] = e[i];
    }
    if (flow->rank > 0) find_facets(flow, count, stuck, u, Q);
}

void peer_acceleration(const peer_flow* flow, double t, const double x[], const double v[], double a[])
{
    double h[PEER_MAX];
    force(flow->system, flow->slip, t, x, v, h);
    for (int i = 0; i < flow->system->n; i++) a[i] = dot(flow->system->n, flow->P[i], h);
}

void peer_margins(const peer_flow* flow, double t, const double x[], const double v[], double margin[])
{
    double h[PEER_MAX];
    force(flow->system, flow->slip, t, x, v, h);
    for (int j = 0; j < flow->facets; j++) margin[j] = flow->s[j] - dot(flow->system->n, flow->d[j], h);
}

void peer_project(const peer_flow* flow, double v[])
{
    int n = flow->system->n;
    double p[PEER_MAX], out[PEER_MAX];
    for (int i = 0; i < n; i++) p[i] = dot(n, flow->system->M[i], v);
    for (int i = 0; i < n; i++) out[i] = dot(n, flow->P[i], p);
    memcpy(v, out, sizeof(double) * (size_t)n);
}

double peer_velocity(const peer_system* system, int contact, const double v[])
{
    double sum = 0.0;
    for (int i = 0; i < system->n; i++) sum += system->W[i][contact] * v[i];
    return sum;
}

// ------------------------------------------------------------------------------------------------ decisions

// The contacts to be decided: w = A lambda + b is their acceleration.
typedef struct problem {
    int count, contact[PEER_MAX];
    double A[PEER_MAX][PEER_MAX], b[PEER_MAX], low[PEER_MAX], high[PEER_MAX];
} problem;

// Solves the k equations of rows/columns `free` for lambda; false if they are singular.
static bool solve_free(const problem* p, int k, const int free[], double lambda[])
{
    double E[PEER_MAX][PEER_MAX + 1];
    for (int i = 0; i < k; i++) {
        E[i][k] = -p->b[free[i]];
        for (int c = 0; c < p->count; c++) E[i][k] -= p->A[free[i]][c] * lambda[c]; // those at a limit
        for (int j = 0; j < k; j++) E[i][j] = p->A[free[i]][free[j]];
    }
    for (int j = 0; j < k; j++) {
        int pivot = j;
        for (int i = j + 1; i < k; i++)
            if (fabs(E[i][j]) > fabs(E[pivot][j])) pivot = i;
        if (fabs(E[pivot][j]) <= dependent * p->A[free[j]][free[j]]) return false;
        for (int c = j; c <= k; c++) {
            double swap = E[pivot][c];
            E[pivot][c] = E[j][c];
            E[j][c] = swap;
        }
        for (int i = 0; i < k; i++) {
            double factor = i == j ? 0.0 : E[i][j] / E[j][j];
            for (int c = j; c <= k; c++) E[i][c] -= factor * E[j][c];
        }
    }
    for (int j = 0; j < k; j++) lambda[free[j]] = E[j][k] / E[j][j];
    return true;
}

// How much a combination (0 holds, 1 at the lower, 2 at the upper limit) contradicts the law; w on return.
static double violation(const problem* p, const int choice[], double w[])
{
    double lambda[PEER_MAX] = {0}, worst = 0.0;
    int free[PEER_MAX], k = 0;
    for (int i = 0; i < p->count; i++) {
        lambda[i] = choice[i] == 1 ? p->low[i] : choice[i] == 2 ? p->high[i] : 0.0;
        if (choice[i] == 0) free[k++] = i;
    }
    if (!solve_free(p, k, free, lambda)) return INFINITY;
    for (int i = 0; i < p->count; i++) {
        w[i] = dot(p->count, p->A[i], lambda) + p->b[i];
        if (choice[i] == 0) worst = fmax(worst, fmax(lambda[i] - p->high[i], p->low[i] - lambda[i]));
        if (choice[i] == 1) worst = fmax(worst, -w[i]);
        if (choice[i] == 2) worst = fmax(worst, w[i]);
    }
    return worst;
}

// Accelerations of the contacts: unique even where the forces are not. A holding set that is singular need
// not be tried: moving along its null space reaches a limit with the same acceleration.
static void enumerate(const problem* p, double w[])
{
    double best = INFINITY, trial[PEER_MAX];
    long combinations = 1;
    for (int i = 0; i < p->count; i++) combinations *= 3;
    for (long n = 0; n < combinations && best > 1e-13; n++) {
        int choice[PEER_MAX];
        long rest = n;
        for (int i = 0; i < p->count; i++, rest /= 3) choice[i] = (int)(rest % 3);
        double bad = violation(p, choice, trial);
        if (bad >= best) continue;
        best = bad;
        memcpy(w, trial, sizeof trial);
    }
}

// Acceleration of the undecided contacts without their own forces, an instant ahead. Those that were released
// and turned around give no more than their kinetic level.
static void set_up(const peer_system* s, double t, const double x[], const double v[], const bool open[],
                   const bool turned[], const int mode[], double ahead, problem* p)
{
    double L[PEER_MAX][PEER_MAX], slip[PEER_MAX], u[PEER_MAX][PEER_MAX], h[PEER_MAX];
    double x1[PEER_MAX], v1[PEER_MAX], a[PEER_MAX] = {0};
    int known[PEER_MAX];
    for (int c = 0; c < s->m; c++) known[c] = open[c] ? 0 : mode[c];
    if (ahead > 0.0) {
        peer_flow flow;
        peer_flow_init(&flow, s, mode);
        peer_acceleration(&flow, t, x, v, a);
    }
    for (int i = 0; i < s->n; i++) {
        x1[i] = x[i] + ahead * v[i];
        v1[i] = v[i] + ahead * a[i];
    }
    cholesky(s->n, s->M, L);
    slip_force(s, known, slip);
    force(s, slip, t + ahead, x1, v1, h);
    solve_lower(s->n, L, h);
    p->count = 0;
    for (int c = 0; c < s->m; c++) {
        if (!open[c]) continue;
        int k = p->count++;
        direction(s, L, c, u[k]);
        p->contact[k] = c;
        p->b[k] = dot(s->n, u[k], h);
        p->low[k] = turned[c] ? -s->forward[c] : -s->static_forward[c];
        p->high[k] = turned[c] ? s->backward[c] : s->static_backward[c];
    }
    for (int i = 0; i < p->count; i++)
        for (int j = 0; j < p->count; j++) p->A[i][j] = dot(s->n, u[i], u[j]);
}

static bool falls(const peer_system* s, int contact)
{
    return s->static_forward[contact] > s->forward[contact] ||
           s->static_backward[contact] > s->backward[contact];
}

// How far the decision is from another one: sticking contacts from giving way, starting ones from not moving.
static double clarity(const peer_system* s, double t, const double x[], const double v[], const bool zero[],
                      const int mode[], bool moving)
{
    peer_flow flow;
    double margin[PEER_FACETS], a[PEER_MAX], clear = INFINITY;
    peer_flow_init(&flow, s, mode);
    peer_margins(&flow, t, x, v, margin);
    for (int j = 0; j < flow.facets; j++) clear = fmin(clear, margin[j]);
    peer_acceleration(&flow, t, x, v, a);
    for (int c = 0; c < s->m; c++)
        if (zero[c] && mode[c] != 0 && moving) clear = fmin(clear, mode[c] * peer_velocity(s, c, a));
    return fmax(clear, 0.0);
}

// Whether contacts that were released go another way than they were released to, now that the others are
// decided: they are open again.
static bool turn_around(const peer_system* s, double t, const double x[], const double v[], const bool zero[],
                        const int mode[], bool open[], bool turned[])
{
    peer_flow flow;
    double a[PEER_MAX];
    bool any = false;
    peer_flow_init(&flow, s, mode);
    peer_acceleration(&flow, t, x, v, a);
    for (int c = 0; c < s->m; c++) {
        bool released = zero[c] && !open[c] && mode[c] != 0 && falls(s, c);
        if (!released || mode[c] * peer_velocity(s, c, a) > still) continue;
        open[c] = turned[c] = any = true;
    }
    for (int c = 0; c < s->m && any; c++) // what does not fall is decided anew in any case
        if (zero[c] && !falls(s, c)) open[c] = true;
    return any;
}

double peer_decide(const peer_system* s, double t, const double x[], const double v[], const bool zero[],
                   double ahead, int mode[])
{
    bool open[PEER_MAX], turned[PEER_MAX] = {false}, again = true, jumped = false;
    double slowest = INFINITY;
    memcpy(open, zero, sizeof(bool) * (size_t)s->m);
    while (again) {
        problem p;
        double w[PEER_MAX] = {0};
        int next[PEER_MAX];
        set_up(s, t, x, v, open, turned, mode, jumped ? 0.0 : ahead, &p);
        enumerate(&p, w);
        again = false;
        memcpy(next, mode, sizeof(int) * (size_t)s->m);
        for (int k = 0; k < p.count; k++) {
            int c = p.contact[k];
            next[c] = w[k] > still ? 1 : w[k] < -still ? -1 : 0;
            if (next[c] == 0) continue;
            slowest = fmin(slowest, fabs(w[k]) / (ahead > 0.0 && !jumped ? ahead : 1.0));
            if (falls(s, c) && !turned[c]) again = true;
        }
        if (again) // released together: kinetic from now on, not held again at this instant
            for (int k = 0; k < p.count; k++) {
                int c = p.contact[k];
                open[c] = next[c] == 0 || turned[c] || !falls(s, c);
            }
        jumped = jumped || again;
        memcpy(mode, next, sizeof(int) * (size_t)s->m);
        if (!again && jumped) again = turn_around(s, t, x, v, zero, mode, open, turned);
    }
    return fmin(slowest, clarity(s, t, x, v, zero, mode, ahead == 0.0 || jumped));
}
