// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The algebra of the page under other names, so that it stands beside LAPACKE in one program.
#define LAPACKE_dsyev  bare_dsyev
#define LAPACKE_dgeev  bare_dgeev
#define LAPACKE_dgesvd bare_dgesvd
#define LAPACKE_dgelsd bare_dgelsd
#define LAPACKE_dpotrf bare_dpotrf
#define LAPACKE_dgetrf bare_dgetrf
#define LAPACKE_dgetrs bare_dgetrs
#define LAPACKE_dgesv  bare_dgesv

#include "lab/bare/lapacke.c" // NOLINT(bugprone-suspicious-include): its names are changed above
