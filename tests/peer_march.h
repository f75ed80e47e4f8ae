// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// CVODE (Adams) from root to root: what peers share that have mode logic of their own.
#ifndef TESTS_PEER_MARCH_H
#define TESTS_PEER_MARCH_H

#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { PEER_ROOTS = 32 };

typedef struct peer_march {
    void* peer;
    double *t, *y; ///< time and state, the peer's own; y has `size` numbers
    int size;
    double until;
    const bool* doubtful; ///< the march ends where it becomes true
    double absolute;      ///< tolerance; the relative one is 1e-12
    double longest;       ///< step: not to step over two roots at once
    CVRhsFn rate;
    CVRootFn roots;
    int root_count;
    bool falling;                                ///< only roots that are passed downwards count
    double (*pause)(const void* peer);           ///< where to begin anew, at the latest `until`
    void (*pass)(void* peer, const int found[]); ///< roots have been met
} peer_march;

static inline void peer_march_to_end(const peer_march* m)
{
    SUNContext context = NULL;
    int down[PEER_ROOTS], found[PEER_ROOTS];
    assert_true(m->root_count <= PEER_ROOTS);
    for (int k = 0; k < PEER_ROOTS; k++) down[k] = m->falling ? -1 : 0;
    assert_int_equal(SUNContext_Create(NULL, &context), 0);
    N_Vector state = N_VMake_Serial(m->size, m->y, context);
    void* cvode = CVodeCreate(CV_ADAMS, context);
    SUNNonlinearSolver solver = SUNNonlinSol_FixedPoint(state, 0, context);
    assert_int_equal(CVodeInit(cvode, m->rate, 0.0, state), CV_SUCCESS);
    assert_int_equal(CVodeSStolerances(cvode, 1e-12, m->absolute), CV_SUCCESS);
    assert_int_equal(CVodeSetNonlinearSolver(cvode, solver), CV_SUCCESS);
    assert_int_equal(CVodeSetUserData(cvode, m->peer), CV_SUCCESS);
    assert_int_equal(CVodeSetMaxNumSteps(cvode, 1000000), CV_SUCCESS);
    assert_int_equal(CVodeSetMaxStep(cvode, m->longest), CV_SUCCESS);
    assert_int_equal(CVodeRootInit(cvode, m->root_count, m->roots), CV_SUCCESS);
    assert_int_equal(CVodeSetRootDirection(cvode, down), CV_SUCCESS);
    assert_int_equal(CVodeSetNoInactiveRootWarn(cvode), CV_SUCCESS);
    while (*m->t < m->until && !*m->doubtful) {
        double end = m->pause(m->peer);
        assert_int_equal(CVodeReInit(cvode, *m->t, state), CV_SUCCESS);
        assert_int_equal(CVodeSetStopTime(cvode, end), CV_SUCCESS);
        int flag = CVode(cvode, end, state, m->t, CV_NORMAL);
        if (flag < 0) fail_msg("CVODE returned %d", flag);
        if (flag != CV_ROOT_RETURN) continue;
        assert_int_equal(CVodeGetRootInfo(cvode, found), CV_SUCCESS);
        m->pass(m->peer, found);
    }
    CVodeFree(&cvode);
    SUNNonlinSolFree(solver);
    N_VDestroy(state);
    SUNContext_Free(&context);
}

#endif
