// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// ss_certify: reads the system, computes what the theorems need, concludes. docs/theory/certificates.md tells
// the mathematics.
#include "lab/certify/certify.h"

#include "core/definition.h"
#include "core/error.h"
#include "lab/algebra.h"
#include "model/model_impl.h"

#include <math.h>
#include <stdlib.h>

const char* ss_verdict_name(ss_verdict verdict)
{
    switch (verdict) {
    case SS_GLOBAL: return "global";
    case SS_LOCAL: return "local";
    case SS_LOCAL_SUBSET: return "local-subset";
    case SS_NOT_ASSURED: break;
    }
    return "not-assured";
}

// Modes decide where the theorems do not: passive systems, condition (31) not met, weak springs.
static bool needs_modes(const ss_cert* c)
{
    const ss_certificate* a = &c->answer;
    bool passive = a->not_positive > 0 && a->eigenvalues[0] == 0.0;
    return c->s.outside || passive || a->condition_31 == SS_NO;
}

static ss_status judge(ss_cert* c, const ss_model* model, const ss_certify_def* def, ss_error* err)
{
    ss_cert_modes modes = {0};
    bool good = ss_cert_gather(c, model);
    if (c->s.mass_is_singular)
        return ss_fail(err, SS_BAD_INPUT, "matrices.M", "the mass matrix is singular to rounding");
    c->answer.n = c->s.n;
    c->answer.contacts = c->s.m;
    good = good && ss_cert_damping(c) && ss_cert_set(c, def->vertices) && ss_cert_level(c);
    if (good && needs_modes(c)) good = ss_cert_judge_modes(c, &modes);
    good = good && ss_cert_conclude(c, &modes);
    if (!good || c->pool.failed) return ss_fail_no_memory(err);
    c->answer.steps = c->steps;
    return SS_OK;
}

ss_status ss_certify(const ss_model* model, const ss_certify_def* given, ss_certificate** out, ss_error* err)
{
    ss_certify_def own = ss_certify_def_default();
    const ss_certify_def* def = &own;
    ss_status taken = ss_take_def(&own, sizeof own, given, "ss_certify_def_default", err);
    if (taken != SS_OK) return taken;
    if (!model || !out)
        return ss_fail(err, SS_BAD_INPUT, NULL, "a model and a place for the answer are needed");
    *out = NULL;
    ss_cert* c = calloc(1, sizeof *c);
    if (!c) return ss_fail_no_memory(err);
    double* numbers[] = {&c->answer.beta,       &c->answer.rho_star,       &c->answer.rho_energy,
                         &c->answer.paper_beta, &c->answer.paper_rho_star, &c->answer.set.max_energy};
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) *numbers[k] = NAN;
    ss_status status = judge(c, model, def, err);
    if (status == SS_OK)
        *out = &c->answer;
    else
        ss_certificate_destroy(&c->answer);
    return status;
}

// A body on a plane has no springs: the theorems do not know it, and every place is an equilibrium.
ss_certificate ss_certificate_of_slider(void)
{
    return (ss_certificate){
        .verdict = SS_NOT_ASSURED,
        .reason = "outside the theorems: a body sliding on a plane is held by no spring",
        .beta = NAN,
        .rho_star = NAN,
        .rho_energy = NAN,
        .paper_beta = NAN,
        .paper_rho_star = NAN,
    };
}

void ss_certificate_destroy(ss_certificate* certificate)
{
    if (!certificate) return;
    ss_cert* c = (ss_cert*)certificate;
    ss_pool_free(&c->pool);
    free(c);
}
