// view/panel/edit.c: elements made from property tables: a line of a table is a slider, a field, a
// box or a list, with its unit, its range and its default.
#include "view/app.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- values as text

// The shortest text that gives the same float back.
static void number_text(double number, char *text, size_t size)
{
    for (int digits = 6; digits <= 9; digits++) {
        snprintf(text, size, "%.*g", digits, number);
        if (strtof(text, NULL) == (float)number) {
            return;
        }
    }
}

static void quote(const char *string, char *json, size_t size)
{
    size_t used = 0;
    json[used++] = '"';
    for (const char *c = string; *c && used + 4 < size; c++) {
        if (*c == '"' || *c == '\\') {
            json[used++] = '\\';
        }
        json[used++] = (unsigned char)*c < 32 ? ' ' : *c;
    }
    json[used++] = '"';
    json[used] = 0;
}

void value_json(const gyre_property *p, const gyre_value *value, char *json, size_t size)
{
    if (p->kind == GYRE_BOOL) {
        snprintf(json, size, "%s", value->number[0] != 0 ? "true" : "false");
    } else if (p->kind == GYRE_ENUM) {
        quote(p->names[(int)value->number[0]], json, size);
    } else if (p->kind == GYRE_STRING) {
        quote(value->string, json, size);
    } else {
        size_t used = 0;
        used += (size_t)snprintf(json, size, "%s", p->count > 1 ? "[" : "");
        for (int i = 0; i < p->count && used + 40 < size; i++) {
            char text[32];
            number_text(value->number[i], text, sizeof text);
            used += (size_t)snprintf(json + used, size - used, "%s%s", i ? ", " : "", text);
        }
        snprintf(json + used, size - used, "%s", p->count > 1 ? "]" : "");
    }
}

static bool has_unit(const gyre_property *p)
{
    return p->unit && p->unit[0] && strcmp(p->unit, "1") != 0;
}

void value_text(const gyre_property *p, const gyre_value *value, char *text, size_t size)
{
    if (p->kind == GYRE_BOOL) {
        snprintf(text, size, "%s", value->number[0] != 0 ? "yes" : "no");
    } else if (p->kind == GYRE_ENUM) {
        snprintf(text, size, "%s",
                 value->string[0] ? value->string : p->names[(int)value->number[0]]);
    } else if (p->kind == GYRE_STRING) {
        snprintf(text, size, "%s", value->string);
    } else {
        size_t used = 0;
        for (int i = 0; i < p->count && used < size; i++) {
            used += (size_t)snprintf(text + used, size - used, "%s%.5g", i ? ", " : "",
                                     value->number[i]);
        }
        if (used < size && has_unit(p)) {
            snprintf(text + used, size - used, " %s", p->unit);
        }
    }
}

// ---- one line

static gyre_value initial(const gyre_property *p)
{
    gyre_value value = {.kind = p->kind, .count = p->count};
    for (int i = 0; i < 4 && p->kind != GYRE_STRING; i++) {
        value.number[i] = p->initial[i];
        if (p->kind == GYRE_FLOAT) {
            value.number[i] = (double)(float)p->initial[i];
        }
    }
    if (p->kind == GYRE_ENUM) {
        snprintf(value.string, sizeof value.string, "%s", p->names[(int)p->initial[0]]);
    }
    return value;
}

static bool is_initial(const gyre_property *p, const gyre_value *value)
{
    if (p->kind == GYRE_STRING) {
        return value->string[0] == 0;
    }
    for (int i = 0; i < p->count && i < 4; i++) {
        if ((float)value->number[i] != (float)p->initial[i]) {
            return false;
        }
    }
    return true;
}

static bool is_bounded(const gyre_property *p)
{
    return p->min < p->max;
}

static bool edit_floats(const gyre_property *p, gyre_value *value, const char *label)
{
    float v[4], largest = 0;
    for (int i = 0; i < p->count; i++) {
        v[i] = (float)value->number[i];
        largest = fmaxf(largest, fabsf(v[i]));
    }
    bool bounded = is_bounded(p), slider = bounded && p->max - p->min <= 100.0;
    // A pull over the field's width changes a number by about its own size.
    float speed = fmaxf(largest, bounded && p->max < 1.0 ? 0.1f * (float)p->max : 0.05f) * 0.01f;
    bool rgb = p->count == 3 && strstr(p->name, "colour");
    bool changed =
        rgb ? gui_colours(label, v)
            : gui_floats(label, v, p->count, (float)p->min, (float)p->max, slider, speed, "%.5g");
    for (int i = 0; i < p->count && changed; i++) {
        if (!isfinite(v[i])) {
            return false;
        }
        double x = (double)v[i];
        value->number[i] = bounded ? fmin(fmax(x, p->min), p->max) : x;
    }
    return changed;
}

static bool edit_ints(const gyre_property *p, gyre_value *value, const char *label)
{
    int32_t v[4];
    for (int i = 0; i < p->count; i++) {
        v[i] = (int32_t)value->number[i];
    }
    bool slider = is_bounded(p) && p->max - p->min <= 64;
    bool changed = gui_ints(label, v, p->count, (int)fmax(p->min, -2147483648.0),
                            (int)fmin(p->max, 2147483647.0), slider);
    for (int i = 0; i < p->count && changed; i++) {
        value->number[i] = v[i];
    }
    return changed;
}

static bool edit_kind(const gyre_property *p, gyre_value *value, const char *label)
{
    switch (p->kind) {
    case GYRE_BOOL: {
        bool on = value->number[0] != 0;
        bool changed = gui_checkbox(label, &on);
        value->number[0] = on;
        return changed;
    }
    case GYRE_ENUM: {
        int32_t index = (int32_t)value->number[0];
        bool changed = gui_choice(label, &index, p->names);
        if (changed) {
            value->number[0] = index;
            snprintf(value->string, sizeof value->string, "%s", p->names[index]);
        }
        return changed;
    }
    case GYRE_INT:
        return edit_ints(p, value, label);
    case GYRE_FLOAT:
        return edit_floats(p, value, label);
    case GYRE_STRING: {
        int size = p->size > 1 && p->size < sizeof value->string ? (int)p->size
                                                                 : (int)sizeof value->string;
        return gui_line(label, value->string, size);
    }
    default:
        gui_text(label);
        return false;
    }
}

// One number of a quaternion that was dragged: the others give way, and from 0 there is a way.
static void make_unit(const gyre_value *before, gyre_value *value)
{
    double square = 0.0;
    bool none = true;
    for (int i = 0; i < 4; i++) {
        none = none && before->number[i] == 0.0;
    }
    value->number[3] += none && value->number[3] == 0.0 ? 1.0 : 0.0;
    for (int i = 0; i < 4; i++) {
        square += value->number[i] * value->number[i];
    }
    for (int i = 0; i < 4 && square > 0.0; i++) {
        value->number[i] /= sqrt(square);
    }
}

static void tip(const gyre_property *p, const char *reason, bool marked)
{
    char expects[200], text[700], normal[100];
    gyre_value value = initial(p);
    gyre_property_describe(p, expects, sizeof expects);
    value_text(p, &value, normal, sizeof normal);
    snprintf(text, sizeof text, "%s\n%s\ndefault: %s%s%s%s", p->doc ? p->doc : p->name, expects,
             normal[0] ? normal : "empty", marked && !reason ? " (a right click restores it)" : "",
             reason ? "\n" : "", reason ? reason : "");
    gui_tip(text);
}

bool edit_value(const gyre_property *p, gyre_value *value, const char *label, bool fixed,
                const char *reason)
{
    char text[120];
    bool marked = !is_initial(p, value);
    if (has_unit(p)) {
        snprintf(text, sizeof text, "%s%s (%s)###%s", label, marked ? " *" : "", p->unit, label);
    } else {
        snprintf(text, sizeof text, "%s%s###%s", label, marked ? " *" : "", label);
    }
    gui_item_width(0.5f * gui_width());
    gui_mark(marked);
    gui_disable(fixed);
    gyre_value before = *value;
    bool changed = edit_kind(p, value, text);
    if (changed && (p->flags & GYRE_ORIENTATION)) {
        make_unit(&before, value);
    }
    gui_enable();
    gui_unmark();
    if (!fixed && marked && gui_pressed_right()) {
        *value = initial(p);
        changed = true;
    }
    tip(p, fixed ? reason : NULL, marked);
    return changed;
}

bool edit_table(const gyre_property *table, void *def)
{
    bool changed = false;
    for (const gyre_property *p = table; p->kind != GYRE_END; p++) {
        gyre_value value;
        void *at = (char *)def + p->offset;
        if (gyre_property_read(p, at, &value) == GYRE_OK &&
            edit_value(p, &value, p->name, false, NULL)) {
            changed = gyre_property_write(p, at, &value) == GYRE_OK || changed;
        }
    }
    return changed;
}

// ---- a model's tree

static const char *const is_fixed = "fixed when the model is made: change it in the scene file, or "
                                    "with --set when you start";
static const char *const is_named = "an element's name stays as it was given";

static void send(view_app *app, const char *path, const char *json)
{
    if (app->show.variants > 1) {
        view_session_input_to(app->show.session, app->panel.variant, path, json);
    } else {
        view_session_input(app->show.session, path, json);
    }
}

static void edit_leaf(view_app *app, panel_item *item)
{
    view_panel *panel = &app->panel;
    if (!item->readable) {
        char text[96];
        snprintf(text, sizeof text, "%s: an array", item->label);
        gui_text_dim(text);
        gui_tip(item->property->doc);
        return;
    }
    // What the hand has set shows at once, not only when the step that applies it is done.
    bool recent =
        strcmp(panel->edit_path, item->path) == 0 && app->clock.now - panel->edit_at < 0.6;
    gyre_value value = recent ? panel->edit_value : item->value;
    if (edit_value(item->property, &value, item->label, item->fixed,
                   item->named ? is_named : is_fixed)) {
        char json[640];
        value_json(item->property, &value, json, sizeof json);
        send(app, item->path, json);
        snprintf(panel->edit_path, sizeof panel->edit_path, "%s", item->path);
        panel->edit_value = value;
        panel->edit_at = app->clock.now;
    } else if (recent && gui_active()) {
        panel->edit_at = app->clock.now;
    }
}

// A new element: its default, in the middle of the domain where it has a shape.
static void add_element(view_app *app, const panel_item *pool)
{
    static int number;
    const gyre_grid *g = app->show.frame[0] ? &app->show.frame[0]->grid : NULL;
    char json[400], name[80] = "", shape[240] = "";
    for (const gyre_property *p = pool->property->properties; p->kind != GYRE_END; p++) {
        if (p->flags & GYRE_NAME) {
            snprintf(name, sizeof name, "\"%s\": \"new_%d\"", p->name, ++number);
        } else if (p->kind == GYRE_UNION && p->properties == gyre_shape_properties && g) {
            float *c = app->hand.through;
            snprintf(shape, sizeof shape,
                     "\"%s\": {\"sphere\": {\"centre\": [%.9g, %.9g, %.9g], \"radius\": %.9g}}",
                     p->name, (double)c[0], (double)c[1], (double)c[2],
                     (double)app->hand.brush.radius);
        }
    }
    snprintf(json, sizeof json, "{%s%s%s}", name, name[0] && shape[0] ? ", " : "", shape);
    send(app, pool->path, json);
    app->panel.asked_at = 0;
}

static void set_open(view_panel *panel, const char *path, bool open)
{
    bool was = panel_is_open(panel, path);
    if (was == open) {
        return;
    }
    SDL_LockMutex(panel->mutex);
    if (open) {
        if (panel->open_count == OPEN_MOST) {
            memmove(panel->open[0], panel->open[1], sizeof panel->open - sizeof panel->open[0]);
            panel->open_count--;
        }
        snprintf(panel->open[panel->open_count++], sizeof panel->open[0], "%s", path);
    } else {
        for (int i = 0; i < panel->open_count; i++) {
            if (strcmp(panel->open[i], path) == 0) {
                panel->open_count--;
                memmove(panel->open[i], panel->open[panel->open_count], sizeof panel->open[0]);
                break;
            }
        }
    }
    SDL_UnlockMutex(panel->mutex);
    panel->asked_at = 0;
}

static int skip(const panel_state *state, int i)
{
    for (int depth = 1; i + 1 < state->count && depth > 0;) {
        i++;
        depth += state->items[i].kind == PANEL_END    ? -1
                 : state->items[i].kind == PANEL_LEAF ? 0
                                                      : 1;
    }
    return i;
}

// Draws item i, which may be a group; returns the index of its last.
static int draw_item(view_app *app, panel_state *state, int i);

static int draw_members(view_app *app, panel_state *state, int i)
{
    for (i++; i < state->count && state->items[i].kind != PANEL_END; i++) {
        i = draw_item(app, state, i);
    }
    return i;
}

static int draw_element(view_app *app, panel_state *state, int i)
{
    panel_item *item = &state->items[i];
    int last;
    gui_push(item->path);
    bool open = gui_tree(item->label, "element", false);
    set_open(&app->panel, item->path, open);
    if (open) {
        last = draw_members(app, state, i);
        if (!item->fixed && gui_small_button("remove")) {
            send(app, item->path, "null");
            app->panel.asked_at = 0;
        }
        gui_tree_end();
    } else {
        last = skip(state, i);
    }
    gui_pop();
    return last;
}

static int draw_item(view_app *app, panel_state *state, int i)
{
    panel_item *item = &state->items[i];
    if (item->kind == PANEL_LEAF) {
        gui_push(item->path);
        edit_leaf(app, item);
        gui_pop();
        return i;
    }
    if (item->kind == PANEL_ELEMENT) {
        return draw_element(app, state, i);
    }
    int last;
    bool open = gui_tree(item->label, item->path, false);
    gui_tip(item->property ? item->property->doc : "");
    if (open) {
        last = draw_members(app, state, i);
        if (item->kind == PANEL_POOL && !item->fixed && gui_small_button("add")) {
            add_element(app, item);
        }
        gui_tree_end();
    } else {
        last = skip(state, i);
    }
    return last;
}

void edit_model(view_app *app)
{
    panel_state *state = &app->panel.shown;
    for (int i = 0; i < state->count; i++) {
        // The outermost groups are the models.
        if (gui_section(state->items[i].label, true)) {
            gui_push(state->items[i].path);
            i = draw_members(app, state, i);
            gui_pop();
        } else {
            i = skip(state, i);
        }
    }
}
