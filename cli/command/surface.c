// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// slipstick surface MODEL: the limit surface of a slider, asked one question at a time.
#include "text/surface_text.h"

#include "base/print_answer.h"
#include "base/progress.h"
#include "command.h"
#include "option/also.h"
#include "option/plot.h"
#include "option/target.h"
#include "share/build.h"
#include "share/slider_parts.h"
#include "slipstick/file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct settings {
    cli_common common;
    const char *load, *applied, *first_motion, *push, *out;
    bool eigen, basin, facets;
    double angle; // NaN: as the model starts
    cli_plot plot;
    ss_sheet sheet;
    cli_texts also;
} settings;

// What may take long: the picture, the mesh, the eigen-directions, their shares, one after the other.
typedef struct works {
    cli_progress progress;
    int done, count;
} works;

// The bar is gone before anything else is told.
static bool goes_on(void* user, double share)
{
    works* w = user;
    bool on = cli_progress_goes_on(&w->progress, (w->done + share) / w->count);
    if (!on || share >= 1.0) cli_progress_end(&w->progress);
    return on;
}

static const ss_dimension plain = {0}, metre = {.m = 1}, speed = {1, 0, -1, 0}, spin = {.s = -1};
static const ss_dimension force = {1, 1, -2, 0}, moment = {2, 1, -2, 0};

// clang-format off
static int parse(settings* s, const cli_line* line)
{
    const cli_option options[] = {
        {.name = "--load", .value = "VX,VY,SPIN", .kind = CLI_TEXT, .target = &s->load,
         .help = "the load at this motion (body frame), such as \"0.5 m/s,0,1 rad/s\""},
        {.name = "--applied", .value = "FX,FY,M", .kind = CLI_TEXT, .target = &s->applied,
         .help = "with --load: what is applied, where a support that does not move leaves a choice"},
        {.name = "--first-motion", .value = "FX,FY,M", .kind = CLI_TEXT, .target = &s->first_motion,
         .help = "what this applied load does to the slider at rest: sticks, or accelerates"},
        {.name = "--push", .value = "X,Y,NX,NY,MU,VX,VY", .kind = CLI_TEXT, .target = &s->push,
         .help = "what a finger does that pushes slowly (body frame): its place, the normal into the\n"
                 "                         slider, its coefficient of friction, its velocity"},
        {.name = "--eigen", .kind = CLI_FLAG, .target = &s->eigen,
         .help = "all eigen-directions: the ways it can come to rest"},
        {.name = "--basin", .kind = CLI_FLAG, .target = &s->basin,
         .help = "with --eigen: from how much of the sphere of motions each stable one attracts"},
        {.name = "--facets", .kind = CLI_FLAG, .target = &s->facets,
         .help = "the flat faces and the vertices of the surface, one by one"},
        {.name = "--angle", .value = "A", .kind = CLI_QUANTITY, .target = &s->angle, .least = -INFINITY,
         .most = INFINITY, .dimension = plain,
         .help = "angle of the body on a floor that differs along and across (default: the start's)"},
        {.name = "--out", .value = "FILE", .kind = CLI_TEXT, .target = &s->out,
         .help = "write the surface as a mesh to FILE.csv, FILE.obj or FILE.ply"},
        CLI_PLOT_OPTIONS(&s->plot, "a picture as FILE.svg, FILE.png or FILE.pdf"),
        CLI_VIEW_OPTION(
            &s->plot, "surface sphere section section:FyM section:FxFy",
            "what to draw: surface (default), sphere: how free motions turn, or section:\n"
            "                         loads with Fy = 0; section:FyM, section:FxFy of other planes"),
        {.name = "--also", .value = "PATH=VALUE,..", .kind = CLI_TEXTS, .target = &s->also,
         .help = "with --view section: draw the slider changed like this, too, as often as wanted"},
        CLI_COMMON_OPTIONS(&s->common),
    };
    static const char about[] =
        "Tells about the limit surface of a slider: loads the friction of a whole body exerts as it moves.\n"
        "Loads are what the slider exerts on the ground, in the body frame; --eigen and --facets answer in\n"
        "the units of m g and the radius of gyration. Ctrl-C ends a long search or drawing with exit status 3\n"
        "and nothing written.";
    return cli_parse_model("surface", about, options, sizeof options / sizeof options[0], &s->common, line);
}
// clang-format on

// "1 N,0,2 N*m": quantities, each of its own dimension.
static int parse_list(const char* option, const char* text, const ss_dimension units[], int count,
                      double out[])
{
    const char* at = text;
    ss_scope nothing = {0};
    for (int i = 0; i < count; i++) {
        char one[128];
        ss_error err;
        size_t length = strcspn(at, ",");
        bool ends = at[length] == '\0';
        if (ends != (i == count - 1) || length >= sizeof one)
            return cli_option_fault(option, text, "expected %s numbers with commas between them",
                                    count == 3 ? "three" : "seven");
        memcpy(one, at, length);
        one[length] = '\0';
        if (ss_quantity_parse(one, &nothing, units[i], &out[i], &err) != SS_OK)
            return cli_option_error(option, text, &err);
        if (!isfinite(out[i])) return cli_option_fault(option, text, "is not finite");
        at += length + 1;
    }
    return CLI_GO_ON;
}

static int parse_three(const char* option, const char* text, ss_dimension first, ss_dimension last,
                       double out[3])
{
    return parse_list(option, text, (ss_dimension[]){first, first, last}, 3, out);
}

static int check_options(const settings* s)
{
    int questions = (s->load != NULL) + (s->first_motion != NULL) + (s->push != NULL) + s->eigen + s->facets;
    if (questions > 1)
        return cli_option_fault(
            s->facets  ? "--facets"
            : s->eigen ? "--eigen"
            : s->push  ? "--push"
                       : "--first-motion",
            NULL, "expected one of --load, --first-motion, --push, --eigen, --facets at a time");
    if (s->applied && !s->load) return cli_option_fault("--applied", s->applied, "goes with --load");
    if (s->basin && !s->eigen) return cli_option_fault("--basin", NULL, "goes with --eigen");
    if (s->also.count > 0 && (!s->plot.view || strncmp(s->plot.view, "section", 7) != 0))
        return cli_option_fault("--also", s->also.items[0], "goes with --view section");
    if (s->out && !ss_mesh_knows(s->out))
        return cli_option_fault("--out", s->out, "the name must end in .csv, .obj or .ply");
    if (questions == 0 && !s->out && !s->plot.path) {
        fputs("surface: expected --load, --first-motion, --push, --eigen, --facets, --out or --plot; see "
              "`slipstick surface --help`\n",
              stderr);
        return CLI_WRONG;
    }
    return CLI_GO_ON;
}

static int report_load(const settings* s, const ss_slider* slider)
{
    double motion[3], applied[3] = {0};
    int status = parse_three("--load", s->load, speed, spin, motion);
    if (status == CLI_GO_ON && s->applied)
        status = parse_three("--applied", s->applied, force, moment, applied);
    if (status != CLI_GO_ON) return status;
    if (motion[0] == 0 && motion[1] == 0 && motion[2] == 0)
        return cli_option_fault("--load", s->load, "is no motion; at rest the load is what is applied");
    ss_sliding_load answer;
    ss_error err;
    if (ss_slider_sliding_load(slider, s->angle, motion, applied, &answer, &err) != SS_OK)
        return cli_print_error(&err);
    ss_answer* tree = NULL;
    if (s->common.json)
        return cli_answer(&s->common, ss_answer_load(motion, &answer, &tree, &err), &tree, &err);
    cli_load_text(motion, &answer, stdout);
    return CLI_DONE;
}

static int report_first_motion(const settings* s, const ss_slider* slider)
{
    double applied[3];
    int status = parse_three("--first-motion", s->first_motion, force, moment, applied);
    if (status != CLI_GO_ON) return status;
    ss_first_motion answer;
    ss_error err;
    if (ss_slider_first_motion(slider, s->angle, applied, &answer, &err) != SS_OK)
        return cli_print_error(&err);
    ss_answer* tree = NULL;
    if (s->common.json)
        return cli_answer(&s->common, ss_answer_first_motion(&answer, &tree, &err), &tree, &err);
    cli_first_motion_text(&answer, stdout);
    return CLI_DONE;
}

static int report_push(const settings* s, const ss_slider* slider)
{
    const ss_dimension units[] = {metre, metre, plain, plain, plain, speed, speed};
    double x[7];
    int status = parse_list("--push", s->push, units, 7, x);
    if (status != CLI_GO_ON) return status;
    const ss_push push = {.at = {x[0], x[1]}, .normal = {x[2], x[3]}, .mu = x[4], .finger = {x[5], x[6]}};
    ss_push_answer answer;
    ss_error err;
    if (ss_slider_push(slider, s->angle, &push, &answer, &err) != SS_OK)
        return cli_option_error("--push", s->push, &err);
    ss_answer* tree = NULL;
    if (s->common.json) return cli_answer(&s->common, ss_answer_push(&answer, &tree, &err), &tree, &err);
    cli_push_text(&answer, stdout);
    return CLI_DONE;
}

static int report_eigen(const settings* s, const ss_slider* slider, works* w)
{
    const ss_watch watch = {goes_on, w};
    ss_eigen_set set;
    ss_error err = {.status = SS_NO_MEMORY, .text = "out of memory"};
    double* shares = NULL;
    if (ss_slider_eigen(slider, s->angle, &watch, &set, &err) != SS_OK)
        return cli_option_error("--eigen", NULL, &err);
    int status = CLI_DONE;
    w->done++;
    if (s->basin) {
        shares = calloc((size_t)set.count + 1, sizeof *shares);
        if (!shares || ss_slider_basin(slider, s->angle, &set, &watch, shares, &err) != SS_OK)
            status = cli_option_error("--basin", NULL, &err);
    }
    ss_answer* tree = NULL;
    if (status == CLI_DONE && s->common.json)
        status = cli_answer(&s->common, ss_answer_eigen(&set, shares, &tree, &err), &tree, &err);
    else if (status == CLI_DONE)
        cli_eigen_text(&set, shares, stdout);
    free(shares);
    ss_eigen_set_free(&set);
    return status;
}

static int report_facets(const settings* s, const ss_slider* slider)
{
    ss_vertex_set vertices;
    ss_error err;
    int count = ss_slider_facets(slider, s->angle, NULL, 0);
    ss_facet* facets = calloc((size_t)count + 1, sizeof *facets);
    int status = CLI_DONE;
    if (!facets || ss_slider_vertices(slider, s->angle, &vertices, &err) != SS_OK) {
        fputs("out of memory\n", stderr);
        status = CLI_UNFINISHED;
    } else {
        ss_slider_facets(slider, s->angle, facets, count);
        ss_answer* tree = NULL;
        if (s->common.json)
            status =
                cli_answer(&s->common, ss_answer_faces(facets, count, &vertices, &tree, &err), &tree, &err);
        else
            cli_faces_text(facets, count, &vertices, stdout);
        ss_vertex_set_free(&vertices);
    }
    free(facets);
    return status;
}

static const char* const views[] = {"surface", "sphere", "section", NULL};
enum { SURFACE, SPHERE, SECTION };

// The loads that span the plane of a section: "FxM" (as nothing), "FyM", "FxFy".
static int read_plane(const settings* s, const char* text, ss_section_picture* picture)
{
    static const struct {
        const char* name;
        int across, up;
    } planes[] = {{"FxM", 0, 2}, {"FyM", 1, 2}, {"FxFy", 0, 1}};
    for (size_t k = 0; k < sizeof planes / sizeof planes[0]; k++)
        if (strcmp(text ? text : "FxM", planes[k].name) == 0) {
            picture->across = planes[k].across;
            picture->up = planes[k].up;
            return CLI_GO_ON;
        }
    return cli_option_fault("--view", s->plot.view, "expected section:FxM, section:FyM or section:FxFy");
}

static int conclude_drawing(const settings* s, ss_status status, const ss_error* err)
{
    if (status == SS_OK) return CLI_DONE;
    return cli_option_error("--plot", s->plot.path, err);
}

static ss_status draw_planes(void* picture, ss_error* err) { return ss_picture_section(picture, err); }
static ss_status draw_surface(void* picture, ss_error* err) { return ss_picture_surface(picture, err); }
static ss_status draw_sphere(void* picture, ss_error* err) { return ss_picture_sphere(picture, err); }

static int draw_section(const settings* s, const cli_loaded* loaded, const char* plane, const ss_watch* watch)
{
    int count = 1 + s->also.count, status;
    cli_loaded* others = cli_also_load(loaded->document, &s->also, &status);
    const ss_slider** sliders = calloc((size_t)count, sizeof *sliders);
    const char** labels = calloc((size_t)count, sizeof *labels);
    ss_error err = {.status = SS_NO_MEMORY, .text = "out of memory"};
    if (status == CLI_GO_ON && (!sliders || !labels)) status = cli_print_error(&err);
    for (int k = 0; k < count && status == CLI_GO_ON; k++) {
        sliders[k] = k == 0 ? loaded->slider : others[k - 1].slider;
        labels[k] = k == 0 ? NULL : s->also.items[k - 1];
    }
    ss_section_picture picture = {.sheet = s->sheet,
                                  .sliders = sliders,
                                  .labels = labels,
                                  .count = count,
                                  .angle_rad = s->angle,
                                  .watch = watch};
    if (status == CLI_GO_ON) status = read_plane(s, plane, &picture);
    if (status == CLI_GO_ON)
        status = conclude_drawing(s, cli_plot_draw(draw_planes, &picture, &s->sheet, &err), &err);
    free(labels);
    free(sliders);
    cli_also_unload(others, &s->also);
    return status;
}

static int draw(const settings* s, const cli_loaded* loaded, const ss_watch* watch)
{
    const char* of;
    ss_error err;
    int view = cli_plot_view(&s->plot, views, &of);
    if (view < 0) return CLI_WRONG;
    if (view == SECTION) return draw_section(s, loaded, of, watch);
    ss_surface_picture picture = {
        .sheet = s->sheet, .slider = loaded->slider, .angle_rad = s->angle, .watch = watch};
    cli_guarded* how = view == SURFACE ? draw_surface : draw_sphere;
    return conclude_drawing(s, cli_plot_draw(how, &picture, &s->sheet, &err), &err);
}

// The surface as a mesh; nothing half-written stays.
static int write_mesh(const settings* s, const ss_slider* slider, const ss_watch* watch)
{
    enum { FINENESS = 32 };
    ss_mesh mesh;
    ss_error err;
    if (ss_slider_mesh(slider, s->angle, FINENESS, watch, &mesh, &err) != SS_OK)
        return cli_option_error("--out", s->out, &err);
    ss_status status = ss_mesh_write(&mesh, s->out, &err);
    ss_mesh_free(&mesh);
    return status == SS_OK ? CLI_DONE : cli_option_error("--out", s->out, &err);
}

static int report_written(const settings* s, const char* path)
{
    ss_answer* answer = NULL;
    ss_error err;
    if (!s->common.json) {
        printf("wrote %s\n", path);
        return CLI_DONE;
    }
    ss_status status = ss_answer_create(&answer, &err);
    if (status == SS_OK) {
        ss_answer_object(answer, true);
        ss_answer_put_text(answer, "out", path);
        ss_answer_end(answer);
        status = ss_answer_finish(answer, &err);
    }
    if (status != SS_OK) ss_answer_destroy(answer);
    return cli_answer(&s->common, status, &answer, &err);
}

static int answer(const settings* s, const cli_loaded* loaded)
{
    const ss_slider* slider = loaded->slider;
    works w = {.count = (s->plot.path != NULL) + (s->out != NULL) + s->eigen + s->basin};
    if (w.count > 0) w.progress = cli_progress_begin(); // other questions are answered at once
    const ss_watch watch = {goes_on, &w};
    if (s->plot.path) { // first: it may find a fault of --view
        int status = draw(s, loaded, &watch);
        if (status != CLI_DONE) return status;
        w.done++;
    }
    if (s->out) {
        int status = write_mesh(s, slider, &watch);
        if (status != CLI_DONE) return status;
        w.done++;
    }
    if (s->load) return report_load(s, slider);
    if (s->first_motion) return report_first_motion(s, slider);
    if (s->push) return report_push(s, slider);
    if (s->eigen) return report_eigen(s, slider, &w);
    if (s->facets) return report_facets(s, slider);
    return report_written(s, s->out ? s->out : s->plot.path);
}

static int run(const cli_line* line)
{
    settings s = {.common = cli_common_default(), .angle = NAN};
    cli_loaded loaded = {0};
    int status = parse(&s, line);
    if (status == CLI_GO_ON) status = cli_plot_sheet(&s.plot, &s.common, &s.sheet);
    if (status == CLI_GO_ON) status = cli_target_check("--plot", s.plot.path);
    if (status == CLI_GO_ON) status = cli_target_check("--out", s.out);
    if (status == CLI_GO_ON) status = check_options(&s);
    if (status == CLI_GO_ON) status = cli_load_slider(s.common.model, &s.common.set, &loaded);
    if (status == CLI_GO_ON) {
        double place[3], start_speed[3];
        ss_slider_start(loaded.slider, place, start_speed);
        if (isnan(s.angle)) s.angle = place[2];
        status = answer(&s, &loaded);
    }
    cli_unload(&loaded);
    free(s.also.items);
    cli_common_free(&s.common);
    return status;
}

const cli_command cli_surface = {"surface",
                                 "limit surface of a body sliding on a plane: loads, first motion, "
                                 "how it comes to rest",
                                 run};
