// view/panel/gui.h: panels, buttons and lettering: what the viewer uses of Dear ImGui, in C.
//
// All of it on the thread that has the window, between gui_begin() and gui_end() but for the first
// four calls. Labels tell elements apart within their window, tree or gui_push().
#ifndef VIEW_GUI_H
#define VIEW_GUI_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct gui_colour {
    float r, g, b, a;
} gui_colour;

/// `window` is an SDL_Window *, `context` its SDL_GLContext, which is current. False: no memory.
bool gui_start(void *window, void *context, float scale);
void gui_stop(void);
/// Hands over an SDL_Event *.
void gui_event(const void *event);
/// Whether a pixel belongs to a panel or a list that is open, or keys go into a field of one.
bool gui_covers(float x, float y);
bool gui_has_keys(void);

/// Where the element with that label (what stands behind ### in it, if anything does) was drawn
/// last: x, y, width, height in pixels. False: it was not seen since it was asked for. For tests,
/// from any thread; "" ends the watch.
void gui_watch(const char *label);
bool gui_watched(float rect[4]);

void gui_begin(void);
/// Draws into the framebuffer that is bound.
void gui_end(void);

// ---- windows

enum { GUI_PLAIN = 1, GUI_FIXED = 2, GUI_CENTRED = 4, GUI_FITTED = 8, GUI_STILL = 16 };

/// x, y, width, height in pixels count the first time, with GUI_FIXED always. PLAIN: no title bar;
/// CENTRED: x, y is its middle; FITTED: as large as what it holds; STILL: takes no input. `open`
/// (may be NULL) gets a cross that clears it. False: folded; close it all the same.
bool gui_window(const char *title, float x, float y, float width, float height, unsigned flags,
                bool *open);
void gui_window_end(void);
float gui_width(void); // of what is left of the line
/// Brings the element before into sight.
void gui_scroll_here(void);

// ---- elements: true when the hand changed or pressed them

void gui_text(const char *text);
void gui_text_dim(const char *text);
void gui_text_in(gui_colour colour, const char *text);
void gui_text_wrapped(const char *text);
bool gui_button(const char *label);
bool gui_small_button(const char *label);
/// A picture of width x height from a GL texture, with a line below it.
bool gui_picture_button(const char *label, uint32_t texture, float width, float height,
                        bool marked);
bool gui_checkbox(const char *label, bool *value);
bool gui_radio(const char *label, bool on);
/// A slider where low < high, else a field that is dragged, `speed` per pixel.
bool gui_floats(const char *label, float *values, int count, float low, float high, bool slider,
                float speed, const char *format);
bool gui_ints(const char *label, int32_t *values, int count, int low, int high, bool slider);
bool gui_colours(const char *label, float rgb[3]);
/// `names` is NULL-terminated.
bool gui_choice(const char *label, int32_t *index, const char *const *names);
/// True when the line is finished with Enter or left.
bool gui_line(const char *label, char *text, int size);
void gui_bar(float part, const char *text);
void gui_plot(const char *label, const float *values, int count, int first, float high,
              const char *text);

// ---- order

void gui_same_line(void);
void gui_space(void);
void gui_rule(void);
void gui_item_width(float width); // of the next element
void gui_push(const char *id);
void gui_pop(void);
bool gui_section(const char *label, bool open); // needs no end
bool gui_tree(const char *label, const char *id, bool open);
void gui_tree_end(void);
void gui_disable(bool disabled); // ended by gui_enable()
void gui_enable(void);
void gui_mark(bool marked); // the labels that follow stand out; ended by gui_unmark()
void gui_unmark(void);
bool gui_tabs(const char *id);
bool gui_tab(const char *label); // true: it is shown; ended by gui_tab_end()
void gui_tab_end(void);
void gui_tabs_end(void);
/// What is said when the pointer rests on the last element, also where that is disabled.
void gui_tip(const char *text);
/// Whether the last element was pressed with the right button; is being changed by the hand.
bool gui_pressed_right(void);
bool gui_active(void);

// ---- lettering and lines over everything but panels, in pixels from the top left

void gui_draw_text(float x, float y, gui_colour colour, const char *text);
/// The same on a dark ground.
void gui_draw_note(float x, float y, gui_colour colour, const char *text);
void gui_text_size(const char *text, float size[2]);
void gui_draw_line(float x0, float y0, float x1, float y1, gui_colour colour, float width);
void gui_draw_circle(float x, float y, float radius, gui_colour colour, float width);
void gui_draw_box(float x, float y, float width, float height, gui_colour colour, bool filled);

#ifdef __cplusplus
}
#endif

#endif
