// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Random rows of blocks: each on its own floor, the first maybe on a belt, with springs to the block before
// or to the ground, a harmonic force on one of them, contacts of one law or of several, and stops.
#ifndef TESTS_RANDOM_ROW_H
#define TESTS_RANDOM_ROW_H

#include "random_system.h"

enum { ROW_BLOCKS = 3, ROW_ELEMENTS = 3 };

typedef enum row_kind {
    ROW_LUGRE,
    ROW_DAHL,
    ROW_MAXWELL,
    ROW_STRIBECK,
    ROW_ELASTO_PLASTIC,
    ROW_GMS,
    ROW_CURVE,
    ROW_CUBIC, ///< springs, on Coulomb friction
    ROW_HUNT_CROSSLEY,
    ROW_BESIDE, ///< Stribeck, curve or generalised Maxwell-slip beside LuGre
    ROW_MIXED,
    ROW_ELASTIC_STOP,
    ROW_RIGID_STOP, ///< on Coulomb friction
    ROW_SHAKEN      ///< as mixed, on a belt whose speed varies
} row_kind;

typedef struct random_row {
    rig rig; ///< block i is body i and has connection i
    int blocks;
    int law[ROW_BLOCKS], stop[ROW_BLOCKS]; ///< contacts of each block: its friction, its stop; -1: none
    int pushed;                            ///< the block with the force size sin(omega t + phase), or -1
    double size, omega, phase;
    double belt, shake, beat; ///< speed of what the first block lies on: belt + shake sin(beat t)
    double stiffness[RIG_PARTS][ROW_ELEMENTS], breakaway[RIG_PARTS][ROW_ELEMENTS]; ///< of its elements
} random_row;

/// Draws a row. The model lives as long as the row does.
ss_model* random_row_draw(random_row* row, row_kind kind, uint64_t seed);

#endif
