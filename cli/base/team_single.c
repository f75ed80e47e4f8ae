// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// A team of one: slipstick without MPI.
#include "base/team.h"

void cli_team_begin(int* argc, char*** argv)
{
    (void)argc;
    (void)argv;
}

int cli_team_end(int status) { return status; }
int cli_team_rank(void) { return 0; }
int cli_team_size(void) { return 1; }
int cli_team_agree(int status) { return status; }

ss_status cli_team_compute(const ss_basin* basin, const ss_basin_run_def* def, const ss_basin_done* done,
                           ss_basin_counts* counts, ss_error* err)
{
    return ss_basin_run_rest(basin, def, done, counts, err);
}
