// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// One tool does nearly everything: the unitary rotation of two rows (and, conjugated, of the same two
// columns, which keeps the eigenvalues). Rotations bring the scaled matrix to Hessenberg form, and the QR
// iteration with Wilkinson's shift brings that to the triangle T = Q^H A Q, whose diagonal is the spectrum.
// Eigenvectors of T follow by substitution. Everything is complex: a few times the work of real arithmetic,
// and a fraction of the cases.
#include "core/algebra/eigen.h"

#include <float.h>
#include <math.h>

typedef double complex number;

typedef struct rotation {
    double c;
    number s;
} rotation;

static double size(number z) { return fabs(creal(z)) + fabs(cimag(z)); }

// The rotation that turns (a, b) into (r, 0): r = c a + s b, 0 = -conj(s) a + c b.
static rotation aim(number a, number b)
{
    double length = hypot(cabs(a), cabs(b));
    if (length == 0.0 || b == 0.0) return (rotation){1.0, 0.0};
    if (a == 0.0) return (rotation){0.0, conj(b) / cabs(b)};
    number phase = a / cabs(a);
    return (rotation){cabs(a) / length, phase * conj(b) / length};
}

// Rows p and q of m, columns from..n-1.
static void rotate_rows(number* m, int n, int p, int q, int from, rotation r)
{
    number *x = m + p * n, *y = m + q * n;
    for (int j = from; j < n; j++) {
        number a = x[j], b = y[j];
        x[j] = r.c * a + r.s * b;
        y[j] = r.c * b - conj(r.s) * a;
    }
}

// Columns p and q of m, rows 0..to: the inverse of what rotate_rows does to rows.
static void rotate_columns(number* m, int n, int p, int q, int to, rotation r)
{
    for (int i = 0; i <= to; i++) {
        number a = m[i * n + p], b = m[i * n + q];
        m[i * n + p] = r.c * a + conj(r.s) * b;
        m[i * n + q] = r.c * b - r.s * a;
    }
}

// Scales the variables by powers of two (exactly) until rows and columns are about equally large: stiffness
// in N/m beside speeds in m/s would otherwise blur the small eigenvalues.
static void balance(double a[], int n, double scale[])
{
    for (int i = 0; i < n; i++) scale[i] = 1.0;
    bool again = true;
    for (int round = 0; again && round < 64; round++) {
        again = false;
        for (int i = 0; i < n; i++) {
            double row = 0.0, column = 0.0;
            for (int j = 0; j < n; j++) {
                if (j == i) continue;
                row += fabs(a[i * n + j]);
                column += fabs(a[j * n + i]);
            }
            if (row == 0.0 || column == 0.0) continue;
            double f = exp2(rint(0.5 * log2(row / column)));
            if (f == 1.0 || column * f + row / f > 0.95 * (column + row)) continue;
            scale[i] *= f;
            again = true;
            for (int j = 0; j < n; j++) a[i * n + j] /= f;
            for (int j = 0; j < n; j++) a[j * n + i] *= f;
        }
    }
}

static void to_hessenberg(number* h, int n, number* q)
{
    for (int k = 0; k + 2 < n; k++)
        for (int i = k + 2; i < n; i++) {
            if (h[i * n + k] == 0.0) continue;
            rotation r = aim(h[(k + 1) * n + k], h[i * n + k]);
            rotate_rows(h, n, k + 1, i, k, r);
            h[i * n + k] = 0.0;
            rotate_columns(h, n, k + 1, i, n - 1, r);
            rotate_columns(q, n, k + 1, i, n - 1, r);
        }
}

// The eigenvalue of the last 2 x 2 block that is nearer to its last entry.
static number wilkinson_shift(const number* h, int n, int last)
{
    number a = h[(last - 1) * n + last - 1], b = h[(last - 1) * n + last];
    number c = h[last * n + last - 1], d = h[last * n + last];
    number half = 0.5 * (a - d), root = csqrt(half * half + b * c);
    number far = size(half + root) > size(half - root) ? half + root : half - root;
    return far == 0.0 ? d : d - b * c / far;
}

// One QR step with this shift on the rows and columns first..last, carried through the whole matrix.
static void qr_step(number* h, int n, number* q, int first, int last, number shift)
{
    for (int k = first; k <= last; k++) h[k * n + k] -= shift;
    rotation before = {1.0, 0.0};
    for (int k = first; k <= last; k++) { // the columns follow one behind: row k is no longer needed
        rotation r = before;
        if (k < last) {
            r = aim(h[k * n + k], h[(k + 1) * n + k]);
            rotate_rows(h, n, k, k + 1, k, r);
            h[(k + 1) * n + k] = 0.0;
        }
        if (k > first) {
            rotate_columns(h, n, k - 1, k, k, before);
            rotate_columns(q, n, k - 1, k, n - 1, before);
        }
        before = r;
    }
    for (int k = first; k <= last; k++) h[k * n + k] += shift;
}

// First row of the unreduced block that ends at `last`; entries that are nothing become 0.
static int block_start(number* h, int n, int last, double norm)
{
    for (int k = last; k > 0; k--) {
        double around = size(h[k * n + k]) + size(h[(k - 1) * n + k - 1]);
        if (around == 0.0) around = norm;
        if (size(h[k * n + k - 1]) > DBL_EPSILON * around) continue;
        h[k * n + k - 1] = 0.0;
        return k;
    }
    return 0;
}

static bool to_triangle(number* h, int n, number* q, double norm)
{
    int rounds = 0;
    for (int last = n - 1; last > 0;) {
        int first = block_start(h, n, last, norm);
        if (first == last) {
            last--;
            rounds = 0;
            continue;
        }
        if (++rounds > 60) return false;
        number shift = wilkinson_shift(h, n, last);
        if (rounds % 12 == 0) shift = h[last * n + last] + size(h[last * n + last - 1]); // out of a cycle
        qr_step(h, n, q, first, last, shift);
    }
    return true;
}

// Vector k of the triangle t, with 1 at place k.
static void substitute(const number* t, int n, int k, double smallest, number* x)
{
    for (int i = k + 1; i < n; i++) x[i] = 0.0;
    x[k] = 1.0;
    for (int i = k - 1; i >= 0; i--) {
        number sum = 0.0, gap = t[k * n + k] - t[i * n + i];
        for (int j = i + 1; j <= k; j++) sum += t[i * n + j] * x[j];
        // Equal values have a vector that is as good as none; the condition tells.
        if (size(gap) < smallest) gap = smallest;
        x[i] = sum / gap;
    }
}

// Columns q x of length 1 into out.
static bool make_vectors(const number* t, int n, const number* q, double norm, number* out, number* x)
{
    for (int k = 0; k < n; k++) {
        substitute(t, n, k, fmax(DBL_EPSILON * norm, DBL_MIN), x);
        double length = 0.0;
        for (int i = 0; i < n; i++) {
            number sum = 0.0;
            for (int j = 0; j <= k; j++) sum += q[i * n + j] * x[j];
            out[i * n + k] = sum;
            length = hypot(length, cabs(sum));
        }
        if (!(length > 0.0 && length < INFINITY)) return false;
        for (int i = 0; i < n; i++) out[i * n + k] /= length;
    }
    return true;
}

static void swap_rows(number* m, int n, int p, int q)
{
    for (int j = 0; j < n && p != q; j++) {
        number keep = m[p * n + j];
        m[p * n + j] = m[q * n + j];
        m[q * n + j] = keep;
    }
}

// Inverse of m (destroyed) by elimination with the largest pivots. False where one is 0.
static bool invert(number* m, int n, number* out)
{
    for (int i = 0; i < n * n; i++) out[i] = i % (n + 1) == 0 ? 1.0 : 0.0;
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k + 1; i < n; i++)
            if (size(m[i * n + k]) > size(m[best * n + k])) best = i;
        swap_rows(m, n, k, best);
        swap_rows(out, n, k, best);
        number pivot = m[k * n + k];
        if (pivot == 0.0) return false;
        for (int j = 0; j < n; j++) {
            m[k * n + j] /= pivot;
            out[k * n + j] /= pivot;
        }
        for (int i = 0; i < n; i++) {
            number factor = m[i * n + k];
            if (i == k || factor == 0.0) continue;
            for (int j = 0; j < n; j++) {
                m[i * n + j] -= factor * m[k * n + j];
                out[i * n + j] -= factor * out[k * n + j];
            }
        }
    }
    return true;
}

static double length_of(const number* m, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n * n; i++) sum = hypot(sum, cabs(m[i]));
    return sum;
}

bool ss_eigen_solve(double a[], int n, ss_spectrum* out, double complex work[], double scale[])
{
    number *h = work, *q = work + n * n;
    balance(a, n, scale);
    for (int i = 0; i < n * n; i++) {
        h[i] = a[i];
        q[i] = i % (n + 1) == 0 ? 1.0 : 0.0;
    }
    out->norm = length_of(h, n);
    out->condition = INFINITY;
    if (!isfinite(out->norm)) return false;
    to_hessenberg(h, n, q);
    if (!to_triangle(h, n, q, out->norm)) return false;
    for (int k = 0; k < n; k++) out->values[k] = h[k * n + k];
    if (!make_vectors(h, n, q, out->norm, out->vectors, out->inverse)) return true;
    for (int i = 0; i < n * n; i++) h[i] = out->vectors[i];
    if (!invert(h, n, out->inverse)) return true;
    double condition = length_of(out->vectors, n) * length_of(out->inverse, n);
    if (isfinite(condition)) out->condition = condition;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) {
            out->vectors[i * n + k] *= scale[i];
            out->inverse[k * n + i] /= scale[i];
        }
    return true;
}
