// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Saved runs: whoever loads the bytes goes on to the same bits, in this process and in another one; bytes
// that are cut off, damaged or of another model are refused, and change nothing.
#define _GNU_SOURCE // mkstemp, popen
#include "random_system.h"
#include "slipstick/lab.h"

#include "core/hash.h"
#include "model/model_impl.h"
#include "model/read/node.h"
#include "share/model_parts.h"
#include "share/run.h"
#include "share/slider_parts.h"
#include "slider/slider_impl.h"

#include <dirent.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { SYSTEMS = 12, LOOKS = 12, MOST_MODELS = 200, MOST_BODIES = 64 };

static const char* own_name; // of this program, to start it again

// ---- runs of either form, and all they say as one number

typedef struct motion {
    ss_sim* sim;
    ss_slide* slide;
    uint64_t told; // events, notes and branches so far
} motion;

// Everything that can be made a motion of.
typedef struct machine {
    ss_model* model;
    ss_slider* slider;
    double until;
} machine;

static void take_event(void* user, const ss_event* e)
{
    motion* m = user;
    double numbers[] = {e->t, e->contact, e->from, e->to, e->kind, e->speed_in, e->speed_out};
    m->told = ss_hash(m->told, numbers, sizeof numbers);
}

static void take_slide_event(void* user, const ss_slide_event* e)
{
    motion* m = user;
    double numbers[] = {e->t, e->support, e->from, e->to, e->load_before[2], e->load_after[2]};
    m->told = ss_hash(m->told, numbers, sizeof numbers);
}

static void take_note(void* user, const ss_note* note)
{
    motion* m = user;
    m->told = ss_hash_text(ss_hash_number(m->told, note->t), note->text);
}

static void take_branch(void* user, const ss_branch* b)
{
    motion* m = user;
    double numbers[] = {b->contact, b->from, b->to, b->work};
    m->told = ss_hash(m->told, numbers, sizeof numbers);
}

static void begin(motion* m, const machine* of)
{
    ss_error err;
    *m = (motion){.told = SS_HASH_START};
    if (of->model) {
        ss_sim_def def = ss_sim_def_default();
        def.on_event = take_event;
        def.on_note = take_note;
        def.on_branch = take_branch;
        def.max_events = 20000;
        def.user = m;
        assert_int_equal(ss_sim_create(of->model, &def, &m->sim, &err), SS_OK);
    } else {
        ss_slide_def def = ss_slide_def_default();
        def.on_event = take_slide_event;
        def.on_note = take_note;
        def.max_events = 20000;
        def.user = m;
        assert_int_equal(ss_slide_create(of->slider, &def, &m->slide, &err), SS_OK);
    }
}

static void end(motion* m)
{
    ss_sim_destroy(m->sim);
    ss_slide_destroy(m->slide);
}

static ss_status go(motion* m, double until, ss_outcome* outcome)
{
    ss_error err;
    return m->sim ? ss_sim_advance(m->sim, until, outcome, &err)
                  : ss_slide_advance(m->slide, until, outcome, &err);
}

static size_t saved_size(const motion* m)
{
    return m->sim ? ss_sim_save_size(m->sim) : ss_slide_save_size(m->slide);
}

static char* save(const motion* m)
{
    ss_error err;
    size_t size = saved_size(m);
    char* bytes = malloc(size);
    assert_non_null(bytes);
    memset(bytes, 0x5a, size);
    assert_int_equal(
        m->sim ? ss_sim_save(m->sim, bytes, size, &err) : ss_slide_save(m->slide, bytes, size, &err), SS_OK);
    return bytes;
}

static ss_status load(motion* m, const void* bytes, size_t size, ss_error* err)
{
    return m->sim ? ss_sim_load(m->sim, bytes, size, err) : ss_slide_load(m->slide, bytes, size, err);
}

static uint64_t look_at_sim(uint64_t hash, const ss_sim* sim, const ss_model* model)
{
    int bodies = ss_model_body_count(model);
    double limit[MOST_BODIES] = {0};
    ss_energy e = ss_sim_energy(sim);
    double numbers[] = {ss_sim_time(sim), (double)ss_sim_event_count(sim),
                        e.start,          e.end,
                        e.input,          e.friction,
                        e.damping,        e.impact,
                        e.residual,       e.allowed,
                        e.reached,        e.passed};
    hash = ss_hash(hash, numbers, sizeof numbers);
    hash = ss_hash(hash, ss_sim_x(sim), (size_t)bodies * sizeof(double));
    hash = ss_hash(hash, ss_sim_v(sim), (size_t)bodies * sizeof(double));
    for (int i = 0; i < ss_model_contact_count(model); i++) {
        ss_contact_state c = ss_sim_contact(sim, i);
        ss_branch b = ss_sim_branch(sim, i);
        double seen[] = {c.mode, c.force, c.limit, c.velocity, c.determined, c.z, b.from, b.to, b.work};
        hash = ss_hash(hash, seen, sizeof seen);
    }
    if (bodies <= MOST_BODIES) hash = ss_hash_int(hash, ss_sim_settles(sim, limit));
    return ss_hash(hash, limit, sizeof limit);
}

static uint64_t look_at_slide(uint64_t hash, const ss_slide* slide, const ss_slider* slider)
{
    ss_slider_state at = ss_slide_state(slide);
    ss_energy e = ss_slide_energy(slide);
    double load_now[3];
    ss_slide_ground_load(slide, load_now);
    double numbers[] = {ss_slide_time(slide),
                        (double)ss_slide_event_count(slide),
                        at.x,
                        at.y,
                        at.angle,
                        at.vx,
                        at.vy,
                        at.spin,
                        e.start,
                        e.end,
                        e.input,
                        e.friction,
                        e.residual,
                        load_now[0],
                        load_now[1],
                        load_now[2]};
    hash = ss_hash(hash, numbers, sizeof numbers);
    for (int i = 0; i < ss_slider_support_count(slider); i++) {
        ss_support_state s = ss_slide_support(slide, i);
        double seen[] = {s.mode, s.force[0], s.force[1], s.force[2], s.limit, s.determined};
        hash = ss_hash(hash, seen, sizeof seen);
    }
    return hash;
}

typedef struct future {
    uint64_t seen, told;
} future;

// Goes on from `from` to `to` and looks on the way. teller: the one whose sinks are called.
static future future_of(motion* m, motion* visitor, const machine* of, double from, double to)
{
    uint64_t hash = visitor->told = SS_HASH_START;
    for (int k = 0; k <= LOOKS; k++) {
        ss_outcome outcome = SS_TIME_REACHED;
        ss_status status = k == 0 ? SS_OK : go(m, from + (to - from) * k / LOOKS, &outcome);
        hash = ss_hash_int(ss_hash_int(hash, status), outcome);
        hash = m->sim ? look_at_sim(hash, m->sim, of->model) : look_at_slide(hash, m->slide, of->slider);
    }
    return (future){hash, visitor->told};
}

static void expect_same(future a, future b)
{
    assert_true(a.seen == b.seen);
    assert_true(a.told == b.told);
}

// ---- model files

static bool read_machine(const char* path, machine* out)
{
    ss_document* document = NULL;
    ss_error err;
    *out = (machine){.until = 10.0};
    if (ss_document_read_yaml(path, &document, &err) != SS_OK) return false;
    ss_status status = ss_document_is_slider(document)
                           ? ss_slider_create_from_document(document, &out->slider, &err)
                           : ss_model_create_from_document(document, &out->model, &err);
    ss_document_destroy(document);
    if (status != SS_OK) return false;
    double until = out->model ? ss_model_until(out->model) : ss_slider_until(out->slider);
    if (isfinite(until) && until > 0.0) out->until = until;
    return true;
}

static void free_machine(machine* m)
{
    ss_model_destroy(m->model);
    ss_slider_destroy(m->slider);
}

static void write_bytes(const char* path, const void* bytes, size_t size)
{
    FILE* file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

// What this program does where it is started with arguments: loads a run of a model and tells its future.
static int tell_future(const char* model, const char* saved, double from, double to)
{
    machine of;
    motion m;
    ss_error err;
    if (!read_machine(model, &of)) return 1;
    begin(&m, &of);
    FILE* file = fopen(saved, "rb");
    size_t size = saved_size(&m);
    char* bytes = malloc(size);
    bool good = file && bytes && fread(bytes, 1, size, file) == size && load(&m, bytes, size, &err) == SS_OK;
    if (good) {
        future f = future_of(&m, &m, &of, from, to);
        printf("%016llx %016llx\n", (unsigned long long)f.seen, (unsigned long long)f.told);
    }
    if (file) fclose(file);
    free(bytes);
    end(&m);
    free_machine(&of);
    return good ? 0 : 1;
}

static future future_elsewhere(const char* model, const char* bytes, size_t size, double from, double to)
{
    char saved[] = "/tmp/slipstick-save-XXXXXX", command[2048], line[64] = "";
    int file = mkstemp(saved);
    assert_true(file >= 0);
    close(file);
    write_bytes(saved, bytes, size);
    snprintf(command, sizeof command, "'%s' '%s' '%s' %.17g %.17g", own_name, model, saved, from, to);
    FILE* pipe = popen(command, "r");
    assert_non_null(pipe);
    assert_non_null(fgets(line, sizeof line, pipe));
    assert_int_equal(pclose(pipe), 0);
    remove(saved);
    char* rest;
    uint64_t seen = strtoull(line, &rest, 16);
    return (future){seen, strtoull(rest, NULL, 16)};
}

// ---- the tests

// Goes to t, saves, and lets four motions go on: this one, one that was made anew and loaded, one that is
// somewhere else when it loads, and a copy.
static void check_future(const char* path, const machine* of, double t, double to)
{
    motion first, twin, fresh, other, copy = {0};
    ss_outcome outcome;
    ss_error err;
    begin(&first, of);
    begin(&twin, of);
    begin(&fresh, of);
    begin(&other, of);
    if (go(&first, t, &outcome) != SS_OK) t = to; // it failed, and goes on to do so
    go(&twin, t, &outcome);
    go(&other, 0.37 * t, &outcome);
    char *bytes = save(&first), *again = save(&twin);
    size_t size = saved_size(&first);
    assert_memory_equal(bytes, again, size); // no address is in it, and nothing left to chance
    assert_int_equal(load(&fresh, bytes, size, &err), SS_OK);
    assert_int_equal(load(&other, bytes, size, &err), SS_OK);
    if (first.sim)
        assert_int_equal(ss_sim_copy(first.sim, &copy.sim, &err), SS_OK);
    else
        assert_int_equal(ss_slide_copy(first.slide, &copy.slide, &err), SS_OK);
    future known = future_of(&first, &first, of, t, to);
    expect_same(future_of(&twin, &twin, of, t, to), known);
    expect_same(future_of(&fresh, &fresh, of, t, to), known);
    expect_same(future_of(&other, &other, of, t, to), known);
    expect_same(future_of(&copy, &first, of, t, to), known);
    if (path) expect_same(future_elsewhere(path, bytes, size, t, to), known);
    free(bytes);
    free(again);
    end(&first), end(&twin), end(&fresh), end(&other), end(&copy);
}

static int by_name(const void* a, const void* b) { return strcmp(a, b); }

static int list_models(char names[][256])
{
    int count = 0;
    DIR* folder = opendir(SS_SOURCE_DIR "/models");
    assert_non_null(folder);
    for (struct dirent* entry; (entry = readdir(folder)) && count < MOST_MODELS;)
        if (strstr(entry->d_name, ".yaml")) snprintf(names[count++], 256, "%s", entry->d_name);
    closedir(folder);
    qsort(names, (size_t)count, 256, by_name);
    return count;
}

static void test_every_model_goes_on_from_its_bytes(void** state)
{
    (void)state;
    static char names[MOST_MODELS][256];
    int count = list_models(names);
    assert_true(count > 0);
    for (int i = 0; i < count; i++) {
        char path[1024];
        machine of;
        snprintf(path, sizeof path, "%s/models/%.255s", SS_SOURCE_DIR, names[i]);
        if (!read_machine(path, &of)) continue; // not a model of its own
        double to = fmin(of.until, 50.0);
        const double shares[] = {0.0, 1e-3, 0.0713, 0.31, 0.77};
        for (size_t k = 0; k < sizeof shares / sizeof *shares; k++)
            check_future(k == 3 ? path : NULL, &of, shares[k] * to, to);
        free_machine(&of);
    }
}

// What contacts do at the start can be asked for at once, and is the same after an advance to t = 0.
static void test_forces_are_there_at_the_start(void** state)
{
    (void)state;
    static char names[MOST_MODELS][256];
    int count = list_models(names), asked = 0;
    for (int i = 0; i < count; i++) {
        char path[1024];
        machine m;
        snprintf(path, sizeof path, "%s/models/%.255s", SS_SOURCE_DIR, names[i]);
        if (read_machine(path, &m) && m.model) {
            ss_sim_def def = ss_sim_def_default();
            ss_sim *fresh, *advanced;
            ss_outcome outcome;
            ss_error err;
            assert_int_equal(ss_sim_create(m.model, &def, &fresh, &err), SS_OK);
            assert_int_equal(ss_sim_create(m.model, &def, &advanced, &err), SS_OK);
            assert_int_equal(ss_sim_advance(advanced, 0.0, &outcome, &err), SS_OK);
            for (int c = 0; c < ss_model_contact_count(m.model); c++, asked++)
                assert_true(ss_sim_contact(fresh, c).force == ss_sim_contact(advanced, c).force);
            ss_sim_destroy(fresh);
            ss_sim_destroy(advanced);
        }
        free_machine(&m);
    }
    assert_true(asked > 20);
}

static void test_random_systems_go_on_from_their_bytes(void** state)
{
    (void)state;
    static random_system system;
    random_source source = {20};
    for (int kind = 0; kind < RANDOM_KINDS; kind++)
        for (int seed = 1; seed <= random_count(SYSTEMS); seed++) {
            random_system_make(&system, (random_kind)kind, (uint64_t)seed);
            machine of = {.model = random_system_model(&system)};
            check_future(NULL, &of, random_between(&source, 0.0, 20.0), 25.0);
            free_machine(&of);
        }
}

// A mass on a weak damper that leaps over the rest of its motion: cut before, at and far into the leap.
// Rows that turn are made of the places: a driven crank, dry friction at an angle, and a joint too many.
static void test_joints_go_on_from_their_bytes(void** state)
{
    (void)state;
    static const char text[] =
        "slipstick: 1\n"
        "title: Linkage\n"
        "gravity: [0, -9.81]\n"
        "bodies: {crank: {position: [0.1*sin(2*t), 0], angle: 3*t}, rod: {mass: 1 kg, inertia: 0.02 "
        "kg*m^2},\n"
        "  lid: {mass: 0.5 kg, inertia: 0.01 kg*m^2}, box: {mass: 2 kg, inertia: 0.1 kg*m^2}}\n"
        "points: {tip: {body: crank, at: [0.2, 0]}, near: {body: rod, at: [-0.3, 0]}, same: {body: rod, at: "
        "[-0.3, 0]},\n"
        "  far: {body: rod, at: [0.3, 0]}, eye: {body: box, at: [0.1, 0.05]}}\n"
        "surfaces: {way: {line: [[0, -0.5], [1, 0.2]]}}\n"
        "joints: {a: {pin: [near, tip]}, again: {pin: [same, tip]}, glue: {weld: [lid, rod]}, slide: {rail: "
        "[eye, way]}}\n"
        "connections: [{between: [far, eye], stiffness: 40 N/m, damping: 0.5 N*s/m}]\n"
        "contacts: {hinge: {along: {box.angle: 1}, law: coulomb, friction: 0.3 N*m}}\n"
        "start: {rod: {angle: -1}, lid: {x: 0.6, y: -0.3}, box: {x: 0.4}}\n";
    ss_document* document = NULL;
    ss_error err;
    machine of = {0};
    assert_int_equal(ss_document_parse_yaml("linkage.yaml", text, sizeof text - 1, &document, &err), SS_OK);
    ss_status status = ss_model_create_from_document(document, &of.model, &err);
    if (status != SS_OK) fail_msg("%s: %s", err.field, err.text);
    const double times[] = {0.0, 1e-3, 0.313, 1.7, 3.9};
    for (size_t k = 0; k < sizeof times / sizeof *times; k++) check_future(NULL, &of, times[k], 5.0);
    ss_document_destroy(document);
    free_machine(&of);
}

static void test_a_leap_goes_on(void** state)
{
    (void)state;
    rig r;
    rig_init(&r);
    int a = rig_body(&r, 1.0, 3.0, 0.0), b = rig_body(&r, 2.0, 0.0, 0.0);
    rig_spring(&r, a, SS_GROUND, 1.0, 1e-3);
    rig_spring(&r, a, b, 0.1, 1e-3);
    rig_coulomb(&r, b, SS_GROUND, 5.0);
    machine of = {.model = rig_model(&r)};
    const double times[] = {1.0, 3000.0, 1e5, 1e7};
    for (size_t k = 0; k < sizeof times / sizeof *times; k++) check_future(NULL, &of, times[k], 1e8);
    free_machine(&of);
}

// ---- bytes that are no run

static void test_other_bytes_are_refused(void** state)
{
    (void)state;
    static random_system system;
    random_system_make(&system, RANDOM_FALLING, 3);
    machine of = {.model = random_system_model(&system)};
    motion m, same;
    ss_outcome outcome;
    ss_error err;
    begin(&m, &of);
    begin(&same, &of);
    go(&m, 2.0, &outcome);
    char* bytes = save(&m);
    size_t size = saved_size(&m);
    go(&m, 3.0, &outcome);
    go(&same, 2.0, &outcome), go(&same, 3.0, &outcome);
    char* moved = malloc(size + 1);
    assert_non_null(moved);
    assert_int_equal(load(&m, NULL, 0, &err), SS_BAD_INPUT);
    for (size_t k = 0; k < size; k += 1 + size / 97) { // cut off; a bit is wrong
        assert_int_equal(load(&m, bytes, k, &err), SS_BAD_INPUT);
        memcpy(moved, bytes, size);
        moved[k] = (char)(moved[k] ^ 4);
        assert_int_equal(load(&m, moved, size, &err), SS_BAD_INPUT);
        assert_true(strlen(err.text) > 0);
    }
    memset(moved, 0xa5, size);
    assert_int_equal(load(&m, moved, size, &err), SS_BAD_INPUT);
    assert_int_equal(ss_sim_save(m.sim, moved, size - 1, &err), SS_BAD_INPUT);
    expect_same(future_of(&m, &m, &of, 3.0, 20.0), future_of(&same, &same, &of, 3.0, 20.0));
    memcpy(moved + 1, bytes, size); // at an odd address, with room to spare
    assert_int_equal(load(&m, moved + 1, size, &err), SS_OK);
    expect_near("time", ss_sim_time(m.sim), 2.0, 0.0);
    free(moved);
    free(bytes);
    end(&m), end(&same);
    free_machine(&of);
}

static void test_other_settings_are_refused(void** state)
{
    (void)state;
    static random_system system;
    random_system_make(&system, RANDOM_BODIES, 3);
    machine of = {.model = random_system_model(&system)};
    motion m, coarse = {0};
    ss_error err;
    ss_sim_def def = ss_sim_def_default();
    def.tolerance = 1e-6;
    begin(&m, &of);
    char* bytes = save(&m);
    assert_int_equal(ss_sim_create(of.model, &def, &coarse.sim, &err), SS_OK);
    assert_int_equal(load(&coarse, bytes, saved_size(&m), &err), SS_BAD_INPUT);
    assert_non_null(strstr(err.text, "settings"));
    free(bytes);
    end(&m), end(&coarse);
    free_machine(&of);
}

// ---- every number of a model counts

// Another number in place of the first one of a text; false where it has none.
static bool change_number(const char* text, char out[], size_t size)
{
    const char* at = text;
    while (*at &&
           !(strchr("0123456789", *at) && (at == text || !strchr("_abcdefghijklmnopqrstuvwxyz^", at[-1]))))
        at++;
    if (!*at || strlen(text) > 400) return false;
    char* rest;
    double value = strtod(at, &rest);
    snprintf(out, size, "%.*s%.15g%s", (int)(at - text), text, value == 0.0 ? 0.25 : 1.25 * value, rest);
    return true;
}

static uint64_t print_of(const ss_document* document, bool* good)
{
    machine of = {0};
    ss_error err;
    bool slider = ss_document_is_slider(document);
    *good = (slider ? ss_slider_create_from_document(document, &of.slider, &err)
                    : ss_model_create_from_document(document, &of.model, &err)) == SS_OK;
    uint64_t print = !*good ? 0 : slider ? ss_slider_fingerprint(of.slider) : ss_model_fingerprint(of.model);
    free_machine(&of);
    return print;
}

// Changes the scalars below a node one by one; returns how many made another model.
static int change_all(ss_document* document, ss_node* node, uint64_t print, const char* name)
{
    int count = 0;
    for (ss_node* child = node->first; child; child = child->next) {
        char path[256], text[512];
        if (node == document->root && child->key && strstr("slipstick title run plot", child->key)) continue;
        if (child->key && strstr("axle axis downhill", child->key))
            continue; // directions: their length does not count
        if (child->kind != SS_NODE_SCALAR) {
            count += change_all(document, child, print, name);
            continue;
        }
        const char* old = child->text;
        bool good = false;
        if (!change_number(old, text, sizeof text)) continue;
        child->text = text;
        uint64_t other = print_of(document, &good);
        child->text = old;
        if (good && other == print)
            fail_msg("%s: %s: %s and %s are the same model", name, ss_node_path(child, path, sizeof path),
                     old, text);
        count += good;
    }
    return count;
}

static void test_every_number_counts(void** state)
{
    (void)state;
    static char names[MOST_MODELS][256];
    int models = list_models(names), count = 0;
    for (int i = 0; i < models; i++) {
        char path[1024];
        ss_document* document = NULL;
        ss_error err;
        bool good, again;
        snprintf(path, sizeof path, "%s/models/%.255s", SS_SOURCE_DIR, names[i]);
        if (ss_document_read_yaml(path, &document, &err) != SS_OK) continue;
        uint64_t print = print_of(document, &good), same = print_of(document, &again);
        assert_true(print == same);
        if (good) count += change_all(document, document->root, print, names[i]);
        ss_document_destroy(document);
    }
    assert_true(count > 100);
}

int main(int argc, char** argv)
{
    if (argc == 5) return tell_future(argv[1], argv[2], strtod(argv[3], NULL), strtod(argv[4], NULL));
    own_name = argv[0];
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_model_goes_on_from_its_bytes),
        cmocka_unit_test(test_forces_are_there_at_the_start),
        cmocka_unit_test(test_random_systems_go_on_from_their_bytes),
        cmocka_unit_test(test_joints_go_on_from_their_bytes),
        cmocka_unit_test(test_a_leap_goes_on),
        cmocka_unit_test(test_other_bytes_are_refused),
        cmocka_unit_test(test_other_settings_are_refused),
        cmocka_unit_test(test_every_number_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
