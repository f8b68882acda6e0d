// view/window/options.h: what the viewer's options do, for its own help and for the tool's, which
// has no other part of the viewer in it.
#ifndef VIEW_OPTIONS_H
#define VIEW_OPTIONS_H

#define VIEW_OPTIONS_HELP                                                                          \
    "options:\n"                                                                                   \
    "  --set PATH=VALUE ...     change a property first, such as gas.viscosity=0.1\n"              \
    "  --threads N              threads to compute on\n"                                           \
    "  --device NAME            where to compute: cpu, vulkan, vulkan:NAME\n"                      \
    "  --size WxH               of the window\n"                                                   \
    "  --full-screen            on the whole screen\n"                                             \
    "  --paused                 wait for the space key\n"                                          \
    "  --split                  two settings of the properties side by side\n"                     \
    "  --mode NAME              map, cells, streaks, volume, stack, surface or bars\n"             \
    "  --field NAME             what maps show\n"                                                  \
    "  --copy-fields            bring a GPU's fields to the screen through the processor\n"        \
    "  --frames N               quit after N frames of the display, and tell how fast they came\n" \
    "  --screenshot FILE.png    write what is seen at the end\n"                                   \
    "  --hidden-gui             no panel and no lettering\n"                                       \
    "  --saver                  a show on the whole screen that ends at a touch: gyre saver; of\n" \
    "                           SCENE alone, where one is given\n"                                 \
    "  --window-id ID           the show inside this window of X11, as xscreensaver hands it "     \
    "over\n"

#endif
