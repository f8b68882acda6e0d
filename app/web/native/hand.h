// web/native/hand.h: pointers of a canvas, each with a stroke of its own.
#ifndef WEB_HAND_H
#define WEB_HAND_H

#include "web/native/inner.h"

/// NULL is allowed in each of these.
void web_hand_free(web_hand *hand);
/// The scene starts anew; what was set in it is kept or not.
void web_hand_forget(web_hand *hand, bool kept);
/// What strokes are going on acts in the step that follows.
void web_hand_before_step(web_scene *scene);

#endif
