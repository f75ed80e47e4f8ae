// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Nested dissection. From a vertex at the rim of a graph its levels of distance are found; a small level near
// the middle separates what lies before it from what lies behind it. The two parts come first, in the same
// manner, and the separator last: eliminating one part fills nothing of the other.
#include "core/algebra/ldl.h"
#include "core/error.h"

#include <stdlib.h>
#include <string.h>

enum { SMALL = 24 }; // vertices that are not divided any more

typedef struct dissection {
    const ss_sparse* graph;
    int* list;  // the vertices in their order so far
    int* place; // of each vertex in the list
    int* part;  // the part each vertex belongs to
    int* level; // its distance from the rim of its part
    int parts;
} dissection;

typedef struct range {
    int begin, end; // of the list
} range;

static void swap(dissection* s, int a, int b)
{
    int u = s->list[a], v = s->list[b];
    s->list[a] = v;
    s->list[b] = u;
    s->place[v] = a;
    s->place[u] = b;
}

// Brings the vertices that hang together with the one at `begin` to the front of the range, by their distance
// from it. Answers where they end. Their part becomes a new one.
static int walk(dissection* s, int begin)
{
    int end = begin + 1, old = s->part[s->list[begin]], part = ++s->parts;
    s->level[s->list[begin]] = 0;
    s->part[s->list[begin]] = part;
    for (int at = begin; at < end; at++) {
        int v = s->list[at];
        for (int k = s->graph->start[v]; k < s->graph->start[v + 1]; k++) {
            int u = s->graph->index[k];
            if (s->part[u] != old) continue;
            s->part[u] = part;
            s->level[u] = s->level[v] + 1;
            swap(s, end++, s->place[u]);
        }
    }
    return end;
}

// The smallest level with at least a third of the vertices before it and behind it; where there is none, the
// one in the middle.
static range find_separator(const dissection* s, range all)
{
    int third = (all.end - all.begin) / 3, middle = s->level[s->list[(all.begin + all.end) / 2]];
    range best = {0, 0}, fallback = {0, 0};
    for (int at = all.begin; at < all.end;) {
        int level = s->level[s->list[at]], end = at;
        while (end < all.end && s->level[s->list[end]] == level) end++;
        bool fits = at - all.begin >= third && all.end - end >= third;
        if (fits && (best.end == 0 || end - at < best.end - best.begin)) best = (range){at, end};
        if (level == middle) fallback = (range){at, end};
        at = end;
    }
    return best.end > 0 ? best : fallback;
}

static void reverse(dissection* s, int begin, int end)
{
    for (end--; begin < end; begin++, end--) swap(s, begin, end);
}

// Before, separator, behind becomes before, behind, separator.
static void move_last(dissection* s, range separator, int end)
{
    reverse(s, separator.begin, separator.end);
    reverse(s, separator.end, end);
    reverse(s, separator.begin, end);
}

// Divides the part at the front of a range. Puts what is left to divide on the stack and answers how many.
static int divide(dissection* s, range all, range stack[])
{
    int count = 0, end = walk(s, all.begin);
    if (end < all.end) stack[count++] = (range){end, all.end};
    if (end - all.begin <= SMALL) return count;
    for (int round = 0; round < 2; round++) { // the farthest vertex lies at the rim
        swap(s, all.begin, end - 1);
        walk(s, all.begin);
    }
    range separator = find_separator(s, (range){all.begin, end});
    int before = separator.begin - all.begin, behind = end - separator.end;
    if (before == 0 || behind == 0) { // nearly all are neighbours of one, which then comes late
        reverse(s, all.begin, end);
        return count;
    }
    move_last(s, separator, end);
    stack[count++] = (range){all.begin, all.begin + before};
    stack[count++] = (range){all.begin + before, all.begin + before + behind};
    s->parts++; // the two parts are cut off from the separator, and from each other
    for (int at = all.begin; at < all.begin + before; at++) s->part[s->list[at]] = s->parts;
    s->parts++;
    for (int at = all.begin + before; at < all.begin + before + behind; at++) s->part[s->list[at]] = s->parts;
    return count;
}

void ss_dissect(ss_pool* pool, const ss_sparse* a, int order[])
{
    size_t n = (size_t)a->rows;
    int* room = ss_new(3 * n + 1, sizeof *room);
    range* stack = ss_new(2 * n + 4, sizeof *stack);
    if (!room || !stack) pool->failed = true;
    if (!pool->failed && n > 0) {
        dissection s = {.graph = a, .list = order, .place = room, .part = room + n, .level = room + 2 * n};
        int depth = 1;
        for (int i = 0; i < a->rows; i++) order[i] = s.place[i] = i;
        stack[0] = (range){0, a->rows};
        while (depth > 0) {
            range next = stack[--depth];
            if (next.begin < next.end) depth += divide(&s, next, stack + depth);
        }
    }
    free(room);
    free(stack);
}
