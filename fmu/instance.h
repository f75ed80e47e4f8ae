// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// One instance of an FMU, whatever the version of the interface: its model and run, what an importer has set,
// and where it stands in the order of calls. fmi2.c and fmi3.c translate. Instances share nothing: several
// may run in several threads.
#ifndef SLIPSTICK_FMU_INSTANCE_H
#define SLIPSTICK_FMU_INSTANCE_H

#include "share/error.h"
#include "variables.h"

#include <math.h>
#include <stdint.h>

/// As fmi2Status and fmi3Status have them.
typedef enum fmu_status { FMU_OK, FMU_WARNING, FMU_DISCARD, FMU_ERROR, FMU_FATAL } fmu_status;

/// Where an instance stands; a bit each, so that a call can name all that it is allowed in.
typedef enum fmu_phase {
    FMU_INSTANTIATED = 1,
    FMU_INITIALIZING = 2,
    FMU_AT_EVENT = 4,   ///< Event Mode
    FMU_CONTINUOUS = 8, ///< Continuous-Time Mode
    FMU_STEPPING = 16,  ///< Co-Simulation between steps
    FMU_CONFIGURING = 32,
    FMU_TERMINATED = 64,
    FMU_FAULTY = 128, ///< the motion could not go on: what is known may be asked for, and it may be reset
} fmu_phase;

typedef enum fmu_topic { FMU_TOPIC_ERROR, FMU_TOPIC_EVENT, FMU_TOPIC_NOTE, FMU_TOPICS } fmu_topic;

/// Names of log categories, by topic.
extern const char* const fmu_topics[FMU_TOPICS];

/// What a model and its run are made from: one row of numbers.
typedef struct fmu_recipe {
    double start_time, tolerance;
    double stop_time; ///< s: the importer has said that it will not step beyond; INFINITY: it has not
    double offset;    ///< s: when the motion of a slider begins
    bool at_start; ///< with starts and inputs; otherwise the motion has been carried over from another model
    double* numbers;
} fmu_recipe;

typedef struct fmu_instance fmu_instance;
typedef void fmu_log_sink(fmu_instance* instance, fmu_status status, const char* category, const char* text);

struct fmu_instance {
    // ---- who it is
    char* name;
    int version;   ///< of FMI: 2 or 3
    bool exchange; ///< Model Exchange; otherwise Co-Simulation
    int phase;     ///< of fmu_phase
    fmu_log_sink* log;
    void (*logger)(void); ///< of the importer: a function of its version's type
    void* environment;
    bool logging[FMU_TOPICS];
    bool events; ///< FMI 3, Co-Simulation: the importer uses Event Mode
    bool early;  ///< and steps may end at events

    // ---- what it is
    fmu_resource resource;
    fmu_variables variables;

    // ---- what was set
    fmu_recipe set, made;     ///< what was set by now, and what the present model was made from
    int number_count;         ///< of each
    double* parameters;       ///< in set.numbers: one per parameter
    double* starts;           ///< one per variable: those that are exact
    double* inputs;           ///< one per input
    double* input_set;        ///< 1: the importer has set it
    double *slopes, *origins; ///< by which an input grows, from when on (s)
    double* fresh;            ///< 1: its slope was set since the last step
    int input_count;
    bool stale; ///< something that the model or its start is made of has been set since it was made

    // ---- what runs
    ss_model* model;
    ss_sim* sim;
    ss_slider* slider;
    ss_slide* slide;
    double time;
    double offset;   ///< s: when the motion of the present slider began
    bool touched;    ///< an input was set: the present instant is still to be passed
    bool before;     ///< stopped at an event that has not been handled: outputs are those just before it
    double* numbers; ///< states, signals, inputs, memory
    bool numbers_known;
    // ---- Model Exchange
    bool placed;                ///< the run is at the time and states that were set
    double* y;                  ///< continuous states as they were set
    double next_time;           ///< s: of the time event that was told last
    double *rates, *indicators; ///< scratch
};

/// Importers add up their times: two that differ by less than this, by fmu_later_by, are one.
static const double fmu_same_time = 1e-9;
/// By how much t is later, relative to large times and absolute at small ones.
static inline double fmu_later_by(double t, double than) { return (t - than) / (1.0 + fabs(than)); }

/// Whether an input grows with the time between communication points. In Model Exchange the importer sets it
/// at every time.
static inline bool fmu_grows(const fmu_instance* instance, int input)
{
    return instance->slopes[input] != 0.0 && !instance->exchange;
}

// ---- instance.c

/// location: of the resources, a path or a URI.
fmu_instance* fmu_instance_make(const char* name, const char* token, const char* location, fmu_log_sink* log,
                                void (*logger)(void), void* environment, bool logging, int version);
void fmu_instance_free(fmu_instance* instance);
/// Back to what it was right after it was made.
fmu_status fmu_reset(fmu_instance* instance);
void fmu_log(fmu_instance* instance, fmu_status status, fmu_topic topic, const char* format, ...)
    SS_PRINTF(4, 5);
/// Chooses what is told, by names of log categories; none of them: all.
fmu_status fmu_set_logging(fmu_instance* instance, bool on, size_t count, const char* const categories[]);
/// Tells an error of the library, with the field at fault. Returns FMU_ERROR.
fmu_status fmu_report(fmu_instance* instance, const ss_error* err);
/// Whether a call is allowed now; if not, says so.
bool fmu_allowed(fmu_instance* instance, int phases, const char* call);

// ---- build.c

/// Makes model and run anew where something was set that they are made of, and passes the instant where an
/// input was.
fmu_status fmu_refresh(fmu_instance* instance);
/// Makes model and run from the recipe at hand.
fmu_status fmu_build(fmu_instance* instance, bool at_start, bool carry);
/// Copies what a recipe holds.
void fmu_recipe_copy(const fmu_instance* instance, const fmu_recipe* from, fmu_recipe* to);
/// The definition of runs of this instance.
ss_sim_def fmu_sim_def(fmu_instance* instance);

// ---- values.c

/// The value of a variable, of a run that is up to date.
double fmu_value(fmu_instance* instance, const fmu_variable* variable);
/// Reads or sets one variable by its value reference.
fmu_status fmu_get(fmu_instance* instance, uint32_t reference, bool mode, double* value);
fmu_status fmu_set(fmu_instance* instance, uint32_t reference, double value);
/// From now on an input grows with the time.
fmu_status fmu_set_slope(fmu_instance* instance, const fmu_variable* input, double slope);

// ---- step.c

typedef struct fmu_step {
    double to;     ///< s: where it shall end
    bool to_event; ///< or at the next event
    bool at_event; ///< out: it has ended at an event
    double time;   ///< out: where it has ended
} fmu_step;
fmu_status fmu_do_step(fmu_instance* instance, fmu_step* step);
/// What is wrong with a step that shall begin at `from`; NULL: nothing.
const char* fmu_step_fault(const fmu_instance* instance, double from, double size);
/// The event that the last step ended at has been handled.
void fmu_pass_event(fmu_instance* instance);

// ---- state.c

/// Everything that the future depends on, as plain bytes.
size_t fmu_state_size(const fmu_instance* instance);
fmu_status fmu_state_save(fmu_instance* instance, void* buffer, size_t size);
fmu_status fmu_state_load(fmu_instance* instance, const void* buffer, size_t size);

#endif
