// test/test_cli.c: the tool as a person at a terminal meets it.
// needs: tool
#define _DEFAULT_SOURCE 1

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#define SMALL "--set gas.grid.n=48,32,1 --set gas.grid.h=0.04 --frames 30 --threads 1 "

#define PICTURES SMALL "--set output.width=64 --set output.height=48 "

static char folder[] = "/tmp/test_cli_XXXXXX";
static char output[1 << 19]; // the schema of all models is the longest

// Runs a shell line in the test's folder, $G and $S being the tool and a scene; returns its status.
static int shell(const char *line)
{
    char command[4096];
    snprintf(command, sizeof command,
             "cd %s && G=%s/gyre S=%s/scene/colliding_jets.json; (%s) 2>&1", folder,
             GYRE_BINARY_DIR, GYRE_SOURCE_DIR, line);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    size_t size = fread(output, 1, sizeof output - 1, pipe);
    output[size] = 0;
    int status = pclose(pipe);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void expect(int status, const char *text, const char *line)
{
    int found = shell(line);
    if (found != status || !strstr(output, text)) {
        fail_msg("%s\nfound status %d, expected %d and \"%s\":\n%s", line, found, status, text,
                 output);
    }
}

static void usage_errors_end_with_2(void **state)
{
    (void)state;
    expect(2, "unknown command \"rnu\", did you mean \"run\"?", "$G rnu");
    expect(2, "unknown option --framse, did you mean --frames?", "$G run $S --framse 3");
    expect(2, "--frames wants a value", "$G run $S --frames");
    expect(2, "--frames: time.frames: found \"x\", expected a whole number",
           "$G run $S --frames x");
    expect(2, "--fps: time.fps: found \"x\"", "$G run $S --fps x");
    expect(2, "--threads: found \"0\", expected a number from 1 to 256", "$G run $S --threads 0");
    expect(2, "x.mpx: unknown ending", "$G run $S --out x.mpx");
    expect(2, "no other %", "$G run $S --out x%s.png");
    expect(2, "no other %", "$G run $S --out x%n%04d.png");
    expect(2, "did you mean \"viscosity\"?", "$G run $S --set gas.viscsity=1");
    expect(2, "no field \"densty\"", "$G run $S --field densty --out x.npy");
    expect(2, "is given twice", "$G run $S --out a.npy --out a.npy");
    expect(2, "expected one", "$G run");
    expect(2, "expected one", "$G run $S $S");
    expect(2, "found no --checkpoint FILE", "$G run $S --every 3");
    expect(2, "usage: gyre COMMAND", "$G");
}

static void a_letter_is_no_word(void **state)
{
    (void)state;
    expect(2, "unknown option -q, did you mean --quiet?", "$G run $S -q");
    expect(2, "unknown option -Z; see: gyre help run", "$G run $S -Z");
    expect(2, "unknown option -framse, did you mean --frames?", "$G run $S -framse 3");
}

static void a_named_field_is_drawn(void **state)
{
    (void)state;
    expect(0, "",
           "$G run $S " PICTURES "--quiet --frames 9 --out d.png && $G run $S " PICTURES
           "--quiet --frames 9 --field vorticity --out x.png && $G run $S " PICTURES
           "--quiet --frames 9 --set view.field=vorticity --out y.png");
    expect(0, "", "cmp x.png y.png && ! cmp -s d.png x.png");
    // In 3D, where a volume shows smoke, it is a slice.
    expect(0, "",
           "D=\"--set gas.grid.dim=3 --set gas.grid.n=24,16,12 --set gas.grid.h=0.08 --quiet "
           "--frames 5 --set output.width=64\"; $G run $S $D --field vorticity --out x3.png && $G "
           "run $S $D --set view.field=vorticity --set view.mode=slice --out y3.png && cmp x3.png "
           "y3.png");
    // What lies on faces is for files; pictures beside them show what they did.
    expect(2, "velocity_x lies on faces", "$G run $S " PICTURES "--field velocity_x --out f.png");
    expect(0, "",
           "$G run $S " PICTURES "--quiet --frames 9 --field velocity_x --out f.npy --out f.png && "
           "cmp f.png d.png");
}

// On two threads a picture is drawn and written while the next frame is simulated.
static void pictures_beside_the_next_frame_are_the_same(void **state)
{
    (void)state;
    expect(0, "",
           "for t in 1 2; do mkdir t$t && $G run $S " PICTURES
           "--frames 7 --threads $t --quiet --out t$t/p%04d.png --out t$t/f%04d.npy --checkpoint "
           "t$t/c --every 3 || exit 3; done; for f in t1/*; do cmp $f t2/${f#t1/} || exit 4; done; "
           "test $(ls t2 | wc -l) = 15");
    // What cannot be written is said with the same words and status.
    expect(0, "p0003.png: is there already",
           "for t in 1 2; do rm -f t$t/*.png; mkdir t$t/p0003.png; cd t$t; $G run $S " PICTURES
           "--threads $t --quiet --out p%04d.png >../said$t 2>&1; test $? = 1 || exit 5; ls *.png "
           ">../left$t; cd ..; done; cmp said1 said2 && cmp left1 left2 && cat said2");
}

static void a_step_and_a_picture_have_times_of_their_own(void **state)
{
    (void)state;
    expect(0, " ms per step\n", "$G run $S " SMALL);
    expect(0, " ms per step, ", "$G run $S " PICTURES "--out t.png");
    expect(0, " ms per picture\n", "$G run $S " PICTURES "--out t.png");
    expect(0, " ms per frame written\n", "$G run $S " SMALL "--out t.npy");
}

static void a_scene_is_read_from_anywhere(void **state)
{
    (void)state;
    expect(0, "",
           "H() { grep -o 'hash.*'; }; A=$($G run $S " SMALL "2>&1 | H); B=$($G run - " SMALL
           "< $S 2>&1 | H); printf '\\357\\273\\277' > bom.json; cat $S >> bom.json; C=$($G run "
           "bom.json " SMALL "2>&1 | H); test -n \"$A\" && test \"$A\" = \"$B\" && test \"$A\" = "
           "\"$C\"");
    expect(1, "stdin:1:20: gas: found 1, expected an object",
           "echo '{\"models\": {\"gas\": 1}}' | $G run -");
    expect(0, "bytes per cell", "$G info - < $S");
    expect(1, "bom.json:1:18: gas: found 1, expected an object",
           "printf '\\357\\273\\277{\"models\":{\"gas\":1}}' > bom.json; $G run bom.json");
}

#define RATE_OF(file) "$(ffprobe -v error -show_entries stream=r_frame_rate -of csv=p=0 " file ")"

static void slow_motion_is_two_numbers(void **state)
{
    (void)state;
    if (shell("ffmpeg -version && ffprobe -version") != 0) {
        skip();
    }
    expect(1, "1000 frames per second are more than a video can show: --playback 30",
           "$G run $S " PICTURES "--fps 1000 --out slow.mp4");
    expect(0, "",
           "$G run $S " PICTURES
           "--fps 1000 --playback 25 --out slow.mp4 && test " RATE_OF("slow.mp4") " = 25/1");
    expect(0, "",
           "A=$($G run $S " PICTURES "--fps 300 2>&1 | grep -o 'hash.*'); B=$($G run $S " PICTURES
           "--fps 300 --set output.fps=30 --out slow.mp4 2>&1 | grep -o 'hash.*'); test \"$A\" = "
           "\"$B\" && test " RATE_OF("slow.mp4") " = 30/1");
    expect(0, "",
           "$G run $S " PICTURES "--fps 20 --out slow.mp4 && test " RATE_OF("slow.mp4") " = 20/1");
}

// A timeline's mistakes are found before the first step.
static void a_timeline_is_checked_at_first(void **state)
{
    (void)state;
    expect(
        0, "",
        "printf '%s' '{\"models\":{\"gas\":{\"grid\":{\"dim\":2,\"n\":[16,16,1]},\"emitters\":[{"
        "\"name\":\"jet\"}]}},\"timeline\":[{\"time\":1,\"path\":\"PATH\",\"value\":\"VALUE\"}]}'"
        " > time.json");
    expect(1, "timeline.0.value: emitters.0.channel: there is no channel \"ink\"",
           "sed 's/PATH/gas.emitters.jet.channel/;s/VALUE/ink/' time.json | $G info -");
    expect(1, "view.field: no field \"vortcity\", did you mean \"vorticity\"?",
           "sed 's/PATH/view.field/;s/VALUE/vortcity/' time.json | $G info -");
    expect(1, "view.field: velocity_x lies on faces",
           "sed 's/PATH/view.field/;s/VALUE/velocity_x/' time.json | $G info -");
    expect(0, "", "sed 's/PATH/view.field/;s/VALUE/solid/' time.json | $G info -");
}

static void failures_end_with_1_and_one_line(void **state)
{
    (void)state;
    expect(1, "nothing.json: cannot be read", "$G run nothing.json");
    expect(1, "nodir/x.npy: cannot be written", "$G run $S " SMALL "--out nodir/x.npy");
    expect(1, "needs ffmpeg", "mkdir -p none; PATH=$PWD/none $G run $S " SMALL "--out x.mp4");
    expect(1, "found no checkpoint of a run", "$G run $S " SMALL "--resume $S");
    expect(1, "the schema could not be written", "$G schema > /dev/full");
    expect(1, "s.json:1:20: gas: found 1, expected an object",
           "echo '{\"models\": {\"gas\": 1}}' > s.json; $G run s.json");
}

static void help_comes_from_the_tables(void **state)
{
    (void)state;
    expect(0, "gyre 0.", "$G --version");
    expect(0, "--checkpoint FILE", "$G help run");
    expect(0, "--checkpoint FILE", "$G run --help");
    expect(0, "schema", "$G help");
    expect(0, "--untimed", "$G help bench");
    expect(0, "",
           "$G help bench > a; $G bench --help > b; $G bench gas --help > c; cmp a b && cmp a c");
    expect(0, "bytes per cell", "$G info $S");
    expect(0, "gas.viscosity = 0.5 m^2/s", "$G info $S --set gas.viscosity=0.5");
    expect(0, "json-schema.org/draft/2020-12", "$G schema");
}

static void a_killed_run_resumes_to_the_same_end(void **state)
{
    (void)state;
    expect(0, "30 frames in", "$G run $S " SMALL "--out a%03d.npy --stats a.csv --seed 3");
    // Killed at some moment after the first checkpoint, whatever is going on then.
    expect(0, "",
           "$G run $S " SMALL "--out b%03d.npy --seed 3 --quiet --checkpoint b.gyre --every "
           "1 & P=$!; while [ ! -e b.gyre ]; do sleep 0.005; done; kill -9 $P; wait $P; "
           "true");
    expect(0, "hash", "$G run $S " SMALL "--out b%03d.npy --seed 3 --resume b.gyre --stats b.csv");
    expect(0, "", "for i in 000 007 015 022 029; do cmp a$i.npy b$i.npy || exit 1; done");
    expect(0, "",
           "A=$(tail -n 1 a.csv | cut -d, -f2-16); B=$(tail -n 1 b.part2.csv | cut -d, "
           "-f2-16); test -n \"$A\" && test \"$A\" = \"$B\"");
    expect(0, "", "test -z \"$(ls a.csv.part* 2>/dev/null)\"");
}

static void interrupting_leaves_whole_files(void **state)
{
    (void)state;
    expect(130, "to go on, give the same command with --resume c.gyre",
           "$G run $S --set gas.grid.n=48,32,1 --set gas.grid.h=0.04 --frames 1000000 --out "
           "c%07d.npy --out last.npy --out last.png --stats c.csv --checkpoint c.gyre --every "
           "1000000 & P=$!; while [ ! -e c0000003.npy ]; do sleep 0.01; done; kill -INT $P; wait "
           "$P");
    expect(0, "", "test -e c.csv && test -e c.gyre");
    // Two steps a frame and a header; each frame that is told of has its file and no other has one.
    expect(0, "", "test $(($(ls c0*.npy | wc -l) * 2 + 1)) = $(wc -l < c.csv)");
    expect(0, "", "test -z \"$(ls *.part-* 2>/dev/null | grep ^c)\"");
    // Files of the last frame alone have that one.
    expect(0, "", "test -e last.png && cmp last.npy $(ls c0*.npy | tail -n 1)");
}

// A closed terminal and a polite kill end a run as Ctrl-C does.
static void signals_leave_whole_files(void **state)
{
    static const struct {
        const char *name;
        int status;
    } signals[] = {{"HUP", 129}, {"TERM", 143}, {"INT", 130}};
    (void)state;
    for (int i = 0; i < 3; i++) {
        char line[512];
        snprintf(line, sizeof line,
                 "rm -f g*; $G run $S --set gas.grid.n=48,32,1 --frames 1000000 --out g%%07d.npy "
                 "--stats g.csv --quiet & P=$!; while [ ! -e g0000003.npy ]; do sleep 0.01; done; "
                 "kill -%s $P; wait $P",
                 signals[i].name);
        expect(signals[i].status, "stopped after frame", line);
        expect(0, "", "test -e g.csv && test -z \"$(ls *.part-* 2>/dev/null | grep ^g)\"");
    }
    // A run that is to outlive its terminal does.
    expect(0, "10 frames in",
           "trap '' HUP; $G run $S " SMALL
           "--frames 10 --out h%d.npy & P=$!; kill -HUP $P; wait $P");
}

static void what_cannot_be_read_or_written_is_said_at_once(void **state)
{
    (void)state;
    expect(1, "pipe: cannot be read: not a regular file", "mkfifo pipe; timeout 5 $G run pipe");
    expect(1, "nowhere/c.gyre: cannot be written",
           "$G run $S " SMALL "--checkpoint nowhere/c.gyre --every 1000 --out never%d.npy");
    expect(0, "", "test ! -e never0.npy");
    expect(1, "is there already and no regular file",
           "mkdir taken; $G run $S " SMALL "--checkpoint taken");
}

static void a_full_disk_leaves_the_lines_before(void **state)
{
    (void)state;
    expect(1, "full.csv: cannot be written",
           "trap '' XFSZ; ulimit -f 8; $G run $S " SMALL "--stats full.csv");
    expect(0, "", "test -z \"$(ls full.csv.part* 2>/dev/null)\"");
    // Some lines, and none of them cut: all have as many commas as the first.
    expect(0, "",
           "test $(wc -l < full.csv) -gt 5 && test $(tr -cd '\\n' < full.csv | wc -c) = "
           "$(awk -F, 'NR==1{n=NF} NF==n' full.csv | wc -l) && test -z \"$(tail -c 1 full.csv | tr "
           "-d '\\n')\"");
}

#define FRAMES_OF(file)                                                                            \
    "$(ffprobe -v error -count_frames -show_entries stream=nb_read_frames -of csv=p=0 " file ")"

static void a_resumed_video_is_one_in_the_end(void **state)
{
    static const char *const endings[] = {"mp4", "webm", "gif"};
    (void)state;
    if (shell("ffmpeg -version && ffprobe -version") != 0) {
        skip();
    }
    for (int i = 0; i < 3; i++) {
        char line[1024];
        snprintf(line, sizeof line,
                 "E=%s; rm -f v*; $G run $S " PICTURES "--frames 10 --out \"v'1.$E\" --checkpoint "
                 "v.gyre && ffmpeg -loglevel error -i \"v'1.$E\" -f framemd5 first && for F in 17 "
                 "30; do $G run $S " PICTURES "--frames $F --out \"v'1.$E\" --checkpoint v.gyre "
                 "--resume v.gyre || exit 1; done",
                 endings[i]);
        expect(0, "goes on in a second part", line);
        snprintf(
            line, sizeof line,
            "E=%s; ls v*; test \"$(ls v* | tr '\\n' ' ')\" = \"v'1.$E v.gyre \" && test " FRAMES_OF(
                "\"v'1.$E\"") " = 30 && ffmpeg -loglevel error -i \"v'1.$E\" -f framemd5 all "
                              "-y && grep -v '^#' first | awk '{print $NF}' > f && grep -v "
                              "'^#' all | awk '{print $NF}' | head -n 10 | cmp - f",
            endings[i]);
        expect(0, "", line);
        expect(0, "", "rm -f first all f");
    }
    // Parts that do not make a whole stay as they are, and that is said.
    expect(0, "is not joined with what was before: w.mp4: its parts hold 20 frames, expected 30",
           "$G run $S " PICTURES "--frames 10 --checkpoint w.gyre && $G run $S " PICTURES
           "--resume w.gyre --out w.mp4");
    expect(0, "", "test -e w.part2.mp4 && test ! -e w.mp4");
    expect(0, "is not joined with what was before: pictures are of another size or rate now",
           "rm w.*; $G run $S " PICTURES "--frames 10 --checkpoint w.gyre --out w.mp4 && $G run "
           "$S " PICTURES "--set output.width=80 --resume w.gyre --out w.mp4");
    expect(0, "", "test -e w.part2.mp4 && test " FRAMES_OF("w.mp4") " = 10");
}

// Each line is refused before the first step, and the files are what they were.
static void no_output_overwrites_another_file(void **state)
{
    static const char *const refused[] = {
        "--stats scene.json",
        "--checkpoint ./scene.json",
        "--stats ../$(basename $PWD)/scene.json",
        "--stats soft.json",
        "--checkpoint hard.json",
        "--checkpoint $PWD/scene.json",
        "--out wall.npy",
        "--out wal%d.npy --out wall.npy",
        "--stats old.gyre --resume old.gyre",
        "--out a.npy --out ./a.npy",
        "--out a.png --stats a.png",
        "--out a.png --checkpoint dangling.png",
        "--stats a --checkpoint a",
        "--out a%d.npy --stats a7.npy",
        "--out a%03d.npy --out a1%d.npy",
        "--out a.npy --field density --field temperature --stats a_density.npy",
    };
    (void)state;
    expect(0, "",
           "mkdir over; cd over; printf "
           "'{\"models\":{\"gas\":{\"grid\":{\"dim\":2,\"n\":[16,16,1],\"h\":0.1},\"solids\":[{"
           "\"shape\":{\"volume\":{\"data\":\"wall.npy\"}}}]}},\"time\":{\"frames\":2}}' > "
           "scene.json; $G run $S " SMALL "--frames 1 --out wall.npy --quiet; ln -s scene.json "
           "soft.json; ln scene.json hard.json; ln -s a.png dangling.png; cp scene.json kept; "
           "cp wall.npy kept.npy; $G run scene.json --quiet --checkpoint old.gyre; cp old.gyre o");
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        char line[512];
        snprintf(line, sizeof line, "cd over; $G run scene.json %s", refused[i]);
        expect(2, "would overwrite", line);
        expect(0, "",
               "cd over; cmp scene.json kept && cmp wall.npy kept.npy && cmp old.gyre o && "
               "test ! -e a.png && test ! -e a.npy && test -z \"$(ls *.part-* 2>/dev/null)\"");
    }
    expect(2, "--stats: over/scene.json would overwrite the scene, over/scene.json",
           "$G run over/scene.json --stats over/scene.json");
    // What only looks alike is taken.
    expect(0, "", "cd over; $G run scene.json --quiet --out a%d.npy --out a1b%d.npy --stats a.npy");
    expect(0, "", "cd over; $G run scene.json --quiet --resume old.gyre --checkpoint old.gyre");
}

// Each model's fields go to files of their own, as many as are asked for.
static void several_models_have_files_each(void **state)
{
    static const struct {
        const char *options, *files;
    } cases[] = {
        {"--out a.vti --out a.npy", "a_air.npy a_air.vti a_pool.npy a_pool.vti"},
        {"--out a.vti --out a.npy --field pool.depth", "a.npy a.vti"},
        {"--out a.vti --field density --field air.temperature", "a.vti"},
        {"--out a.vti --out a.npy --field air.density --field depth",
         "a_air.density.npy a_air.vti a_depth.npy a_pool.vti"},
    };
    (void)state;
    expect(0, "",
           "mkdir two; cd two; printf '{\"models\":{\"air\":{\"type\":\"gas\",\"grid\":{\"dim\":2,"
           "\"n\":[16,16,1],\"h\":0.1}},\"pool\":{\"type\":\"water\",\"grid\":{\"n\":[8,8,1],"
           "\"h\":0.1}}},\"time\":{\"frames\":1}}' > scene.json");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char line[512];
        snprintf(line, sizeof line,
                 "cd two; rm -f a*; $G run scene.json --quiet %s && test \"$(echo a*)\" = '%s'",
                 cases[i].options, cases[i].files);
        expect(0, "", line);
    }
    expect(2, "no field \"depht\", did you mean \"depth\"?",
           "cd two; $G run scene.json --out a.npy --field pool.depht");
    static const char *const asked[] = {"--field pol.depth --out a.vti",
                                        "--field pol.depth --out a.png",
                                        "--field pol.depth --out a.mp4",
                                        "--field pol.depth --stats a.csv",
                                        "--field pol.depth",
                                        "--set view.field=pol.depth --out a.png"};
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
        char line[256];
        snprintf(line, sizeof line, "cd two; rm -f a*; $G run scene.json %s; s=$?; ls; exit $s",
                 asked[i]);
        // A scene's own word for it is a scene's mistake.
        expect(i < 5 ? 2 : 1,
               "pol.depth: no model \"pol\", did you mean \"pool\"?; there are air, pool", line);
    }
    expect(2, "sky.depth: no model \"sky\"; there are air, pool",
           "cd two; $G run scene.json --field sky.depth");
    expect(2, "would overwrite", "cd two; $G run scene.json --out a.vti --checkpoint a_pool.vti");
    expect(2, "no model has particles", "cd two; $G run scene.json --out a.ply");
    expect(0, "",
           "cd two; rm -f a*; $G run scene.json --quiet --set pool.dust.capacity=9 "
           "--set pool.dust.start=5 --out a.ply && test \"$(echo a*)\" = a.ply");
    // A file of each attribute; of each model where several have particles.
    expect(0, "",
           "cd two; rm -f a*; $G run scene.json --quiet --set pool.dust.capacity=9 "
           "--out a%d.particles.npy && test \"$(echo a*)\" = "
           "'a0.age.npy a0.id.npy a0.position.npy'");
    expect(0, "",
           "cd two; rm -f a*; $G run scene.json --quiet --set pool.dust.capacity=9 "
           "--set air.tracers.capacity=9 --out a.particles.npy && test \"$(echo a*)\" = "
           "'a_air.age.npy a_air.id.npy a_air.position.npy a_pool.age.npy a_pool.id.npy "
           "a_pool.position.npy'");
    expect(2, "a.age.npy would overwrite --stats a.age.npy",
           "cd two; $G run scene.json --set pool.dust.capacity=9 --out a.particles.npy "
           "--stats a.age.npy");
}

#define DISK(name, x, y)                                                                           \
    "{\"name\":\"" name "\",\"shape\":{\"sphere\":{\"centre\":[" x "," y ",0],\"radius\":0.1}}}"
#define WIND(solids, timeline)                                                                     \
    "{\"models\":{\"gas\":{\"grid\":{\"dim\":2,\"n\":[32,32,1],\"h\":0.04},\"gravity\":[0,0,0],"   \
    "\"sides\":{\"x_low\":{\"rule\":\"open\"},\"x_high\":{\"rule\":\"open\"}},\"emitters\":[{"     \
    "\"shape\":{"                                                                                  \
    "\"box\":{\"centre\":[0,0.64,0],\"size\":[0.2,1.4,1]}},\"push\":true,\"velocity\":[1,0,0]}],"  \
    "\"solids\":[" solids "]}},\"time\":{\"frames\":20},\"timeline\":[" timeline "]}"
#define MOVE(name, time, x, y)                                                                     \
    "{\"time\":" time ",\"path\":\"gas.solids." name ".shape.sphere.centre\",\"value\":[" x "," y  \
    ",0],\"interpolation\":\"linear\"}"

// One line each; none where all counts, and none with --quiet.
static void what_has_no_effect_is_told(void **state)
{
    static const struct {
        const char *models, *said; // "": nothing
    } cases[] = {
        {"\"gas\":{\"grid\":{\"dim\":2,\"n\":[16,16,1],\"h\":0.0625},\"emitters\":[{\"name\":"
         "\"jet\","
         "\"velocity\":[1,0,0]}]}",
         "gas.emitters.jet.velocity has no effect without push"},
        {"\"gas\":{\"grid\":{\"dim\":2,\"n\":[16,16,1],\"h\":0.0625},\"emitters\":[{\"push\":true,"
         "\"velocity\":[1,0,0]}]}",
         ""},
        {"\"gas\":{\"grid\":{\"dim\":2,\"n\":[16,16,1],\"h\":0.0625},\"emitters\":[{"
         "\"channel_amount\":2}]}",
         "gas.emitters.0.channel_amount has no effect without channel"},
        {"\"gas\":{\"grid\":{\"dim\":2,\"n\":[16,16,1]},\"sides\":{\"x_low\":{\"velocity\":[0,1,0]}"
         "}}",
         "gas.sides.x_low.velocity has no effect: rule is not no_slip"},
        {"\"gas\":{\"grid\":{\"dim\":2,\"n\":[16,16,1]},\"sides\":{\"x_low\":{\"rule\":\"no_slip\","
         "\"velocity\":[0,1,0]}}}",
         ""},
        {"\"gas\":{\"grid\":{\"dim\":2,\"n\":[16,16,1]},\"sides\":{\"x_low\":{\"holds\":{"
         "\"temperature\":5}}}}",
         "gas.sides.x_low.holds.temperature has no effect: temperature has no diffusivity"},
        {"\"gas\":{\"grid\":{\"dim\":2,\"n\":[16,16,1]},\"channels\":[{\"name\":\"ink\","
         "\"diffusivity\":0.1}],\"sides\":{\"x_low\":{\"holds\":{\"ink\":5}}}}",
         ""},
        {"\"gas\":{\"grid\":{\"dim\":2,\"n\":[16,16,1]},\"sides\":{\"z_low\":{\"rule\":\"open\"}}}",
         "gas.sides.z_low has no effect: grid.dim is not 3"},
        {"\"gas\":{\"grid\":{\"dim\":2,\"n\":[16,16,1],\"h\":0.0625},\"emitters\":[{\"name\":"
         "\"far\","
         "\"shape\":{\"sphere\":{\"centre\":[2,0.5,0],\"radius\":0.1}},\"density\":1}]}",
         "gas.emitters.far has no effect: it lies outside of the domain, which goes from 0 to 1 m "
         "along x"},
        {"\"gas\":{\"grid\":{\"dim\":2,\"n\":[16,16,1],\"h\":0.0625},\"emitters\":[{\"name\":"
         "\"far\","
         "\"enabled\":false,\"shape\":{\"sphere\":{\"centre\":[2,0.5,0],\"radius\":0.1}}}]}",
         ""},
        {"\"water\":{\"grid\":{\"dim\":2,\"n\":[16,16,1]},\"wave_speed\":3}",
         "water.wave_speed has no effect: mode is not wave"},
        {"\"water\":{\"grid\":{\"dim\":2,\"n\":[16,16,1]},\"mode\":\"wave\",\"wave_speed\":3,"
         "\"sides\":{\"x_low\":{\"rule\":\"inflow\",\"amplitude\":0.2}}}",
         ""},
        {"\"water\":{\"grid\":{\"dim\":2,\"n\":[16,16,1]},\"sides\":{\"x_low\":{\"rule\":"
         "\"inflow\","
         "\"inflow\":\"stage\",\"discharge\":0.2}}}",
         "water.sides.x_low.discharge has no effect: inflow is not discharge"},
        {"\"water\":{\"grid\":{\"dim\":2,\"n\":[16,16,1]},\"sides\":{\"x_low\":{\"level\":0.2}}}",
         "water.sides.x_low.level has no effect: rule is not open or inflow"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char line[2048];
        const char *said = cases[i].said;
        snprintf(
            line, sizeof line,
            "printf '%%s' '{\"models\":{%s},\"time\":{\"frames\":1}}' > warn.json; $G run "
            "warn.json > warn.txt 2>&1 && cat warn.txt && test $(grep -c '^warning: ' warn.txt) "
            "= %d && test -z \"$($G run warn.json --quiet 2>&1)\"",
            cases[i].models, *said ? 1 : 0);
        expect(0, said, line);
    }
    // What a timeline will make count does; what it brings is looked at, too.
    expect(0, "",
           "printf '%s' '" WIND(
               DISK("a", "9", "0.4"),
               MOVE("a", "0", "0.6", "0.5")) "' > warn.json; "
                                             "test -z \"$($G run warn.json 2>&1 | grep outside)\"");
    expect(0, "warning: gas.solids.late has no effect: it lies outside",
           "printf '%s' '" WIND("", "{\"time\":0.1,\"path\":\"gas.solids\",\"value\":" DISK(
                                        "late", "9", "0.4") "}") "' > warn.json; $G run warn.json");
    // The scenes that come along have nothing that does not count.
    expect(0, "",
           "for S in " GYRE_SOURCE_DIR "/scene/*.json; do test -z \"$($G run $S --frames 0 2>&1 | "
           "grep warning)\" || exit 1; done");
}

// Solids of a gas that are put elsewhere without a velocity are met there at rest; that is said.
static void a_moved_solid_is_told_once(void **state)
{
    (void)state;
    expect(0, "",
           "printf '%s' '" WIND(
               DISK("a", "0.4", "0.4") "," DISK("b", "0.9", "0.9"),
               MOVE("a", "0", "0.6", "0.5") "," MOVE(
                   "b", "0", "0.9",
                   "0.8")) "' > moved.json; printf '%s' '" WIND(DISK("a", "0.6",
                                                                     "0.5") "," DISK("b", "0.9",
                                                                                     "0.8"),
                                                                "") "' > put.json");
    expect(0,
           "warning: gas.solids.a.shape.sphere.centre changes with time: the gas meets the solid "
           "at its new place, pushed by the velocity and spin of its pose alone",
           "$G run moved.json");
    expect(0, "", "test $($G run moved.json 2>&1 | grep -c warning) = 1");
    expect(0, "", "test -z \"$($G run moved.json --quiet 2>&1)\"");
    expect(0, "", "test $($G run put.json 2>&1 | grep -c warning) = 0");
    expect(0, "",
           "A=$($G run moved.json 2>/dev/null | grep -o 'hash.*'); B=$($G run put.json 2>/dev/null "
           "| grep -o 'hash.*'); test -n \"$A\" && test \"$A\" = \"$B\"");
}

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    char command[64];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(usage_errors_end_with_2),
        cmocka_unit_test(failures_end_with_1_and_one_line),
        cmocka_unit_test(a_letter_is_no_word),
        cmocka_unit_test(a_named_field_is_drawn),
        cmocka_unit_test(pictures_beside_the_next_frame_are_the_same),
        cmocka_unit_test(a_step_and_a_picture_have_times_of_their_own),
        cmocka_unit_test(a_scene_is_read_from_anywhere),
        cmocka_unit_test(slow_motion_is_two_numbers),
        cmocka_unit_test(a_timeline_is_checked_at_first),
        cmocka_unit_test(help_comes_from_the_tables),
        cmocka_unit_test(a_killed_run_resumes_to_the_same_end),
        cmocka_unit_test(interrupting_leaves_whole_files),
        cmocka_unit_test(signals_leave_whole_files),
        cmocka_unit_test(what_cannot_be_read_or_written_is_said_at_once),
        cmocka_unit_test(a_full_disk_leaves_the_lines_before),
        cmocka_unit_test(a_resumed_video_is_one_in_the_end),
        cmocka_unit_test(no_output_overwrites_another_file),
        cmocka_unit_test(several_models_have_files_each),
        cmocka_unit_test(a_moved_solid_is_told_once),
        cmocka_unit_test(what_has_no_effect_is_told),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
