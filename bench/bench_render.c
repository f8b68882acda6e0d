// gyre bench render: pictures of scenes: milliseconds of processor time a picture, over all
// threads together, and nanoseconds a pixel, beside the time of the frame that is drawn. And what
// no clock is needed for: a picture is the same for any number of threads and instruction set.
#include "bench/parts.h"
#include "gyre/scene.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SETTINGS = 4, PICTURES = 9 };

typedef struct picture {
    const char *name, *scene; // what it is called, and the file of that name
    int frames;               // simulated before it is drawn
    double most;              // ms
    bool beside;              // also measured as it is drawn while the next frame is simulated
    const char *set[SETTINGS];
} picture;

static const picture pictures[] = {
    {"dam_break", "dam_break", 45, 60.0, false, {0}},
    {"floating_boxes", "floating_boxes", 30, 60.0, true, {0}},
    {"lakes", "lakes", 60, 60.0, false, {0}},
    {"boat", "boat", 60, 60.0, false, {0}},
    {"plume", "plume", 60, 60.0, true, {0}},
    {"fog", "fog", 60, 60.0, true, {0}},
    {"steam", "steam", 60, 60.0, false, {0}}, // two models, composed
    {"map",
     "periodic_shear",
     8,
     8.0,
     false,
     {"gas.grid.n=1024,1024,1", "gas.grid.h=0.0009765625", "output.width=1024",
      "output.height=1024"}},
    {"smoke", "smoke_round_solid", 40, 30.0, false, {"output.width=1024", "output.height=512"}},
    // Scalars together, and one of them alone, of the same frame.
    {"inks", "ink_in_water", 20, 100.0, false, {"view.channels.water.shown=false"}},
    {"inks_as_light",
     "ink_in_water",
     20,
     50.0,
     false,
     {"view.mix=light", "view.channels.water.shown=false"}},
    {"inks_as_smoke",
     "ink_in_water",
     20,
     50.0,
     false,
     {"view.mix=auto", "view.channels.water.shown=false"}},
    {"inks_one", "ink_in_water", 20, 30.0, false, {"view.mix=auto", "view.field=density"}},
    {"inks_in_water", "ink_in_water", 20, 250.0, false, {0}}, // which fills the box
    {"ink_map", "two_inks", 30, 15.0, false, {0}},
    {"ink_map_one", "two_inks", 30, 10.0, false, {"view.mix=auto", "view.field=blue"}},
    // Light under water, beam by beam, and by the curvature above alone.
    {"pool", "pool", 60, 150.0, false, {0}},
    {"pool_plain", "pool", 60, 100.0, false, {"view.caustics=false"}},
    // Waves that break, with ripples, sheets, spray and foam: 41 of both a second asked.
    {"beach", "beach", 120, 40.0, true, {"output.width=640", "output.height=360"}},
    {"beach_foam", "beach", 480, 70.0, true, {"output.width=640", "output.height=360"}},
};

typedef struct options {
    bool quick, gate, untimed;
    int threads;
    const char *isa, *folder, *keep, *only;
} options;

static int missed;

static void gate(const options *o, const char *what, double value, double most)
{
    bool pass = value <= most;
    printf("    %-52s %8.3f (at most %.3f)%s\n", what, value, most, pass ? "" : "  MISSED");
    missed += o->gate && !pass;
}

static int fail(const char *what)
{
    fprintf(stderr, "gyre bench render: %s: %s\n", what, gyre_message());
    return 1;
}

static gyre_device *open_device(const char *isa, int threads)
{
    gyre_device *device = NULL;
    gyre_device_def def = gyre_default_device_def();
    def.threads = threads;
    def.isa = isa;
    if (gyre_device_create(&def, &device) != GYRE_OK)
        exit(fail("device"));
    return device;
}

// A picture's scene, made on the device and not yet stepped, and an image for it.
static gyre_scene *open_scene(const options *o, const picture *p, gyre_device *device, int share,
                              gyre_image *image)
{
    gyre_scene *scene = NULL;
    char path[1024];
    snprintf(path, sizeof path, "%s/%s.json", o->folder, p->scene);
    if (gyre_scene_load(path, &scene) != GYRE_OK)
        exit(fail(p->name));
    for (int i = 0; i < SETTINGS && p->set[i]; i++)
        if (gyre_scene_assign(scene, p->set[i]) != GYRE_OK)
            exit(fail(p->name));
    const gyre_scene_output *size = &gyre_scene_get_settings(scene)->output;
    if (gyre_scene_create(scene, device) != GYRE_OK ||
        gyre_image_create(size->width / share, size->height / share, image) != GYRE_OK)
        exit(fail(p->name));
    return scene;
}

static void step(const picture *p, gyre_scene *scene, int frames)
{
    for (int f = 0; f < frames; f++)
        if (gyre_scene_step_frame(scene) != GYRE_OK)
            exit(fail(p->name));
}

static void draw(const picture *p, gyre_scene *scene, gyre_image *image)
{
    if (gyre_scene_render(scene, image) != GYRE_OK)
        exit(fail(p->name));
}

static void keep(const options *o, const picture *p, const gyre_image *image)
{
    char path[1024];
    if (!o->keep)
        return;
    snprintf(path, sizeof path, "%s/%s.png", o->keep, p->name);
    if (gyre_png_write(path, image->width, image->height, 3, image->rgb) != GYRE_OK)
        exit(fail(p->name));
}

// Each picture is drawn of a frame of its own, as a video's are.
static void measure(const options *o, const picture *p)
{
    double frame[PICTURES], drawn[PICTURES], waited[PICTURES];
    int count = o->quick ? 3 : PICTURES, frames = o->quick ? p->frames / 4 : p->frames;
    gyre_device *device = open_device(o->isa, o->threads);
    gyre_image image;
    gyre_scene *scene = open_scene(o, p, device, 1, &image);
    step(p, scene, frames - count);
    for (int i = 0; i < count; i++) {
        clock_t from = clock();
        step(p, scene, 1);
        frame[i] = (double)(clock() - from) * 1e3 / CLOCKS_PER_SEC;
        double start = bench_now();
        from = clock();
        draw(p, scene, &image);
        drawn[i] = (double)(clock() - from) * 1e3 / CLOCKS_PER_SEC;
        waited[i] = (bench_now() - start) * 1e3;
    }
    keep(o, p, &image);
    double ms = bench_median(drawn, count), pixels = (double)image.width * image.height;
    printf("%-15s %4d x %4d  %8.2f ms  %8.2f ns/pixel  %8.2f ms waited for  the frame %8.2f ms\n",
           p->name, image.width, image.height, ms, ms * 1e6 / pixels, bench_median(waited, count),
           bench_median(frame, count));
    gate(o, "ms of processor time a picture", ms, p->most);
    gyre_image_free(&image);
    gyre_scene_destroy(scene);
    gyre_device_destroy(device);
}

// Frames and their pictures, so many, one after the other or, with a drawer, side by side: wall
// clock of each, ms.
static double wait_for(const picture *p, gyre_scene *scene, gyre_drawer *drawer, gyre_image *image,
                       int frames)
{
    double start = bench_now();
    for (int i = 0; i < frames; i++) {
        step(p, scene, 1);
        if (!drawer)
            draw(p, scene, image);
        else if (gyre_drawer_begin(drawer, scene, image, NULL, NULL) != GYRE_OK)
            exit(fail(p->name));
    }
    if (drawer && gyre_drawer_wait(drawer) != GYRE_OK)
        exit(fail(p->name));
    return (bench_now() - start) * 1e3 / frames;
}

// By turns, of frames that follow each other.
static void beside(const options *o, const picture *p)
{
    enum { FRAMES = 5 };
    double alone[PICTURES], both[PICTURES];
    int count = o->quick ? 3 : PICTURES;
    gyre_device *device = open_device(o->isa, o->threads), *drawing;
    gyre_drawer *drawer = NULL;
    gyre_image image;
    gyre_scene *scene = open_scene(o, p, device, 1, &image);
    drawing = open_device(o->isa, o->threads);
    if (gyre_drawer_create(drawing, &drawer) != GYRE_OK)
        exit(fail(p->name));
    step(p, scene, p->frames / 4);
    for (int i = 0; i < count; i++) {
        alone[i] = wait_for(p, scene, NULL, &image, FRAMES);
        both[i] = wait_for(p, scene, drawer, &image, FRAMES);
    }
    double before = bench_median(alone, count), now = bench_median(both, count);
    printf("%-15s a frame and its picture on %d threads: %8.2f ms one after the other, %8.2f ms "
           "drawn beside the next\n",
           p->name, o->threads, before, now);
    gate(o, "beside the next, of one after the other", now / before, 1.0);
    gyre_drawer_destroy(drawer);
    gyre_image_free(&image);
    gyre_scene_destroy(scene);
    gyre_device_destroy(device);
    gyre_device_destroy(drawing);
}

// Bytes of two pictures that differ.
static double differing(const gyre_image *a, const gyre_image *b)
{
    double count = 0;
    for (size_t i = 0; i < 3 * (size_t)a->width * (size_t)a->height; i++)
        count += a->rgb[i] != b->rgb[i];
    return count;
}

// A small picture on one thread and another one elsewhere.
static double compare(const options *o, const picture *p, const char *isa, int threads)
{
    gyre_image image[2];
    for (int i = 0; i < 2; i++) {
        gyre_device *device = open_device(i ? isa : NULL, i ? threads : 1);
        gyre_scene *scene = open_scene(o, p, device, 4, &image[i]);
        step(p, scene, 2);
        draw(p, scene, &image[i]);
        gyre_scene_destroy(scene);
        gyre_device_destroy(device);
    }
    double count = differing(&image[0], &image[1]);
    gyre_image_free(&image[0]);
    gyre_image_free(&image[1]);
    return count;
}

static void untimed(const options *o, const picture *p)
{
    char what[128];
    snprintf(what, sizeof what, "%s: bytes that three threads change", p->name);
    gate(o, what, compare(o, p, NULL, 3), 0.0);
    for (int i = 0; gyre_isa_name(i); i++) {
        snprintf(what, sizeof what, "%s: bytes that %s changes", p->name, gyre_isa_name(i));
        gate(o, what, compare(o, p, gyre_isa_name(i), 1), 0.0);
    }
}

static int usage(const char *wrong, const char *text)
{
    fprintf(stderr, "gyre bench render: %s%s\n", wrong, text);
    fprintf(stderr, "usage: " BENCH_RENDER_USAGE);
    return 2;
}

static const char *take_value(options *o, const char *name, const char *value)
{
    if (!strcmp(name, "--isa"))
        o->isa = value;
    else if (!strcmp(name, "--scenes"))
        o->folder = value;
    else if (!strcmp(name, "--keep"))
        o->keep = value;
    else if (!strcmp(name, "--case"))
        o->only = value;
    else if (!strcmp(name, "--threads")) {
        int count;
        return bench_threads(value, &o->threads, 1, &count);
    } else
        return "unknown option: ";
    return NULL;
}

int bench_render(int argc, char **argv)
{
    options o = {.threads = 2, .folder = "scene"};
    int drawn = 0;
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--quick"))
            o.quick = true;
        else if (!strcmp(argv[i], "--gate"))
            o.gate = true;
        else if (!strcmp(argv[i], "--untimed"))
            o.untimed = true;
        else if (i + 1 < argc) {
            const char *wrong = take_value(&o, argv[i], argv[i + 1]);
            if (wrong)
                return usage(wrong, argv[i]);
            i++;
        } else
            return usage("unknown option or missing value: ", argv[i]);
    }
    gyre_device *device = open_device(o.isa, 1);
    printf("pictures on %s, %d threads\n", gyre_device_isa(device), o.threads);
    gyre_device_destroy(device);
    for (size_t i = 0; i < sizeof pictures / sizeof *pictures; i++) {
        if (o.only && strcmp(o.only, pictures[i].name))
            continue;
        drawn++;
        if (o.untimed)
            untimed(&o, &pictures[i]);
        else {
            measure(&o, &pictures[i]);
            if (pictures[i].beside && o.threads > 1)
                beside(&o, &pictures[i]);
        }
    }
    if (!drawn)
        return usage("there is no picture named ", o.only);
    return missed ? 1 : 0;
}
