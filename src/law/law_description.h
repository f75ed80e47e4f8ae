// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// What a law says of itself where `check` asks, as numbers for programs and as sentences for people.
#ifndef SLIPSTICK_LAW_LAW_DESCRIPTION_H
#define SLIPSTICK_LAW_LAW_DESCRIPTION_H

#include "share/error.h"
#include "slipstick/status.h"

/// Where its contact stands.
typedef struct ss_law_place {
    double mass;      ///< kg, kg*m^2: what a force along the contact alone accelerates; INFINITY: nothing
    double stiffness; ///< N/m: of the spring that holds the one coordinate it acts on; 0: there is none
    const char* way;  ///< "m" or "rad"
    const char* unit; ///< of its force: "N" or "N*m"
} ss_law_place;

/// One thing that a law says of itself: a number (not finite: there is no such number), yes or no, or rows of
/// numbers with a name for each column.
typedef struct ss_law_fact {
    const char* key;
    enum { SS_FACT_NUMBER, SS_FACT_FLAG, SS_FACT_TABLE } kind;
    double value; ///< of a flag 1 or 0
    const char* const* columns;
    double cells[32]; ///< row by row
    int column_count, row_count;
} ss_law_fact;

enum { SS_LAW_FACTS = 24 }; ///< that a law says at most

/// All that it says: facts for programs, one after the other, and a few sentences for people. What does not
/// fit is left out.
typedef struct ss_law_said {
    ss_law_fact facts[SS_LAW_FACTS];
    int count;
    char text[1200];
    size_t used;
    char doubt[200]; ///< what is allowed, but seldom meant or good to know; "": nothing
} ss_law_said;

void ss_law_say(ss_law_said* said, const ss_law_fact* fact);
void ss_law_say_number(ss_law_said* said, const char* key, double value);
void ss_law_say_flag(ss_law_said* said, const char* key, bool value);

/// Adds to them.
void ss_law_words_add(ss_law_said* words, const char* format, ...) SS_PRINTF(2, 3);
/// Doubts what the law says, where that is so.
void ss_law_words_doubt(ss_law_said* words, bool so, const char* format, ...) SS_PRINTF(3, 4);

typedef void ss_law_report_fn(const void* law, const ss_law_place* place, ss_law_said* out);

typedef struct ss_law_description {
    ss_law_report_fn* say;
    bool drifts;    ///< it may creep away under a load that swings below its limit
    bool remembers; ///< reversals, so that inner loops close
} ss_law_description;

/// For laws that hold: how far the spring beside the contact may be off while it sticks with this level (N).
void ss_law_words_band(ss_law_said* words, const ss_law_place* place, double level);
/// For bristles of stiffness sigma0 (N/m) and damping sigma (N*s/m) in all: how they ring.
void ss_law_words_resonance(ss_law_said* words, const ss_law_place* place, double sigma0, double sigma);

#endif
