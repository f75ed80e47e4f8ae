// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Those who work on one command together: the ranks of an MPI job in slipstick-mpi, this process alone in
// slipstick. Rank 0 speaks, reads and writes files; the others compute.
#ifndef SLIPSTICK_CLI_TEAM_H
#define SLIPSTICK_CLI_TEAM_H

#include "slipstick/map.h"

/// Joins the team; before anything else.
void cli_team_begin(int* argc, char*** argv);
/// Leaves it with this exit status, and returns the status to exit with.
int cli_team_end(int status);

int cli_team_rank(void);
int cli_team_size(void);

/// Whether all can go on: each gives its status (CLI_GO_ON, or one to exit with after having told why) and
/// gets CLI_GO_ON only where all gave that. Otherwise a status to exit with, and the reason has been told.
int cli_team_agree(int status);

/// ss_basin_run_rest with the help of all: rank 0 has the sink, the others serve until it is done. threads 0:
/// all cores, shared fairly by the ranks of a machine.
ss_status cli_team_compute(const ss_basin* basin, const ss_basin_run_def* def, const ss_basin_done* done,
                           ss_basin_counts* counts, ss_error* err);

#endif
