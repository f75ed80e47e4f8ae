// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The state of an instance as plain bytes: what the importer has set, what the model was made from, and the
// run. An instance of the same FMU goes on from them to the same bits, also in another process.
#include "instance.h"

#include <math.h>
#include <string.h>

typedef struct header {
    char magic[8];
    char token[FMU_TOKEN];
    int32_t phase, flags;
    int32_t number_count, states;
    uint64_t run_size;
    double time, offset;
    double stop_time;
    double set[3], made[3]; // start time, tolerance and offset of both recipes
    uint64_t check;         // of the rest of the header and of the numbers after it; the run has its own
} header;

enum { BEFORE = 1, STALE = 2, SET_AT_START = 4, MADE_AT_START = 8, PLACED = 16, EXCHANGE = 32, TOUCHED = 64 };

static const char magic[8] = {'s', 'l', 'i', 'p', 'f', 'm', 'u', '3'};

static size_t run_size(const fmu_instance* instance)
{
    return instance->slide ? ss_slide_save_size(instance->slide) : ss_sim_save_size(instance->sim);
}

static size_t numbers_size(const fmu_instance* instance)
{
    return (2 * (size_t)instance->number_count + (size_t)instance->variables.states) * sizeof(double);
}

// Tells bytes from other ones, eight at a time [FNV-1a, its halves mixed].
static uint64_t check_bytes(uint64_t hash, const char* bytes, size_t size)
{
    for (size_t k = 0; k + sizeof(uint64_t) <= size; k += sizeof(uint64_t)) {
        uint64_t word;
        memcpy(&word, bytes + k, sizeof word);
        hash = (hash ^ word) * 1099511628211u;
        hash ^= hash >> 32;
    }
    return hash;
}

// Of a header with its check still 0.
static uint64_t check_of(header head, const char* numbers, size_t size)
{
    head.check = 0;
    uint64_t hash = check_bytes(14695981039346656037u, (const char*)&head, sizeof head);
    return check_bytes(hash, numbers, size);
}

size_t fmu_state_size(const fmu_instance* instance)
{
    return sizeof(header) + numbers_size(instance) + run_size(instance);
}

fmu_status fmu_state_save(fmu_instance* instance, void* buffer, size_t size)
{
    ss_error err;
    header head = {.phase = instance->phase,
                   .number_count = instance->number_count,
                   .states = instance->variables.states,
                   .run_size = run_size(instance),
                   .time = instance->time,
                   .offset = instance->offset,
                   .stop_time = instance->set.stop_time,
                   .set = {instance->set.start_time, instance->set.tolerance, instance->set.offset},
                   .made = {instance->made.start_time, instance->made.tolerance, instance->made.offset}};
    head.flags = (instance->before ? BEFORE : 0) | (instance->stale ? STALE : 0) |
                 (instance->placed ? PLACED : 0) | (instance->set.at_start ? SET_AT_START : 0) |
                 (instance->made.at_start ? MADE_AT_START : 0) | (instance->exchange ? EXCHANGE : 0) |
                 (instance->touched ? TOUCHED : 0);
    memcpy(head.magic, magic, sizeof magic);
    memcpy(head.token, instance->resource.token, FMU_TOKEN);
    if (size < fmu_state_size(instance)) {
        fmu_log(instance, FMU_ERROR, FMU_TOPIC_ERROR, "the state needs %zu bytes, not %zu",
                fmu_state_size(instance), size);
        return FMU_ERROR;
    }
    size_t numbers = (size_t)instance->number_count * sizeof(double);
    char* at = (char*)buffer + sizeof head;
    memcpy(at, instance->set.numbers, numbers);
    memcpy(at + numbers, instance->made.numbers, numbers);
    memcpy(at + 2 * numbers, instance->y, (size_t)instance->variables.states * sizeof(double));
    head.check = check_of(head, at, numbers_size(instance));
    memcpy(buffer, &head, sizeof head);
    at += numbers_size(instance);
    ss_status status = instance->slide ? ss_slide_save(instance->slide, at, head.run_size, &err)
                                       : ss_sim_save(instance->sim, at, head.run_size, &err);
    return status == SS_OK ? FMU_OK : fmu_report(instance, &err);
}

// Whether the present model was made from other numbers than the one that was saved.
static bool differs(const fmu_instance* instance, const header* head, const char* made)
{
    return instance->made.start_time != head->made[0] || instance->made.tolerance != head->made[1] ||
           (instance->slider && instance->made.offset != head->made[2]) ||
           instance->made.at_start != ((head->flags & MADE_AT_START) != 0) ||
           memcmp(instance->made.numbers, made, (size_t)instance->number_count * sizeof(double)) != 0;
}

static fmu_status load_run(fmu_instance* instance, const char* bytes, size_t size)
{
    ss_error err;
    ss_status status = instance->slide ? ss_slide_load(instance->slide, bytes, size, &err)
                                       : ss_sim_load(instance->sim, bytes, size, &err);
    return status == SS_OK ? FMU_OK : fmu_report(instance, &err);
}

static bool is_phase(int32_t phase) { return phase > 0 && phase <= FMU_FAULTY && (phase & (phase - 1)) == 0; }

fmu_status fmu_state_load(fmu_instance* instance, const void* buffer, size_t size)
{
    header head = {0};
    if (buffer && size >= sizeof head) memcpy(&head, buffer, sizeof head);
    bool fits = memcmp(head.magic, magic, sizeof magic) == 0 &&
                memcmp(head.token, instance->resource.token, FMU_TOKEN) == 0 &&
                head.number_count == instance->number_count && head.states == instance->variables.states &&
                ((head.flags & EXCHANGE) != 0) == instance->exchange && is_phase(head.phase) &&
                size == sizeof head + numbers_size(instance) + head.run_size &&
                head.check == check_of(head, (const char*)buffer + sizeof head, numbers_size(instance));
    if (!fits) {
        fmu_log(instance, FMU_ERROR, FMU_TOPIC_ERROR, "these bytes are no state of this FMU");
        return FMU_ERROR;
    }
    size_t numbers = (size_t)instance->number_count * sizeof(double);
    const char *set = (const char*)buffer + sizeof head, *made = set + numbers;
    if (differs(instance, &head, made)) {
        memcpy(instance->set.numbers, made, numbers);
        instance->set.start_time = head.made[0];
        instance->set.tolerance = head.made[1];
        instance->set.offset = head.made[2];
        fmu_status built = fmu_build(instance, (head.flags & MADE_AT_START) != 0, false);
        if (built > FMU_WARNING) return built;
    }
    fmu_status status = load_run(instance, set + numbers_size(instance), head.run_size);
    if (status > FMU_WARNING) return status;
    instance->next_time =
        -INFINITY; // a time event may have been told before: the next update restarts solvers
    memcpy(instance->set.numbers, set, numbers);
    memcpy(instance->y, made + numbers, (size_t)instance->variables.states * sizeof(double));
    instance->set.start_time = head.set[0];
    instance->set.tolerance = head.set[1];
    instance->set.offset = head.set[2];
    instance->set.stop_time = head.stop_time;
    instance->set.at_start = (head.flags & SET_AT_START) != 0;
    instance->before = (head.flags & BEFORE) != 0;
    instance->stale = (head.flags & STALE) != 0;
    instance->touched = (head.flags & TOUCHED) != 0;
    instance->placed = (head.flags & PLACED) != 0;
    instance->numbers_known = false;
    instance->phase = head.phase;
    instance->time = head.time;
    instance->offset = head.offset;
    return FMU_OK;
}
