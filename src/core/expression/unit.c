// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Units, prefixes, and dimensions as a person writes them.
#include "core/expression/expression.h"
#include "core/number_length.h"
#include "core/tolerance.h"
#include "share/quantity.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define PI 3.14159265358979323846

typedef struct known_unit {
    const char* name;
    double numerator, denominator;
    ss_dimension dimension; // m, kg, s, A
    bool takes_prefix;
    const char* word;
} known_unit;

static const known_unit units[] = {
    {"m", 1, 1, {.m = 1}, true, "metre"},        {"s", 1, 1, {.s = 1}, true, "second"},
    {"kg", 1, 1, {.kg = 1}, false, "kilogram"},  {"g", 1, 1000, {.kg = 1}, true, "gram"},
    {"N", 1, 1, {1, 1, -2, 0}, true, "newton"},  {"Pa", 1, 1, {-1, 1, -2, 0}, true, "pascal"},
    {"Hz", 1, 1, {.s = -1}, true, "hertz"},      {"rad", 1, 1, {.m = 0}, true, "radian"},
    {"deg", PI, 180, {.m = 0}, false, "degree"}, {"J", 1, 1, {2, 1, -2, 0}, true, "joule"},
    {"W", 1, 1, {2, 1, -3, 0}, true, "watt"},    {"min", 60, 1, {.s = 1}, false, "minute"},
    {"h", 3600, 1, {.s = 1}, false, "hour"},     {"rpm", PI, 30, {.s = -1}, false, "revolution per minute"},
    {"A", 1, 1, {.A = 1}, true, "ampere"},       {"V", 1, 1, {2, 1, -3, -1}, true, "volt"},
    {"ohm", 1, 1, {2, 1, -3, -2}, true, "ohm"},  {"H", 1, 1, {2, 1, -2, -2}, true, "henry"},
    {"F", 1, 1, {-2, -1, 4, 2}, true, "farad"},  {"C", 1, 1, {0, 0, 1, 1}, true, "coulomb"},
    {"T", 1, 1, {0, 1, -2, -1}, true, "tesla"},  {"Wb", 1, 1, {2, 1, -2, -1}, true, "weber"},
};
enum { UNIT_COUNT = sizeof units / sizeof units[0] };

static const struct {
    char letter;
    double numerator, denominator;
    const char* word;
} prefixes[] = {{'n', 1, 1e9, "nano"}, {'u', 1, 1e6, "micro"}, {'m', 1, 1e3, "milli"}, {'c', 1, 1e2, "centi"},
                {'k', 1e3, 1, "kilo"}, {'M', 1e6, 1, "mega"},  {'G', 1e9, 1, "giga"}};
enum { PREFIX_COUNT = sizeof prefixes / sizeof prefixes[0] };

// What people write for some units; the first matching row wins.
static const struct {
    const char *written, *meant;
} habits[] = {
    {"sec", "s"},       {"second", "s"},    {"seconds", "s"},   {"meter", "m"},    {"metre", "m"},
    {"meters", "m"},    {"metres", "m"},    {"hour", "h"},      {"hours", "h"},    {"minute", "min"},
    {"minutes", "min"}, {"degree", "deg"},  {"degrees", "deg"}, {"radian", "rad"}, {"radians", "rad"},
    {"newton", "N"},    {"kilogram", "kg"}, {"gram", "g"},      {"hertz", "Hz"},   {"joule", "J"},
    {"watt", "W"},      {"pascal", "Pa"},   {"kph", "km/h"},    {"amp", "A"},      {"ampere", "A"},
    {"volt", "V"},      {"henry", "H"},     {"farad", "F"},     {"coulomb", "C"},  {"tesla", "T"},
    {"weber", "Wb"},    {"volts", "V"},     {"amps", "A"},      {"ohms", "ohm"}};

static const known_unit* find_plain(const char* name, size_t length)
{
    for (int i = 0; i < UNIT_COUNT; ++i)
        if (strlen(units[i].name) == length && memcmp(units[i].name, name, length) == 0) return &units[i];
    return NULL;
}

bool ss_unit_find(const char* name, size_t length, ss_unit* unit)
{
    const known_unit* plain = find_plain(name, length); // first, so that min is the minute, kg no prefix
    if (plain) {
        *unit = (ss_unit){plain->numerator, plain->denominator, plain->dimension, "", plain->word};
        return true;
    }
    plain = length > 1 ? find_plain(name + 1, length - 1) : NULL;
    for (int i = 0; plain && plain->takes_prefix && i < PREFIX_COUNT; ++i) {
        if (prefixes[i].letter != name[0]) continue;
        *unit =
            (ss_unit){plain->numerator * prefixes[i].numerator, plain->denominator * prefixes[i].denominator,
                      plain->dimension, prefixes[i].word, plain->word};
        return true;
    }
    return false;
}

static bool equal_but_for_case(const char* a, const char* b, size_t length)
{
    for (size_t i = 0; i < length; ++i)
        if (tolower((unsigned char)a[i]) != tolower((unsigned char)b[i])) return false;
    return true;
}

// A unit spelt with wrong capitals: hz, KG, KHZ. Prefixes first without one, then each.
static bool suggest_capitals(const char* name, size_t length, char* out, size_t size)
{
    for (int i = 0; i < UNIT_COUNT; ++i) {
        size_t n = strlen(units[i].name);
        if (n == length && equal_but_for_case(name, units[i].name, n)) {
            snprintf(out, size, "%s", units[i].name);
            return true;
        }
    }
    for (int i = 0; i < UNIT_COUNT; ++i) {
        size_t n = strlen(units[i].name);
        if (!units[i].takes_prefix || n + 1 != length || !equal_but_for_case(name + 1, units[i].name, n))
            continue;
        for (int k = 0; k < PREFIX_COUNT; ++k)
            if (equal_but_for_case(name, &prefixes[k].letter, 1)) {
                snprintf(out, size, "%c%s", prefixes[k].letter, units[i].name);
                return true;
            }
    }
    return false;
}

// s2, cm3: a unit with its exponent run into it.
static bool suggest_exponent(const char* name, size_t length, char* out, size_t size)
{
    ss_unit ignored;
    size_t letters = length;
    while (letters > 0 && isdigit((unsigned char)name[letters - 1])) --letters;
    if (letters == length || !ss_unit_find(name, letters, &ignored)) return false;
    snprintf(out, size, "%.*s^%.*s", (int)letters, name, (int)(length - letters), name + letters);
    return true;
}

bool ss_unit_suggest(const char* name, size_t length, char* out, size_t size)
{
    ss_unit ignored;
    if (length > 16) return false;
    if (suggest_exponent(name, length, out, size)) return true;
    for (size_t i = 1; i < length; ++i) // Nm, Nmm, kgm: two units run together
        if (ss_unit_find(name, i, &ignored) && ss_unit_find(name + i, length - i, &ignored)) {
            snprintf(out, size, "%.*s*%.*s", (int)i, name, (int)(length - i), name + i);
            return true;
        }
    for (size_t i = 0; i < sizeof habits / sizeof habits[0]; ++i)
        if (strlen(habits[i].written) == length && equal_but_for_case(name, habits[i].written, length)) {
            snprintf(out, size, "%s", habits[i].meant);
            return true;
        }
    return suggest_capitals(name, length, out, size);
}

const char* ss_unit_list(char* out, size_t size)
{
    size_t used = 0;
    for (int i = 0; i < UNIT_COUNT && used < size; ++i)
        used += (size_t)snprintf(out + used, size - used, "%s%s", i > 0 ? " " : "", units[i].name);
    for (int i = 0; i < PREFIX_COUNT && used < size; ++i)
        used += (size_t)snprintf(out + used, size - used, "%s%c", i > 0 ? " " : ", prefixes ",
                                 prefixes[i].letter);
    return out;
}

// Exponents come from decimal fractions such as 1.5 or 1/3, sums of which are equal only to rounding.
static bool same_exponent(double a, double b) { return fabs(a - b) <= SS_SAME * (1 + fabs(a) + fabs(b)); }

bool ss_dimension_equal(ss_dimension a, ss_dimension b)
{
    return same_exponent(a.m, b.m) && same_exponent(a.kg, b.kg) && same_exponent(a.s, b.s) &&
           same_exponent(a.A, b.A);
}

ss_dimension ss_dimension_combine(ss_dimension a, ss_dimension b, double power)
{
    return (ss_dimension){a.m + power * b.m, a.kg + power * b.kg, a.s + power * b.s, a.A + power * b.A};
}

typedef struct factor {
    const char* name;
    double exponent;
} factor;

static void append(char* out, size_t size, const char* sign, const factor* f, double exponent)
{
    size_t used = strlen(out);
    if (same_exponent(exponent, 1))
        snprintf(out + used, size - used, "%s%s", sign, f->name);
    else {
        char number[SS_NUMBER_SIZE];
        ss_number_format(exponent, 6, number, sizeof number);
        snprintf(out + used, size - used, "%s%s^%s", sign, f->name, number);
    }
}

enum { FACTORS = 4 };

static const char* write_factors(const factor factors[FACTORS], char* out, size_t size)
{
    for (int i = 0; i < FACTORS; ++i)
        if (factors[i].exponent > 0 && !same_exponent(factors[i].exponent, 0))
            append(out, size, out[0] ? "*" : "", &factors[i], factors[i].exponent);
    if (!out[0]) snprintf(out, size, "1");
    for (int i = 0; i < FACTORS; ++i)
        if (factors[i].exponent < 0 && !same_exponent(factors[i].exponent, 0))
            append(out, size, "/", &factors[i], -factors[i].exponent);
    return out;
}

// Units that are written by their own name wherever they stand alone. Torque and energy have one dimension;
// N*m serves both, and N*m/A rather than Wb.
static const char* own_name(ss_dimension d)
{
    static const char* const names[] = {"Pa", "W", "V", "ohm", "H", "F", "C", "T"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i)
        if (ss_dimension_equal(d, find_plain(names[i], strlen(names[i]))->dimension)) return names[i];
    return NULL;
}

// Where mass goes with an opposite power of time, a force is meant: kg/s is written N*s/m, s^2/kg m/N.
const char* ss_dimension_format(ss_dimension d, char* out, size_t size)
{
    if (size == 0) return out;
    out[0] = '\0';
    const char* name = own_name(d);
    if (name) return write_factors((factor[FACTORS]){{name, 1}}, out, size);
    bool force = same_exponent(fabs(d.kg), 1) && !same_exponent(d.s, 0) && d.kg * d.s < 0;
    if (force)
        return write_factors(
            (factor[FACTORS]){{"N", d.kg}, {"m", d.m - d.kg}, {"s", d.s + 2 * d.kg}, {"A", d.A}}, out, size);
    return write_factors((factor[FACTORS]){{"kg", d.kg}, {"m", d.m}, {"s", d.s}, {"A", d.A}}, out, size);
}

// An angle is below the line where a stroke stands right before it.
int ss_written_angle(const char* text)
{
    static const char* const angles[] = {"rad", "deg", "rpm"};
    int sum = 0;
    bool below = false;
    while (*text) {
        size_t length = strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_");
        for (size_t k = 0; k < sizeof angles / sizeof angles[0]; k++)
            if (length == strlen(angles[k]) && strncmp(text, angles[k], length) == 0) sum += below ? -1 : 1;
        below = length == 0 && (*text == '/' || (below && *text == ' '));
        text += length > 0 ? length : 1;
    }
    return sum == 1 || sum == -1 ? sum : 0;
}

const char* ss_dimension_format_angle(ss_dimension dimension, int angle, char* out, size_t size)
{
    char rest[64];
    ss_dimension_format(dimension, rest, sizeof rest);
    bool plain = ss_dimension_equal(dimension, (ss_dimension){0});
    if (angle == 1 && plain)
        snprintf(out, size, "rad");
    else if (angle == 1 && strncmp(rest, "1/", 2) == 0)
        snprintf(out, size, "rad%s", rest + 1);
    else if (angle == 1)
        snprintf(out, size, "%s*rad", rest);
    else if (angle == -1)
        snprintf(out, size, "%s/rad", plain ? "1" : rest);
    else
        snprintf(out, size, "%s", rest);
    return out;
}
