// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "picture/canvas/theme.h"

#include <string.h>

#define BLUE                                                                                                 \
    {                                                                                                        \
        0.0, 0.447, 0.698, 1                                                                                 \
    }
#define VERMILION                                                                                            \
    {                                                                                                        \
        0.835, 0.369, 0.0, 1                                                                                 \
    }
#define GREEN                                                                                                \
    {                                                                                                        \
        0.0, 0.62, 0.451, 1                                                                                  \
    }
#define PURPLE                                                                                               \
    {                                                                                                        \
        0.8, 0.475, 0.655, 1                                                                                 \
    }
#define ORANGE                                                                                               \
    {                                                                                                        \
        0.902, 0.624, 0.0, 1                                                                                 \
    }
#define SKY                                                                                                  \
    {                                                                                                        \
        0.337, 0.706, 0.914, 1                                                                               \
    }
#define YELLOW                                                                                               \
    {                                                                                                        \
        0.941, 0.894, 0.259, 1                                                                               \
    }

const ss_theme ss_theme_print = {
    .name = "print",
    .paper = {1, 1, 1, 1},
    .ink = {0, 0, 0, 1},
    .faint = {0.8, 0.8, 0.8, 1},
    .shade = {0.88, 0.88, 0.86, 1},
    .set = BLUE,
    .region = VERMILION,
    .halo = {1, 1, 1, 0.85},
    .body = {0.80, 0.86, 0.93, 1},
    .globe = {0.96, 0.95, 0.92, 1},
    .series = {BLUE, VERMILION, GREEN, PURPLE, ORANGE, SKY, {0, 0, 0, 1}},
};

static const ss_theme screen = {
    .name = "screen",
    .paper = {0.988, 0.984, 0.969, 1},
    .ink = {0.13, 0.15, 0.18, 1},
    .faint = {0.82, 0.81, 0.78, 1},
    .shade = {0.9, 0.885, 0.84, 1},
    .set = BLUE,
    .region = VERMILION,
    .halo = {1, 1, 1, 0.85},
    .body = {0.80, 0.86, 0.93, 1},
    .globe = {0.96, 0.95, 0.92, 1},
    .series = {BLUE, VERMILION, GREEN, PURPLE, ORANGE, SKY, {0.13, 0.15, 0.18, 1}},
};

static const ss_theme dark = {
    .name = "dark",
    .paper = {0.09, 0.1, 0.12, 1},
    .ink = {0.9, 0.9, 0.88, 1},
    .faint = {0.32, 0.34, 0.37, 1},
    .shade = {0.2, 0.215, 0.24, 1},
    .set = SKY,
    .region = ORANGE,
    .halo = {0.09, 0.1, 0.12, 0.85},
    .body = {0.36, 0.43, 0.52, 1},
    .globe = {0.30, 0.33, 0.38, 1},
    .series = {SKY, ORANGE, GREEN, PURPLE, YELLOW, VERMILION, {0.9, 0.9, 0.88, 1}},
};

const ss_theme* ss_theme_find(const char* name)
{
    static const ss_theme* const themes[] = {&ss_theme_print, &screen, &dark};
    for (size_t k = 0; k < sizeof themes / sizeof themes[0]; k++)
        if (strcmp(name, themes[k]->name) == 0) return themes[k];
    return NULL;
}
