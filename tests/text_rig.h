// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Models of tests as text, in the language of model files. Anything that cannot be read fails the test at
// once and says why.
#ifndef TESTS_TEXT_RIG_H
#define TESTS_TEXT_RIG_H

#include "slipstick/lab.h"

ss_document* text_document(const char* yaml);
ss_model* text_model(const char* yaml);
/// The same with "slipstick: 1" and a title before it.
ss_model* text_parts_model(const char* parts);
/// A run of the model, with or without the energy ledger.
ss_sim* text_run(const ss_model* model, bool ledger, double tolerance);
/// Takes the run on to that time, in s; an error fails the test.
void text_run_to(ss_sim* sim, double until);
/// A map of the document over these axes.
ss_basin* text_basin(const ss_document* document, const ss_basin_axis axes[], int count);

#endif
