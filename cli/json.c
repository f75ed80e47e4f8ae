// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "json.h"

#include <math.h>
#include <stdlib.h>

cli_json cli_json_begin(FILE* out) { return (cli_json){.out = out}; }

// What stands between the previous value of the innermost level and the next one.
static void separate(cli_json* json)
{
    if (json->after_key || json->depth == 0) {
        json->after_key = false;
        return;
    }
    bool filled = json->level[json->depth].filled, lines = json->level[json->depth].lines;
    if (filled) fputc(',', json->out);
    if (lines && (filled || json->depth > 1)) fprintf(json->out, "\n%*s", json->depth, "");
    if (!lines && filled) fputc(' ', json->out);
    json->level[json->depth].filled = true;
}

static void open(cli_json* json, char mark, char close, bool lines)
{
    separate(json);
    fputc(mark, json->out);
    json->depth++; // our answers are a handful of levels deep: CLI_JSON_DEPTH is never reached
    json->level[json->depth].filled = false;
    json->level[json->depth].lines = lines;
    json->level[json->depth].close = close;
}

void cli_json_object(cli_json* json, bool lines) { open(json, '{', '}', lines); }
void cli_json_array(cli_json* json, bool lines) { open(json, '[', ']', lines); }

void cli_json_end(cli_json* json)
{
    fputc(json->level[json->depth].close, json->out);
    if (--json->depth == 0) fputc('\n', json->out);
}

static void write_text(FILE* out, const char* text)
{
    fputc('"', out);
    for (const unsigned char* p = (const unsigned char*)text; *p; p++) {
        if (*p == '"' || *p == '\\')
            fprintf(out, "\\%c", *p);
        else if (*p < 0x20 || *p == 0x7f)
            fprintf(out, "\\u%04x", *p);
        else
            fputc(*p, out);
    }
    fputc('"', out);
}

void cli_json_key(cli_json* json, const char* key)
{
    separate(json);
    write_text(json->out, key);
    fputs(": ", json->out);
    json->after_key = true;
}

void cli_json_number(cli_json* json, double value)
{
    separate(json);
    if (!isfinite(value)) {
        fputs("null", json->out);
        return;
    }
    char text[40];
    for (int digits = 15; digits <= 17; digits++) { // 17 digits read back exactly, often fewer do
        snprintf(text, sizeof text, "%.*g", digits, value + 0.0); // + 0.0 turns -0 into 0
        if (strtod(text, NULL) == value) break;
    }
    fputs(text, json->out);
}

void cli_json_text(cli_json* json, const char* text)
{
    separate(json);
    write_text(json->out, text);
}

void cli_json_bool(cli_json* json, bool value)
{
    separate(json);
    fputs(value ? "true" : "false", json->out);
}

void cli_json_null(cli_json* json)
{
    separate(json);
    fputs("null", json->out);
}

void cli_json_put_number(cli_json* json, const char* key, double value)
{
    cli_json_key(json, key);
    cli_json_number(json, value);
}

void cli_json_put_text(cli_json* json, const char* key, const char* text)
{
    cli_json_key(json, key);
    cli_json_text(json, text);
}

void cli_json_put_bool(cli_json* json, const char* key, bool value)
{
    cli_json_key(json, key);
    cli_json_bool(json, value);
}
