// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Writes JSON as it goes. Numbers read back exactly; infinity and NaN become null, -0 becomes 0; text is
// passed through as UTF-8.
#ifndef SLIPSTICK_CLI_JSON_H
#define SLIPSTICK_CLI_JSON_H

#include <stdbool.h>
#include <stdio.h>

enum { CLI_JSON_DEPTH = 16 };

typedef struct cli_json {
    FILE* out;
    int depth;
    struct {
        bool filled; ///< something stands in it already
        bool lines;  ///< each element on a line of its own
        char close;
    } level[CLI_JSON_DEPTH];
    bool after_key;
} cli_json;

cli_json cli_json_begin(FILE* out);

/// Inside an object, every value is preceded by its key.
void cli_json_key(cli_json* json, const char* key);
void cli_json_object(cli_json* json, bool lines);
void cli_json_array(cli_json* json, bool lines);
void cli_json_end(cli_json* json); ///< of the innermost object or array; the outermost ends the line
void cli_json_number(cli_json* json, double value);
void cli_json_text(cli_json* json, const char* text);
void cli_json_bool(cli_json* json, bool value);
void cli_json_null(cli_json* json);

/// Key and value at once.
void cli_json_put_number(cli_json* json, const char* key, double value);
void cli_json_put_text(cli_json* json, const char* key, const char* text);
void cli_json_put_bool(cli_json* json, const char* key, bool value);

#endif
