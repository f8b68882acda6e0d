// view/panel/gui.cpp: gui.h with Dear ImGui.
#include "view/panel/gui.h"

#include <imgui.h>
#include <imgui_internal.h>
// The backends' headers convert signs as they please.
#include <backends/imgui_impl_opengl3.h>
#if __has_include(<backends/imgui_impl_sdl2.h>) // Dear ImGui from 1.89 on
#include <backends/imgui_impl_sdl2.h>
#else
#include <backends/imgui_impl_sdl.h>
#endif

#include <atomic>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <SDL.h>

// ---- where an element stands

// Asked for by one thread, answered by the one that draws.
static std::mutex watch_mutex;
static std::atomic<bool> watching;
static char watched[64];
static bool watch_found;
static ImVec4 watch_rect;

void gui_watch(const char *label)
{
    std::lock_guard<std::mutex> hold(watch_mutex);
    snprintf(watched, sizeof watched, "%s", label);
    watch_found = false;
    watching = label[0] != 0;
}

bool gui_watched(float rect[4])
{
    std::lock_guard<std::mutex> hold(watch_mutex);
    rect[0] = watch_rect.x;
    rect[1] = watch_rect.y;
    rect[2] = watch_rect.z;
    rect[3] = watch_rect.w;
    return watch_found;
}

// The last element was drawn with this label: what stands behind "###" is its name.
static bool drawn(const char *label, bool result)
{
    if (watching) {
        std::lock_guard<std::mutex> hold(watch_mutex);
        const char *name = strstr(label, "###");
        if (strcmp(name ? name + 3 : label, watched) == 0) {
            ImVec2 low = ImGui::GetItemRectMin(), size = ImGui::GetItemRectSize();
            watch_rect = ImVec4(low.x, low.y, size.x, size.y);
            watch_found = ImGui::IsItemVisible();
        }
    }
    return result;
}

static ImVec4 vec4(gui_colour c)
{
    return ImVec4(c.r, c.g, c.b, c.a);
}

static ImU32 packed(gui_colour c)
{
    return ImGui::ColorConvertFloat4ToU32(vec4(c));
}

bool gui_start(void *window, void *context, float scale)
{
    IMGUI_CHECKVERSION();
    ImGui::CreateContext();
    ImGuiIO &io = ImGui::GetIO();
    // Where panels stand is not kept: each start is the same.
    io.IniFilename = nullptr;
    io.ConfigWindowsMoveFromTitleBarOnly = true;
    if (scale != 1.0f) {
        ImFontConfig font;
        font.SizePixels = 13.0f * scale;
        io.Fonts->AddFontDefault(&font);
    }
    ImGui::StyleColorsDark();
    ImGuiStyle &style = ImGui::GetStyle();
    style.WindowRounding = style.FrameRounding = style.GrabRounding = 3.0f;
    style.Colors[ImGuiCol_WindowBg].w = 0.88f;
    style.ScaleAllSizes(scale);
    return ImGui_ImplSDL2_InitForOpenGL(static_cast<SDL_Window *>(window), context) &&
           ImGui_ImplOpenGL3_Init("#version 330 core");
}

void gui_stop(void)
{
    if (ImGui::GetCurrentContext()) {
        ImGui_ImplOpenGL3_Shutdown();
        ImGui_ImplSDL2_Shutdown();
        ImGui::DestroyContext();
    }
}

// Where the last event has seen the pointer, in the window's points.
static ImVec2 pointer;
static bool has_pointer;

void gui_event(const void *event)
{
    const SDL_Event *e = static_cast<const SDL_Event *>(event);
    ImGui_ImplSDL2_ProcessEvent(e);
    if (e->type == SDL_MOUSEMOTION) {
        pointer = ImVec2(static_cast<float>(e->motion.x), static_cast<float>(e->motion.y));
        has_pointer = true;
    }
}

// Asked of the windows themselves: what ImGui says it wants is as old as the last frame, and a
// quick hand has moved and clicked since.
bool gui_covers(float x, float y)
{
    const ImGuiContext &g = *ImGui::GetCurrentContext();
    if (!g.OpenPopupStack.empty() || g.ActiveId != 0) {
        return true;
    }
    for (const ImGuiWindow *window : g.Windows) {
        if (window->WasActive && !window->Hidden &&
            !(window->Flags & ImGuiWindowFlags_NoMouseInputs) &&
            !(window->Flags & ImGuiWindowFlags_Tooltip) &&
            window->OuterRectClipped.Contains(ImVec2(x, y))) {
            return true;
        }
    }
    return false;
}

bool gui_has_keys(void)
{
    return ImGui::GetIO().WantTextInput;
}

void gui_begin(void)
{
    ImGui_ImplOpenGL3_NewFrame();
    ImGui_ImplSDL2_NewFrame();
    // The backend asks the display where the pointer is. SDL's answer may stand still while a
    // button is held (seen on X11, where the pointer is grabbed then); events do not.
    ImGuiIO &io = ImGui::GetIO();
    if (has_pointer && ImGui::IsMousePosValid(&io.MousePos)) {
        io.MousePos = pointer;
    }
    ImGui::NewFrame();
}

void gui_end(void)
{
    ImGui::Render();
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

// ---- windows

bool gui_window(const char *title, float x, float y, float width, float height, unsigned flags,
                bool *open)
{
    ImGuiCond when = flags & GUI_FIXED ? ImGuiCond_Always : ImGuiCond_FirstUseEver;
    ImVec2 pivot = flags & GUI_CENTRED ? ImVec2(0.5f, 0.5f) : ImVec2(0.0f, 0.0f);
    ImGuiWindowFlags f = ImGuiWindowFlags_NoSavedSettings;
    f |= flags & GUI_PLAIN ? ImGuiWindowFlags_NoTitleBar : 0;
    f |= flags & GUI_FIXED ? ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoResize : 0;
    f |= flags & GUI_FITTED ? ImGuiWindowFlags_AlwaysAutoResize : 0;
    f |= flags & GUI_STILL ? ImGuiWindowFlags_NoInputs : 0;
    ImGui::SetNextWindowPos(ImVec2(x, y), when, pivot);
    if (!(flags & GUI_FITTED)) {
        ImGui::SetNextWindowSize(ImVec2(width, height), when);
    }
    return ImGui::Begin(title, open, f);
}

void gui_window_end(void)
{
    ImGui::End();
}

void gui_scroll_here(void)
{
    ImGui::SetScrollHereY(0.5f);
}

float gui_width(void)
{
    return ImGui::GetContentRegionAvail().x;
}

// ---- elements

void gui_text(const char *text)
{
    ImGui::TextUnformatted(text);
}

void gui_text_dim(const char *text)
{
    ImGui::TextDisabled("%s", text);
}

void gui_text_in(gui_colour colour, const char *text)
{
    ImGui::PushStyleColor(ImGuiCol_Text, vec4(colour));
    gui_text_wrapped(text);
    ImGui::PopStyleColor();
}

void gui_text_wrapped(const char *text)
{
    ImGui::PushTextWrapPos(0.0f);
    ImGui::TextUnformatted(text);
    ImGui::PopTextWrapPos();
}

bool gui_button(const char *label)
{
    return drawn(label, ImGui::Button(label));
}

bool gui_small_button(const char *label)
{
    return drawn(label, ImGui::SmallButton(label));
}

bool gui_picture_button(const char *label, uint32_t texture, float width, float height, bool marked)
{
    ImGui::PushID(label);
    ImGui::BeginGroup();
    ImGui::PushStyleColor(ImGuiCol_Button, ImGui::GetStyleColorVec4(marked ? ImGuiCol_ButtonActive
                                                                           : ImGuiCol_Button));
    bool pressed = ImGui::ImageButton(
        reinterpret_cast<ImTextureID>(static_cast<uintptr_t>(texture)), ImVec2(width, height));
    ImGui::PopStyleColor();
    ImGui::TextUnformatted(label);
    ImGui::EndGroup();
    ImGui::PopID();
    return drawn(label, pressed);
}

bool gui_checkbox(const char *label, bool *value)
{
    return drawn(label, ImGui::Checkbox(label, value));
}

bool gui_radio(const char *label, bool on)
{
    return drawn(label, ImGui::RadioButton(label, on));
}

bool gui_floats(const char *label, float *values, int count, float low, float high, bool slider,
                float speed, const char *format)
{
    if (slider) {
        return drawn(label, ImGui::SliderScalarN(label, ImGuiDataType_Float, values, count, &low,
                                                 &high, format, ImGuiSliderFlags_AlwaysClamp));
    }
    bool bounded = low < high;
    return drawn(label, ImGui::DragScalarN(label, ImGuiDataType_Float, values, count, speed,
                                           bounded ? &low : nullptr, bounded ? &high : nullptr,
                                           format, bounded ? ImGuiSliderFlags_AlwaysClamp : 0));
}

bool gui_ints(const char *label, int32_t *values, int count, int low, int high, bool slider)
{
    if (slider) {
        return ImGui::SliderScalarN(label, ImGuiDataType_S32, values, count, &low, &high, "%d",
                                    ImGuiSliderFlags_AlwaysClamp);
    }
    bool bounded = low < high;
    return ImGui::DragScalarN(label, ImGuiDataType_S32, values, count, 0.25f,
                              bounded ? &low : nullptr, bounded ? &high : nullptr, "%d",
                              bounded ? ImGuiSliderFlags_AlwaysClamp : 0);
}

bool gui_colours(const char *label, float rgb[3])
{
    return ImGui::ColorEdit3(label, rgb, ImGuiColorEditFlags_Float | ImGuiColorEditFlags_HDR);
}

bool gui_choice(const char *label, int32_t *index, const char *const *names)
{
    int count = 0;
    while (names[count]) {
        count++;
    }
    int chosen = *index;
    bool changed = drawn(label, ImGui::Combo(label, &chosen, names, count));
    *index = chosen;
    return changed;
}

bool gui_line(const char *label, char *text, int size)
{
    ImGui::InputText(label, text, static_cast<size_t>(size));
    return ImGui::IsItemDeactivatedAfterEdit();
}

void gui_bar(float part, const char *text)
{
    ImGui::ProgressBar(part, ImVec2(-1.0f, 0.0f), text);
}

void gui_plot(const char *label, const float *values, int count, int first, float high,
              const char *text)
{
    ImGui::PlotLines(label, values, count, first, text, 0.0f, high,
                     ImVec2(ImGui::GetContentRegionAvail().x, 40.0f));
}

// ---- order

void gui_same_line(void)
{
    ImGui::SameLine();
}

void gui_space(void)
{
    ImGui::Spacing();
}

void gui_rule(void)
{
    ImGui::Separator();
}

void gui_item_width(float width)
{
    ImGui::SetNextItemWidth(width);
}

void gui_push(const char *id)
{
    ImGui::PushID(id);
}

void gui_pop(void)
{
    ImGui::PopID();
}

bool gui_section(const char *label, bool open)
{
    return drawn(label, ImGui::CollapsingHeader(label, open ? ImGuiTreeNodeFlags_DefaultOpen : 0));
}

bool gui_tree(const char *label, const char *id, bool open)
{
    return drawn(id, ImGui::TreeNodeEx(id, open ? ImGuiTreeNodeFlags_DefaultOpen : 0, "%s", label));
}

void gui_tree_end(void)
{
    ImGui::TreePop();
}

void gui_disable(bool disabled)
{
    ImGui::BeginDisabled(disabled);
}

void gui_enable(void)
{
    ImGui::EndDisabled();
}

void gui_mark(bool marked)
{
    ImVec4 colour = ImGui::GetStyleColorVec4(ImGuiCol_Text);
    ImGui::PushStyleColor(ImGuiCol_Text, marked ? ImVec4(1.0f, 0.82f, 0.45f, colour.w) : colour);
}

void gui_unmark(void)
{
    ImGui::PopStyleColor();
}

bool gui_tabs(const char *id)
{
    return ImGui::BeginTabBar(id);
}

bool gui_tab(const char *label)
{
    return drawn(label, ImGui::BeginTabItem(label));
}

void gui_tab_end(void)
{
    ImGui::EndTabItem();
}

void gui_tabs_end(void)
{
    ImGui::EndTabBar();
}

void gui_tip(const char *text)
{
    if (text && text[0] && ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled)) {
        ImGui::BeginTooltip();
        ImGui::PushTextWrapPos(ImGui::GetFontSize() * 26.0f);
        ImGui::TextUnformatted(text);
        ImGui::PopTextWrapPos();
        ImGui::EndTooltip();
    }
}

bool gui_pressed_right(void)
{
    return ImGui::IsItemClicked(ImGuiMouseButton_Right);
}

bool gui_active(void)
{
    return ImGui::IsItemActive();
}

// ---- lettering and lines

void gui_draw_text(float x, float y, gui_colour colour, const char *text)
{
    ImGui::GetBackgroundDrawList()->AddText(ImVec2(x, y), packed(colour), text);
}

void gui_draw_note(float x, float y, gui_colour colour, const char *text)
{
    ImVec2 size = ImGui::CalcTextSize(text);
    ImDrawList *list = ImGui::GetBackgroundDrawList();
    list->AddRectFilled(ImVec2(x - 5.0f, y - 3.0f), ImVec2(x + size.x + 5.0f, y + size.y + 3.0f),
                        IM_COL32(10, 12, 16, 170), 3.0f);
    list->AddText(ImVec2(x, y), packed(colour), text);
}

void gui_text_size(const char *text, float size[2])
{
    ImVec2 s = ImGui::CalcTextSize(text);
    size[0] = s.x;
    size[1] = s.y;
}

void gui_draw_line(float x0, float y0, float x1, float y1, gui_colour colour, float width)
{
    ImGui::GetBackgroundDrawList()->AddLine(ImVec2(x0, y0), ImVec2(x1, y1), packed(colour), width);
}

void gui_draw_circle(float x, float y, float radius, gui_colour colour, float width)
{
    ImGui::GetBackgroundDrawList()->AddCircle(ImVec2(x, y), radius, packed(colour), 0, width);
}

void gui_draw_box(float x, float y, float width, float height, gui_colour colour, bool filled)
{
    ImDrawList *list = ImGui::GetBackgroundDrawList();
    if (filled) {
        list->AddRectFilled(ImVec2(x, y), ImVec2(x + width, y + height), packed(colour));
    } else {
        list->AddRect(ImVec2(x, y), ImVec2(x + width, y + height), packed(colour));
    }
}
