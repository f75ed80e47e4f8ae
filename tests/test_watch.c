// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Long work about limit surfaces, watched: it tells a share that only grows, ends where the watch says no,
// asks nothing more then and leaves nothing behind; a watch that lets it go on changes nothing.
#include "slider_rig.h"
#include "slipstick/surface.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

typedef struct watcher {
    long asked, patience; ///< how often it says yes
    double share;
    bool wrong; ///< a share that shrinks or is none, or a question after the no
} watcher;

static bool goes_on(void* user, double share)
{
    watcher* w = user;
    if (!(share >= w->share && share <= 1.0 + 1e-12) || w->asked > w->patience) w->wrong = true;
    w->share = share;
    return w->asked++ < w->patience;
}

// A point, a wheel, a ratchet and a patch: every part of the search has something to do.
static ss_slider* body(void)
{
    slider_rig rig;
    ss_slider* slider;
    ss_error err;
    slider_init(&rig);
    slider_point(&rig, 0.9, 0.2, 0.3);
    slider_point(&rig, -0.4, 0.7, 0.2);
    slider_wheel(&rig, 0.1, -1, 1, 0.2, 0.3);
    slider_wheel(&rig, -0.8, -0.3, 0.3, 1, 0.2)->ratchet = SS_RATCHET_FORWARD;
    slider_patch(&rig, SS_SUPPORT_RING, 0.6, 0.1)->load = 0.3;
    assert_int_equal(ss_slider_create(&rig.def, &slider, &err), SS_OK);
    return slider;
}

// What each kind of work answers, as numbers. Returns their count, 0 where there is no answer.
typedef size_t job(const ss_slider* s, const ss_watch* watch, double out[], ss_status* status, ss_error* err);
enum { ROOM = 8192 };

static size_t find_eigen(const ss_slider* s, const ss_watch* watch, double out[], ss_status* status,
                         ss_error* err)
{
    ss_eigen_set set;
    *status = ss_slider_eigen(s, 0, watch, &set, err);
    size_t n = 0;
    for (int k = 0; k < set.count; k++)
        for (int i = 0; i < 3; i++) out[n++] = set.items[k].load[i];
    if (*status != SS_OK) assert_null(set.items);
    ss_eigen_set_free(&set);
    return n;
}

static size_t find_shares(const ss_slider* s, const ss_watch* watch, double out[], ss_status* status,
                          ss_error* err)
{
    ss_eigen_set set;
    assert_int_equal(ss_slider_eigen(s, 0, NULL, &set, err), SS_OK);
    size_t n = (size_t)set.count;
    *status = ss_slider_basin(s, 0, &set, watch, out, err);
    ss_eigen_set_free(&set);
    return *status == SS_OK ? n : 0;
}

static size_t make_mesh(const ss_slider* s, const ss_watch* watch, double out[], ss_status* status,
                        ss_error* err)
{
    ss_mesh mesh;
    *status = ss_slider_mesh(s, 0, 8, watch, &mesh, err);
    size_t n = 3 * (size_t)mesh.vertex_count;
    if (n > 0) memcpy(out, mesh.loads, n * sizeof *out);
    if (*status != SS_OK) assert_true(!mesh.loads && !mesh.motions && !mesh.triangles);
    ss_mesh_free(&mesh);
    return n;
}

static size_t make_section(const ss_slider* s, const ss_watch* watch, double out[], ss_status* status,
                           ss_error* err)
{
    enum { POINTS = 90 };
    *status = ss_slider_section(s, 0, (double[]){1, 0, 0}, (double[]){0, 0, 1}, POINTS, watch, out, err);
    return *status == SS_OK ? (size_t)3 * POINTS : 0;
}

static void check(job* work)
{
    ss_slider* s = body();
    double *plain = calloc(ROOM, sizeof *plain), *watched = calloc(ROOM, sizeof *watched);
    ss_status status;
    ss_error err;
    assert_true(plain && watched);
    size_t count = work(s, NULL, plain, &status, &err);
    assert_true(status == SS_OK && count > 0 && count <= ROOM);
    watcher all = {.patience = INT32_MAX};
    assert_int_equal(work(s, &(ss_watch){goes_on, &all}, watched, &status, &err), count);
    assert_int_equal(status, SS_OK);
    assert_memory_equal(plain, watched, count * sizeof *plain);
    assert_true(!all.wrong && all.asked > 20 && all.share > 1.0 - 1e-12);
    long step = all.asked / 20;
    for (long patience = 0; patience < all.asked; patience += patience < 4 ? 1 : step) {
        watcher w = {.patience = patience};
        assert_int_equal(work(s, &(ss_watch){goes_on, &w}, watched, &status, &err), 0);
        assert_int_equal(status, SS_NOT_FOUND);
        assert_int_equal(err.status, SS_NOT_FOUND);
        assert_string_equal(err.text, "interrupted");
        assert_true(!w.wrong && w.asked == patience + 1);
    }
    free(plain);
    free(watched);
    ss_slider_destroy(s);
}

static void test_eigen_directions(void** state)
{
    (void)state;
    check(find_eigen);
}

static void test_basin(void** state)
{
    (void)state;
    check(find_shares);
}

static void test_mesh(void** state)
{
    (void)state;
    check(make_mesh);
}

static void test_section(void** state)
{
    (void)state;
    check(make_section);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_eigen_directions), cmocka_unit_test(test_basin),
                                       cmocka_unit_test(test_mesh), cmocka_unit_test(test_section)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
