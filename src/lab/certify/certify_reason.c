// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The verdict, its reason in one sentence, and the argument step by step.
#include "core/tolerance.h"
#include "lab/certify/certify.h"

#include <math.h>

static void add_step(ss_cert* c, const char* text)
{
    if (c->answer.step_count < SS_CERT_STEPS) c->steps[c->answer.step_count++] = text;
}

#define STEP(...)   add_step(c, ss_cert_text(&c->pool, __VA_ARGS__))
#define REASON(...) (c->answer.reason = ss_cert_text(&c->pool, __VA_ARGS__))

static const char* plural(int count) { return count == 1 ? "" : "s"; }

// ---- the steps that every argument shares

static bool is_symmetric(const ss_cert_system* s)
{
    for (int i = 0; i < s->n; i++)
        for (int j = 0; j < i; j++)
            if (fabs(s->C[i * s->n + j] - s->C[j * s->n + i]) >
                SS_RELATIVE_ZERO * (fabs(s->C[i * s->n + j]) + fabs(s->C[j * s->n + i])))
                return false;
    return true;
}

static void report_system(ss_cert* c)
{
    const ss_cert_system* s = &c->s;
    STEP("V = kinetic + elastic energy; V' = -v^T C v - p^T |W^T v| (25), p the kinetic friction of %d "
         "contact%s",
         c->slide.count, plural(c->slide.count));
    STEP("M and K are positive definite (least eigenvalue of K: %.6g N/m), so V > 0 away from its center",
         s->K_least);
    if (s->cubic_count > 0)
        STEP("%d spring%s stiffen%s: V gains its energy, V' stays as it is, and so do beta and rho",
             s->cubic_count, plural(s->cubic_count), s->cubic_count == 1 ? "s" : "");
    if (!is_symmetric(s))
        STEP("C is not symmetric: only its symmetric part does work, and only that enters V'");
    if (s->one_sided)
        STEP("friction differs between the directions: p is the mean of both levels, and half their "
             "difference "
             "is a constant force that shifts the center");
    if (s->falling)
        STEP(
            "friction at rest is above that of slip: E takes the static levels, V' the kinetic ones; futures "
            "need not be unique, and what follows holds for each");
    for (int k = 0; k < s->m; k++)
        if (s->hold_middle[k] != 0.0) {
            STEP("static and kinetic friction lean to different sides: the middle of E is not the center of "
                 "V");
            break;
        }
}

static void report_damping(ss_cert* c)
{
    const ss_certificate* a = &c->answer;
    if (a->not_positive == 0) {
        STEP("C is positive definite: its least eigenvalue is %.6g N*s/m", a->eigenvalues[0]);
        return;
    }
    int zeros = 0;
    for (int i = 0; i < a->not_positive; i++) zeros += a->eigenvalues[i] == 0.0;
    STEP("C has %d eigenvalue%s <= 0 (n_q), %d of them 0; the least is %.6g N*s/m", a->not_positive,
         plural(a->not_positive), zeros, a->eigenvalues[0]);
    if (a->condition_31 == SS_NO) {
        STEP("condition (31) fails: an eigenvector of these is not in the span of the contacts' directions W "
             "(to %g)",
             ss_zonotope_span_tolerance);
        return;
    }
    STEP("condition (31) holds: the eigenvectors of these lie in the span of the contacts' directions W (to "
         "%g)",
         ss_zonotope_span_tolerance);
    STEP("the %s beta in (28) is %.6g N (the paper's choice: %.6g N)",
         a->beta_is_bound ? "largest proved" : "largest", a->beta, a->paper_beta);
    if (a->rho_star < INFINITY)
        STEP("V' < 0 while something moves in I_rho*, V < rho* = %.6g J by (43), (37) (the paper's choice: "
             "%.6g J)",
             a->rho_star, a->paper_rho_star);
    else
        STEP("no eigenvalue is negative, so nothing bounds rho in (37): V' < 0 wherever something moves");
}

static void report_level(ss_cert* c)
{
    const ss_certificate* a = &c->answer;
    if (isnan(a->rho_energy) || isinf(a->rho_energy)) return;
    if (a->rho_energy == 0.0 && !a->rho_energy_is_bound) {
        STEP("arbitrarily small motions gain energy: there is no level with V' <= 0");
        return;
    }
    const char* what = a->rho_energy_is_bound ? "at least up to" : "up to";
    if (a->rho_star > 0.0 && a->rho_energy > a->rho_star * (1.0 + SS_CLEAR))
        STEP("keeping the damping that (27) drops, V' <= 0 holds %s %.6g J, %.3g times rho*", what,
             a->rho_energy, a->rho_energy / a->rho_star);
    else
        STEP("keeping the damping that (27) drops, V' <= 0 holds %s %.6g J", what, a->rho_energy);
}

static void report_set(ss_cert* c)
{
    const ss_certificate* a = &c->answer;
    const char* at_most = a->set.bound ? "at most " : "";
    if (a->set.inside_region == SS_YES && a->rho_star < INFINITY)
        STEP("the largest energy on E is %s%.6g J < rho*: E lies inside I_rho*", at_most, a->set.max_energy);
    else if (a->set.inside_region == SS_NO)
        STEP("the largest energy on E is %s%.6g J, not below rho*: E reaches out of I_rho*", at_most,
             a->set.max_energy);
    else if (a->condition_31 == SS_YES && a->set.inside_region == SS_UNKNOWN)
        STEP(
            "the largest energy on E is at most %.6g J, and only known to that: whether E lies inside I_rho* "
            "stays open",
            a->set.max_energy);
}

// ---- verdicts

static void assure(ss_cert* c, ss_verdict verdict, int theorem)
{
    c->answer.verdict = verdict;
    c->answer.theorem = theorem;
    c->answer.origin_stable = c->answer.bounded = SS_YES;
}

// C >= 0: the energy never grows, so everything is bounded, and what happens in the end is a motion on which
// it does not fall (LaSalle): nothing rubs and nothing damps.
static void conclude_passive(ss_cert* c, const ss_cert_modes* modes)
{
    ss_certificate* a = &c->answer;
    assure(c, SS_NOT_ASSURED, 0);
    if ((modes->complete && !modes->held_may_last) || modes->slack_damped) {
        assure(c, SS_GLOBAL, 0);
        a->set.inside_region = a->set.exists ? SS_YES : SS_UNKNOWN;
        if (c->s.n == 1 && c->slide.count > 0)
            REASON("friction alone takes the energy of one degree of freedom: E attracts globally, and is "
                   "stable as a "
                   "set by the distance function of Appendix A");
        else
            REASON("C is positive semidefinite and no mode of the system with all rough contacts held is "
                   "undamped: E "
                   "attracts globally, although Theorem 2 does not apply");
        STEP("C >= 0, so V never grows; where V' = 0 for ever nothing rubs, and the held system has no "
             "undamped mode: "
             "LaSalle leaves E");
    } else if (modes->untouched_lasts) {
        a->refuted = true;
        REASON("a mode of %.6g rad/s is neither damped nor touched by friction: it swings for ever",
               modes->frequency);
    } else if (modes->held_lasts) {
        a->refuted = true;
        REASON("with all rough contacts held, a mode of %.6g rad/s is undamped: small swings in it never end",
               modes->frequency);
        STEP("the held contacts can carry that swing if it is small, and nothing damps it: E does not "
             "attract");
    } else if (modes->complete) {
        REASON("C is only semidefinite, and a mode of the system with all rough contacts held is damped so "
               "little that it "
               "cannot be told from none");
    } else {
        REASON("C is only semidefinite, and whether %s takes energy from every motion is not decided by "
               "linear modes",
               c->s.cubic_count > 0 ? "a system with cubic springs" : "a contact without kinetic friction");
    }
}

static void conclude_local(ss_cert* c)
{
    ss_certificate* a = &c->answer;
    bool whole = a->set.inside_region == SS_YES;
    assure(c, whole ? SS_LOCAL : SS_LOCAL_SUBSET, whole ? 4 : 3);
    bool energy_holds_all = !whole && a->set.max_energy < a->rho_energy;
    if (whole)
        REASON("C is not positive definite, but friction acts on every direction it does not damp: by "
               "Theorem 4, E "
               "attracts all motions that start with less energy than rho* = %.6g J",
               a->rho_star);
    else if (energy_holds_all)
        REASON("by Theorem 3 the equilibria below rho* = %.6g J attract all motions that start below it; "
               "beyond the "
               "theorem, all of E attracts below %.6g J, where V' <= 0 still holds",
               a->rho_star, a->rho_energy);
    else
        REASON("by Theorem 3 the equilibria with less energy than rho* = %.6g J attract all motions that "
               "start below it; "
               "E reaches further",
               a->rho_star);
    STEP("Theorem %d (LaSalle on I_rho*): motions that start there are bounded and end in E; its center is "
         "stable",
         a->theorem);
}

// Condition (31) fails. The theorems are silent; what is known beyond them is said.
static void conclude_silent(ss_cert* c, const ss_cert_modes* modes)
{
    ss_certificate* a = &c->answer;
    a->refuted = modes->untouched_grows || modes->untouched_lasts || modes->held_lasts;
    if (modes->untouched_grows) {
        a->origin_stable = a->bounded = SS_NO;
        REASON("the theorems are silent; a mode that no contact touches grows like exp(%.6g t): E does not "
               "attract",
               modes->growth);
        STEP("that mode moves as if there were no friction: every start with a share of it runs away");
    } else if (modes->untouched_lasts) {
        REASON("the theorems are silent; a mode that no contact touches swings at %.6g rad/s for ever: E "
               "does not attract",
               modes->frequency);
    } else if (modes->held_lasts) {
        REASON("the theorems are silent; with all rough contacts held, small swings at %.6g rad/s never end: "
               "E does not "
               "attract",
               modes->frequency);
    } else if (a->rho_energy > 0.0) {
        a->origin_stable = a->bounded = SS_YES;
        bool whole = a->set.max_energy < a->rho_energy;
        REASON("condition (31) fails, so the theorems are silent; beyond them, V' <= 0 up to %.6g J, and "
               "motions that "
               "start below end in E%s",
               a->rho_energy, whole ? ", which lies in there" : "");
        STEP("where no contact rubs, C is positive definite: below that level V' < 0 while anything moves, "
             "and LaSalle "
             "leaves E");
    } else {
        REASON("condition (31) fails: friction does not act on a direction in which C feeds energy in");
    }
    if (modes->held_grows && !a->refuted) {
        a->origin_stable = SS_NO;
        STEP("with all rough contacts held a mode grows: the center is not stable");
    }
}

static void conclude_outside(ss_cert* c, const ss_cert_modes* modes)
{
    ss_certificate* a = &c->answer;
    REASON("outside the theorems: %s", c->s.outside);
    if (!c->s.autonomous || !modes->untouched_grows) return;
    a->refuted = true;
    a->origin_stable = a->bounded = SS_NO;
    STEP("a mode that no contact touches grows like exp(%.6g t): no equilibrium attracts", modes->growth);
}

bool ss_cert_conclude(ss_cert* c, const ss_cert_modes* modes)
{
    ss_certificate* a = &c->answer;
    if (c->s.outside) {
        conclude_outside(c, modes);
        return !c->pool.failed;
    }
    report_system(c);
    report_damping(c);
    if (a->not_positive == 0) {
        assure(c, SS_GLOBAL, 2);
        a->rho_star = INFINITY;
        a->set.inside_region = SS_YES;
        REASON("M, K and C are positive definite: by Theorem 2, E attracts every motion");
        STEP("V' < 0 while anything moves: LaSalle on every level of V leaves E (Theorem 2)");
    } else if (a->eigenvalues[0] >= 0.0) {
        conclude_passive(c, modes);
    } else {
        report_set(c);
        if (a->condition_31 == SS_YES)
            conclude_local(c);
        else
            conclude_silent(c, modes);
        report_level(c);
    }
    return !c->pool.failed;
}
