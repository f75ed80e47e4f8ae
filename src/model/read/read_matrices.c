// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Coordinates by matrices [VL04, (15)]: M q'' + C q' + K q = f + W lambda. They may be lengths or angles, so
// the power of the metre in a unit is free within what both together allow. Matrices are written out, row by
// row, or come as arrays, in SI units: from files, or from a front end.
#include "core/tolerance.h"
#include "model/model_impl.h"
#include "model/read/read.h"

#include <math.h>
#include <string.h>

// What units the entries of a matrix may have: kg and s as given, m from `least` to `most`.
typedef struct entry_kind {
    const char* name;
    double kg, s, least, most;
    const char* unit; // what errors expect
} entry_kind;

static const entry_kind mass_kind = {"M", 1, 0, 0, 2, "kg"};
static const entry_kind damping_kind = {"C", 1, -1, 0, 2, "N*s/m"};
static const entry_kind stiffness_kind = {"K", 1, -2, 0, 2, "N/m"};
static const entry_kind direction_kind = {"W", 0, 0, -1, 1, "no unit"};
static const entry_kind transform_kind = {"T", 0, 0, -1, 1, "no unit"};
static const entry_kind force_kind = {"f", 1, -2, 1, 2, "N"};
static const entry_kind friction_kind = {"friction", 1, -2, 1, 2, "N"};
static const entry_kind position_kind = {"x", 0, 0, 0, 1, "m"};
static const entry_kind speed_kind = {"v", 0, -1, 0, 1, "m/s"};

static ss_status read_entry(ss_reader* r, const ss_node* node, const entry_kind* kind, double* out)
{
    ss_dimension d = ss_plain;
    bool has_unit = false;
    ss_status status = ss_read_any(r, node, out, &d, &has_unit);
    if (status != SS_OK || !has_unit || *out == 0.0) return status;
    bool fits = d.A == 0.0 && fabs(d.kg - kind->kg) < SS_SAME && fabs(d.s - kind->s) < SS_SAME &&
                d.m > kind->least - SS_SAME && d.m < kind->most + SS_SAME;
    if (fits) return SS_OK;
    char unit[40];
    return ss_read_fail(r, node, "expected %s, not %s", kind->unit,
                        ss_dimension_format(d, unit, sizeof unit));
}

static ss_status require(ss_reader* r, const ss_node* owner, const entry_kind* kind, const char* what)
{
    return ss_read_fail_missing(r, owner, kind->name, "is missing; expected %s", what);
}

// The array in the place of a node; NULL for a node that is written out. An error where a file is named that
// nobody has read.
static ss_status find_array(ss_reader* r, const ss_node* node, const ss_matrix_def** out)
{
    static const char* const keys[] = {"file", "variable", NULL};
    *out = ss_node_array(node);
    ss_status status = node->kind == SS_NODE_MAP ? ss_read_keys(r, node, keys) : SS_OK;
    if (status != SS_OK || *out || node->kind != SS_NODE_MAP || node->count == 0) return status;
    return ss_read_fail(r, node,
                        "files of matrices are read by the program and by Python, not here; write "
                        "the matrix out");
}

// An array that has `rows` rows (< 0: any) and *columns columns (< 0: taken from it).
static ss_status take_array(ss_reader* r, const ss_node* node, const ss_matrix_def* array, int rows,
                            int* columns, ss_matrix_def* out)
{
    if (rows >= 0 && array->rows != rows)
        return ss_read_fail(r, node, "expected %d %s, as many as M has, found %d", rows,
                            rows == 1 ? "row" : "rows", array->rows);
    if (*columns >= 0 && array->columns != *columns)
        return ss_read_fail(r, node, "expected %d %s, found %d", *columns,
                            *columns == 1 ? "column" : "columns", array->columns);
    *columns = array->columns;
    *out = *array;
    return SS_OK;
}

// A row or a column of numbers.
static ss_status take_vector(ss_reader* r, const ss_node* node, const ss_matrix_def* array, int count,
                             const char* why, const double** out)
{
    int rows = array->rows, columns = array->columns;
    if (!((rows == count && columns == 1) || (rows == 1 && columns == count)))
        return ss_read_fail(r, node, "expected %d %s (%s), found an array of %d x %d", count,
                            count == 1 ? "entry" : "entries", why, rows, columns);
    double* values = ss_pool_new(&r->pool, (size_t)count, sizeof *values);
    if (!values) return ss_fail_no_memory(&r->error);
    for (size_t k = 0; k < array->count; k++)
        values[array->row ? array->row[k] + array->column[k] : (int)k] += array->value[k];
    *out = values;
    return SS_OK;
}

static ss_status read_vector(ss_reader* r, const ss_node* list, const entry_kind* kind, int count,
                             const char* why, const double** out)
{
    const ss_matrix_def* array;
    ss_status status = find_array(r, list, &array);
    if (status != SS_OK || array)
        return status == SS_OK ? take_vector(r, list, array, count, why, out) : status;
    if (list->kind != SS_NODE_LIST) {
        if (!ss_read_is_empty(list) || count > 0)
            return ss_read_fail(r, list, "expected a list of %d numbers", count);
    } else if (list->count != count) {
        return ss_read_fail(r, list, "expected %d %s (%s), found %d", count, count == 1 ? "entry" : "entries",
                            why, list->count);
    }
    double* values = ss_pool_new(&r->pool, (size_t)count, sizeof *values);
    if (!values) return ss_fail_no_memory(&r->error);
    *out = values;
    for (const ss_node* node = list->first; node && status == SS_OK; node = node->next)
        status = read_entry(r, node, kind, &values[node->index]);
    return status;
}

// A matrix with the given number of rows; *columns < 0 takes the number of the first row.
static ss_status read_matrix(ss_reader* r, const ss_node* list, const entry_kind* kind, int rows,
                             int* columns, ss_matrix_def* out)
{
    const ss_matrix_def* array;
    ss_status status = find_array(r, list, &array);
    if (status != SS_OK || array)
        return status == SS_OK ? take_array(r, list, array, rows, columns, out) : status;
    if (list->kind != SS_NODE_LIST || !list->first || list->first->kind != SS_NODE_LIST)
        return ss_read_fail(r, list, "expected a list of rows such as [[1, 0], [0, 1]]");
    if (list->count != rows)
        return ss_read_fail(r, list, "expected %d %s, as many as M has, found %d", rows,
                            rows == 1 ? "row" : "rows", list->count);
    if (*columns < 0) *columns = list->first->count;
    size_t width = (size_t)*columns;
    double* values = ss_pool_new(&r->pool, (size_t)rows * width, sizeof *values);
    if (!values) return ss_fail_no_memory(&r->error);
    for (const ss_node* row = list->first; row; row = row->next) {
        if (row->kind != SS_NODE_LIST) return ss_read_fail(r, row, "expected a row, a list of numbers");
        if (row->count != *columns)
            return ss_read_fail(r, row, "expected %d %s, found %d", *columns,
                                *columns == 1 ? "entry" : "entries", row->count);
        for (const ss_node* node = row->first; node; node = node->next) {
            size_t at = (size_t)row->index * width + (size_t)node->index;
            status = read_entry(r, node, kind, &values[at]);
            if (status != SS_OK) return status;
        }
    }
    *out = ss_matrix_whole(rows, *columns, values);
    return SS_OK;
}

static const ss_node* entry_at(const ss_node* matrix, int i, int j)
{
    const ss_node* row = matrix->first;
    while (i-- > 0) row = row->next;
    const ss_node* entry = row->first;
    while (j-- > 0) entry = entry->next;
    return entry;
}

// Of a matrix that is written out; of others the model says what is wrong.
static ss_status check_symmetric(ss_reader* r, const ss_node* matrix, const double* a, int n)
{
    if (matrix->kind != SS_NODE_LIST) return SS_OK;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) {
            double lower = a[(size_t)i * (size_t)n + (size_t)j], upper = a[(size_t)j * (size_t)n + (size_t)i];
            if (fabs(lower - upper) <= SS_RELATIVE_ZERO * fmax(fabs(lower), fabs(upper))) continue;
            bool blame_upper = entry_at(matrix, j, i)->option && !entry_at(matrix, i, j)->option;
            int row = blame_upper ? j : i, column = blame_upper ? i : j;
            return ss_read_fail(r, entry_at(matrix, row, column),
                                "must equal %s[%d][%d] (%g): %s is symmetric", matrix->key, column, row,
                                blame_upper ? lower : upper, matrix->key);
        }
    }
    return SS_OK;
}

static ss_status read_square(ss_reader* r, const ss_node* owner, const entry_kind* kind, ss_matrix_def* out)
{
    const ss_node* node = ss_node_find(owner, kind->name);
    int n = r->matrices.M.rows;
    if (!node) return require(r, owner, kind, "a square matrix");
    return read_matrix(r, node, kind, n, &n, out);
}

// M comes first: it tells the size of all others.
static ss_status read_mass(ss_reader* r, const ss_node* owner)
{
    const ss_node* node = ss_node_find(owner, "M");
    if (!node) return require(r, owner, &mass_kind, "the mass matrix such as [[1, 0], [0, 1]]");
    const ss_matrix_def* array;
    ss_status status = find_array(r, node, &array);
    if (status != SS_OK) return status;
    if (!array && (node->kind != SS_NODE_LIST || node->count == 0))
        return ss_read_fail(r, node, "expected a list of rows such as [[1, 0], [0, 1]], or {file: M.mtx}");
    r->matrices.M.rows = array ? array->rows : node->count;
    status = read_square(r, owner, &mass_kind, &r->matrices.M);
    return status == SS_OK ? check_symmetric(r, node, r->matrices.M.value, r->matrices.M.rows) : status;
}

// C: {rayleigh: [alpha, beta]} is alpha M + beta K.
static ss_status read_rayleigh(ss_reader* r, const ss_node* list)
{
    if (list->kind != SS_NODE_LIST || list->count != 2)
        return ss_read_fail(r, list, "expected two numbers, of M in 1/s and of K in s");
    ss_status status = ss_read_number(r, list->first, ss_per_time(ss_plain), &r->matrices.rayleigh[0]);
    return status == SS_OK ? ss_read_number(r, list->last, ss_time, &r->matrices.rayleigh[1]) : status;
}

// C: {modal: 0.01}, or a list by frequency.
static ss_status read_modal(ss_reader* r, const ss_node* given)
{
    bool list = given->kind == SS_NODE_LIST;
    if (given->kind == SS_NODE_MAP || (list && given->count == 0))
        return ss_read_fail(r, given, "expected a damping ratio such as 0.01, or a list of them");
    int count = list ? given->count : 1;
    double* ratios = ss_pool_new(&r->pool, (size_t)count, sizeof *ratios);
    if (!ratios) return ss_fail_no_memory(&r->error);
    ss_status status = SS_OK;
    for (const ss_node* node = list ? given->first : given; node && status == SS_OK;
         node = list ? node->next : NULL)
        status = ss_read_number(r, node, ss_plain, &ratios[list ? node->index : 0]);
    r->matrices.modal = ratios;
    r->matrices.modal_count = count;
    return status;
}

static ss_status read_damping(ss_reader* r, const ss_node* owner)
{
    static const char* const keys[] = {"rayleigh", "modal", NULL};
    const ss_node* node = ss_node_find(owner, "C");
    if (!node) return SS_OK;
    if (node->kind != SS_NODE_MAP || ss_read_is_empty(node) || ss_node_array(node))
        return read_square(r, owner, &damping_kind, &r->matrices.C);
    ss_status status = ss_read_keys(r, node, keys);
    const ss_node *rayleigh = ss_node_find(node, "rayleigh"), *modal = ss_node_find(node, "modal");
    if (status == SS_OK && rayleigh) status = read_rayleigh(r, rayleigh);
    return status == SS_OK && modal ? read_modal(r, modal) : status;
}

static ss_status read_stiffness(ss_reader* r, const ss_node* owner)
{
    ss_status status = read_square(r, owner, &stiffness_kind, &r->matrices.K);
    if (status != SS_OK) return status;
    return check_symmetric(r, ss_node_find(owner, "K"), r->matrices.K.value, r->matrices.M.rows);
}

static ss_status read_columns(ss_reader* r, const ss_node* owner)
{
    const ss_node *W = ss_node_find(owner, "W"), *friction = ss_node_find(owner, "friction");
    int columns = -1;
    if (!W && !friction) return SS_OK;
    if (!W) return require(r, owner, &direction_kind, "a row per coordinate, a column per contact");
    if (!friction) return require(r, owner, &friction_kind, "a list with the friction of each contact");
    ss_status status = read_matrix(r, W, &direction_kind, r->matrices.M.rows, &columns, &r->matrices.W);
    if (status != SS_OK) return status;
    status = read_vector(r, friction, &friction_kind, columns, "one per column of W", &r->matrices.friction);
    for (const ss_node* node = friction->first; node && status == SS_OK; node = node->next)
        if (r->matrices.friction[node->index] < 0.0)
            status =
                ss_read_fail_range(r, node, "must not be negative (%g)", r->matrices.friction[node->index]);
    return status;
}

static ss_status read_transform(ss_reader* r, const ss_node* T)
{
    int columns = -1;
    if (!T) return SS_OK;
    ss_status status = read_matrix(r, T, &transform_kind, r->matrices.M.rows, &columns, &r->matrices.T);
    if (status == SS_OK && (columns < 1 || columns > r->matrices.M.rows))
        return ss_read_fail(r, T, "expected at most %d columns, as many as it has rows, found %d",
                            r->matrices.M.rows, columns);
    return status;
}

ss_status ss_read_matrices(ss_reader* r)
{
    static const char* const keys[] = {"M", "C", "K", "W", "friction", "T", "f", "names", "reduce", NULL};
    const ss_node* owner = ss_node_find(r->root, "matrices");
    ss_status status = ss_read_expect(r, owner, SS_NODE_MAP, "{M: .., K: .., W: .., friction: ..}");
    if (status == SS_OK) status = ss_read_keys(r, owner, keys);
    if (status == SS_OK) status = read_mass(r, owner);
    if (status == SS_OK) status = read_damping(r, owner);
    if (status == SS_OK) status = read_stiffness(r, owner);
    if (status == SS_OK) status = read_columns(r, owner);
    if (status == SS_OK) status = read_transform(r, ss_node_find(owner, "T"));
    const ss_node* f = ss_node_find(owner, "f");
    if (status == SS_OK && f)
        status = read_vector(r, f, &force_kind, r->matrices.M.rows, "one per row of M", &r->matrices.f);
    if (status != SS_OK) return status;
    r->def.matrices = &r->matrices;
    return ss_read_coordinates(r, owner);
}

ss_status ss_read_coordinate_start(ss_reader* r, const ss_node* node, ss_body_def* body)
{
    static const char* const keys[] = {"x", "v", NULL};
    if (ss_read_is_empty(node)) return SS_OK;
    ss_status status = ss_read_expect(r, node, SS_NODE_MAP, "{x: 1, v: 0}");
    if (status == SS_OK) status = ss_read_keys(r, node, keys);
    const ss_node *x_node = ss_node_find(node, "x"), *v_node = ss_node_find(node, "v");
    if (status == SS_OK && x_node) status = read_entry(r, x_node, &position_kind, &body->start_x);
    if (status == SS_OK && v_node) status = read_entry(r, v_node, &speed_kind, &body->start_v);
    return status;
}
