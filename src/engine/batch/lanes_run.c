// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Running the lanes. Every lane is a motion under way; lanes wait in queues, one per mode and length of cell,
// until enough of them share one to go through the kernel together. Whatever a lane cannot decide by a clear
// margin, its start is run alone, from the beginning: so what becomes of a start never depends on its
// neighbours.
#include "core/error.h"
#include "engine/batch/lanes_modes.h"

#include <math.h>
#include <string.h>

enum { CREW = 1024, BLOCK = SS_LANES_BLOCK, LEVELS = SS_LANES_LEVELS, LINE = 64 };

typedef struct queue {
    int count;
    short* lanes; ///< CREW of them
} queue;

struct ss_lane_worker {
    ss_lanes tables;
    ss_lane_kernel* kernel;
    ss_lane_start_kernel* start;
    ss_lane_choice choice;
    char* lanes; ///< CREW of them, `stride` bytes apart
    size_t stride;
    short idle[CREW];
    int idle_count;
    queue* queues; ///< mode_count x LEVELS
    ss_lane_block block;
    bool rests[SS_LANES_MODES]; ///< the mode holds every coordinate
};

static inline ss_lane* lane_at(const struct ss_lane_worker* crew, int lane)
{
    return (ss_lane*)(void*)(crew->lanes + (size_t)lane * crew->stride);
}

// ---- creation

static bool processor_has(ss_batch_way way)
{
#if defined(__x86_64__) && defined(__GNUC__)
    if (way == SS_BATCH_AVX2) return __builtin_cpu_supports("avx2");
    if (way == SS_BATCH_AVX512) return __builtin_cpu_supports("avx512f");
#endif
    return way == SS_BATCH_PLAIN;
}

static ss_batch_way best_way(void)
{
    if (processor_has(SS_BATCH_AVX512)) return SS_BATCH_AVX512;
    return processor_has(SS_BATCH_AVX2) ? SS_BATCH_AVX2 : SS_BATCH_PLAIN;
}

static void set_kernels(struct ss_lane_worker* crew, ss_batch_way way)
{
    crew->kernel = way == SS_BATCH_AVX512 ? ss_lane_kernel_avx512
                   : way == SS_BATCH_AVX2 ? ss_lane_kernel_avx2
                                          : ss_lane_kernel_plain;
    crew->start = way == SS_BATCH_AVX512 ? ss_lane_start_avx512
                  : way == SS_BATCH_AVX2 ? ss_lane_start_avx2
                                         : ss_lane_start_plain;
}

static struct ss_lane_worker* allocate(ss_batch* batch)
{
    struct ss_lane_worker* crew = ss_pool_new(&batch->pool, 1, sizeof *crew);
    size_t modes = 1;
    for (int i = 0; i < batch->model->contact_count; i++) modes *= 3;
    if (!crew) return NULL;
    crew->tables.modes = ss_pool_new(&batch->pool, modes, sizeof *crew->tables.modes);
    crew->queues = ss_pool_new(&batch->pool, modes * LEVELS, sizeof *crew->queues);
    crew->stride = (sizeof(ss_lane) + 2 * (size_t)batch->model->n * sizeof(double) + LINE - 1) / LINE * LINE;
    char* room = ss_pool_new(&batch->pool, CREW * crew->stride + LINE, 1);
    short* places = ss_pool_new(&batch->pool, modes * LEVELS * CREW, sizeof *places);
    if (batch->pool.failed) return NULL;
    crew->lanes = room + (LINE - (uintptr_t)room % LINE);
    for (size_t k = 0; k < modes * LEVELS; k++) crew->queues[k].lanes = places + k * CREW;
    return crew;
}

ss_status ss_batch_make_lanes(ss_batch* batch, ss_error* err)
{
    ss_batch_way way = batch->def.way;
    if (way < SS_BATCH_BEST || way > SS_BATCH_AVX512)
        return ss_fail(err, SS_BAD_INPUT, "way", "must be one of ss_batch_way");
    if (way == SS_BATCH_BEST) way = best_way();
    if (way != SS_BATCH_ONE_BY_ONE && !processor_has(way))
        return ss_fail(err, SS_BAD_INPUT, "way", "this processor has no %s", ss_batch_way_name(way));
    if (way == SS_BATCH_ONE_BY_ONE || !ss_lanes_apply(batch->model)) return SS_OK;
    struct ss_lane_worker* crew = allocate(batch);
    if (!crew) return ss_fail_no_memory(err);
    ss_lanes_fill(&crew->tables, batch->sim);
    crew->tables.divergence = batch->sim->proof.divergence;
    ss_lane_choice_make(&crew->choice, &crew->tables, batch->model);
    for (int k = 0; k < crew->tables.mode_count; k++)
        crew->rests[k] = crew->tables.modes[k].usable && crew->tables.modes[k].rank == crew->tables.n;
    set_kernels(crew, way);
    batch->lanes = crew;
    batch->way = way;
    return SS_OK;
}

// ---- one lane

typedef struct run {
    ss_batch* batch;
    struct ss_lane_worker* crew;
    const ss_batch_starts* starts;
    size_t next; ///< start that has no lane yet
    double until, reach;
    long max_events;
    ss_status status;
    ss_error* err;
} run;

static void enqueue(struct ss_lane_worker* crew, int lane)
{
    queue* to = &crew->queues[lane_at(crew, lane)->mode * LEVELS + lane_at(crew, lane)->level];
    to->lanes[to->count++] = (short)lane;
}

static void dismiss(struct ss_lane_worker* crew, int lane) { crew->idle[crew->idle_count++] = (short)lane; }

static void finish(run* r, int lane, ss_fate fate)
{
    const ss_lane* l = lane_at(r->crew, lane);
    const ss_model* model = r->batch->model;
    size_t at = l->start * (size_t)model->n;
    r->starts->results[l->start] =
        (ss_batch_result){.fate = fate, .proved = fate == SS_FATE_ESCAPED, .t = l->t, .events = l->events};
    for (int b = 0; b < model->n; b++) {
        int c = model->bodies[b].coordinate;
        if (r->starts->end_x) r->starts->end_x[at + (size_t)b] = l->y[c];
        if (r->starts->end_v)
            r->starts->end_v[at + (size_t)b] = fate == SS_FATE_REST ? 0.0 : l->y[model->n + c];
    }
    dismiss(r->crew, lane);
}

static void leave_alone(run* r, int lane)
{
    size_t start = lane_at(r->crew, lane)->start;
    dismiss(r->crew, lane);
    if (r->status == SS_OK) r->status = ss_batch_run_alone(r->batch, r->starts, start, r->err);
}

// The lane has a new mode, or none that is clear.
static void enter_mode(run* r, int lane, int mode)
{
    ss_lane* l = lane_at(r->crew, lane);
    if (mode < 0 || l->events >= r->max_events) {
        leave_alone(r, lane);
        return;
    }
    l->mode = (short)mode;
    l->level = 0;
    if (r->crew->rests[mode])
        finish(r, lane, SS_FATE_REST);
    else
        enqueue(r->crew, lane);
}

// A lane for the next start. False where it makes no sense to the lanes.
static bool take_start(run* r, int lane)
{
    const ss_model* model = r->batch->model;
    ss_lane* l = lane_at(r->crew, lane);
    int n = model->n;
    size_t start = r->next++, at = start * (size_t)n;
    bool sane = true;
    l->start = start;
    l->t = 0.0;
    l->events = 0;
    for (int b = 0; b < n; b++) {
        const ss_body* body = &model->bodies[b];
        double x = r->starts->x ? r->starts->x[at + (size_t)b] : body->start_x;
        double v = r->starts->v ? r->starts->v[at + (size_t)b] : body->start_v;
        l->y[body->coordinate] = x;
        l->y[n + body->coordinate] = v;
        sane = sane && fabs(x) < r->reach && fabs(v) < INFINITY;
    }
    return sane;
}

static void begin(run* r, int lane, int outcome)
{
    ss_lane* l = lane_at(r->crew, lane);
    if (outcome == SS_DIVERGES) {
        finish(r, lane, SS_FATE_ESCAPED);
    } else if (outcome >= SS_DECIDED) {
        int lead = outcome / SS_LANES_LEAD;
        l->lead = lead;
        enter_mode(r, lane, outcome % SS_DECIDED);
    } else {
        enter_mode(r, lane, ss_lane_start_mode(&r->crew->choice, l));
    }
}

// A lane that has not simply gone on.
static void judge_rarity(run* r, int lane, int outcome)
{
    ss_lane* l = lane_at(r->crew, lane);
    if (outcome == SS_UNCLEAR && l->level + 1 < LEVELS) {
        l->level++;
        enqueue(r->crew, lane);
    } else if (outcome == SS_DIVERGES && l->t < r->until) {
        finish(r, lane, SS_FATE_ESCAPED);
    } else if (outcome >= SS_EVENT && outcome < SS_DECIDED && l->t < r->until) {
        enter_mode(r, lane, ss_lane_next_mode(&r->crew->choice, l, outcome - SS_EVENT));
    } else {
        leave_alone(r, lane);
    }
}

// What the kernel found for a lane. Most have met a plain event, or none: these take one way, without
// branches.
static inline void judge(run* r, int lane, unsigned outcome)
{
    struct ss_lane_worker* crew = r->crew;
    ss_lane* l = lane_at(crew, lane);
    bool decided = outcome >= SS_DECIDED;
    unsigned lead = outcome / SS_LANES_LEAD; // 0 for a lane that is free
    unsigned mode = decided ? outcome % SS_DECIDED : (unsigned)l->mode;
    if (!(decided || outcome == SS_FREE) || !(l->t < r->until)) {
        judge_rarity(r, lane, (int)outcome);
        return;
    }
    l->mode = (short)mode;
    l->level = (short)(decided ? 0 : l->level - (l->level > 0));
    l->lead = (int)lead;
    l->events += decided;
    if (crew->rests[mode] || l->events >= r->max_events)
        enter_mode(r, lane, l->mode);
    else
        enqueue(crew, lane);
}

// ---- blocks of lanes

// With n known where it is called, the copies are unrolled.
static inline void load_lanes(struct ss_lane_worker* crew, const short members[], int count, const int n)
{
    int whole = (count + 7) & ~7;
    for (int k = 0; k < whole; k++) {
        const ss_lane* l = lane_at(crew, members[k < count ? k : 0]); // the rest of a vector copies the first
        for (int c = 0; c < 2 * n; c++) crew->block.y[c][k] = l->y[c];
        crew->block.lead[k] = l->lead;
    }
}

static inline void store_lanes(struct ss_lane_worker* crew, const short members[], int count, const int n)
{
    for (int k = 0; k < count; k++) {
        ss_lane* l = lane_at(crew, members[k]);
        for (int c = 0; c < 2 * n; c++) l->y[c] = crew->block.y[c][k];
        l->t += crew->block.time[k];
    }
}

typedef void copy(struct ss_lane_worker* crew, const short members[], int count);
static void load_1(struct ss_lane_worker* crew, const short m[], int count) { load_lanes(crew, m, count, 1); }
static void load_2(struct ss_lane_worker* crew, const short m[], int count) { load_lanes(crew, m, count, 2); }
static void load_3(struct ss_lane_worker* crew, const short m[], int count) { load_lanes(crew, m, count, 3); }
static void load_4(struct ss_lane_worker* crew, const short m[], int count) { load_lanes(crew, m, count, 4); }
static void store_1(struct ss_lane_worker* crew, const short m[], int count)
{
    store_lanes(crew, m, count, 1);
}
static void store_2(struct ss_lane_worker* crew, const short m[], int count)
{
    store_lanes(crew, m, count, 2);
}
static void store_3(struct ss_lane_worker* crew, const short m[], int count)
{
    store_lanes(crew, m, count, 3);
}
static void store_4(struct ss_lane_worker* crew, const short m[], int count)
{
    store_lanes(crew, m, count, 4);
}
static copy* const loads[SS_LANES_N] = {load_1, load_2, load_3, load_4};
static copy* const stores[SS_LANES_N] = {store_1, store_2, store_3, store_4};

static void run_block(run* r, int mode, int level, int count)
{
    struct ss_lane_worker* crew = r->crew;
    queue* from = &crew->queues[mode * LEVELS + level];
    short members[BLOCK];
    int size = crew->tables.n - 1;
    from->count -= count;
    memcpy(members, from->lanes + from->count, (size_t)count * sizeof(short));
    loads[size](crew, members, count);
    if (!crew->tables.modes[mode].ready)
        ss_lanes_fill_mode(&crew->tables, &crew->tables.modes[mode], r->batch->def.escape);
    crew->kernel(&crew->tables, &crew->tables.modes[mode], level, &crew->block, (count + 7) & ~7);
    stores[size](crew, members, count);
    for (int k = 0; k < count; k++) judge(r, members[k], (unsigned)(int)crew->block.outcome[k]);
}

// Gives every idle lane a start, a block of them at a time.
static void recruit(run* r)
{
    struct ss_lane_worker* crew = r->crew;
    while (r->next < r->starts->count && crew->idle_count > 0 && r->status == SS_OK) {
        short members[BLOCK];
        int count = 0;
        while (count < BLOCK && r->next < r->starts->count && crew->idle_count > 0) {
            members[count] = crew->idle[--crew->idle_count];
            if (take_start(r, members[count]))
                count++;
            else
                leave_alone(r, members[count]);
        }
        if (count == 0) continue;
        loads[crew->tables.n - 1](crew, members, count);
        crew->start(&crew->tables, &crew->block, (count + 7) & ~7);
        for (int k = 0; k < count; k++) begin(r, members[k], (int)crew->block.outcome[k]);
    }
}

// One round over all queues; those with fewer lanes than `least` wait. Returns whether anything ran.
static bool sweep(run* r, int least)
{
    bool ran = false;
    for (int mode = 0; mode < r->crew->tables.mode_count; mode++)
        for (int level = 0; level < LEVELS; level++) {
            queue* q = &r->crew->queues[mode * LEVELS + level];
            for (int waiting = q->count; waiting >= least && r->status == SS_OK;) {
                int count = waiting < BLOCK ? waiting : BLOCK;
                run_block(r, mode, level, count);
                waiting -= count;
                ran = true;
            }
        }
    return ran;
}

// All lanes are idle, whatever a run that failed has left behind.
static void assemble(struct ss_lane_worker* crew)
{
    for (int k = 0; k < CREW; k++) crew->idle[k] = (short)k;
    crew->idle_count = CREW;
    for (int k = 0; k < crew->tables.mode_count * LEVELS; k++) crew->queues[k].count = 0;
}

ss_status ss_batch_run_lanes(ss_batch* batch, const ss_batch_starts* starts, ss_error* err)
{
    struct ss_lane_worker* crew = batch->lanes;
    run r = {.batch = batch,
             .crew = crew,
             .starts = starts,
             .until = batch->def.until,
             .reach = isfinite(batch->def.escape) ? 0.5 * batch->def.escape : INFINITY,
             .max_events = batch->def.max_events,
             .err = err};
    assemble(crew);
    while (r.status == SS_OK && (r.next < starts->count || crew->idle_count < CREW)) {
        recruit(&r);
        if (!sweep(&r, 8)) sweep(&r, 1);
        if (r.status == SS_OK) r.status = ss_batch_ask(batch, err);
    }
    return r.status;
}
