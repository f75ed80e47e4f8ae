// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// A rig for tests: systems put together in a few lines, and a run that keeps its log. Anything the library
// refuses fails the test at once.
#ifndef TESTS_RIG_H
#define TESTS_RIG_H

#include "slipstick/slipstick.h"

enum { RIG_BODIES = 16, RIG_PARTS = 32, RIG_TERMS = 256, RIG_EVENTS = 4096, RIG_NOTES = 64 };

/// A system in the making. Zero it with rig_init before use.
typedef struct rig {
    ss_body_def bodies[RIG_BODIES];
    ss_connection_def connections[RIG_PARTS];
    ss_contact_def contacts[RIG_PARTS];
    ss_force_def forces[RIG_PARTS];
    ss_row_def ties[RIG_PARTS];
    ss_term terms[RIG_TERMS];
    ss_signal* signals[RIG_PARTS]; ///< owned, until rig_model
    char names[2 * RIG_PARTS][16];
    int term_count, signal_count, name_count;
    ss_system_def def;
} rig;

void rig_init(rig* r);
int rig_body(rig* r, double mass, double x, double v);
int rig_driven(rig* r, const char* position);          ///< an expression in t
int rig_driven_speed(rig* r, const char* speed);       ///< likewise, from x = 0
ss_signal* rig_signal(rig* r, const char* expression); ///< owned by the rig
ss_signal* rig_table(rig* r, const double t[], const double value[], int count);
ss_row_def rig_row(rig* r, int a, double factor_a, int b, double factor_b); ///< b may be SS_GROUND
ss_row_def rig_full_row(rig* r, const double factors[], int count);         ///< one factor per body
ss_connection_def* rig_spring(rig* r, int a, int b, double stiffness, double damping);
void rig_force(rig* r, int body, const char* expression);
ss_contact_def* rig_contact(rig* r, ss_row_def along);
ss_contact_def* rig_coulomb(rig* r, int a, int b, double friction);
ss_contact_def* rig_stop(rig* r, int a, int b, double position, int side, double restitution);
ss_contact_def* rig_elastic(rig* r, int a, int b, ss_hunt_crossley law);
ss_contact_def* rig_damped(rig* r, int a, int b, ss_elastic_stop law);

/// Makes the model and lets the signals go.
ss_model* rig_model(rig* r);

/// A motion and everything it said.
typedef struct run {
    ss_sim* sim;
    ss_outcome outcome;
    ss_event events[RIG_EVENTS];
    long event_count; ///< may exceed RIG_EVENTS; the first ones are kept
    struct {
        double t;
        char text[160];
        int contact_count;
    } notes[RIG_NOTES];
    int note_count;
} run;

void run_start(run* r, const ss_model* model, const double x[], const double v[]); ///< default settings
void run_start_def(run* r, const ss_model* model, ss_sim_def def);                 ///< sinks are set here
void run_to(run* r, double until);
void run_stop(run* r);
bool run_has_note(const run* r, const char* part); ///< whether some note contains this text

/// |residual| over the largest magnitude of the ledger; also fails where the ledger does not add up.
double run_energy_error(const run* r);

/// The model of a rig, and its motion from its start.
ss_model* run_start_rig(run* r, rig* of);
/// Ends both. Fails where the residual is more than this share of the energy in play (INFINITY: any will do).
void run_end(run* r, ss_model* model, double residual);

/// Fails with a message unless |got - want| <= tolerance. NaN never passes.
void expect_near(const char* what, double got, double want, double tolerance);
/// Fails unless event number `index` is this one.
void expect_event(const run* r, long index, double t, int contact, ss_mode from, ss_mode to,
                  double tolerance);
/// Fails unless the run has these events, which a second opinion says, and no others. Where that has doubts,
/// those before the time of its doubts must be there. Returns whether there were none.
bool expect_events(const run* r, const ss_event events[], int count, bool doubtful, double doubts_at,
                   double tolerance, const char* name);

#endif
