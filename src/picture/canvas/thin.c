// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// From the last point kept one looks ahead: every point passed over leaves a cone of directions, as wide as
// the tolerance is at its distance, through which the straight line to the next point kept has to go. When a
// point falls outside, or the line turns back, the one before it is kept.
#include "picture/canvas/thin.h"

#include "core/error.h"

#include <math.h>
#include <stdlib.h>

typedef struct cone {
    ss_point tip;
    double middle;    // direction of the first point
    double low, high; // from there, radians; low > high: no point yet
    double reach;     // the farthest point so far
} cone;

static cone begin(ss_point tip) { return (cone){.tip = tip, .low = 1, .high = -1}; }

// Whether p can be passed over, too, when a later point of the line is kept.
static bool admit(cone* c, ss_point p, double tolerance)
{
    double dx = p.x - c->tip.x, dy = p.y - c->tip.y, distance = hypot(dx, dy);
    if (distance < c->reach - tolerance) return false; // back again
    c->reach = fmax(c->reach, distance);
    if (distance <= tolerance) return true;
    double direction = atan2(dy, dx), half = asin(tolerance / distance);
    if (c->low > c->high) {
        *c = (cone){c->tip, direction, -half, half, c->reach};
        return true;
    }
    double offset = remainder(direction - c->middle, 4 * acos(0));
    bool inside = offset >= c->low && offset <= c->high;
    c->low = fmax(c->low, offset - half);
    c->high = fmin(c->high, offset + half);
    return inside;
}

int ss_thin_line(const ss_point points[], int count, double tolerance, ss_point kept[])
{
    if (count == 0) return 0;
    int n = 1;
    ss_point before = kept[0] = points[0];
    cone ahead = begin(before);
    for (int k = 1; k < count; k++) {
        ss_point p = points[k];
        if (!admit(&ahead, p, tolerance)) {
            ahead = begin(before);
            kept[n++] = before;
            admit(&ahead, p, tolerance);
        }
        before = p;
    }
    if (count > 1) kept[n++] = before;
    return n;
}

// Points of one passage through a column.
typedef struct passage {
    double column;
    int first, lowest, highest, last; // indices
} passage;

// Writes the passage's points in order, each once, and returns the new count. Reading is ahead of writing.
static int keep_passage(const passage* p, const ss_point points[], ss_point kept[], int n)
{
    int low = p->lowest < p->highest ? p->lowest : p->highest, high = p->lowest + p->highest - low;
    const int order[4] = {p->first, low, high, p->last};
    ss_point chosen[4];
    int count = 0;
    for (int k = 0; k < 4; k++)
        if (k == 0 || order[k] != order[k - 1]) chosen[count++] = points[order[k]];
    for (int k = 0; k < count; k++) kept[n + k] = chosen[k];
    return n + count;
}

int ss_thin_columns(const ss_point points[], int count, double width, ss_point kept[])
{
    passage p = {0};
    int n = 0;
    for (int k = 0; k < count; k++) {
        double column = floor(points[k].x / width);
        if (k == 0 || column != p.column) {
            if (k > 0) n = keep_passage(&p, points, kept, n);
            p = (passage){column, k, k, k, k};
            continue;
        }
        if (points[k].y < points[p.lowest].y) p.lowest = k;
        if (points[k].y > points[p.highest].y) p.highest = k;
        p.last = k;
    }
    return count > 0 ? keep_passage(&p, points, kept, n) : 0;
}

// Which cells of the unit square have ink.
typedef struct ink {
    unsigned char* cells;
    int columns, rows;
} ink;

// Inks the cells under a straight piece, a step of at most one cell after the other.
static void draw(ink* i, ss_point a, ss_point b)
{
    double across = (b.x - a.x) * i->columns, up = (b.y - a.y) * i->rows;
    int steps = 1 + (int)fmin(fmax(fabs(across), fabs(up)), 4.0 * (i->columns + i->rows));
    for (int k = 1; k <= steps; k++) {
        double share = (double)k / steps, x = a.x + share * (b.x - a.x), y = a.y + share * (b.y - a.y);
        if (x >= 0 && x < 1 && y >= 0 && y < 1)
            i->cells[(size_t)(y * i->rows) * (size_t)i->columns + (size_t)(x * i->columns)] = 1;
    }
}

// Writes the strokes, or only counts their points where strokes is NULL.
static int read_strokes(const ink* i, ss_point strokes[])
{
    int n = 0;
    for (int row = 0; row < i->rows; row++) {
        const unsigned char* cells = i->cells + (size_t)row * (size_t)i->columns;
        double y = (row + 0.5) / i->rows;
        for (int from = 0, to; from < i->columns; from = to + 1) {
            for (to = from; to < i->columns && cells[to];) to++;
            if (to == from) continue;
            if (strokes) {
                strokes[n] = (ss_point){(double)from / i->columns, y};
                strokes[n + 1] = (ss_point){(double)to / i->columns, y};
                strokes[n + 2] = (ss_point){NAN, NAN};
            }
            n += 3;
        }
    }
    return n;
}

ss_point* ss_thin_ink(const ss_point points[], int count, int columns, int rows, int* stroke_points)
{
    ink i = {.columns = columns, .rows = rows};
    ss_point* strokes = NULL;
    i.cells = ss_new((size_t)columns * (size_t)rows, 1);
    if (i.cells) {
        for (int k = 0; k + 1 < count; k++) draw(&i, points[k], points[k + 1]);
        *stroke_points = read_strokes(&i, NULL);
        strokes = ss_new((size_t)*stroke_points + 1, sizeof *strokes);
        if (strokes) read_strokes(&i, strokes);
    }
    free(i.cells);
    return strokes;
}
