// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// One motion of a model: state, mode and scratch of one trajectory, one per thread. Nothing is allocated
// after ss_sim_create. All numbers are SI: s, m, m/s, N, J; for angular bodies and their contacts rad, rad/s
// and N*m.
#ifndef SLIPSTICK_SIMULATION_H
#define SLIPSTICK_SIMULATION_H

#include "slipstick/model.h"

#include <math.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum ss_outcome {
    SS_AT_REST,      ///< every speed is 0 and nothing will ever move again
    SS_TIME_REACHED, ///< the clock got there; the motion goes on
    SS_ESCAPED,      ///< left the bound the caller gave, overflowed, or was proved to diverge where asked for
    SS_EVENT_LIMIT,  ///< more events than allowed; the state is still valid
    SS_INTERRUPTED,  ///< the caller's keep_going said no; the state is still valid
} ss_outcome;

typedef enum ss_mode {
    SS_MODE_SLIP_PLUS,  ///< v > 0
    SS_MODE_SLIP_MINUS, ///< v < 0
    SS_MODE_STICK,      ///< v = 0, exactly
    SS_MODE_OPEN,       ///< a stop that does not touch
    SS_MODE_CLOSED,     ///< a stop that is leaned on
    SS_MODE_SLIP,       ///< a support of a slider moves: its velocity has two components
} ss_mode;

SS_API const char* ss_mode_name(ss_mode mode);          ///< "slip+", "slip-", "stick", "open", ..
SS_API const char* ss_outcome_name(ss_outcome outcome); ///< "at-rest", "time-reached", ...

typedef enum ss_event_kind {
    SS_EVENT_MODE,
    SS_EVENT_IMPACT,
    SS_EVENT_ACCUMULATION,
    SS_EVENT_REVERSAL,
    SS_EVENT_JAM ///< slip ends by an impulse without a collision: no force satisfied all laws
} ss_event_kind;

typedef struct ss_event {
    double t;
    int contact;
    ss_mode from, to;
    ss_event_kind kind;
    double speed_in, speed_out; ///< of an impact, >= 0: approach before, separation after
    int side; ///< of a contact that is two stops (backlash): +1, the one above, or -1, the one below; else 0
} ss_event;

/// Something worth knowing that is no event: forces that are not determined, several possible futures,
/// accumulated impacts.
typedef struct ss_note {
    double t;
    const char* text;    ///< static storage
    const int* contacts; ///< borrowed during the call
    int contact_count;
} ss_note;

/// A monotone stretch of the motion at a contact with bristles.
typedef struct ss_branch {
    int contact;
    double from, to; ///< m: x_A - x_B at its ends
    double work;     ///< J: done on the contact
} ss_branch;

typedef void (*ss_branch_sink)(void* user, const ss_branch* branch);
typedef void (*ss_event_sink)(void* user, const ss_event* event);
typedef void (*ss_note_sink)(void* user, const ss_note* note);
typedef bool (*ss_keep_going)(void* user, double t); ///< called now and then; false ends the run

/// The largest tolerance of any computation: above it steps say nothing.
#define SS_MAX_TOLERANCE 0.1

typedef struct ss_sim_def {
    size_t size;                     ///< set by ss_sim_def_default
    const double *start_x, *start_v; ///< one per body, or NULL for the model's own start
    double tolerance;                ///< relative error per step where the flow is not closed form; in
                                     ///< (0, SS_MAX_TOLERANCE], default 1e-10
    long max_events;                 ///< 1e6
    double escape;                   ///< end where some |x - x_start| exceeds it; INFINITY: never
    bool prove_escape;      ///< end as escaped where divergence is proved, whatever the contacts do; false
    bool ledger;            ///< keep the energy ledger; true
    ss_event_sink on_event; ///< called in order of time as the run passes them; may be NULL
    ss_note_sink on_note;
    ss_branch_sink on_branch; ///< called where a branch ends in a reversal; needs the ledger for its work
    ss_keep_going keep_going;
    void* user;
} ss_sim_def;

static inline ss_sim_def ss_sim_def_default(void)
{
    ss_sim_def def;
    memset(&def, 0, sizeof def);
    def.size = sizeof def;
    def.tolerance = 1e-10;
    def.max_events = 1000000;
    def.escape = INFINITY;
    def.ledger = true;
    return def;
}

typedef struct ss_sim ss_sim;

SS_API ss_status ss_sim_create(const ss_model* model, const ss_sim_def* def, ss_sim** out, ss_error* err);
/// Starts the same object anew from another state (arrays as in ss_sim_def), without allocating. Where that
/// state cannot be (a body beyond a stop), it can only be restarted again or destroyed.
SS_API ss_status ss_sim_restart(ss_sim* sim, const double start_x[], const double start_v[], ss_error* err);
/// Where the states and the memory of an open model begin at the next ss_sim_restart and at those after it
/// (one number each, in the order of the model; SI). NULL: where the model says.
SS_API ss_status ss_sim_set_start(ss_sim* sim, const double states[], const double memory[], ss_error* err);
/// The same with a motion that begins at time t_s, and not at 0: functions of time, tables and ticks are
/// those from then on.
SS_API ss_status ss_sim_restart_at(ss_sim* sim, double t_s, const double start_x[], const double start_v[],
                                   ss_error* err);
/// Starts sim where `from`, a run of another model, has got to: time, places and speeds, states, bristles,
/// memory, modes, and inputs that were set. The models may differ in their numbers only (a friction level, a
/// mass), and neither in their ticks; contacts with elements have a memory that cannot be carried over. What
/// changes contact modes at this instant is logged as an event. The ledger begins anew.
SS_API ss_status ss_sim_take_over(ss_sim* sim, const ss_sim* from, ss_error* err);
/// Everything that the future of a run depends on beside the time, as one vector: coordinates (in the order
/// of ss_model_coordinate_body), their speeds, states, the numbers of all bristles, and memory.
SS_API int ss_sim_state_count(const ss_sim* sim);
SS_API void ss_sim_state(const ss_sim* sim, double out[]);
/// How fast it changes, per s; memory does not between ticks.
SS_API void ss_sim_state_rate(const ss_sim* sim, double out[]);
/// Starts anew from such a vector, at t = 0 and before the ticks of that instant.
SS_API ss_status ss_sim_restart_from(ss_sim* sim, const double state[], ss_error* err);
/// Places and speeds of all bodies in such a state, driven ones as the model starts them.
SS_API void ss_sim_place(const ss_sim* sim, const double state[], double x[], double v[]);
/// Goes on until time until_s or to the end of the motion, whichever is first. The motion does not depend on
/// how many calls it is cut into. After the motion has ended, further calls change nothing.
SS_API ss_status ss_sim_advance(ss_sim* sim, double until_s, ss_outcome* outcome, ss_error* err);
/// Like ss_sim_advance, but also stops at the next instant with events, right after it: *at_event says
/// whether it did. The motion is the same, to the bit, however it is cut into calls of either kind.
SS_API ss_status ss_sim_advance_to_event(ss_sim* sim, double until_s, bool* at_event, ss_outcome* outcome,
                                         ss_error* err);
/// Sets an input of the model (ss_model_input_name) from the present time on; it holds until it is set
/// again. The instant is passed when the run goes on, so that several inputs can be set at once: contacts may
/// break loose in it. A run that has ended at rest, which was proved for the inputs as they were, goes on
/// from the time up to which the caller had advanced it. ss_sim_restart puts back what the model says.
SS_API ss_status ss_sim_set_input(ss_sim* sim, int input, double value, ss_error* err);
/// From the present time on an input that was set follows the model again.
SS_API ss_status ss_sim_release_input(ss_sim* sim, int input, ss_error* err);
SS_API void ss_sim_destroy(ss_sim* sim); ///< NULL is welcome

/// A run as plain bytes: all that its future depends on, to the last bit, and all that can be asked of it.
/// Another run of the same model (made from the same file or definition, with the same tolerance, escape,
/// prove_escape and ledger), in this process or in another one of the same build of the library, goes on
/// from them exactly as this one does. Neither call allocates. The sinks of ss_sim_def, and max_events, stay
/// those of the run that loads.
SS_API size_t ss_sim_save_size(const ss_sim* sim); ///< in bytes; the same throughout the life of a run
/// size: room in the buffer, at least ss_sim_save_size.
SS_API ss_status ss_sim_save(const ss_sim* sim, void* buffer, size_t size, ss_error* err);
/// Bytes that are cut off, damaged, or of another model are an error, and the run stays as it was.
SS_API ss_status ss_sim_load(ss_sim* sim, const void* buffer, size_t size, ss_error* err);
/// A second run of the same model at the same moment, with the same definition: its sinks are called, too.
SS_API ss_status ss_sim_copy(const ss_sim* sim, ss_sim** out, ss_error* err);

/// The time the run has reached; at rest, when rest began.
SS_API double ss_sim_time(const ss_sim* sim);
SS_API long ss_sim_event_count(const ss_sim* sim);
/// State of all bodies at ss_sim_time, borrowed until the next advance.
SS_API const double* ss_sim_x(const ss_sim* sim);
SS_API const double* ss_sim_v(const ss_sim* sim);
/// The numbers of an open model at ss_sim_time, in the order of ss_model_get_number: states, signals (NaN
/// where one is not finite), inputs, memory, written to out (may be NULL). Returns how many there are.
SS_API int ss_sim_numbers(const ss_sim* sim, double out[]);

typedef struct ss_contact_state {
    ss_mode mode;
    double force;    ///< on A, along the row
    double limit;    ///< level of the present mode: static while it sticks; INFINITY for a closed stop
    double velocity; ///< relative
    bool determined; ///< false: other forces hold as well; this is the least-norm choice
    double z;        ///< m: bristle deflection of LuGre and Dahl; NaN for other laws
    int side;        ///< of a closed contact that is two stops (backlash): +1 above, -1 below, 0 both; else 0
} ss_contact_state;
SS_API ss_contact_state ss_sim_contact(const ss_sim* sim, int contact);
/// Deflections (m) of the elements of a Maxwell-slip contact, in the order of the definition, written to out
/// (may be NULL). Returns their number; 0 for other laws.
SS_API int ss_sim_deflections(const ss_sim* sim, int contact, double out[]);
/// The instant at which ss_sim_advance_to_event stopped last; everything is borrowed until the next advance.
/// The state, modes and forces after it are those of the run itself (ss_sim_x, ss_sim_v, ss_sim_contact).
typedef struct ss_instant {
    const ss_event* events; ///< in the order of the model; an impact and the limit of the bounces that follow
                            ///< are told together
    int event_count;        ///< 0 before the first stop at an event
    const double *x, *v;    ///< one per body, just before; where impacts accumulate, before the last one that
                            ///< was followed
    const ss_contact_state* contacts; ///< one per contact, just before
    const double* numbers;            ///< as of ss_sim_numbers, just before
} ss_instant;
SS_API ss_instant ss_sim_instant(const ss_sim* sim);

/// start + input = end + friction + damping + impact + residual, in J.
typedef struct ss_energy {
    double start, end, input, friction, damping, impact, residual;
    double allowed; ///< what rounding and the tolerance allow |residual| to be: more is a warning
    double reached; ///< largest sum of the magnitudes of kinetic and stored energies, at start or end
    double passed;  ///< most that an entry has come to on the way, where works cancel; 0 of sliders
} ss_energy;
/// Changes nothing of the motion, but works in the room of the sim: like all calls on it, in one thread at a
/// time.
SS_API ss_energy ss_sim_energy(const ss_sim* sim);

/// Whether the present mode is provably never left while the rest decays; then limit_x (one per body, may be
/// NULL) is where it goes. Of motions in bristles, which reverse for ever: whether nothing else can happen
/// any more, and the limit is known to 1e-9 of the way gone.
SS_API bool ss_sim_settles(const ss_sim* sim, double limit_x[]);
/// Where the states of an open model go, after ss_sim_settles has said yes; borrowed until it is asked again.
SS_API const double* ss_sim_limit_states(const ss_sim* sim);

/// The verdict if the run ends at the present time: SS_AT_REST also where everything has been at rest from
/// some time up to now, under inputs whose future is known neither as constants nor as tables or harmonics.
/// The run has then ended, and ss_sim_time is when rest began. Otherwise the outcome of the last advance.
SS_API ss_outcome ss_sim_conclude(ss_sim* sim);

#ifdef __cplusplus
}
#endif
#endif
