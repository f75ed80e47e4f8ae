// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Psi = integral_0^h e^(A s) ds, by which y' = A y + c moves over a stretch of length h: y + Psi y'(0); and
// how it changes with A.
#include "engine/flow/glide_tables.h"

#include <math.h>
#include <string.h>

typedef ss_glide_matrix matrix;

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

void ss_glide_integrate(int n, matrix a, matrix da, double h, matrix psi, matrix dpsi, matrix flow)
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
