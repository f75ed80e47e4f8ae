// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The model inside an FMU: one text file in resources/ that holds the model's document as a list of nodes,
// the changes of --set, and which of its numbers are parameters. Whoever writes it has read a YAML file;
// whoever reads it needs the C library alone.
//
//     slipstick-fmu 1
//     token {0123456789abcdef0123456789abcdef}
//     name two-blocks.yaml
//     parameter <tab> tunable <tab> contacts.floor1.friction
//     set <tab> contacts.floor1.friction <tab> 2
//     tolerance <tab> 1e-10
//     size <tab> of the first continuous state, as a number
//     node <tab> depth <tab> kind <tab> line <tab> column <tab> text column <tab> key line <tab> key column
//          <tab> key <tab> text
//
// In names, keys and texts a backslash, a tab and the ends of lines are written \\ \t \n \r.
#ifndef SLIPSTICK_FMU_RESOURCE_H
#define SLIPSTICK_FMU_RESOURCE_H

#include "slipstick/slipstick.h"

enum { FMU_TOKEN = 40 };

/// A number of the model that an importer may set.
typedef struct fmu_parameter {
    char* path;
    bool tunable; ///< also while it runs; otherwise up to the end of the initialisation
    double value; ///< SI, as the document has it
    ss_dimension dimension;
    bool has_unit;
} fmu_parameter;

typedef struct fmu_resource {
    ss_document* document; ///< with the changes of --set
    char token[FMU_TOKEN];
    fmu_parameter* parameters;
    int parameter_count;
    double* sizes; ///< of continuous states, as ss_exchange_sizes has them
    int size_count;
    double tolerance; ///< of the solver inside
} fmu_resource;

/// What a resource is made of. Texts are borrowed.
typedef struct fmu_resource_def {
    const ss_document* document; ///< without the changes
    const char* const* sets;     ///< PATH=VALUE
    int set_count;
    const char* const* paths; ///< of parameters
    const bool* tunable;      ///< one for each path
    int path_count;
    const double* sizes; ///< of continuous states; written with three digits
    int size_count;
    double tolerance; ///< 0: the usual one
} fmu_resource_def;

/// The text of a resource, to be freed; NULL without memory. Its token is a hash of the rest.
char* fmu_resource_write(const fmu_resource_def* def);
/// Reads a text that ends in NUL.
ss_status fmu_resource_read(const char* text, fmu_resource* out, ss_error* err);
void fmu_resource_free(fmu_resource* resource);

/// Where the loads on a slider stand: force x, force y, moment.
extern const char* const fmu_applied_paths[3];

/// The node at a path such as "connections[0].damping", or NULL.
const ss_node* fmu_find_node(const ss_document* document, const char* path);
/// The number at a path, in SI.
ss_status fmu_find_number(const ss_document* document, const char* path, double* value,
                          ss_dimension* dimension, bool* has_unit, ss_error* err);

#endif
