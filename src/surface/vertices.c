// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Vertices of the limit surface: loads that belong to an open cone of motions, Phi being linear in it. A
// disc, an ellipse or a patch has none, and nor has a sum in which one of them takes part. Lines and rolling
// ratchets have: their great circles of no slip cut the sphere of motions into cells, one vertex each. Every
// cell but for lunes has corners, where two circles cross; there it is a sector between two circles.
#include "core/tolerance.h"
#include "slider/surface/load_field.h"
#include "slipstick/surface.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct circle {
    double row[3];    // unit
    double load[3];   // for row . q > 0, and minus this on the other side
    bool is_boundary; // beyond it (row . q < 0) a ratchet is locked: no vertices
} circle;

typedef struct corner_search {
    circle* circles;
    int count;
    double middle[3]; // of all loads
    double scale;
    double* angles; // room for 2 count + 1
    ss_vertex* found;
    double* inner; // three per vertex: the sum of directions within its cell
    int found_count, room;
    bool failed; // no memory
} corner_search;

static void add_circle(corner_search* s, const double row[3], const double load[3], bool is_boundary)
{
    circle* c = &s->circles[s->count++];
    double length = ss_norm3(row);
    for (int i = 0; i < 3; i++) {
        c->row[i] = row[i] / length;
        c->load[i] = load[i];
    }
    c->is_boundary = is_boundary;
    s->scale += ss_norm3(load);
}

// False where an element has no vertices.
static bool collect_circles(corner_search* s, const ss_field* field)
{
    static const double nothing[3] = {0};
    for (int i = 0; i < field->count; i++) {
        const ss_part* part = &field->parts[i];
        if (part->kind == SS_ELEMENT_POINT || part->kind == SS_ELEMENT_PATCH) return false;
        add_circle(s, part->slip, part->slip, false);
        if (part->kind == SS_ELEMENT_RATCHET) add_circle(s, part->roll, nothing, true);
        for (int k = 0; k < 3; k++) s->middle[k] += part->bias[k];
    }
    return s->count > 0;
}

static bool passes(const circle* c, const double n[3]) { return fabs(ss_dot3(c->row, n)) < SS_RELATIVE_ZERO; }

static void keep(corner_search* s, const double load[3], const double within[3])
{
    int k = 0;
    for (; k < s->found_count; k++) {
        const double* other = s->found[k].load;
        const double gap[3] = {load[0] - other[0], load[1] - other[1], load[2] - other[2]};
        if (ss_norm3(gap) < SS_SOLVED * s->scale) break;
    }
    if (k == s->room) {
        int room = s->room ? 2 * s->room : 64;
        ss_vertex* found = realloc(s->found, (size_t)room * sizeof *found);
        if (found) s->found = found;
        double* inner = realloc(s->inner, 3 * (size_t)room * sizeof *inner);
        if (inner) s->inner = inner;
        s->failed = !found || !inner;
        if (s->failed) return;
        s->room = room;
    }
    if (k == s->found_count) {
        memcpy(s->found[k].load, load, sizeof s->found[k].load);
        memset(&s->inner[3 * k], 0, 3 * sizeof *s->inner);
        s->found_count++;
    }
    for (int i = 0; i < 3; i++) s->inner[3 * k + i] += within[i];
}

// The vertex of the cell at n in the sector round e: circles that pass n are on the side of e, all others of
// n. `lune`: n tells nothing about where in its cell.
static void try_sector(corner_search* s, const double n[3], const double e[3], bool lune)
{
    double load[3] = {s->middle[0], s->middle[1], s->middle[2]};
    for (int i = 0; i < s->count; i++) {
        const circle* c = &s->circles[i];
        double side = ss_dot3(c->row, passes(c, n) ? e : n) < 0.0 ? -1.0 : 1.0;
        if (c->is_boundary && side < 0.0) return;
        for (int k = 0; k < 3; k++) load[k] += side * c->load[k];
    }
    keep(s, load, lune ? e : n);
}

// All circles that pass n cut the directions round it into sectors.
static void try_corner(corner_search* s, const double n[3])
{
    const double pi = 3.14159265358979323846;
    double t[2][3], e[3];
    int count = 0;
    bool lune = true;
    ss_tangents(n, t);
    for (int i = 0; i < s->count; i++) {
        const double* row = s->circles[i].row;
        if (!passes(&s->circles[i], n)) lune = false;
        if (!passes(&s->circles[i], n)) continue;
        double angle = atan2(-ss_dot3(row, t[0]), ss_dot3(row, t[1]));
        for (int half = 0; half<2; half++, angle += angle> 0.0 ? -pi : pi) {
            int at = count++;
            for (; at > 0 && s->angles[at - 1] > angle; at--) s->angles[at] = s->angles[at - 1];
            s->angles[at] = angle;
        }
    }
    s->angles[count] = s->angles[0] + 2.0 * pi;
    for (int k = 0; k < count && !s->failed; k++) {
        if (s->angles[k + 1] - s->angles[k] < SS_SOLVED) continue; // of circles that are one and the same
        double middle = 0.5 * (s->angles[k] + s->angles[k + 1]);
        for (int i = 0; i < 3; i++) e[i] = cos(middle) * t[0][i] + sin(middle) * t[1][i];
        try_sector(s, n, e, lune);
    }
}

static void search(corner_search* s)
{
    bool crossed = false;
    for (int i = 0; i < s->count; i++)
        for (int j = 0; j < i && !s->failed; j++) {
            const double *a = s->circles[i].row, *b = s->circles[j].row;
            double n[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
            double length = ss_norm3(n);
            if (length < SS_RELATIVE_ZERO) continue;
            crossed = true;
            for (int sign = 1; sign >= -1; sign -= 2) {
                const double corner[3] = {sign * n[0] / length, sign * n[1] / length, sign * n[2] / length};
                try_corner(s, corner);
            }
        }
    if (crossed) return;
    double t[2][3]; // one circle, and two cells
    ss_tangents(s->circles[0].row, t);
    try_corner(s, t[0]);
}

static int by_load(const void* a, const void* b)
{
    const ss_vertex *x = a, *y = b;
    for (int i = 2; i >= 0; i--)
        if (x->load[i] != y->load[i]) return x->load[i] < y->load[i] ? 1 : -1;
    return 0;
}

static void finish(corner_search* s, ss_vertex_set* out)
{
    for (int k = 0; k < s->found_count; k++) {
        double length = ss_norm3(&s->inner[3 * k]);
        for (int i = 0; i < 3; i++) s->found[k].motion[i] = s->inner[3 * k + i] / length;
    }
    if (s->found_count > 0) qsort(s->found, (size_t)s->found_count, sizeof *s->found, by_load);
    *out = (ss_vertex_set){s->found, s->found_count};
    s->found = NULL;
}

ss_status ss_slider_vertices(const ss_slider* slider, double angle_rad, ss_vertex_set* out, ss_error* err)
{
    size_t n = (size_t)slider->element_count;
    ss_field field;
    corner_search s = {0};
    *out = (ss_vertex_set){0};
    ss_part* parts = ss_new(n, sizeof *parts);
    s.circles = ss_new(2 * n, sizeof *s.circles);
    s.angles = ss_new(4 * n + 1, sizeof *s.angles);
    s.failed = !parts || !s.circles || !s.angles;
    if (!s.failed) {
        ss_field_set(&field, slider, angle_rad, parts);
        if (collect_circles(&s, &field)) search(&s);
        if (!s.failed) finish(&s, out);
    }
    free(parts);
    free(s.circles);
    free(s.angles);
    free(s.found);
    free(s.inner);
    return s.failed ? ss_fail_no_memory(err) : SS_OK;
}

void ss_vertex_set_free(ss_vertex_set* set)
{
    if (!set) return;
    free(set->items);
    *set = (ss_vertex_set){0};
}
