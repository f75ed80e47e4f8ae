// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Answers of `surface` for people.
#ifndef SLIPSTICK_CLI_SURFACE_TEXT_H
#define SLIPSTICK_CLI_SURFACE_TEXT_H

#include "slipstick/slipstick.h"
#include "slipstick/surface.h"

#include <stdio.h>

void cli_load_text(const double motion[3], const ss_sliding_load* answer, FILE* out);
void cli_push_text(const ss_push_answer* answer, FILE* out);
void cli_first_motion_text(const ss_first_motion* answer, FILE* out);
/// shares (may be NULL): of the sphere of motions, one per direction.
void cli_eigen_text(const ss_eigen_set* set, const double shares[], FILE* out);
void cli_faces_text(const ss_facet facets[], int count, const ss_vertex_set* vertices, FILE* out);

#endif
