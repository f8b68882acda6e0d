// view/draw/levels.c: squares that a surface is drawn of, finer where the eye is near.
//
// A quadtree over the corners of a relief: a square of level l has TILE x TILE quads of 2^l corners
// and is cut into four where a part of it is nearer to the eye than finest * 2^(l-1). With distance
// corners of a level move onto those of the next (geomorphing, after Strugar's continuous distance
// levels, 2009): they begin at BEGIN of finest * 2^l and have arrived there. Where squares of two
// levels meet all corners of the finer have arrived and none of the coarser has set out, so that
// there is no crack; and no corner jumps when the eye moves. Cost: some hundred squares.
#include "view/draw/parts.h"

#include <math.h>
#include <stdlib.h>

// Of a level's range, from where on its corners move.
#define BEGIN 0.83f

typedef struct choice {
    const view_levels_of *of;
    float *tiles;
    int count, most, coarsest;
} choice;

// The distance from the eye to a square: level, and as far above or below all heights as it is.
static float away(const view_levels_of *of, const int low[2], int size)
{
    float sum = of->high_away * of->high_away;

    for (int a = 0; a < 2; a++) {
        int end = low[a] + size < of->n[a] ? low[a] + size : of->n[a];
        float d = fmaxf(fmaxf((float)low[a] - of->eye[a], of->eye[a] - (float)end), 0.0f);

        sum += d * d;
    }
    return sqrtf(sum);
}

// Whether a square's box lies beyond one edge of the picture.
static bool unseen(const view_levels_of *of, const int low[2], int size)
{
    const float *m = of->project;
    int beyond[5] = {0};

    for (int c = 0; c < 8; c++) {
        float p[3], clip[4];

        for (int a = 0; a < 2; a++) {
            int end = low[a] + size < of->n[a] ? low[a] + size : of->n[a];

            p[a] = (float)(c >> a & 1 ? end : low[a]);
        }
        p[2] = c & 4 ? of->high : of->low;
        for (int r = 0; r < 4; r++)
            clip[r] = m[r] * p[0] + m[4 + r] * p[1] + m[8 + r] * p[2] + m[12 + r];
        beyond[0] += clip[0] < -clip[3];
        beyond[1] += clip[0] > clip[3];
        beyond[2] += clip[1] < -clip[3];
        beyond[3] += clip[1] > clip[3];
        beyond[4] += clip[3] < 0.0f;
    }
    for (int i = 0; i < 5; i++) {
        if (beyond[i] == 8)
            return true;
    }
    return false;
}

static void choose(choice *c, const int low[2], int level)
{
    const view_levels_of *of = c->of;
    int size = VIEW_TILE << level;

    if (low[0] >= of->n[0] || low[1] >= of->n[1] || (of->project != NULL && unseen(of, low, size)))
        return;
    if (level > 0 && away(of, low, size) < of->finest * (float)(1 << (level - 1))) {
        for (int i = 0; i < 4; i++) {
            int part[2] = {low[0] + (i & 1) * size / 2, low[1] + (i >> 1) * size / 2};

            choose(c, part, level - 1);
        }
        return;
    }
    if (c->count < c->most) {
        float *to = c->tiles + 4 * c->count;

        to[0] = (float)low[0];
        to[1] = (float)low[1];
        to[2] = (float)(1 << level);
        to[3] = level < c->coarsest ? 1.0f : 0.0f;
    }
    c->count++;
}

int view_levels_choose(const view_levels_of *of, float *tiles, int most)
{
    int longest = of->n[0] > of->n[1] ? of->n[0] : of->n[1], level = 0;
    const int corner[2] = {0, 0};

    while (VIEW_TILE << level < longest)
        level++;
    choice c = {.of = of, .tiles = tiles, .most = most, .coarsest = level};

    choose(&c, corner, level);
    return c.count;
}

float view_levels_finest(float across, float pixels)
{
    // Below that squares of three levels might meet.
    return fmaxf(across / fmaxf(pixels, 0.1f), 4.5f * VIEW_TILE);
}

void view_levels_turn(float finest, float turn[2])
{
    turn[0] = BEGIN * finest;
    // A little before the range ends, whatever is rounded.
    turn[1] = 1.0f / ((0.999f - BEGIN) * finest);
}

// The quads of a square, from its (VIEW_TILE + 1)^2 corners, and where its instance's floats are.
static void begin(view_squares *squares)
{
    GLushort index[6 * VIEW_TILE * VIEW_TILE], *to = index;

    for (int j = 0; j < VIEW_TILE; j++) {
        for (int i = 0; i < VIEW_TILE; i++, to += 6) {
            GLushort a = (GLushort)(i + j * (VIEW_TILE + 1)), b = (GLushort)(a + VIEW_TILE + 1);

            to[0] = to[3] = a;
            to[1] = (GLushort)(a + 1);
            to[2] = to[4] = (GLushort)(b + 1);
            to[5] = b;
        }
    }
    glGenVertexArrays(1, &squares->array);
    glGenBuffers(1, &squares->buffer);
    glGenBuffers(1, &squares->index);
    glBindVertexArray(squares->array);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, squares->index);
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, sizeof index, index, GL_STATIC_DRAW);
    glBindBuffer(GL_ARRAY_BUFFER, squares->buffer);
    glVertexAttribPointer(0, 4, GL_FLOAT, GL_FALSE, 0, NULL);
    glEnableVertexAttribArray(0);
    glVertexAttribDivisor(0, 1);
}

void view_squares_cut(view_squares *squares, const view_levels_of *of)
{
    int count = view_levels_choose(of, squares->of, squares->room);

    if (count > squares->room) {
        free(squares->of);
        squares->room = count + count / 4;
        squares->of = malloc(4 * (size_t)squares->room * sizeof *squares->of);
        if (squares->of == NULL)
            squares->room = 0;
        view_levels_choose(of, squares->of, squares->room);
    }
    squares->count = count < squares->room ? count : squares->room;
    if (squares->array == 0)
        begin(squares);
    glBindBuffer(GL_ARRAY_BUFFER, squares->buffer);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(4 * (size_t)squares->count * sizeof *squares->of),
                 squares->of, GL_STREAM_DRAW);
}

void view_squares_draw(const view_squares *squares)
{
    glBindVertexArray(squares->array);
    glDrawElementsInstanced(GL_TRIANGLES, 6 * VIEW_TILE * VIEW_TILE, GL_UNSIGNED_SHORT, NULL,
                            squares->count);
}

void view_squares_free(view_squares *squares)
{
    glDeleteVertexArrays(1, &squares->array);
    glDeleteBuffers(1, &squares->buffer);
    glDeleteBuffers(1, &squares->index);
    free(squares->of);
    *squares = (view_squares){0};
}
