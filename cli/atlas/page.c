// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The page: one file that needs nothing beside it. Pictures stand in it, SVG as it is (its letters stay
// letters), PNG as data. It is XML as well as HTML.
#include "atlas/atlas.h"
#include "atlas/files.h"
#include "atlas/html.h"
#include "command.h"
#include "option/load.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct tally {
    int figures, numbers, passed, errs;
} tally;

static tally count_chapter(const atlas_chapter* chapter)
{
    tally sum = {0};
    for (int k = 0; k < chapter->paper->entry_count; k++) {
        const atlas_result* result = &chapter->results[k];
        sum.figures += result->entry->figure != NULL;
        sum.numbers += result->entry->number_count;
        for (int i = 0; i < result->entry->number_count; i++) {
            sum.passed += atlas_passes(&result->findings[i]);
            sum.errs += result->entry->numbers[i].errs != NULL;
        }
    }
    return sum;
}

// ---- numbers ----

// "1e-9", and a plain 3.
static void add_tolerance(ss_text* page, double tolerance)
{
    int exponent = (int)floor(log10(tolerance) + 1e-9);
    if (exponent >= -2)
        ss_text_add(page, "%g", tolerance);
    else
        ss_text_add(page, "%ge%d", round(tolerance * pow(10, -exponent)), exponent);
}

static void add_verdict(ss_text* page, const atlas_number* number, const atlas_finding* finding)
{
    if (!finding->right) {
        ss_text_add(page, "<td class=\"bad\">FAILED</td>");
    } else if (!finding->told) {
        ss_text_add(page, "<td class=\"bad\">FAILED: the paper's value is not explained</td>");
    } else if (number->exact[0] == '\'' || number->tolerance <= 0) {
        ss_text_add(page, "<td class=\"good\">agrees</td>");
    } else {
        ss_text_add(page, "<td class=\"good\">within ");
        add_tolerance(page, number->tolerance);
        ss_text_add(page, "</td>");
    }
}

static void add_exact(ss_text* page, const atlas_number* number, const atlas_finding* finding)
{
    ss_text_add(page, "<td>");
    if (number->exact[0] == '\'') {
        html_escape(page, number->exact + 1, strlen(number->exact) - 2);
    } else {
        ss_text_add(page, "%.15g", finding->exact);
        const char* basis = number->basis;
        if (!basis && strpbrk(number->exact, "*/^(+")) basis = number->exact;
        if (basis) html_add(page, "<span class=\"basis\">%s</span>", basis);
    }
    ss_text_add(page, "</td>");
}

// As printed; of an expression also what it comes to.
static void add_paper(ss_text* page, const atlas_number* number, const atlas_finding* finding)
{
    const char* paper = number->paper ? number->paper : "not given";
    html_add(page, "<td>%s", paper);
    if (number->errs) ss_text_add(page, " <span class=\"errs\">errs</span>");
    if (!isnan(finding->printed) && paper[strspn(paper, "-0123456789.")])
        ss_text_add(page, "<span class=\"basis\">= %.6g</span>", finding->printed);
    ss_text_add(page, "</td>");
}

static void add_number(ss_text* page, const atlas_number* number, const atlas_finding* finding)
{
    ss_text_add(page, "<tr>");
    html_add(page, "<th scope=\"row\">%s</th>", number->name);
    add_paper(page, number, finding);
    if (number->exact[0] == '\'')
        html_add(page, "<td>%s</td>", finding->word);
    else
        ss_text_add(page, "<td>%.15g</td>", finding->ours);
    add_exact(page, number, finding);
    add_verdict(page, number, finding);
    ss_text_add(page, "</tr>\n");
    if (number->errs)
        html_add(page, "<tr class=\"why\"><td colspan=\"5\"><b>The paper errs:</b> %s</td></tr>\n",
                 number->errs);
}

static void add_questions(ss_text* page, const atlas_entry* entry)
{
    ss_text_add(page, "<details><summary>How these numbers are asked</summary>\n<dl>\n");
    for (int k = 0; k < entry->number_count; k++) {
        const atlas_number* number = &entry->numbers[k];
        if (number->ask) html_add(page, "<dt><code>slipstick %s --json</code></dt>\n", number->ask);
        html_add(page, "<dd>%s: ", number->name);
        html_add(page, "<code>%s</code></dd>\n", number->answer);
    }
    ss_text_add(page, "</dl></details>\n");
}

static void add_numbers(ss_text* page, const atlas_result* result)
{
    const atlas_entry* entry = result->entry;
    if (entry->number_count == 0) return;
    ss_text_add(
        page,
        "<div class=\"wide\"><table>\n<thead><tr><th scope=\"col\">quantity</th><th scope=\"col\">paper</th>"
        "<th scope=\"col\">ours</th><th scope=\"col\">exact</th><th "
        "scope=\"col\">verdict</th></tr></thead>\n<tbody>\n");
    for (int k = 0; k < entry->number_count; k++) add_number(page, &entry->numbers[k], &result->findings[k]);
    ss_text_add(page, "</tbody></table></div>\n");
    add_questions(page, entry);
}

// ---- figures ----

static int add_figure(ss_text* page, const atlas_entry* entry)
{
    ss_text_add(page, "<figure><div class=\"picture\">");
    int status = html_picture(page, entry->figure, entry->name, entry->title);
    ss_text_add(page, "</div>\n<figcaption>");
    html_add(page, "%s ", entry->caption);
    html_add(page, "<a href=\"figures/%s\">This picture as a file</a></figcaption></figure>\n",
             entry->figure);
    return status;
}

static void add_command(ss_text* page, const atlas_entry* entry)
{
    char* line = atlas_drawing(entry);
    if (!line) page->failed = true;
    html_add(page, "<pre class=\"command\"><code>slipstick %s</code></pre>\n", line ? line : "");
    free(line);
}

// The files that the entry's commands read, each once.
static void add_files(ss_text* page, const atlas_entry* entry)
{
    for (int f = 0; f < atlas_file_count; f++) {
        const char* path = atlas_files[f].path;
        bool used = entry->draw && strstr(entry->draw, path);
        for (int k = 0; k < entry->number_count; k++)
            used = used || (entry->numbers[k].ask && strstr(entry->numbers[k].ask, path));
        if (!used) continue;
        if (strstr(path, ".yaml")) {
            html_add(page, "<details><summary>The model: <a href=\"%s\">", path);
            html_add(page, "%s</a></summary>\n<pre><code>", path);
            html_escape(page, (const char*)atlas_files[f].text, atlas_files[f].size);
            ss_text_add(page, "</code></pre></details>\n");
        } else {
            html_add(page, "<p>The recording: <a href=\"%s\">", path);
            html_add(page, "%s</a></p>\n", path);
        }
    }
}

static int add_entry(ss_text* page, const atlas_result* result)
{
    const atlas_entry* entry = result->entry;
    int status = CLI_GO_ON;
    html_add(page, "<section class=\"entry\" id=\"%s\">\n", entry->name);
    html_add(page, "<h3><span class=\"place\">%s</span> ", entry->place);
    html_add(page, "%s</h3>\n", entry->title);
    if (entry->figure)
        status = add_figure(page, entry);
    else
        html_add(page, "<p>%s</p>\n", entry->caption);
    if (entry->choice) html_add(page, "<p class=\"choice\"><b>Our choice.</b> %s</p>\n", entry->choice);
    if (entry->draw) add_command(page, entry);
    add_numbers(page, result);
    add_files(page, entry);
    ss_text_add(page, "<p class=\"back\"><a href=\"#contents\">back to the contents</a></p>\n</section>\n");
    return status;
}

static int add_chapter(ss_text* page, const atlas_chapter* chapter)
{
    const atlas_paper* paper = chapter->paper;
    int status = CLI_GO_ON;
    html_add(page, "<section class=\"paper\" id=\"%s\">\n", paper->key);
    html_add(page, "<h2>%s ", paper->name);
    html_add(page, "<span class=\"key\">[%s]</span></h2>\n", paper->key);
    html_add(page, "<p class=\"reference\">%s</p>\n", paper->reference);
    html_add(page, "<p>%s</p>\n", paper->about);
    for (int k = 0; k < paper->entry_count && status == CLI_GO_ON; k++)
        status = add_entry(page, &chapter->results[k]);
    ss_text_add(page, "</section>\n");
    return status;
}

// ---- the top ----

static void add_row(ss_text* page, const atlas_paper* paper, const tally* sum)
{
    ss_text_add(page, "<tr><th scope=\"row\">");
    if (paper) {
        html_add(page, "<a href=\"#%s\">", paper->key);
        html_add(page, "%s</a>", paper->name);
    } else {
        ss_text_add(page, "together");
    }
    ss_text_add(page, "</th><td>%d</td><td class=\"%s\">%d of %d</td><td>%d</td></tr>\n", sum->figures,
                sum->passed == sum->numbers ? "good" : "bad", sum->passed, sum->numbers, sum->errs);
}

static void add_checks(ss_text* page, const atlas_chapter chapters[], int count)
{
    tally all = {0};
    ss_text_add(
        page,
        "<h2 id=\"checks\">Checks</h2>\n<div class=\"wide\"><table>\n<thead><tr><th scope=\"col\">paper</th>"
        "<th scope=\"col\">figures</th><th scope=\"col\">checks passed</th>"
        "<th scope=\"col\">errors of the paper</th></tr></thead>\n<tbody>\n");
    for (int p = 0; p < count; p++) {
        tally sum = count_chapter(&chapters[p]);
        add_row(page, chapters[p].paper, &sum);
        all = (tally){all.figures + sum.figures, all.numbers + sum.numbers, all.passed + sum.passed,
                      all.errs + sum.errs};
    }
    add_row(page, NULL, &all);
    ss_text_add(page, "</tbody></table></div>\n");
}

static void add_contents(ss_text* page, const atlas_chapter chapters[], int count)
{
    ss_text_add(page, "<nav id=\"contents\" aria-label=\"contents\"><h2>Contents</h2>\n");
    for (int p = 0; p < count; p++) {
        html_add(page, "<h3><a href=\"#%s\">", chapters[p].paper->key);
        html_add(page, "%s</a></h3>\n<ul>\n", chapters[p].paper->name);
        for (int k = 0; k < chapters[p].paper->entry_count; k++) {
            const atlas_entry* entry = chapters[p].results[k].entry;
            html_add(page, "<li><a href=\"#%s\">", entry->name);
            html_add(page, "<span class=\"place\">%s</span> ", entry->place);
            html_add(page, "%s</a></li>\n", entry->title);
        }
        ss_text_add(page, "</ul>\n");
    }
    ss_text_add(page, "</nav>\n");
}

int atlas_write_page(const atlas_chapter chapters[], int count, const char* path)
{
    ss_text page = {0};
    int status = CLI_GO_ON;
    html_begin(&page);
    add_checks(&page, chapters, count);
    add_contents(&page, chapters, count);
    for (int p = 0; p < count && status == CLI_GO_ON; p++) status = add_chapter(&page, &chapters[p]);
    html_end(&page);
    if (status == CLI_GO_ON) status = html_write(&page, path);
    free(page.bytes);
    return status;
}
