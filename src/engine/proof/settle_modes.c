// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The exponentials of the present mode, part by part: variables that do not act on each other are solved
// apart.
#include "engine/proof/settle.h"

#include "core/tolerance.h"

#include <math.h>
#include <string.h>

static const double worst_condition = 1e10; // of the eigenvectors of a part

// Spreads over everything that `from` moves and, where both ways are asked for, that moves it.
static void spread(struct ss_settle* s, int from, int label, bool both)
{
    int size = s->mode.size, count = 0;
    s->parts.members[count++] = from;
    s->parts.of[from] = label;
    while (count > 0) {
        int j = s->parts.members[--count];
        for (int i = 0; i < size; i++) {
            bool coupled = s->mode.a[i * size + j] != 0.0 || (both && s->mode.a[j * size + i] != 0.0);
            if (!coupled || s->parts.of[i] == label || (both && s->parts.of[i] == 0)) continue;
            s->parts.of[i] = label;
            s->parts.members[count++] = i;
        }
    }
}

// Variables that ever move, in parts that do not act on each other: what is exactly apart stays so.
static void find_parts(struct ss_settle* s)
{
    int size = s->mode.size;
    memset(s->parts.of, 0, (size_t)size * sizeof(int));
    for (int i = 0; i < size; i++)
        if (s->parts.of[i] == 0 && (s->mode.rate_now[i] != 0.0 || s->mode.rate_mark[i] != 0.0))
            spread(s, i, -1, false);
    s->parts.count = 0;
    for (int i = 0; i < size; i++)
        if (s->parts.of[i] == -1) spread(s, i, ++s->parts.count, true);
}

// A computed value counts as real where it is to within its uncertainty and no other one is near that could
// be its conjugate.
static void straighten(ss_spectrum* spectrum, int n, double uncertainty)
{
    for (int k = 0; k < n; k++) {
        if (cimag(spectrum->values[k]) == 0.0 || fabs(cimag(spectrum->values[k])) > uncertainty) continue;
        bool alone = true;
        for (int l = 0; l < n; l++)
            alone = alone && (l == k || cabs(spectrum->values[l] - spectrum->values[k]) > 4.0 * uncertainty);
        if (alone) spectrum->values[k] = creal(spectrum->values[k]);
    }
}

// Whether mode k of a part decays, or is at rest (a position that nothing pulls back). total is the size of
// all rho of the part. A slow drift is told from rest only where the vectors are well apart.
static bool dies_out(struct ss_settle* s, int k, double uncertainty, double blur, double total)
{
    if (creal(s->decay.values[k]) < -uncertainty) return true;
    if (cabs(s->decay.values[k]) > uncertainty || blur > SS_CLEAR || cabs(s->decay.then[k]) > blur * total)
        return false;
    s->decay.values[k] = s->decay.now[k] = s->decay.then[k] = 0.0;
    return true;
}

// The spectrum of the part with these n members. Where vectors are missing, as at critical damping, the
// matrix is changed by a few roundings: as true to the model as the one it stands for, and it has them all.
static bool solve_eigen(struct ss_settle* s, int n)
{
    int size = s->mode.size;
    for (int attempt = 0; attempt < 3; attempt++) {
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                s->parts.a[i * n + j] = s->mode.a[s->parts.members[i] * size + s->parts.members[j]] *
                                        (1.0 + attempt * (1 + (5 * i + 3 * j) % 7) * DBL_EPSILON);
        if (!ss_eigen_solve(s->parts.a, n, &s->parts.spectrum, s->parts.work, s->parts.scale)) return false;
        if (s->parts.spectrum.condition <= worst_condition) return true;
    }
    return false;
}

static bool solve_part(struct ss_settle* s, int label, int* modes)
{
    int size = s->mode.size, n = 0, first = *modes;
    for (int i = 0; i < size; i++)
        if (s->parts.of[i] == label) s->parts.members[n++] = i;
    ss_spectrum* found = &s->parts.spectrum;
    if (!solve_eigen(s, n)) return false;
    double blur = n * SS_SETTLE_ROUNDING * found->condition, uncertainty = blur * found->norm, total = 0.0;
    s->decay.blur = fmax(s->decay.blur, blur);
    straighten(found, n, uncertainty);
    for (int k = 0; k < n; k++) {
        int to = (*modes)++;
        s->decay.values[to] = found->values[k];
        s->decay.error[to] = n * SS_SETTLE_ROUNDING * (1.0 + found->norm / cabs(s->decay.values[to]));
        s->decay.now[to] = s->decay.then[to] = 0.0;
        for (int i = 0; i < n; i++) {
            s->decay.vectors[s->parts.members[i] * size + to] = found->vectors[i * n + k];
            s->decay.now[to] += found->inverse[k * n + i] * s->mode.rate_now[s->parts.members[i]];
            s->decay.then[to] += found->inverse[k * n + i] * s->mode.rate_mark[s->parts.members[i]];
        }
        total += cabs(s->decay.then[to]);
    }
    for (int k = first; k < *modes; k++)
        if (!dies_out(s, k, uncertainty, blur, total)) return false;
    return true;
}

bool ss_settle_find_modes(struct ss_settle* s, int* modes)
{
    int size = s->mode.size;
    *modes = 0;
    s->decay.blur = 0.0;
    memset(s->decay.vectors, 0, (size_t)(size * size) * sizeof *s->decay.vectors);
    find_parts(s);
    for (int p = 1; p <= s->parts.count; p++)
        if (!solve_part(s, p, modes)) return false;
    return true;
}
