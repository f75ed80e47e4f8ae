// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Sides of the grid's cells that the boundary crosses are linked, two by two, through the cells; lines are
// then read off link by link.
#include "picture/figure/contour.h"

#include "core/error.h"

#include <stdlib.h>
#include <string.h>

enum { SIDE = 33, HALVINGS = 10, CELLS = SIDE - 1, NONE = -1 };

// Side k starts at node k % (SIDE * SIDE) and leads to the right, or upwards if k >= SIDE * SIDE.
enum { SIDES = 2 * SIDE * SIDE };

typedef struct grid {
    ss_level_at* level_at;
    void* user;
    ss_box box;
    int levels[SIDE * SIDE];
    int level; // the one whose boundary is followed
    ss_point crossing[SIDES];
    int links[SIDES][2]; // NONE: no link
} grid;

static ss_point node_at(const grid* g, int node)
{
    int column = node % SIDE, row = node / SIDE;
    return (ss_point){g->box.x + g->box.width * column / CELLS, g->box.y + g->box.height * row / CELLS};
}

static int end_of(int side) { return side < SIDE * SIDE ? side + 1 : side - SIDE * SIDE + SIDE; }

static bool is_inside(const grid* g, int node) { return g->levels[node] >= g->level; }

static bool is_crossed(const grid* g, int side)
{
    return is_inside(g, side % (SIDE * SIDE)) != is_inside(g, end_of(side));
}

static void locate(grid* g, int side)
{
    ss_point in = node_at(g, side % (SIDE * SIDE)), out = node_at(g, end_of(side));
    if (!is_inside(g, side % (SIDE * SIDE))) {
        ss_point kept = in;
        in = out;
        out = kept;
    }
    for (int k = 0; k < HALVINGS; k++) {
        const ss_point middle = {0.5 * (in.x + out.x), 0.5 * (in.y + out.y)};
        *(g->level_at(g->user, middle) >= g->level ? &in : &out) = middle;
    }
    g->crossing[side] = (ss_point){0.5 * (in.x + out.x), 0.5 * (in.y + out.y)};
}

static void join(grid* g, int a, int b)
{
    g->links[a][g->links[a][0] == NONE ? 0 : 1] = b;
    g->links[b][g->links[b][0] == NONE ? 0 : 1] = a;
}

// Joins the crossed sides of a cell in the order bottom, right, top, left: two, or all four.
static void join_cell(grid* g, int node)
{
    const int sides[4] = {node, node + 1 + SIDE * SIDE, node + SIDE, node + SIDE * SIDE};
    int crossed[4], count = 0;
    for (int k = 0; k < 4; k++)
        if (is_crossed(g, sides[k])) crossed[count++] = sides[k];
    for (int k = 0; k + 1 < count; k += 2) join(g, crossed[k], crossed[k + 1]);
}

static void find_links(grid* g)
{
    for (int k = 0; k < SIDES; k++) {
        int node = k % (SIDE * SIDE);
        bool exists = k < SIDE * SIDE ? node % SIDE < CELLS : node / SIDE < CELLS;
        g->links[k][0] = g->links[k][1] = NONE;
        if (exists && is_crossed(g, k)) locate(g, k);
    }
    for (int j = 0; j < CELLS; j++)
        for (int i = 0; i < CELLS; i++) join_cell(g, j * SIDE + i);
}

// Follows links from a side, taking them away. Returns how many points it passed.
static int follow(grid* g, int side, ss_point points[])
{
    int count = 0;
    while (side != NONE) {
        points[count++] = g->crossing[side];
        int next = g->links[side][0] != NONE ? g->links[side][0] : g->links[side][1];
        if (next != NONE) {
            g->links[side][g->links[side][0] == next ? 0 : 1] = NONE;
            g->links[next][g->links[next][0] == side ? 0 : 1] = NONE;
        }
        side = next;
    }
    return count;
}

static int link_count(const grid* g, int side)
{
    return (g->links[side][0] != NONE) + (g->links[side][1] != NONE);
}

// Lines that end at the rim first, then closed ones.
static void report_lines(grid* g, ss_point points[], ss_contour_sink* sink)
{
    for (int wanted = 1; wanted <= 2; wanted++)
        for (int k = 0; k < SIDES; k++)
            if (link_count(g, k) == wanted) sink(g->user, g->level, points, follow(g, k, points));
}

bool ss_contour(ss_level_at* level_at, int most, const ss_box* box, ss_contour_sink* sink, void* user)
{
    grid* g = ss_new(1, sizeof *g);
    ss_point* points = ss_new(SIDES + 1, sizeof *points);
    bool ready = g && points;
    if (ready) {
        g->level_at = level_at;
        g->user = user;
        g->box = *box;
        for (int k = 0; k < SIDE * SIDE; k++) g->levels[k] = level_at(user, node_at(g, k));
        for (g->level = 1; g->level <= most; g->level++) {
            find_links(g);
            report_lines(g, points, sink);
        }
    }
    free(g);
    free(points);
    return ready;
}
