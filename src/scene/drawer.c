// scene/drawer.c: a thread that draws what a scene was while the scene goes on.
#define _POSIX_C_SOURCE 200809L
#include "scene/scene.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { IDLE, DRAWING, ENDING };

struct gyre_drawer {
    gyre_device *device;
    gyre_picture *picture;
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    int state; // all below: written by the caller while it is IDLE, else by the thread
    gyre_image *image;
    gyre_drawn_call *then;
    void *context;
    gyre_result result;
    char message[1024]; // of a result that is none of its thread's any more
};

static void keep_message(gyre_drawer *d)
{
    snprintf(d->message, sizeof d->message, "%s", gyre_message());
}

static void *draw(void *argument)
{
    gyre_drawer *d = argument;
    pthread_mutex_lock(&d->mutex);
    while (d->state != ENDING) {
        if (d->state == IDLE) {
            pthread_cond_wait(&d->changed, &d->mutex);
            continue;
        }
        pthread_mutex_unlock(&d->mutex);
        gyre_result result = gyre_picture_draw(d->picture, d->device, d->image);
        if (!result && d->then) {
            result = d->then(d->context);
        }
        d->result = result;
        if (result) {
            keep_message(d);
        }
        pthread_mutex_lock(&d->mutex);
        d->state = IDLE;
        pthread_cond_broadcast(&d->changed);
    }
    pthread_mutex_unlock(&d->mutex);
    return NULL;
}

gyre_result gyre_drawer_create(gyre_device *device, gyre_drawer **drawer)
{
    if (GY_MISSING("drawer_create", device) || GY_MISSING("drawer_create", drawer)) {
        return GYRE_ERROR_ARGUMENT;
    }
    gyre_drawer *d = calloc(1, sizeof *d);
    if (!d) {
        return gyre_fail(GYRE_ERROR_MEMORY, "no memory for a thread that draws");
    }
    d->device = device;
    gyre_result result = gyre_picture_create(&d->picture);
    if (result) {
        free(d);
        return result;
    }
    pthread_mutex_init(&d->mutex, NULL);
    pthread_cond_init(&d->changed, NULL);
    if (pthread_create(&d->thread, NULL, draw, d)) {
        pthread_cond_destroy(&d->changed);
        pthread_mutex_destroy(&d->mutex);
        gyre_picture_destroy(d->picture);
        free(d);
        return gyre_fail(GYRE_ERROR_MEMORY, "the system has no thread to draw on");
    }
    *drawer = d;
    return GYRE_OK;
}

gyre_result gyre_drawer_wait(gyre_drawer *drawer)
{
    if (GY_MISSING("drawer_wait", drawer)) {
        return GYRE_ERROR_ARGUMENT;
    }
    pthread_mutex_lock(&drawer->mutex);
    while (drawer->state == DRAWING) {
        pthread_cond_wait(&drawer->changed, &drawer->mutex);
    }
    pthread_mutex_unlock(&drawer->mutex);
    gyre_result result = drawer->result;
    drawer->result = GYRE_OK;
    return result ? gyre_fail(result, "%s", drawer->message) : GYRE_OK;
}

gyre_result gyre_drawer_begin(gyre_drawer *drawer, gyre_scene *scene, gyre_image *image,
                              gyre_drawn_call *then, void *context)
{
    if (GY_MISSING("drawer_begin", drawer) || GY_MISSING("drawer_begin", scene) ||
        GY_MISSING("drawer_begin", image)) {
        return GYRE_ERROR_ARGUMENT;
    }
    gyre_result result = gyre_drawer_wait(drawer);
    result = result ? result : gyre_picture_hold(drawer->picture, scene);
    if (result) {
        return result;
    }
    drawer->image = image;
    drawer->then = then;
    drawer->context = context;
    pthread_mutex_lock(&drawer->mutex);
    drawer->state = DRAWING;
    pthread_cond_broadcast(&drawer->changed);
    pthread_mutex_unlock(&drawer->mutex);
    return GYRE_OK;
}

void gyre_drawer_destroy(gyre_drawer *drawer)
{
    if (!drawer) {
        return;
    }
    gyre_drawer_wait(drawer);
    pthread_mutex_lock(&drawer->mutex);
    drawer->state = ENDING;
    pthread_cond_broadcast(&drawer->changed);
    pthread_mutex_unlock(&drawer->mutex);
    pthread_join(drawer->thread, NULL);
    pthread_cond_destroy(&drawer->changed);
    pthread_mutex_destroy(&drawer->mutex);
    gyre_picture_destroy(drawer->picture);
    free(drawer);
}
