// The paper's prototype: get from the UI, velocity step, density step, draw. Left drag pours smoke,
// right drag pushes; v shows velocity, c clears, q quits.
//     prototype [CELLS] [FRAMES]
#include "gyre/classic.h"

#include <SDL.h>
#include <stdlib.h>
#include <string.h>

enum { WINDOW = 512 };

static gyre_classic_box box;
static float *u, *v, *u_prev, *v_prev, *dens, *dens_prev;
static const float dt = 0.1f, diff = 0, visc = 0, force = 5, source = 100;
static bool show_velocity, running = true;

static bool allocate(int n)
{
    float **array[] = {&u, &v, &u_prev, &v_prev, &dens, &dens_prev};
    box = gyre_classic_default_box(2, n);
    for (int a = 0; a < 6 && gyre_classic_check(&box) == GYRE_OK; a++) {
        *array[a] = calloc(gyre_classic_size(&box), sizeof(float));
        if (!*array[a]) {
            gyre_fail(GYRE_ERROR_MEMORY, "there is not so much memory");
        }
    }
    return dens_prev && dens && v_prev && u_prev && v && u;
}

static void clear(void)
{
    float *array[] = {u, v, u_prev, v_prev, dens, dens_prev};
    for (int a = 0; a < 6; a++) {
        memset(array[a], 0, gyre_classic_size(&box) * sizeof(float));
    }
}

static void press(SDL_Keycode key)
{
    show_velocity ^= key == SDLK_v;
    running = running && key != SDLK_q;
    if (key == SDLK_c) {
        clear();
    }
}

/// What the mouse and the keys have done since the last step, as forces and sources.
static void get_from_ui(SDL_Window *window)
{
    static int last_x, last_y;
    int x, y, width, height;
    SDL_Event event;
    while (SDL_PollEvent(&event)) {
        if (event.type == SDL_QUIT) {
            running = false;
        } else if (event.type == SDL_KEYDOWN) {
            press(event.key.keysym.sym);
        }
    }
    memset(u_prev, 0, gyre_classic_size(&box) * sizeof(float));
    memset(v_prev, 0, gyre_classic_size(&box) * sizeof(float));
    memset(dens_prev, 0, gyre_classic_size(&box) * sizeof(float));
    Uint32 buttons = SDL_GetMouseState(&x, &y);
    SDL_GetWindowSize(window, &width, &height);
    int i = x * box.n[0] / width + 1, j = (height - 1 - y) * box.n[1] / height + 1;
    if (i >= 1 && i <= box.n[0] && j >= 1 && j <= box.n[1]) {
        size_t cell = gyre_classic_index(&box, i, j, 0);
        if (buttons & SDL_BUTTON(SDL_BUTTON_LEFT)) {
            dens_prev[cell] = source;
        }
        if (buttons & SDL_BUTTON(SDL_BUTTON_RIGHT)) {
            u_prev[cell] = force * (float)(x - last_x);
            v_prev[cell] = force * (float)(last_y - y);
        }
    }
    last_x = x;
    last_y = y;
}

static void draw_dens(SDL_Renderer *renderer, SDL_Texture *texture)
{
    Uint32 *pixels;
    int pitch, n = box.n[0];
    SDL_LockTexture(texture, NULL, (void **)&pixels, &pitch);
    for (int j = n; j >= 1; j--, pixels += pitch / 4) {
        for (int i = 1; i <= n; i++) {
            float d = dens[gyre_classic_index(&box, i, j, 0)];
            pixels[i - 1] = 0xff000000u | 0x010101u * (Uint32)(d < 1 ? d * 255 : 255);
        }
    }
    SDL_UnlockTexture(texture);
    SDL_RenderCopy(renderer, texture, NULL, NULL);
}

static void draw_velocity(SDL_Renderer *renderer)
{
    float cell = (float)WINDOW / (float)box.n[0];
    SDL_SetRenderDrawColor(renderer, 90, 200, 120, 255);
    for (int j = 1; j <= box.n[1]; j += 2) {
        for (int i = 1; i <= box.n[0]; i += 2) {
            size_t o = gyre_classic_index(&box, i, j, 0);
            float x = ((float)i - 0.5f) * cell, y = (float)WINDOW - ((float)j - 0.5f) * cell;
            SDL_RenderDrawLineF(renderer, x, y, x + u[o] * WINDOW, y - v[o] * WINDOW);
        }
    }
}

static bool step(void)
{
    float *velocity[] = {u, v}, *previous[] = {u_prev, v_prev};
    const float *const carrier[] = {u, v};
    return gyre_classic_vel_step(&box, velocity, previous, visc, dt) == GYRE_OK &&
           gyre_classic_dens_step(&box, dens, dens_prev, carrier, diff, dt) == GYRE_OK;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 64;
    long frames = argc > 2 ? atol(argv[2]) : -1;
    SDL_Window *window = NULL;
    SDL_Renderer *renderer = NULL;
    SDL_Texture *texture = NULL;
    if (!allocate(n)) {
        SDL_Log("%s", gyre_message());
        return 1;
    }
    if (SDL_Init(SDL_INIT_VIDEO) ||
        SDL_CreateWindowAndRenderer(WINDOW, WINDOW, 0, &window, &renderer) ||
        !(texture = SDL_CreateTexture(renderer, SDL_PIXELFORMAT_ARGB8888,
                                      SDL_TEXTUREACCESS_STREAMING, n, n))) {
        SDL_Log("%s", SDL_GetError());
        return 1;
    }
    SDL_SetWindowTitle(window, "gyre: the prototype");
    SDL_RenderSetLogicalSize(renderer, WINDOW, WINDOW);
    while (running && frames-- != 0) {
        get_from_ui(window);
        running = running && step();
        draw_dens(renderer, texture);
        if (show_velocity) {
            draw_velocity(renderer);
        }
        SDL_RenderPresent(renderer);
        SDL_Delay(10);
    }
    SDL_Quit();
    return 0;
}
