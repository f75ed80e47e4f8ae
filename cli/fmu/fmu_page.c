// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The page inside of an FMU: what the model is, its variables, and what to expect of it.
#include "fmu/describe.h"

static void put_row(const cli_description* d, const fmu_variable* v, fmu_buffer* out)
{
    fmu_put(out, "<tr><td><code>");
    fmu_put_xml(out, v->name);
    fmu_put(out, "</code></td><td>");
    fmu_put_xml(out, v->unit.known ? v->unit.name : fmu_is_mode(v) ? v->modes->name : "");
    fmu_put(out, "</td><td>");
    fmu_put_xml(out, v->about ? v->about : "");
    if (v->kind == FMU_PARAMETER)
        fmu_put(out,
                d->resource->parameters[v->index].tunable ? ", tunable" : ", fixed after the initialisation");
    fmu_put(out, "</td></tr>\n");
}

void cli_describe_page(const cli_description* d, fmu_buffer* out)
{
    fmu_put(out, "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>");
    fmu_put_xml(out, d->title);
    fmu_put(out, "</title></head><body>\n<h1>");
    fmu_put_xml(out, d->title);
    fmu_print(out, "</h1>\n<p>Made by Slipstick %s from the model ", ss_version());
    fmu_put_xml(out, d->name);
    fmu_put(
        out,
        ". Numbers are SI. Contacts stick: while a mode is <code>stick</code> the speed is exactly 0 and the "
        "force is whatever holds.</p>\n");
    fmu_put(out, "<p>Co-Simulation: the motion is solved inside, event by event; it does not depend on the "
                 "size of the "
                 "communication steps, only on when inputs change. ");
    if (d->version == 3)
        fmu_put(out,
                "With Event Mode a step ends early at every event; until the discrete states are updated the "
                "outputs are those just before it, then those just after it.");
    fmu_put(out, "</p>\n<p>Model Exchange: ");
    fmu_put_xml(
        out,
        d->variables->no_exchange
            ? d->variables->reason
            : "modes are discrete states; event indicators are speeds, gaps and the room of holding forces.");
    fmu_put(out, "</p>\n<table>\n<tr><th>variable</th><th>unit</th><th></th></tr>\n");
    for (int k = 0; k < d->variables->count; k++) put_row(d, &d->variables->at[k], out);
    fmu_put(out, "</table>\n</body></html>\n");
}
