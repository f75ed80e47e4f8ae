// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Eigen-directions off the kinks. The sphere of motions is covered by the faces of a cube, cut into cells. A
// cell is cleared where the equations of an eigen-direction cannot hold in it (eigen_box.c); where they stay
// regular, Newton's method finds the one there can be. With a point whose null direction is near, its load is
// any vector B^T M e of a known ellipse, |e| = 1: the cell is cleared where that ellipse keeps its distance
// from what the rest leaves. All else is cut in two or four.
#include "core/tolerance.h"
#include "surface/eigen/eigen_box.h"
#include "surface/eigen/eigen_directions.h"

#include <math.h>
#include <string.h>

typedef struct cell {
    int face;
    double u, v;   // centre on the face of the cube
    double hu, hv; // half sides
} cell;

static double size_of(const cell* c) { return fmax(c->hu, c->hv); }

static const double small = 1.0 / 4096;       // half side at which the cutting ends where that is explained
static const double smallest = 1.0 / 8388608; // half side at which it ends anyway

static void direction(int face, double u, double v, double q[3])
{
    double sign = face < 3 ? 1.0 : -1.0, length = sqrt(1.0 + u * u + v * v);
    q[face % 3] = sign / length;
    q[(face + 1) % 3] = u / length;
    q[(face + 2) % 3] = v / length;
}

typedef struct bounds {
    double q[3], delta; // the disc that holds the cell
    ss_around around;
    ss_box box;
} bounds;

// On a great circle of eigen-directions the load has no share across it; where the second derivative across
// it keeps its sign in the disc, none are beside it.
static bool only_circle(const ss_search* s, const bounds* b, const ss_view* view)
{
    const double(*m)[2] = b->box.turning;
    double turning = sqrt(m[0][0] * m[0][0] + m[0][1] * m[0][1] + m[1][0] * m[1][0] + m[1][1] * m[1][1]);
    if (view->rough_count > 0) return false;
    for (int k = 0; k < s->circle_count; k++) {
        const double* normal = s->circles[k];
        double off = ss_dot3(normal, b->q), c[3], across = 0.0;
        if (fabs(off) > b->delta) continue;
        double length = sqrt(1.0 - off * off);
        for (int i = 0; i < 3; i++) c[i] = (b->q[i] - off * normal[i]) / length;
        ss_power f;
        ss_field_at(&s->field, NULL, c, &f);
        for (int i = 0; i < 3; i++) across += normal[i] * ss_dot3(&f.h[3 * i], normal);
        if (fabs(across - f.phi) > 3.0 * turning) return true;
    }
    return false;
}

// A cell may stay open at a degenerate direction, at a facet that is just lost or won, or on a circle where
// the curvature across it just balances: there Phi is flat, and nothing can be told apart within
// `flat_within`.
static const double flat_within = 0.02;

// Is there a direction in the list, within reach, where Phi is flat?
static bool near_neutral(const ss_search* s, const double q[3])
{
    for (int k = 0; k < s->count; k++) {
        const double* p = s->found[k].q;
        double d[3] = {q[0] - p[0], q[1] - p[1], q[2] - p[2]};
        if (s->found[k].stability == SS_NEUTRAL && !s->found[k].is_circle &&
            ss_dot3(d, d) <= flat_within * flat_within)
            return true;
    }
    return false;
}

static bool near_degenerate(const ss_search* s, const double q[3], double within)
{
    for (int k = 0; k < s->degenerate_count; k++) {
        double d[3] = {q[0] - s->degenerate[k][0], q[1] - s->degenerate[k][1], q[2] - s->degenerate[k][2]};
        if (ss_dot3(d, d) <= within * within) return true;
    }
    return false;
}

// A second derivative that vanishes one way: is there a whole circle, or an isolated degenerate one?
static void note_degenerate(ss_search* s, const double q[3], double t[2][3], const double flat[2])
{
    double along[3], normal[3];
    for (int i = 0; i < 3; i++) along[i] = flat[0] * t[0][i] + flat[1] * t[1][i];
    for (int i = 0; i < 3; i++)
        normal[i] = q[(i + 1) % 3] * along[(i + 2) % 3] - q[(i + 2) % 3] * along[(i + 1) % 3];
    if (ss_search_try_circle(s, normal) || ss_search_try_circle(s, along)) return;
    if (s->degenerate_count < (int)(sizeof s->degenerate / sizeof s->degenerate[0]) &&
        !ss_search_on_circle(s, q, 1e-6) && !near_degenerate(s, q, 1e-6))
        memcpy(s->degenerate[s->degenerate_count++], q, sizeof s->degenerate[0]);
}

// Newton's method from the centre with the given sides. What it finds counts where these are the sides there.
static ss_status collect(ss_search* s, const double from[3], bool* converged)
{
    double q[3] = {from[0], from[1], from[2]};
    *converged = ss_field_newton(&s->field, s->sides, q);
    if (!*converged) return SS_OK;
    ss_power f;
    double t[2][3], a[3], g[2], values[2], first[2];
    ss_field_at(&s->field, NULL, q, &f);
    ss_tangents(q, t);
    ss_tangential(f.p, t, g);
    // The zero is one of the field continued beyond its side.
    if (hypot(g[0], g[1]) > SS_SOLVED * f.phi) return SS_OK;
    ss_bending(&f, t, a);
    ss_eigen2(a, values, first);
    bool first_flat = fabs(values[0]) <= fabs(values[1]);
    if (fmin(fabs(values[0]), fabs(values[1])) <= SS_ROOT_BIT * f.phi) {
        const double flat[2] = {first_flat ? first[0] : -first[1], first_flat ? first[1] : first[0]};
        note_degenerate(s, q, t, flat);
    }
    // Where circles cross Newton's method arrives slowly, and stops early.
    bool flat_both = fmax(fabs(values[0]), fabs(values[1])) <= 1e-4 * f.phi;
    ss_eigen_direction d;
    if (ss_search_on_circle(s, q, flat_both ? 1e-2 : SS_ROOT_NOISE) || !ss_search_judge(s, q, &d))
        return SS_OK;
    if (near_neutral(s, q) && fmin(fabs(values[0]), fabs(values[1])) <= 1e-2 * f.phi) return SS_OK;
    return ss_search_add(s, &d);
}

// One choice of sides: cleared, or not.
static ss_status clear_sides(ss_search* s, const cell* c, const ss_view* view, bounds* b, bool* cleared)
{
    const ss_part* rough = &s->field.parts[view->rough[0]];
    ss_box_set(view, &b->around, &b->box);
    *cleared = view->rough_count > 0 ? ss_box_is_empty_beside(&b->box, view, &b->around, rough)
                                     : ss_box_is_empty(&b->box);
    if (!*cleared) *cleared = only_circle(s, b, view);
    if (*cleared || view->rough_count > 0) return SS_OK;
    if (ss_box_is_settled(&b->box)) return collect(s, b->q, cleared);
    bool converged;
    double size = size_of(c);
    return size < 1.0 / 100 && size > 1.0 / 400 ? collect(s, b->q, &converged) : SS_OK;
}

static ss_side option(const ss_field* field, int part, int k)
{
    static const ss_side all[] = {SS_SIDE_PLUS, SS_SIDE_MINUS, SS_SIDE_LOCKED};
    int count = field->parts[part].kind == SS_ELEMENT_RATCHET ? 3 : 2;
    return k < count ? all[k] : SS_SIDE_OUT; // no such option
}

// The cell as a rectangle round its middle, t_0 a translation. A cell is convex, its corners are the
// farthest.
static void set_around(const cell* c, bounds* b, double corners[4][3])
{
    direction(c->face, c->u, c->v, b->q);
    ss_around_disc(b->q, 0.0, &b->around);
    for (int k = 0; k < 4; k++) {
        direction(c->face, c->u + (k & 1 ? c->hu : -c->hu), c->v + (k & 2 ? c->hv : -c->hv), corners[k]);
        double out = ss_dot3(corners[k], b->q), x[2];
        ss_tangential(corners[k], b->around.t, x);
        for (int i = 0; i < 2; i++) b->around.d[i] = fmax(b->around.d[i], fabs(x[i]) / out);
    }
    b->delta = hypot(b->around.d[0], b->around.d[1]);
}

// All choices of sides for the parts that change them in the square.
static ss_status clear_cell(ss_search* s, const cell* c, bounds* b, bool* cleared)
{
    double corners[4][3];
    ss_view view;
    set_around(c, b, corners);
    b->box = (ss_box){.bend = {INFINITY}};
    ss_field_view(&s->field, NULL, &b->around, corners, &view);
    for (int k = 0; k < view.rough_count && k < 2; k++)
        if ((*cleared = ss_search_in_disc(s, view.rough[k], b->q, b->delta))) return SS_OK;
    if ((*cleared = ss_search_spins_away(s, &b->around, view.smooth.p[2])) || view.unsure_count < 0)
        return SS_OK;
    int choices = 1;
    for (int k = 0; k < view.unsure_count; k++) choices *= 3;
    for (int n = 0; n < choices; n++) {
        ss_view one = view;
        bool exists = true;
        for (int i = 0; i < s->field.count; i++) s->sides[i] = SS_SIDE_NATURAL;
        for (int k = 0, rest = n; k < view.unsure_count; k++, rest /= 3) {
            ss_side side = option(&s->field, view.unsure[k], rest % 3);
            exists = exists && side != SS_SIDE_OUT;
            s->sides[view.unsure[k]] = side;
            if (exists) ss_field_add_side(&s->field, view.unsure[k], side, &b->around, &one);
        }
        ss_status status = exists ? clear_sides(s, c, &one, b, cleared) : SS_OK;
        if (status != SS_OK || (exists && !*cleared)) return status;
    }
    *cleared = true;
    return SS_OK;
}

static bool is_explained(const ss_search* s, const cell* c)
{
    double q[3], within = 64.0 * size_of(c);
    direction(c->face, c->u, c->v, q);
    if (near_degenerate(s, q, flat_within)) return true;
    for (int k = 0; k < s->circle_count; k++)
        if (fabs(ss_dot3(q, s->circles[k])) <= within) return true;
    return near_neutral(s, q);
}

// Circles are looked for first, from a few starts all over the sphere: a circle that is not known leaves
// cells open all along it.
static ss_status look_for_circles(ss_search* s)
{
    enum { STARTS = 48 };
    ss_status status = SS_OK;
    for (int i = 0; i < s->field.count; i++) s->sides[i] = SS_SIDE_NATURAL;
    for (int n = 0; n < STARTS && status == SS_OK; n++) {
        double height = 1.0 - (n + 0.5) / STARTS, angle = 2.39996322972865332 * n,
               width = sqrt(1.0 - height * height);
        const double q[3] = {width * cos(angle), width * sin(angle), height};
        bool converged;
        status = collect(s, q, &converged);
    }
    return status;
}

// Rotation about the centre of mass, of a symmetric body: found exactly, also where it is degenerate.
static ss_status try_rotation(ss_search* s)
{
    ss_status status = SS_OK;
    for (int sign = 1; sign >= -1 && status == SS_OK; sign -= 2) {
        const double q[3] = {0, 0, sign};
        ss_eigen_direction d;
        if (!ss_search_on_circle(s, q, SS_CLEAR) && ss_search_judge(s, q, &d)) status = ss_search_add(s, &d);
    }
    return status;
}

ss_status ss_search_circles(ss_search* s)
{
    ss_search_try_circle(s, (double[]){0, 0, 1}); // translations
    ss_search_try_circle(s, (double[]){1, 0, 0}); // of bodies with an axis of symmetry
    ss_search_try_circle(s, (double[]){0, 1, 0});
    ss_status status = try_rotation(s);
    return status == SS_OK ? look_for_circles(s) : status;
}

// Which way to cut: both, unless one side is to blame for most of what stays open. Where nothing is known
// yet, a cell is to be as narrow in spin as patches and points are wide.
static void choose_cut(const ss_search* s, const cell* c, const bounds* b, bool* cut_u, bool* cut_v)
{
    enum { MUCH = 4 };
    double blame[2], sides[2] = {0};
    *cut_u = *cut_v = true;
    if (size_of(c) > 0.3) return;
    ss_box_blame(&b->box, blame);
    if (!isfinite(blame[0] + blame[1])) {
        blame[0] = b->around.d[0];
        blame[1] = b->around.d[1] * s->field.reach;
    }
    for (int k = 0; k < 2; k++) { // what each side adds to d
        double p[3], x[2];
        direction(c->face, c->u + (k == 0 ? c->hu : 0.0), c->v + (k == 1 ? c->hv : 0.0), p);
        ss_tangential(p, (double(*)[3])b->around.t, x);
        for (int i = 0; i < 2; i++) sides[k] += blame[i] * fabs(x[i]) / b->around.d[i];
    }
    *cut_u = c->hv <= smallest || (c->hu > smallest && !(sides[1] > MUCH * sides[0]));
    *cut_v = c->hu <= smallest || (c->hv > smallest && !(sides[0] > MUCH * sides[1]));
}

static int push_parts(const cell* c, bool cut_u, bool cut_v, cell* stack)
{
    int top = 0;
    double hu = cut_u ? 0.5 * c->hu : c->hu, hv = cut_v ? 0.5 * c->hv : c->hv;
    for (int i = cut_u ? -1 : 0; i <= (cut_u ? 1 : 0); i += 2)
        for (int j = cut_v ? -1 : 0; j <= (cut_v ? 1 : 0); j += 2)
            stack[top++] = (cell){c->face, c->u + i * hu, c->v + j * hv, hu, hv};
    return top;
}

// Depth first: at most three cells wait at each level.
ss_status ss_search_cells(ss_search* s)
{
    cell stack[6 + 3 * 52];
    int top = 0, faces = s->field.is_odd ? 3 : 6;
    ss_status status = SS_OK;
    for (int face = faces - 1; face >= 0; face--) stack[top++] = (cell){face, 0, 0, 1, 1};
    s->done = SS_DONE_CELLS;
    while (top > 0) {
        cell c = stack[--top];
        bounds b = {.delta = 0.0};
        bool cleared = false, cut_u, cut_v;
        double size = size_of(&c);
        if (++s->cells > SS_MAX_CELLS) {
            s->unresolved = true;
            return SS_OK;
        }
        status = ss_search_ask(s);
        if (status == SS_OK && size <= 0.3) status = clear_cell(s, &c, &b, &cleared);
        if (status != SS_OK) return status;
        bool over = cleared || (size <= small && is_explained(s, &c));
        if (!over && size <= (s->unresolved ? SS_COARSE : smallest)) over = s->unresolved = true;
        if (over) {
            s->done += (1.0 - SS_DONE_CELLS) * c.hu * c.hv / faces;
            continue;
        }
        choose_cut(s, &c, &b, &cut_u, &cut_v);
        top += push_parts(&c, cut_u, cut_v, &stack[top]);
    }
    return SS_OK;
}
