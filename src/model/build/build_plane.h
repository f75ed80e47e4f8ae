// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Bodies of the plane in expressions: places of their points, and the forces that act at these.
#ifndef SLIPSTICK_MODEL_BUILD_PLANE_H
#define SLIPSTICK_MODEL_BUILD_PLANE_H

#include "model/build/open_names.h"

/// Whether the definition has bodies of the plane, or points.
bool ss_plane_exists(const ss_system_def* def);
/// Before the graph: points and the energies that gravity has; forces of a gravity that varies are added to
/// model->forces, which has room for them.
ss_status ss_plane_add_points(ss_model* model, const ss_system_def* def, ss_error* err);
ss_status ss_plane_add_gravity(ss_model* model, const ss_system_def* def, ss_error* err);
/// The nodes that the names of the points stand for.
void ss_plane_declare_points(ss_names* names);
/// A pair of nodes, fixed in a body, in space.
void ss_plane_turn(const ss_names* names, int body, int* x, int* y);
/// The force of a connection between points: what it does to the first one, along the line from the second.
int ss_plane_connection_force(const ss_names* names, int connection);
/// Force i of the definition, which acts on a body of the plane.
ss_status ss_plane_add_force(ss_names* names, int i);
/// Dampers between points.
void ss_plane_add_dampers(ss_names* names);
/// Energies of constant gravity and of springs between points, after the potentials that were given.
void ss_plane_add_energies(ss_names* names);

#endif
