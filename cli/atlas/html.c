// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "atlas/html.h"

#include "command.h"
#include "option/options.h"
#include "share/file.h"
#include "slipstick/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void html_escape(ss_text* page, const char* text, size_t length)
{
    for (const char* p = text; p < text + length; p++) {
        switch (*p) {
        case '&': ss_text_add(page, "&amp;"); break;
        case '<': ss_text_add(page, "&lt;"); break;
        case '>': ss_text_add(page, "&gt;"); break;
        case '"': ss_text_add(page, "&quot;"); break;
        default: ss_text_add(page, "%c", *p);
        }
    }
}

void html_add(ss_text* page, const char* pattern, const char* text)
{
    const char* hole = strstr(pattern, "%s");
    ss_text_add(page, "%.*s", (int)(hole - pattern), pattern);
    html_escape(page, text, strlen(text));
    ss_text_add(page, "%s", hole + 2);
}

// ---- pictures ----

// A whole file, with a zero behind it. NULL: the fault is told; else the caller frees.
static char* read_file(const char* path, size_t* size)
{
    FILE* file = fopen(path, "rb");
    long length = file && fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
    char* bytes = length >= 0 ? malloc((size_t)length + 1) : NULL;
    *size = (size_t)length;
    if (bytes) {
        rewind(file);
        bytes[fread(bytes, 1, *size, file)] = '\0';
    }
    if (!bytes || ferror(file)) {
        perror(path);
        free(bytes);
        bytes = NULL;
    }
    if (file) fclose(file);
    return bytes;
}

// The SVG as it is, but for ids ("clip1"), which have to differ from those of other pictures.
static void add_svg(ss_text* page, const char* svg, const char* name, const char* alternative)
{
    static const char open[] = "<svg ";
    html_add(page, "<svg role=\"img\" aria-label=\"%s\" ", alternative);
    const char* at = svg + sizeof open - 1;
    for (const char* id; (id = strstr(at, "clip")) != NULL; at = id + 4) {
        bool used = id - at >= 1 && (id[-1] == '#' || (id[-1] == '"' && id[-2] == '='));
        ss_text_add(page, "%.*s%s%sclip", (int)(id - at), at, used ? name : "", used ? "-" : "");
    }
    ss_text_add(page, "%s", at);
}

static void add_png(ss_text* page, const char* bytes, size_t size, const char* alternative)
{
    html_add(page, "<img alt=\"%s\" src=\"data:image/png;base64,", alternative);
    ss_text_add_base64(page, (const unsigned char*)bytes, size);
    ss_text_add(page, "\"/>");
}

int html_picture(ss_text* page, const char* file, const char* name, const char* alternative)
{
    char path[160];
    size_t size;
    snprintf(path, sizeof path, "figures/%s", file);
    char* bytes = read_file(path, &size);
    if (!bytes) return CLI_UNFINISHED;
    if (strstr(file, ".png"))
        add_png(page, bytes, size, alternative);
    else
        add_svg(page, bytes, name, alternative);
    free(bytes);
    return CLI_GO_ON;
}

// ---- the frame ----

static const char style[] =
    ":root{color-scheme:light dark;--ink:#1c2024;--paper:#fff;--soft:#f3f5f7;--line:#d5dae0;--link:#0a5fb4;"
    "--good:#12703a;--bad:#b3261e;--errs:#9a5b00}\n"
    "@media (prefers-color-scheme:dark){:root{--ink:#e4e7ea;--paper:#14171a;--soft:#20252a;--line:#3a424b;"
    "--link:#7db8f2;--good:#62cf8f;--bad:#ff8a80;--errs:#f0b35a}}\n"
    "*{box-sizing:border-box}\n"
    "html{scroll-padding-top:1rem}\n"
    "body{margin:0 auto;padding:1rem;max-width:60rem;color:var(--ink);background:var(--paper);"
    "font:1rem/1.5 system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif;"
    "overflow-wrap:break-word}\n"
    "h1,h2,h3{line-height:1.25;margin:1.6em 0 .5em}\n"
    "h1{margin-top:.5em}\n"
    "section.paper>h2{border-top:3px solid var(--ink);padding-top:.6em}\n"
    "section.entry{border-top:1px solid var(--line)}\n"
    "a{color:var(--link)}\n"
    "figure{margin:1rem 0}\n"
    "figure svg,figure img{display:block;max-width:100%;height:auto;margin:0 auto;background:#fff;"
    "border:1px solid var(--line);border-radius:6px}\n"
    ".picture{overflow-x:auto}\n" // letters of a picture stay readable on a phone: it scrolls in its box
    "@media (max-width:40rem){.picture svg,.picture img{max-width:none;width:34rem}}\n"
    "figcaption{margin-top:.6rem}\n"
    ".place{font-weight:600;color:var(--errs)}\n"
    "nav ul{padding-left:1.2rem}\n"
    "nav .place{font-weight:400}\n"
    ".wide{overflow-x:auto}\n"
    "table{border-collapse:collapse;width:100%;font-size:.9rem;font-variant-numeric:tabular-nums}\n"
    "th,td{border:1px solid var(--line);padding:.35rem .5rem;text-align:left;vertical-align:top;"
    "overflow-wrap:normal}\n"
    "thead th{background:var(--soft)}\n"
    "tbody th{font-weight:400;min-width:9rem}\n"
    "tr.why td{background:var(--soft);white-space:normal}\n"
    ".basis{display:block;font-size:.8em;opacity:.8}\n"
    ".good{color:var(--good)}\n"
    ".bad{color:var(--bad);font-weight:700}\n"
    "td.good{white-space:nowrap}\n"
    ".key{font-weight:400;opacity:.7}\n"
    ".errs{color:var(--errs);font-weight:600;border:1px solid;border-radius:4px;padding:0 "
    ".3em;font-size:.85em}\n"
    "pre{overflow-x:auto;background:var(--soft);border-radius:6px;padding:.6rem .8rem;font-size:.85rem}\n"
    "pre.command{white-space:pre-wrap}\n"
    "code{font-family:ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace;overflow-wrap:anywhere}\n"
    "details{margin:.4rem 0}\n"
    "summary{cursor:pointer;color:var(--link)}\n"
    "dd{margin-left:1.2rem}\n"
    ".choice{border-left:3px solid var(--errs);padding-left:.8rem}\n"
    ".back{font-size:.85rem}\n"
    "@media "
    "print{:root{--ink:#000;--paper:#fff;--soft:#f3f3f3;--line:#bbb;--link:#000;--good:#000;--bad:#000;"
    "--errs:#000}body{max-width:none;font-size:10pt}section.paper{break-before:page}figure,tr,h3,pre{"
    "break-inside:avoid}h2,h3{break-after:avoid}details,.back,nav{display:none}.wide,.picture{overflow:"
    "visible}"
    "figure svg,figure img{max-height:12cm;width:auto;border:none}}\n";

void html_begin(ss_text* page)
{
    ss_text_add(
        page,
        "<!DOCTYPE html>\n<html lang=\"en\" xmlns=\"http://www.w3.org/1999/xhtml\">\n<head>\n"
        "<meta charset=\"utf-8\"/>\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
        "<title>Slipstick: an atlas of four papers on dry friction</title>\n<style>\n%s</style>\n</head>\n"
        "<body>\n<header>\n<h1>Four papers on dry friction, made anew</h1>\n",
        style);
    html_add(page,
             "<p>Every figure and every number of the four papers behind Slipstick that can be made anew, by "
             "slipstick "
             "%s. Under each figure stands the command that draws it; run it in the folder of this page. ",
             ss_version());
    ss_text_add(
        page,
        "Beside each number stand the paper's value, ours, computed as the page was made, and the exact one. "
        "Where a paper errs, it is said why. Figures that cannot be made anew, because they show apparatus, "
        "or data or parameters that were not published, are listed with the "
        "reason.</p>\n</header>\n<main>\n");
}

void html_end(ss_text* page) { ss_text_add(page, "</main>\n</body>\n</html>\n"); }

int html_write(const ss_text* page, const char* path)
{
    ss_error err = {.status = SS_NO_MEMORY, .text = "out of memory"};
    if (!page->failed && ss_file_write(path, page->bytes, page->length, &err) == SS_OK) return CLI_GO_ON;
    fprintf(stderr, "%s: %s\n", path, err.text);
    return CLI_UNFINISHED;
}
