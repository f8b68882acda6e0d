// A property table of one's own: settings of a game, read from text with gyre's checks.
#include <gyre/property_table.h>

#include <stdio.h>

typedef struct weather {
    bool wind;
    float speed;   // m/s
    float from[3]; // a direction
} weather;

typedef struct settings {
    char player[16];
    int32_t level, view;
    weather weather;
} settings;

static const gyre_property weather_table[] = {
    GYRE_PROPERTY_BOOL(weather, wind, "whether it blows", .initial = {1}),
    GYRE_PROPERTY_FLOAT(weather, speed, "m/s", 0, 60, "of the wind", .initial = {5},
                        .needs = "wind"),
    GYRE_PROPERTY_VECTOR(weather, from, "1", -1, 1, "where it comes from", .initial = {-1, 0, 0}),
    GYRE_PROPERTY_END,
};

static const char *const views[] = {"first_person", "above", NULL};

static const gyre_property table[] = {
    GYRE_PROPERTY_STRING(settings, player, "name of the player"),
    GYRE_PROPERTY_INT(settings, level, "1", 1, 9, "where the game begins", .initial = {1},
                      .formerly = "stage"),
    GYRE_PROPERTY_ENUM(settings, view, views, "where the camera is"),
    GYRE_PROPERTY_STRUCT(settings, weather, weather_table, "outside"),
    GYRE_PROPERTY_END,
};

/// "weather.speed", "12".
static gyre_result assign(settings *s, const char *path, const char *text)
{
    const gyre_property *line;
    void *place;
    gyre_value value;
    gyre_result r = gyre_property_walk(table, s, path, &line, &place);
    r = r ? r : gyre_property_parse(line, text, &value);
    return r ? r : gyre_property_write(line, place, &value);
}

int main(void)
{
    static const char *const texts[][2] = {
        {"player", "Ada"},         {"level", "3"},  {"view", "above"}, {"weather.from", "0, 0, 1"},
        {"weather.speed", "1000"}, {"stage", "2"},  {"veiw", "above"}, {"level", "2.5"},
        {"view", "abov"},          {"player.x", ""}};
    settings s;
    int refused = 0;
    gyre_property_defaults(table, &s, sizeof s);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (assign(&s, texts[i][0], texts[i][1])) {
            printf("%s\n", gyre_message());
            refused++;
        }
    printf("%s, level %d, view %s, wind of %g m/s from (%g, %g, %g)\n", s.player, (int)s.level,
           views[s.view], (double)s.weather.speed, (double)s.weather.from[0],
           (double)s.weather.from[1], (double)s.weather.from[2]);
    return refused == 6 && s.level == 3 ? 0 : 1;
}
