// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// What is allowed in a model but seldom meant, or good to know before trusting a run.
#include "answer/check_facts.h"
#include "core/algebra/dense.h"
#include "core/number_length.h"
#include "core/tolerance.h"
#include "law/table.h"
#include "model/model_impl.h"
#include "share/model_parts.h"
#include "share/node.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double far_apart = 1e8; // masses: half the digits of a double

static bool judge_masses(ss_facts* f)
{
    double least = INFINITY, most = 0;
    for (int i = 0; f->M && i < f->shown.n; i++) {
        least = fmin(least, f->M[i * f->shown.n + i]);
        most = fmax(most, f->M[i * f->shown.n + i]);
    }
    if (!(most > far_apart * least)) return true;
    return ss_facts_warn(f, "M is badly scaled: its diagonal reaches from %g to %g", least, most);
}

static bool judge_eigenvalues(ss_facts* f)
{
    if (!f->stiffness || f->shown.n == 0) return true;
    double round_off = SS_RELATIVE_ZERO;
    double c = f->damping[0], c_scale = fmax(fabs(c), fabs(f->damping[f->shown.n - 1]));
    double k = f->stiffness[0], k_scale = fmax(fabs(k), fabs(f->stiffness[f->shown.n - 1]));
    if (c < -round_off * c_scale &&
        !ss_facts_warn(f, "the damping feeds energy in: least eigenvalue of C against M is %g 1/s", c))
        return false;
    if (k < -round_off * k_scale &&
        !ss_facts_warn(f, "some spring pushes away: least eigenvalue of K against M is %g 1/s^2", k))
        return false;
    return true;
}

static bool judge_contact(ss_facts* f, int i)
{
    const ss_contact* contact = &f->shown.model->contacts[i];
    ss_law_said words = {.used = 0};
    ss_law_place place = ss_law_place_of(f->shown.model, i);
    ss_law_entry(contact->given)->report.say(ss_given_law(contact), &place, &words);
    return words.doubt[0] == '\0' || ss_facts_warn(f, "contacts.%s: %s", contact->name, words.doubt);
}

// Whether the friction forces are determined while all contacts stick: rank of the rows of W.
static bool judge_rank(ss_facts* f)
{
    int rough = 0, n = f->shown.n;
    if (!f->stiffness || f->shown.contacts > SS_CHECK_EIGENVALUES) return true;
    int* index = calloc((size_t)f->shown.contacts + 1, sizeof *index);
    if (!index) return false;
    for (int c = 0; c < f->shown.contacts; c++) {
        ss_law_kind law = ss_model_contact_law(f->shown.model, c);
        if (ss_law_has(law, SS_TRAIT_HOLDS)) index[rough++] = c;
    }
    size_t size = (size_t)rough * (size_t)rough;
    double *gram = calloc(size + 1, sizeof *gram), *inverse = calloc(size + 1, sizeof *inverse);
    double* work = calloc(2 * size + (size_t)rough + 1, sizeof *work);
    bool good = gram && inverse && work;
    for (int a = 0; good && a < rough; a++)
        for (int b = 0; b < rough; b++)
            for (int i = 0; i < n; i++)
                gram[a * rough + b] +=
                    f->W[i * f->shown.contacts + index[a]] * f->W[i * f->shown.contacts + index[b]];
    int rank =
        good && rough > 0 ? ss_pseudo_inverse(gram, rough, SS_RELATIVE_ZERO, inverse, NULL, work) : rough;
    if (good && rank < rough)
        good = ss_facts_warn(f,
                             "%d rough contacts act in %d independent directions: while all stick, some "
                             "forces are not determined (the motion is)",
                             rough, rank);
    free(index);
    free(gram);
    free(inverse);
    free(work);
    return good;
}

// Whether the expression uses the name as a parameter; right after a number a name is a unit.
static bool text_uses(const char* text, const char* name)
{
    size_t length = strlen(name);
    bool after_number = false;
    for (const char* p = text; *p;) {
        if (isalpha((unsigned char)*p) || *p == '_') {
            const char* start = p;
            while (isalnum((unsigned char)*p) || *p == '_') p++;
            if (!after_number && (size_t)(p - start) == length && strncmp(start, name, length) == 0)
                return true;
            after_number = false;
        } else if (isdigit((unsigned char)*p) || *p == '.') {
            size_t number = ss_number_length(p);
            p += number > 0 ? number : 1;
            after_number = true;
        } else {
            after_number = after_number && *p == ' ';
            p++;
        }
    }
    return false;
}

static bool node_uses(const ss_node* node, const char* name)
{
    if (ss_node_get_kind(node) == SS_NODE_SCALAR) return text_uses(ss_node_text(node), name);
    for (const ss_node* child = ss_node_first(node); child; child = ss_node_next(child))
        if (node_uses(child, name)) return true;
    return false;
}

// Looks everywhere but in the titles and in the parameter's own definition.
static bool document_uses(const ss_node* root, const ss_node* parameter)
{
    for (const ss_node* part = ss_node_first(root); part; part = ss_node_next(part)) {
        const char* key = ss_node_key(part);
        if (strcmp(key, "title") == 0) continue;
        if (strcmp(key, "parameters") != 0 && node_uses(part, ss_node_key(parameter))) return true;
        if (strcmp(key, "parameters") != 0) continue;
        for (const ss_node* other = ss_node_first(part); other; other = ss_node_next(other))
            if (other != parameter && node_uses(other, ss_node_key(parameter))) return true;
    }
    return false;
}

static bool judge_parameters(ss_facts* f, const ss_document* document)
{
    const ss_node* root = document ? ss_document_root(document) : NULL;
    const ss_node* parameters = root ? ss_node_find(root, "parameters") : NULL;
    if (!parameters || ss_node_get_kind(parameters) != SS_NODE_MAP) return true;
    for (const ss_node* p = ss_node_first(parameters); p; p = ss_node_next(p))
        if (!document_uses(root, p) && !ss_facts_warn(f, "parameters.%s is never used", ss_node_key(p)))
            return false;
    return true;
}

typedef struct doubt {
    ss_facts* facts;
    bool good;
} doubt;

static void keep_doubt(void* user, const char* text)
{
    doubt* d = user;
    d->good = d->good && ss_facts_warn(d->facts, "%s", text);
}

static bool judge_units(ss_facts* f, const ss_document* document)
{
    doubt d = {f, true};
    return !document || (ss_document_doubt_units(document, keep_doubt, &d) && d.good);
}

bool ss_facts_judge(ss_facts* facts, const ss_document* document)
{
    bool good = judge_masses(facts) && judge_eigenvalues(facts);
    for (int c = 0; good && c < facts->shown.contacts; c++) good = judge_contact(facts, c);
    if (good && facts->shown.contacts == 0) good = ss_facts_warn(facts, "no contacts: nothing rubs");
    if (good && !facts->M)
        good = ss_facts_warn(facts, "more than %d coordinates or contacts: matrices are not written out",
                             SS_CHECK_MATRICES);
    return good && judge_rank(facts) && judge_parameters(facts, document) && judge_units(facts, document);
}
