// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The few functions of LAPACKE that the laboratory calls, by our own algebra, where there is no LAPACK (in a
// browser). This folder then stands in the include path in place of the system's lapacke.h. Arguments and
// answers are those of LAPACK; matrices have no gaps between their rows or columns.
#ifndef SLIPSTICK_LAB_BARE_LAPACKE_H
#define SLIPSTICK_LAB_BARE_LAPACKE_H

typedef int lapack_int;

enum { LAPACK_ROW_MAJOR = 101, LAPACK_COL_MAJOR = 102 };
enum { LAPACK_WORK_MEMORY_ERROR = -1010, LAPACK_TRANSPOSE_MEMORY_ERROR = -1011 };

/// Symmetric eigenproblem with vectors (job 'V'), which come out in the columns.
int LAPACKE_dsyev(int layout, char job, char triangle, int n, double a[], int lda, double values[]);
/// Eigenvalues alone (jobs 'N').
int LAPACKE_dgeev(int layout, char left_job, char right_job, int n, double a[], int lda, double real[],
                  double imaginary[], double left[], int ldl, double right[], int ldr);
/// By rows; jobs 'A' (all vectors) or 'N' (none). unused: work of LAPACK's iteration.
int LAPACKE_dgesvd(int layout, char left_job, char right_job, int rows, int columns, double a[], int lda,
                   double values[], double left[], int ldl, double right[], int ldr, double unused[]);
/// Least squares of least norm, by rows.
int LAPACKE_dgelsd(int layout, int rows, int columns, int sides, double a[], int lda, double b[], int ldb,
                   double values[], double limit, int* rank);
int LAPACKE_dpotrf(int layout, char triangle, int n, double a[], int lda);
int LAPACKE_dgetrf(int layout, int rows, int columns, double a[], int lda, int pivots[]);
int LAPACKE_dgetrs(int layout, char transposed, int n, int sides, const double a[], int lda,
                   const int pivots[], double b[], int ldb);
int LAPACKE_dgesv(int layout, int n, int sides, double a[], int lda, int pivots[], double b[], int ldb);

#endif
