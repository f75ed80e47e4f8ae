// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Inside of fitting. A fit is a problem (what is free, what was recorded), searched by Levenberg and
// Marquardt (fit_search.c, fit_descent.c) with derivatives that respect events (fit_exact.c, fit_jacobian.c)
// of motions (fit_motion.c), and judged afterwards (fit_judge.c).
#ifndef SLIPSTICK_LAB_FIT_FIT_IMPL_H
#define SLIPSTICK_LAB_FIT_FIT_IMPL_H

#include "lab/file/recording.h"
#include "model/read/node.h"
#include "share/quantity_table.h"

#include <math.h>

/// What a free number belongs to.
typedef enum ss_fit_role {
    SS_FIT_MODEL,  ///< the model
    SS_FIT_DELAY,  ///< the clock
    SS_FIT_OFFSET, ///< a sensor: what it shows where there is 0
    SS_FIT_GAIN,   ///< a sensor: what it makes of 1
} ss_fit_role;

/// A number that is free.
typedef struct ss_fit_binding {
    char* name; ///< as typed, with "#2" where it belongs to the second recording
    ss_fit_role role;
    int column;    ///< of a sensor
    ss_node* node; ///< of the model; NULL otherwise
    char text[40]; ///< what the node says at present
    int recording; ///< -1: all
    double guess, least, most;
    int above; ///< >= 0: it is kept above this other free number; -1: above none
    ss_dimension dimension;
    bool has_unit;
    double step; ///< that changes some sample by SS_FIT_CHANGE, learnt; 0 before
    bool rough;  ///< it has no exact derivatives
    int gaps;    ///< how often samples were without one
} ss_fit_binding;

/// A number that is known but differs from recording to recording.
typedef struct ss_fit_assignment {
    ss_node* node;
    const char *base, *text; ///< what the document says, and what this recording has
    int recording;
} ss_fit_assignment;

/// What an input is in one recording: a table with these points, or the number that the file has.
typedef struct ss_fit_points {
    ss_node *input, *table;
    bool is_number;
    ss_node *first, *last;
    int count;
} ss_fit_points;

/// One sample.
typedef struct ss_fit_row {
    double time, value; ///< s, SI
    double soft;        ///< of a speed: its mean since the sample before
    int trace;
    int rank; ///< among the samples of its trace, in its recording
} ss_fit_row;

typedef struct ss_fit_column {
    char shows[304]; ///< "disk.x"
    char unit[64];   ///< of its values: "m"; "1" where it has none
    ss_quantity of;
    bool speed;          ///< of a body
    bool jumps;          ///< at any event: a force, memory
    double gain, offset; ///< of its sensor, in the motion at hand
    ss_dimension dimension;
    double scale;          ///< range of its samples
    double last_t, last_x; ///< where the motion was at the sample before; NaN: there is none
    double sigma;          ///< that it is weighted with
    bool sigma_known;      ///< by the caller
    int stride;            ///< every so many-th of its samples is looked at
} ss_fit_column;

typedef struct ss_fit_event {
    double t;
    bool impact; ///< speeds jump
} ss_fit_event;

enum { SS_FIT_TEXT = 320 };

/// How motions are compared and searched at present.
typedef struct ss_fit_manner {
    double horizon; ///< s: rows later than this do not take part
    bool careful;   ///< derivatives by central differences
    bool rough;     ///< a descent ends as soon as it hardly gets any further
    bool quick;     ///< or creeps, far from what was recorded
    double goal;    ///< > 0: or where the sum of squares can fall by no more than this share of it
    bool soft;      ///< speeds are means since the sample before: no jump where an impact passes one
    int only;       ///< >= 0: only motions of this recording are computed
    double* leash;  ///< n: NULL, or where a search over a part of the recording is drawn to, weakly
} ss_fit_manner;

/// What the search has cost, and how far it is.
typedef struct ss_fit_effort {
    long budget, spent; ///< of steps of one motion, in hundreds: numbers that would take for ever are refused
    long motions, iterations;
    bool interrupted;
    bool no_memory;     ///< a descent could not be made
    double fraction;    ///< of the work, for progress
    double base, share; ///< of the present start: where it begins and how much it is
    long begun;         ///< iterations before it
    double left;        ///< the least residuals so far, as told; see ss_fit_better
} ss_fit_effort;

/// Derivatives that a motion carries along (fit_exact.c).
typedef struct ss_fit_tangent ss_fit_tangent;

typedef struct ss_fit_scratch {
    double *values, *plus, *minus; ///< m: motions at the present numbers and beside them
    uint64_t *signs, *signs_plus, *signs_minus;
    double* at;              ///< n: where `values` belong to; NaN: nowhere
    double* beside;          ///< n
    double* jacobian;        ///< m x n, column by column
    double* derived_at;      ///< n: where `jacobian` is, complete and as good as can be; NaN: nowhere
    double* residual;        ///< m
    ss_fit_tangent* tangent; ///< wanted of the motion that is computed; NULL: none
} ss_fit_scratch;

/// Events of the last motion, while they are wanted.
typedef struct ss_fit_log {
    ss_fit_event* events;
    long count;
    size_t room;
    bool wanted;
} ss_fit_log;

typedef struct ss_fit_problem {
    ss_fit_def def;
    ss_document* document; ///< own copy, whose numbers are changed
    ss_fit_binding* free;
    int n;
    ss_fit_assignment* known;
    int known_count;
    ss_fit_points* points; ///< inputs x (recordings + 1): the last is what the file says
    ss_fit_column* columns;
    ss_fit_row* rows; ///< of all recordings, one after the other, in order of time
    long m;
    long* first;                ///< recording_count + 1: where the rows of each begin
    bool* active;               ///< rows that take part; others are left out near events
    bool exact;                 ///< derivatives cost less than differences, of a long motion
    char foreseen[SS_FIT_TEXT]; ///< what is wrong with recording or model before the search, or ""
    ss_error refusal;           ///< why the last motion could not be computed
    ss_error wall;              ///< the same of numbers that the search tried
    bool stuck;                 ///< the last descent ended there
    ss_fit_manner manner;
    ss_fit_effort effort;
    ss_fit_scratch scratch;
    ss_fit_log log;
} ss_fit_problem;

/// fit_scale.c: where the recordings and the motions at the guess, which `values` holds, differ by orders of
/// magnitude, says so at once.
void ss_fit_compare_scales(ss_fit_problem* problem);

/// fit_problem.c: copies the document, finds what is free, gathers the samples.
ss_status ss_fit_problem_create(const ss_fit_def* def, ss_fit_problem** out, ss_error* err);
void ss_fit_problem_destroy(ss_fit_problem* problem);
/// A number of --free cannot be.
ss_status ss_fit_fail_free(const char* path, const char* text, ss_error* err);
/// fit_limits.c: bounds and orders that the model asks for; an error where a number cannot be moved. x: n,
/// room.
ss_status ss_fit_find_limits(ss_fit_problem* problem, double x[], ss_error* err);

/// fit_motion.c: the samples as the model has them with the free numbers x, into values. signs (may be NULL)
/// tells for each sample which events came before it: equal numbers mean the same events. False where the
/// model refuses x, or the motion escapes; problem->refusal says why.
bool ss_fit_motion(ss_fit_problem* problem, const double x[], double values[], uint64_t signs[]);
/// Whether there is a model with these numbers at all.
bool ss_fit_model_takes(ss_fit_problem* problem, const double x[]);
bool ss_fit_keeps_going(ss_fit_problem* problem);

/// fit_jacobian.c: derivatives of the values by the free numbers at x, m x n, column by column; `values` and
/// `signs` must belong to x. Columns that are not wanted (want[j] false) are left alone.
/// both: by central differences, otherwise by one-sided ones where that is safe.
void ss_fit_differentiate(ss_fit_problem* problem, const double x[], const bool want[], bool both,
                          double out[]);
/// The best derivatives by all numbers at x, in scratch.jacobian: those at hand where they belong to numbers
/// so near that the sum of squares differs by no more than `rise` (as they tell), otherwise new ones.
void ss_fit_differentiate_well(ss_fit_problem* problem, const double x[], double rise);

/// As a share of the range of a trace: what a small step of a number changes some sample by.
#define SS_FIT_CHANGE 1e-6

/// fit_exact.c: the same where derivatives are exact; NAN in samples where there are none. motion: also those
/// that a motion must carry along.
void ss_fit_differentiate_exactly(ss_fit_problem* problem, const double x[], const bool want[], bool motion,
                                  double out[]);
/// A motion of a recording begins, at its start: false where there is no room.
bool ss_fit_tangent_begin(ss_fit_tangent* tangent, const ss_model* model, ss_sim* sim, int recording,
                          double delay);
/// The motion is at sample i, t after its start (before it: negative); since: of a mean speed, how
/// long it is taken over, otherwise 0.
void ss_fit_tangent_sample(ss_fit_tangent* tangent, const ss_sim* sim, long i, double t, double since);
void ss_fit_tangent_end(ss_fit_tangent* tangent);

/// fit_bounds.c: the free variable u of number j among the numbers x, the number at u, and dx/du. For a
/// number kept above another, that one must be in x already.
double ss_fit_variable(const ss_fit_problem* problem, int j, const double x[]);
double ss_fit_number_at(const ss_fit_problem* problem, int j, const double x[], double u);
double ss_fit_slope_at(const ss_fit_problem* problem, int j, const double x[], double u);

/// fit_descent.c: sum of squares of the weighted residuals; INFINITY where there is no motion.
double ss_fit_cost(ss_fit_problem* problem, const double x[]);
/// Whether number j would be more than `factor` times its guess.
bool ss_fit_is_far(const ss_fit_problem* problem, int j, double value, double factor);
typedef enum ss_fit_end { SS_FIT_END_CONVERGED, SS_FIT_END_LIMIT, SS_FIT_END_STOPPED } ss_fit_end;
/// Descends from x, leaving those numbers alone that are fixed (NULL: none); returns how it ended.
ss_fit_end ss_fit_descend(ss_fit_problem* problem, const bool fixed[], double x[], double* cost);
/// How many samples take part at present.
double ss_fit_count(const ss_fit_problem* problem);
/// Whether such a cost is that of residuals several times the noise, as told or as samples scatter about
/// their neighbours: not what was recorded.
bool ss_fit_is_lost(const ss_fit_problem* problem, double cost);
/// fit_search.c: the whole search: the guess, growing horizons, further starts, weights.
ss_status ss_fit_search(ss_fit_problem* problem, double x[], ss_fit_end* end, ss_error* err);

/// fit_weight.c: noise that is not known becomes that of the residuals at x. True if that changed a weight.
bool ss_fit_learn_sigma(ss_fit_problem* problem, const double x[]);
/// Leaves out the samples near events of the motion at x. True if that changed any.
bool ss_fit_mask_events(ss_fit_problem* problem, const double x[]);
/// From here on only some of the samples up to the horizon are looked at, enough to find the way down; or
/// all of them again.
void ss_fit_thin(ss_fit_problem* problem, bool thin);
/// By how much neighbouring residuals are more alike than noise is by chance: the largest of all traces.
/// Their correlation itself, of that trace, goes to *correlation unless NULL.
double ss_fit_whiteness(ss_fit_problem* problem, const double x[], double* correlation);

/// What sample i says.
static inline double ss_fit_data(const ss_fit_problem* problem, long i)
{
    return problem->manner.soft ? problem->rows[i].soft : problem->rows[i].value;
}

/// Whether motions are asked for sample i at present.
static inline bool ss_fit_is_seen(const ss_fit_problem* problem, long i)
{
    const ss_fit_row* row = &problem->rows[i];
    int stride = problem->columns[row->trace].stride;
    return row->time <= problem->manner.horizon && (stride <= 1 || row->rank % stride == 0);
}

static inline bool ss_fit_takes_part(const ss_fit_problem* problem, long i)
{
    return problem->active[i] && ss_fit_is_seen(problem, i);
}

/// Huber's loss: squares up to this many standard deviations, lines beyond. 95 % as good as least squares
/// where the noise is normal.
#define SS_FIT_HUBER 1.345

/// fit_loss.c: what residual r (in standard deviations) counts for: its square is twice the loss. *slope
/// (may be NULL) is its derivative.
double ss_fit_loss(const ss_fit_problem* problem, double r, double* slope);
/// Standard deviation of the residuals of a trace, as the loss sees it: their root mean square with so many
/// degrees of freedom, or what does not depend on a few that are far off.
double ss_fit_scatter(const ss_fit_problem* problem, int trace, double freedom);
/// By how much the loss makes standard errors larger than those of least squares.
double ss_fit_inflation(const ss_fit_problem* problem);

struct ss_fit {
    ss_fit_problem* problem;
    ss_fit_outcome outcome;
    double* x;
    ss_fit_parameter* parameters;
    double* correlation; ///< n x n
    double* spread;      ///< n: standard errors, finite where hardly anything determines the number
    ss_fit_residual* residuals;
    double rms;
    ss_fit_statistics statistics;
    char (*warnings)[SS_FIT_TEXT];
    int warning_count;
    char (*notes)[SS_FIT_TEXT];
    int note_count;
};

/// fit_judge.c: standard errors, correlation, intervals, and what there is to say.
ss_status ss_fit_judge(ss_fit* fit, ss_fit_end end, ss_error* err);
/// fit_statistics.c: likelihood and criteria, from the residuals at hand.
void ss_fit_find_statistics(ss_fit* fit);
/// Standard errors where residuals are alike over some time: from the derivatives in scratch.jacobian, the
/// inverse of their scaled products, and their lengths. SS_NO_MEMORY where there is none.
ss_status ss_fit_find_correlated(ss_fit* fit, const double inverse[], const double norm[], ss_error* err);
/// fit_profile.c: the ends of the 95 % interval of number j where the others follow.
void ss_fit_profile(ss_fit* fit, int j, double cost, double variance, double* low, double* high);

/// fit_inputs.c: tables of the inputs that recordings drive, and those of one recording put in place; of the
/// number recording_count: as in the file.
ss_status ss_fit_make_inputs(ss_fit_problem* problem, const ss_model* model, ss_error* err);
void ss_fit_put_inputs(ss_fit_problem* problem, int recording);

#endif
