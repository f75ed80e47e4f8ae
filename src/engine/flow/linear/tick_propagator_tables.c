// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Psi = integral_0^h e^(A s) ds, by which y' = A y + c moves over a stretch of length h: y + Psi y'(0); and
// how it changes with A.
#include "engine/flow/linear/tick_propagator_tables.h"

#include "core/algebra/quadrature.h"

#include <math.h>
#include <string.h>

typedef ss_tick_propagator_matrix matrix;

static void multiply(int n, matrix a, matrix b, matrix out)
{
    matrix sum = {{0}};
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            sum[i][j] = 0.0L;
            for (int k = 0; k < n; k++) sum[i][j] += a[i][k] * b[k][j];
        }
    memcpy(out, sum, sizeof sum);
}

// out = a b + c d, where there are such.
static void multiply_two(int n, matrix a, matrix b, matrix c, matrix d, matrix out)
{
    matrix first, second;
    multiply(n, a, b, first);
    multiply(n, c, d, second);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) out[i][j] = first[i][j] + second[i][j];
}

// Psi(2 h) = Psi + e^(A h) Psi, with e^(A h) = 1 + A Psi; and the changes of both.
static void double_length(int n, matrix a, matrix da, matrix psi, matrix dpsi, matrix flow)
{
    matrix product, change;
    if (da) {
        multiply_two(n, da, psi, a, dpsi, change);
        multiply_two(n, change, psi, flow, dpsi, product);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) dpsi[i][j] += product[i][j];
    }
    multiply(n, flow, psi, product);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) psi[i][j] += product[i][j];
}

void ss_tick_propagator_integrate(int n, matrix a, matrix da, double h, matrix psi, matrix dpsi, matrix flow)
{
    matrix term = {{0}}, change = {{0}}, product;
    long double norm = 0.0L, part = h;
    int doublings = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) norm += fabsl(a[i][j]);
    for (; norm * part > 0.25L; doublings++) part *= 0.5L;
    memset(psi, 0, sizeof(matrix));
    if (da) memset(dpsi, 0, sizeof(matrix));
    for (int i = 0; i < n; i++) psi[i][i] = term[i][i] = part;
    for (int k = 2; k < 24; k++) {
        if (da) multiply_two(n, da, term, a, change, product);
        for (int i = 0; i < n && da; i++)
            for (int j = 0; j < n; j++) dpsi[i][j] += change[i][j] = product[i][j] * part / k;
        multiply(n, a, term, product);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) psi[i][j] += term[i][j] = product[i][j] * part / k;
    }
    for (int d = 0; d <= doublings; d++) {
        multiply(n, a, psi, flow);
        for (int i = 0; i < n; i++) flow[i][i] += 1.0L;
        if (d < doublings) double_length(n, a, da, psi, dpsi, flow);
    }
}

// ---- works

// (y, y') after a stretch by (y, y') before it: of y the whole, of y' where `rates` asks for it.
static void fill_turn(int size, matrix psi, matrix flow, bool rates, double turn[])
{
    int wide = 2 * size;
    memset(turn, 0, (size_t)(wide * wide) * sizeof *turn);
    for (int i = 0; i < size; i++) {
        turn[i * wide + i] = 1.0;
        for (int j = 0; j < size; j++) {
            turn[i * wide + size + j] = (double)psi[i][j];
            if (rates) turn[(size + i) * wide + size + j] = (double)flow[i][j];
        }
    }
}

// form += weight turn^T middle turn, middle of rows x size: rows [first, first + rows) of turn on the left.
static void add_form(const double turn[], const double middle[], int first, int rows, int size, int wide,
                     double weight, double form[])
{
    for (int i = 0; i < rows; i++)
        for (int b = 0; b < wide; b++) {
            double sum = 0.0;
            for (int k = 0; k < size; k++) sum += middle[i * size + k] * turn[k * wide + b];
            for (int a = 0; a < wide; a++) form[a * wide + b] += weight * turn[(first + i) * wide + a] * sum;
        }
}

void ss_tick_propagator_form(int n, int size, matrix a, const double f[], double h, double form[])
{
    matrix psi, flow;
    double norm = 0.0, turn[4 * SS_TICK_PROPAGATOR_LARGEST * SS_TICK_PROPAGATOR_LARGEST],
           half[4 * SS_TICK_PROPAGATOR_LARGEST * SS_TICK_PROPAGATOR_LARGEST], part = h;
    int wide = 2 * size, doublings = 0;
    for (int i = 0; i < size; i++)
        for (int j = 0; j < size; j++) norm += fabs((double)a[i][j]);
    for (; norm * part > 1.0; doublings++) part *= 0.5;
    memset(form, 0, (size_t)(wide * wide) * sizeof *form);
    for (int g = 0; g < SS_GAUSS_POINTS; g++) {
        double weight, s = ss_gauss_point(g, part, &weight);
        ss_tick_propagator_integrate(size, a, NULL, s, psi, NULL, flow);
        fill_turn(size, psi, flow, false, turn);
        add_form(turn, f, n, n, size, wide, weight, form);
    }
    for (int d = 0; d < doublings; d++, part *= 2.0) {
        ss_tick_propagator_integrate(size, a, NULL, part, psi, NULL, flow);
        fill_turn(size, psi, flow, true, turn);
        memcpy(half, form, (size_t)(wide * wide) * sizeof *half);
        add_form(turn, half, 0, wide, wide, wide, 1.0, form);
    }
}
