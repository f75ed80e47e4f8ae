// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "law/law_description.h"

#include "core/number_length.h"
#include "share/law.h"
#include "slipstick/bristle.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

void ss_law_words_add(ss_law_said* words, const char* format, ...)
{
    size_t room = sizeof words->text - words->used;
    va_list arguments;
    va_start(arguments, format);
    int length = ss_vformat(words->text + words->used, room, format, arguments);
    va_end(arguments);
    if (length > 0) words->used += (size_t)length < room ? (size_t)length : room - 1;
}

void ss_law_words_doubt(ss_law_said* words, bool so, const char* format, ...)
{
    va_list arguments;
    if (!so) return;
    va_start(arguments, format);
    (void)ss_vformat(words->doubt, sizeof words->doubt, format, arguments);
    va_end(arguments);
}

void ss_law_say(ss_law_said* said, const ss_law_fact* fact)
{
    if (said->count < SS_LAW_FACTS) said->facts[said->count++] = *fact;
}

void ss_law_say_number(ss_law_said* said, const char* key, double value)
{
    ss_law_say(said, &(ss_law_fact){.key = key, .kind = SS_FACT_NUMBER, .value = value});
}

void ss_law_say_flag(ss_law_said* said, const char* key, bool value)
{
    ss_law_say(said, &(ss_law_fact){.key = key, .kind = SS_FACT_FLAG, .value = value});
}

void ss_law_words_band(ss_law_said* words, const ss_law_place* place, double level)
{
    if (!(place->stiffness > 0.0) || !isfinite(level / place->stiffness)) return;
    ss_law_words_add(
        words,
        "\n      alone, its spring (%g %s/%s) is held within %g %s of its rest (friction over stiffness)",
        place->stiffness, place->unit, place->way, level / place->stiffness, place->way);
}

void ss_law_words_resonance(ss_law_said* words, const ss_law_place* place, double sigma0, double sigma)
{
    double ratio = ss_lugre_damping_ratio(&(ss_lugre){.sigma0 = sigma0, .sigma1 = sigma}, place->mass);
    if (!isfinite(place->mass)) return;
    ss_law_words_add(words,
                     "\n      bristle resonance at %g rad/s, damping ratio %g: ", sqrt(sigma0 / place->mass),
                     ratio);
    ss_law_words_add(words, "%s",
                     ratio == 0.0  ? "small swings die out as 1/time"
                     : ratio < 1.0 ? "small swings die out exponentially"
                                   : "no ringing");
}
