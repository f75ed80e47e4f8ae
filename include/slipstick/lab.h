// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// What needs a desktop (libslipstick-lab): model files, periodic motions, certificates; recordings, and
// fitting a model to them (slipstick/fit.h); branches (slipstick/follow.h); maps (slipstick/basin.h). Beside
// it stand maps that can be resumed (slipstick/map.h), files (slipstick/file.h) and pictures
// (slipstick/picture.h).
#ifndef SLIPSTICK_LAB_H
#define SLIPSTICK_LAB_H

#include "slipstick/answer.h"
#include "slipstick/basin.h"
#include "slipstick/check.h"
#include "slipstick/fit.h"
#include "slipstick/follow.h"
#include "slipstick/slipstick.h"
#include "slipstick/surface.h"

#include <math.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Reads a YAML 1.2 file into a document.
SS_API ss_status ss_document_read_yaml(const char* path, ss_document** out, ss_error* err);
/// The same from memory; name is what errors call it.
SS_API ss_status ss_document_parse_yaml(const char* name, const char* text, size_t length, ss_document** out,
                                        ss_error* err);
/// Reads the files that a document's matrices name ({file: K.mtx}: Matrix Market, .npy, MAT of version 5 to
/// 7), relative to the folder of the file with this path, and attaches the arrays. The two above do it.
SS_API ss_status ss_document_read_files(ss_document* document, const char* path, ss_error* err);

// ---- periodic motions

/// How far the work is, a guess in [0, 1]; false ends it.
typedef bool ss_cycle_progress(void* user, double fraction);

/// What to look for, and where: the search begins at the model's own start.
typedef struct ss_cycle_def {
    size_t size;      ///< set by ss_cycle_def_default
    double period;    ///< s; forced models: the time after which the motion is to repeat, a multiple of the
                      ///< common period of the inputs (NaN: any multiple); others: a first guess (NaN: none)
    double until;     ///< s: how long a motion may take to come near a cycle; NaN: as long as the model's run
    bool near;        ///< the start is near the cycle that is wanted, stable or not
    double tolerance; ///< of the motion, where its flow is not closed form, as in ss_sim_def; 1e-12
    long max_events;  ///< 1e6
    ss_cycle_progress* progress; ///< may be NULL
    void* user;
} ss_cycle_def;

static inline ss_cycle_def ss_cycle_def_default(void)
{
    ss_cycle_def def;
    memset(&def, 0, sizeof def);
    def.size = sizeof def;
    def.period = NAN;
    def.until = NAN;
    def.tolerance = 1e-12;
    def.max_events = 1000000;
    return def;
}

/// A motion that repeats, stable or not.
typedef struct ss_cycle ss_cycle;

/// Finds a periodic motion by shooting across events: the one that the motion from the model's start comes
/// to; where it comes to none, or the start is near one and nearly returns, the one there. The period is the
/// least one. SS_NOT_FOUND
/// where none is found, or the progress said no. A period that the inputs do not have is SS_BAD_INPUT with
/// the field "period".
SS_API ss_status ss_cycle_find(const ss_model* model, const ss_cycle_def* def, ss_cycle** out, ss_error* err);
SS_API void ss_cycle_destroy(ss_cycle* cycle); ///< NULL is welcome

SS_API double ss_cycle_period(const ss_cycle* cycle);  ///< s
SS_API bool ss_cycle_is_forced(const ss_cycle* cycle); ///< inputs set its period
/// Half the way between the ends of a body's motion, and their mean; m or rad.
SS_API double ss_cycle_amplitude(const ss_cycle* cycle, int body);
SS_API double ss_cycle_middle(const ss_cycle* cycle, int body);
/// A state on the cycle (one number per body): for forced models the one at t = 0, for others some time away
/// from the nearest events.
/// The same of a state of an open model.
SS_API double ss_cycle_state_amplitude(const ss_cycle* cycle, int state);
SS_API double ss_cycle_state_middle(const ss_cycle* cycle, int state);
/// How far a body advances in each period, m or rad: 0 where it comes back. Amplitude and middle are then of
/// what is left of its motion.
SS_API double ss_cycle_drift(const ss_cycle* cycle, int body);
SS_API double ss_cycle_state_drift(const ss_cycle* cycle,
                                   int state); ///< the same of a state of an open model
/// States, bristle numbers and memory where it begins, one after the other (see ss_sim_state).
SS_API const double* ss_cycle_states(const ss_cycle* cycle);
SS_API const double*
ss_cycle_memory(const ss_cycle* cycle); ///< of these, memory: just before a tick at t = 0
SS_API const double* ss_cycle_x(const ss_cycle* cycle);
SS_API const double* ss_cycle_v(const ss_cycle* cycle);
/// Number k of the start that lies on the cycle, by its path in the model file ("start.block.x",
/// "states.sum.start"); false beyond the last. Elements of contacts (Maxwell-slip, gms) are not among them: a
/// file cannot say them.
SS_API bool ss_cycle_start_number(const ss_cycle* cycle, const ss_model* model, const ss_document* document,
                                  int k, char path[], size_t size, double* value);
/// Floquet multipliers, largest magnitude first, as real and imaginary part. Without forcing, the one that is
/// 1 because the motion may be shifted in time is left out. 0 is exact: where contacts stick, the past is
/// forgotten.
SS_API int ss_cycle_multiplier_count(const ss_cycle* cycle);
SS_API void ss_cycle_multiplier(const ss_cycle* cycle, int k, double out[2]);
/// All multipliers are inside the unit circle, by more than the error of the largest.
SS_API bool ss_cycle_is_stable(const ss_cycle* cycle);
/// The largest is on the unit circle, as far as it is known: to first order neighbouring motions neither come
/// nearer nor leave.
SS_API bool ss_cycle_is_neutral(const ss_cycle* cycle);
/// True where contacts that act on each other change their modes at one instant: neighbouring motions may do
/// so one after the other in either order, and the multipliers hold for one of them.
SS_API bool ss_cycle_is_coupled(const ss_cycle* cycle);
/// True where the motion has no derivative at some instant (bounces accumulate, two stops are struck at
/// once): the multipliers are those of differences of neighbouring motions, good to six digits or so.
SS_API bool ss_cycle_is_by_differences(const ss_cycle* cycle);
/// True where inputs are tables, which are taken to begin anew after the period.
SS_API bool ss_cycle_repeats_tables(const ss_cycle* cycle);
/// Events of one period, counted from the state above.
SS_API size_t ss_cycle_event_count(const ss_cycle* cycle);
SS_API ss_event ss_cycle_event(const ss_cycle* cycle, size_t k);
/// What is worth knowing of it, a sentence each; NULL beyond the last.
SS_API const char* ss_cycle_note(const ss_cycle* cycle, int k);

/// The answer of `cycle` as a tree: period, amplitude, middle, multipliers, stable, state, events, notes. The
/// model is the one in which the cycle was found.
SS_API ss_status ss_answer_cycle(const ss_model* model, const ss_cycle* cycle, ss_answer** out,
                                 ss_error* err);

// ---- certificates: must it come to rest? ([VL04], docs/theory/certificates.md)

/// What is proved of the set of equilibria, the weakest first.
typedef enum ss_verdict {
    SS_NOT_ASSURED,  ///< the theorems are silent; see `refuted`
    SS_LOCAL_SUBSET, ///< Theorem 3: the equilibria inside the region attract every motion that starts in it
    SS_LOCAL,        ///< Theorem 4: the region holds all equilibria, and every motion from it ends among them
    SS_GLOBAL,       ///< every motion ends among the equilibria
} ss_verdict;
SS_API const char* ss_verdict_name(ss_verdict verdict); ///< "local-subset", ...

typedef enum ss_proved { SS_UNKNOWN, SS_NO, SS_YES } ss_proved; ///< YES and NO are proved

typedef struct ss_certify_def {
    size_t size;   ///< set by ss_certify_def_default
    bool vertices; ///< corners of the equilibrium set also beyond three coordinates
} ss_certify_def;
static inline ss_certify_def ss_certify_def_default(void)
{
    ss_certify_def def;
    memset(&def, 0, sizeof def);
    def.size = sizeof def;
    return def;
}

/// E [VL04, (18)]: all q at which the contacts can hold still. With linear springs
/// E = center + { sum_k s_k generator_k : |s_k| <= 1 }, a zonotope, moved by `offset` where static and
/// kinetic levels differ from one direction to the other. With cubic springs it is curved: `vertices` are
/// then the points at which every contact holds with its full force, and half_widths an outer bound (exact
/// for one coordinate).
typedef struct ss_equilibrium_set {
    bool exists;               ///< false: outside the theory, and nothing below is filled
    const double* center;      ///< n: where V = 0: equilibrium without friction
    const double* offset;      ///< n: from there to the middle of E
    const double* generators;  ///< contacts x n; NULL with cubic springs
    int vertex_count;          ///< 0: not asked for (or more than 65536)
    const double* vertices;    ///< vertex_count x n, counter-clockwise for two coordinates
    const double* half_widths; ///< n: from the middle of E
    double max_energy;         ///< J: largest V on E
    bool bound;                ///< max_energy is an upper bound, not the value
    ss_proved inside_region;   ///< max_energy < rho_star
} ss_equilibrium_set;

/// The answer of ss_certify. V is kinetic plus elastic energy, 0 at set.center. Levels of friction in V' are
/// kinetic, those of E static. Numbers that do not apply are NaN; a level without bound is INFINITY.
typedef struct ss_certificate {
    int n;        ///< independent coordinates, in the order of ss_model_coordinate_body
    int contacts; ///< of the model
    ss_verdict verdict;
    int theorem;             ///< 2, 3 or 4; 0: none of them, the reason says what else
    const char* reason;      ///< one sentence
    bool refuted;            ///< proved: E does not attract, not even from nearby
    ss_proved origin_stable; ///< the center, in the sense of Lyapunov
    ss_proved bounded;       ///< motions that start in the region (all of them if that is everything)

    const double* eigenvalues;  ///< n: of the symmetric part of C, ascending; N*s/m
    const double* eigenvectors; ///< n x n: row i belongs to eigenvalue i; length 1, first entry positive
    int not_positive;           ///< n_q: how many eigenvalues are <= 0 (to rounding)
    ss_proved condition_31;     ///< their eigenvectors lie in the span of W; UNKNOWN: there are none
    double beta;                ///< N: the largest for which (28) holds
    bool beta_is_bound;         ///< the search was cut short: a larger one may hold
    const double* rho;          ///< not_positive, J: (43)
    double rho_star;            ///< J: (37)
    double rho_energy;          ///< J: largest level with V' <= 0 on all of it
    bool rho_energy_is_bound;   ///< proved for this level; the largest one may be higher
    double paper_beta, paper_rho_star; ///< by the paper's own, smaller choice of beta

    ss_equilibrium_set set;
    int step_count; ///< the reasoning, a line each
    const char* const* steps;
} ss_certificate;

/// Answers whether the system must come to rest, and from where. A system outside the theorems is
/// SS_NOT_ASSURED with its reason, never an error. The certificate does not need the model any more.
SS_API ss_status ss_certify(const ss_model* model, const ss_certify_def* def, ss_certificate** out,
                            ss_error* err);
/// What the theorems say of a slider: nothing, and why. It owns nothing and need not be destroyed.
SS_API ss_certificate ss_certificate_of_slider(void);
SS_API void ss_certificate_destroy(ss_certificate* certificate); ///< NULL is welcome

/// Where a point lies.
typedef struct ss_membership {
    bool inside;     ///< E holds q
    double distance; ///< from q to E, in the coordinates as they are; NaN with several cubic coordinates
    double excess;   ///< N: the least force (2-norm) that is missing to hold the system at q
    double energy;   ///< J: V at rest in q
} ss_membership;
/// Judges q (one number per coordinate). SS_BAD_INPUT where the certificate has no equilibrium set.
SS_API ss_status ss_certificate_locate(const ss_certificate* certificate, const double q[],
                                       ss_membership* out, ss_error* err);

/// The answer of `certify` as a tree: verdict, theorem, reason, numbers, equilibrium set. place (may be NULL)
/// is where a point lies that was asked for; without an equilibrium set its members are not read.
SS_API ss_status ss_answer_certificate(const ss_certificate* certificate, const ss_membership* place,
                                       ss_answer** out, ss_error* err);

#ifdef __cplusplus
}
#endif
#endif
