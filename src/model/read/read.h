// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Reading a document into a definition: what the readers of the sections share. Each returns a status; on a
// fault the reader's error names file, line, column and field, or the option (--set) that brought it in.
#ifndef SLIPSTICK_MODEL_READ_H
#define SLIPSTICK_MODEL_READ_H

#include "core/error.h"
#include "core/expression/unit.h"
#include "core/pool.h"
#include "core/words.h"
#include "model/read/node.h"
#include "slipstick/model.h"

typedef struct ss_reader {
    const ss_document* document;
    const ss_node* root;
    ss_pool pool; ///< holds the definition until the model is made
    struct ss_signal_list* signals;
    ss_parameter* parameters;
    int parameter_count;
    const ss_node* bodies_node;   ///< a map, or NULL; entry k is body coordinates + body_at[k]
    int* body_at;                 ///< bodies of the plane take three
    const ss_point_def* points;   ///< in the order of the map
    const ss_node* names_node;    ///< names of coordinates of matrices: a map, a list, or NULL
    ss_body_def* bodies;          ///< coordinates of matrices, then those of bodies_node
    int coordinates;              ///< of matrices, modes of a reduction included
    int numbered;                 ///< the same without modes: q1, q2, ..
    ss_words names;               ///< of those that have one,
    int* named;                   ///< and the coordinate of each
    const ss_node* contacts_node; ///< a map, or NULL; the index of an entry is the index of the contact
    ss_contact_def* contacts;
    ss_matrices_def matrices;
    ss_system_def def;
    const ss_node* asked;  ///< whose dimension somebody wants to know, or NULL
    ss_dimension expected; ///< of it,
    bool expects;          ///< where reading came to it
    ss_error error;
} ss_reader;

/// The dimension that a number must have where it stands; false where it may have any.
bool ss_document_expects(const ss_document* document, const ss_node* node, ss_dimension* out);

// Dimensions (read_number.c). A row has the dimension of a length or of an angle (a plain number); what acts
// along it follows from energy = force * row.
extern const ss_dimension ss_plain, ss_length, ss_time, ss_mass, ss_inertia;
ss_dimension ss_dimension_of(double m, double kg, double s);
ss_dimension ss_per_time(ss_dimension dimension);  ///< divided by s
ss_dimension ss_force_along(ss_dimension row);     ///< N, or N*m
ss_dimension ss_stiffness_along(ss_dimension row); ///< N/m, or N*m (per rad)
ss_dimension ss_damping_along(ss_dimension row);   ///< N*s/m, or N*m*s
ss_dimension ss_cubic_along(ss_dimension row);     ///< N/m^3, or N*m

// Faults (read_error.c).
/// At a node's value.
ss_status ss_read_fail(ss_reader* r, const ss_node* node, const char* format, ...) SS_PRINTF(3, 4);
/// The same of a number that its key does not admit, whatever the other numbers are.
ss_status ss_read_fail_range(ss_reader* r, const ss_node* node, const char* format, ...) SS_PRINTF(3, 4);
/// At a node's key; the field named is the map it stands in.
ss_status ss_read_fail_key(ss_reader* r, const ss_node* node, const char* format, ...) SS_PRINTF(3, 4);
/// At a node's key, and the field named is the node itself.
ss_status ss_read_fail_at_key(ss_reader* r, const ss_node* node, const char* format, ...) SS_PRINTF(3, 4);
/// Something is missing in a map; the field named is the missing one.
ss_status ss_read_fail_missing(ss_reader* r, const ss_node* map, const char* key, const char* format, ...)
    SS_PRINTF(4, 5);
/// Turns an error about a text (column = offset in it) into one about the node that holds it.
ss_status ss_read_fail_text(ss_reader* r, const ss_node* node);
/// A key that is none of the keys; with a suggestion, or what is expected.
ss_status ss_read_fail_unknown_key(ss_reader* r, const ss_node* node, const char* const keys[]);
/// Writes "; did you mean 'x'?" where a key of one of the maps (either may be NULL) or the extra word is
/// close to the word, else "". Returns out.
const char* ss_read_suggest(const char* word, const ss_node* map, const char* extra, char* out, size_t size);
/// The same among words (NULL-terminated).
const char* ss_read_suggest_word(const char* word, const char* const words[], char* out, size_t size);

// Structure (read_error.c).
bool ss_read_is_empty(const ss_node* node); ///< nothing, null, {} or []
/// The node must be a map (or a list) that holds something; `example` shows what is meant.
ss_status ss_read_expect(ss_reader* r, const ss_node* node, ss_node_kind kind, const char* example);
/// Every key of the map must be one of the keys (NULL-terminated).
ss_status ss_read_keys(ss_reader* r, const ss_node* map, const char* const keys[]);
/// A name that --set invented ("contacts.floor9.friction") is not one more entry but a mistake.
ss_status ss_read_no_invention(ss_reader* r, const ss_node* map, const char* what);

// Numbers (read_number.c).
ss_status ss_read_number(ss_reader* r, const ss_node* node, ss_dimension expected, double* out);
/// The number under a key; without the key *out stays as it is.
ss_status ss_read_optional(ss_reader* r, const ss_node* map, const char* key, ss_dimension expected,
                           double* out);
/// The same, where the key is needed.
ss_status ss_read_required(ss_reader* r, const ss_node* map, const char* key, ss_dimension expected,
                           double* out);
/// A position (per_time: a speed) of the dimension of a row or body: of an angle, faults speak of rad.
ss_status ss_read_coordinate(ss_reader* r, const ss_node* node, ss_dimension coordinate, bool per_time,
                             double* out);
ss_status ss_read_not_negative(ss_reader* r, const ss_node* node, double value, ss_dimension unit);
/// upper must be at least lower, which never is negative. The fault is told of the one an option changed,
/// otherwise of upper.
ss_status ss_read_order(ss_reader* r, const ss_node* upper_node, const char* upper_name, double upper,
                        const ss_node* lower_node, const char* lower_name, double lower, ss_dimension unit);
/// The number as the file has it, whatever options have changed; false where the file has none.
bool ss_read_original(ss_reader* r, const ss_node* node, double* out);
/// Whether the number is written with a unit, of this dimension.
bool ss_read_is_in(ss_reader* r, const ss_node* node, ss_dimension dimension);
/// A number whose unit tells what it is. A bare number from --set has the unit of the one it replaces.
ss_status ss_read_any(ss_reader* r, const ss_node* node, double* out, ss_dimension* dimension,
                      bool* has_unit);
/// A function of time: an expression or {table: [[t, x], ..]}. The reader owns it.
ss_status ss_read_signal(ss_reader* r, const ss_node* node, ss_dimension expected, const ss_signal** out);
/// The same where its unit tells what it is.
ss_status ss_read_any_signal(ss_reader* r, const ss_node* node, const ss_signal** out,
                             ss_dimension* dimension, bool* has_unit);
/// An expression in i as a signal of i, owned by the caller; NULL where it is no such function.
ss_status ss_read_index_signal(ss_reader* r, const ss_node* node, ss_dimension expected, ss_signal** out);
/// An expression in i for one value of i.
ss_status ss_read_at_index(ss_reader* r, const ss_node* node, ss_dimension expected, int i, double* out);
/// Makes the reader own a signal.
ss_status ss_read_keep_signal(ss_reader* r, ss_signal* signal);
void ss_read_drop_signals(ss_reader* r);
/// Writes "0.5 N". Returns out.
const char* ss_read_show(double value, ss_dimension dimension, char* out, size_t size);

/// Names of bodies and contacts, a key or an entry of a list, stand in paths, in JSON and in the heads of
/// columns.
ss_status ss_read_name(ss_reader* r, const ss_node* node);

// Rows (read_row.c): `between: [A, B]` or `along: {A: 1, B: 1}` of a connection or contact.
bool ss_read_is_point(const ss_reader* r, const char* name);
ss_status ss_read_body(ss_reader* r, const ss_node* node, int* body);
/// The body or coordinate of a name, -1 if there is none.
int ss_read_find_body(const ss_reader* r, const char* name);
ss_status ss_read_row(ss_reader* r, const ss_node* owner, ss_row_def* row, ss_dimension* dimension);
/// A map of bodies and factors.
ss_status ss_read_factors(ss_reader* r, const ss_node* map, ss_row_def* row, ss_dimension* dimension);

/// What every model file begins with: version, title, parameters, run, and which of bodies, matrices, slider
/// it has (read.c).
ss_status ss_read_head(ss_reader* r, const ss_node** form);
/// A fault found in the finished definition is told of the place in the document its field came from, or of
/// the option that changed something there (read.c).
ss_status ss_read_locate(ss_reader* r, ss_status status);

// Sections, in the order they are read.
ss_status ss_read_parameters(ss_reader* r); ///< read_number.c
ss_status ss_read_bodies(ss_reader* r);     ///< read_bodies.c
ss_status ss_read_start(ss_reader* r);      ///< read_bodies.c, needs bodies, contacts or matrices
ss_status ss_read_forces(ss_reader* r);     ///< read_bodies.c
// Bodies of the plane (read_plane.c).
ss_status ss_read_gravity(ss_reader* r);
ss_status ss_read_points(ss_reader* r); ///< needs bodies
bool ss_read_is_planar(const ss_node* node);
/// Its three coordinates.
ss_status ss_read_planar_body(ss_reader* r, const ss_node* node, ss_body_def body[]);
ss_status ss_read_planar_start(ss_reader* r, const ss_node* node, int body);
/// The x of a body of the plane; -1 if there is none.
int ss_read_find_planar(const ss_reader* r, const char* name, size_t length);
int ss_read_find_planar_coordinate(const ss_reader* r, const char* name); ///< "rod.angle"; -1 likewise
ss_status ss_read_point_name(ss_reader* r, const ss_node* name, int* point);
ss_status ss_read_planar_name(ss_reader* r, const ss_node* node, bool ground, int* body);
ss_status ss_read_at(ss_reader* r, const ss_node* node, double out[2]);   ///< [x, y]
ss_status ss_read_surfaces(ss_reader* r);                                 ///< read_joints.c
ss_status ss_read_joints(ss_reader* r);                                   ///< read_joints.c
bool ss_read_is_between_points(const ss_reader* r, const ss_node* owner); ///< it names a point
ss_status ss_read_between_points(ss_reader* r, const ss_node* owner, const int** out);
bool ss_read_is_planar_force(const ss_reader* r, const ss_node* node);
ss_status ss_read_planar_force(ss_reader* r, const ss_node* node, const ss_plane_force_def** out);

ss_status ss_read_ties(ss_reader* r);        ///< read_connections.c
ss_status ss_read_connections(ss_reader* r); ///< read_connections.c
ss_status ss_read_contacts(ss_reader* r);    ///< read_contacts.c
ss_status ss_read_matrices(ss_reader* r);    ///< read_matrices.c, before bodies
/// The start of a coordinate of matrices.
ss_status ss_read_coordinate_start(ss_reader* r, const ss_node* node, ss_body_def* body);
/// Names, modes and kept ones of the coordinates of `matrices` (read_coordinates.c).
ss_status ss_read_coordinates(ss_reader* r, const ss_node* matrices);
int ss_read_find_coordinate(const ss_reader* r, const char* name); ///< of matrices; -1 if there is none
bool ss_read_follows(const ss_reader* r, int coordinate);          ///< a reduction does not keep it
bool ss_read_is_column(const ss_reader* r, const char* name);      ///< "c1", "c2", .. of W
/// "; expected q1 to q4", where there are matrices and the name is none of them; else "". Returns out.
const char* ss_read_coordinates_text(const ss_reader* r, const char* name, char* out, size_t size);
/// The same of a body or coordinate (read_bodies.c).
ss_status ss_read_body_name(ss_reader* r, const ss_node* node);

#endif
