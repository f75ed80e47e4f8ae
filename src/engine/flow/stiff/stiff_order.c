// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Large models with stiff bristles: chains and the like, in which a body acts on a few neighbours only. In
// the order of the bodies, each bristle beside its body, Newton's matrix is a band.
#include "engine/flow/stiff.h"

#include <stdlib.h>

// Coordinates in their order, each followed by the bristles of contacts whose first coordinate it is.
static void place_states(const ss_model* model, const ss_law_series* laws, int place[])
{
    int n = model->n, next = 0;
    for (int i = 0; i <= n; i++) { // n: bristles that no coordinate moves
        if (i < n) place[i] = next++;
        for (int j = 0; j < laws->bristle_count; j++) {
            const ss_row* row = &model->contacts[laws->bristles[j].contact].q;
            int first = row->count > 0 ? row->index[0] : n;
            if (first == i) place[n + j] = next++;
        }
    }
}

static int farther(int most, const int place[], int a, int b)
{
    int distance = abs(place[a] - place[b]);
    return distance > most ? distance : most;
}

// What acts along one row and moves another.
static int between_rows(int most, const int place[], const ss_row* moved, const ss_row* along)
{
    for (int k = 0; k < moved->count; k++)
        for (int l = 0; l < along->count; l++) most = farther(most, place, moved->index[k], along->index[l]);
    return most;
}

static int of_contacts(const ss_model* model, const ss_step* step, int most, const int place[])
{
    for (int i = 0; i < model->contact_count; i++) {
        const ss_contact* contact = &model->contacts[i];
        most = between_rows(most, place, &contact->mobility, &contact->q);
        if (!ss_is_bristle(step, i)) continue;
        int z = model->n + step->laws.bristle_at[i];
        for (int k = 0; k < contact->q.count; k++) most = farther(most, place, z, contact->q.index[k]);
        for (int k = 0; k < contact->mobility.count; k++)
            most = farther(most, place, z, contact->mobility.index[k]);
    }
    return most;
}

// Contacts that can hold pass on what acts on one state of their group to all others: how far that is.
static int spread_of_groups(const ss_model* model, const ss_step* step, const int place[])
{
    int most = 0;
    for (int g = 0; g < model->group_count; g++) {
        const ss_group* group = &model->groups[g];
        int first = model->n + step->laws.bristle_count, last = -1;
        bool holds = false;
        for (int c = 0; c < group->count; c++) {
            const ss_row* moved = &model->contacts[group->contacts[c]].mobility;
            holds = holds ||
                    !(ss_is_bristle(step, group->contacts[c]) || ss_is_elastic(step, group->contacts[c]));
            for (int k = 0; k < moved->count; k++) {
                int at = place[moved->index[k]];
                first = at < first ? at : first;
                last = at > last ? at : last;
            }
        }
        if (holds && last - first > most) most = last - first;
    }
    return most;
}

int ss_stiff_order(const ss_model* model, const ss_step* step, int place[])
{
    int most = 0;
    place_states(model, &step->laws, place);
    for (int i = 0; i < model->n; i++)
        for (int l = model->matrices.flow.start[i]; l < model->matrices.flow.start[i + 1]; l++)
            most = farther(most, place, i, model->matrices.flow.index[l]);
    for (int c = 0; c < model->connection_count; c++)
        most = between_rows(most, place, &model->connections[c].mobility, &model->connections[c].q);
    most = of_contacts(model, step, most, place) + spread_of_groups(model, step, place);
    return SS_STAGES * most + SS_STAGES - 1;
}
