// test/test_body_ids.c: sets of bodies: what is refused, ids, updates, memory, saved states, bits.
// labels: small golden
#include "body_set_rig.h"

static void refused(gyre_bodies *set, const gyre_body *body, const char *word)
{
    assert_true(gyre_bodies_add(set, body) == 0);
    if (!strstr(gyre_message(), word)) {
        fail_msg("\"%s\" lacks \"%s\"", gyre_message(), word);
    }
}

static void bad_bodies_are_refused(void **state)
{
    (void)state;
    gyre_bodies *set = set_of();
    mesh_case ball = mesh_case_sphere(8, 8, 1);
    arrays a = arrays_of(&ball);
    gyre_body body = mesh_body(&a);
    snprintf(body.name, sizeof body.name, "egg");
    body.form.as.mesh.triangles.n[1]--; // open
    added(set, &body);                  // held it may be
    body.motion = GYRE_MOTION_FREE;
    refused(set, &body, "bodies.egg: a free body's mesh must be closed");
    body.form.as.mesh.triangles.n[1]++;
    added(set, &body);
    a.indices[4] = 1000;
    refused(set, &body, "bodies.egg.triangles must be whole numbers that name points");
    a.indices[4] = 0.5f;
    refused(set, &body, "triangles");
    body = gyre_bodies_default_body();
    body.motion = GYRE_MOTION_PATH;
    refused(set, &body, "path");
    body.motion = GYRE_MOTION_HELD;
    body.pose.orientation[0] = 3;
    refused(set, &body, "orientation");
    body = gyre_bodies_default_body();
    memset(&body.form, 0, sizeof body.form);
    body.form.kind = GYRE_FORM_HALF_SPACE;
    refused(set, &body, "normal");
    body.form.as.half_space.normal[2] = 2;
    added(set, &body);
    body.motion = GYRE_MOTION_FREE;
    refused(set, &body, "must enclose a volume");
    body.motion = 9;
    refused(set, &body, "motion");
    assert_int_equal(gyre_bodies_count(set), 3);
    assert_int_equal(gyre_bodies_step(set, -1), GYRE_ERROR_ARGUMENT);
    gyre_bodies_destroy(set);
    free(a.indices);
    mesh_case_free(&ball);
}

static void ids_and_updates(void **state)
{
    (void)state;
    gyre_bodies *set = in_space(), *other = set_of();
    gyre_body body = tumbler();
    snprintf(body.name, sizeof body.name, "crate");
    gyre_id first = added(set, &body), second, foreign = added(other, &body);
    snprintf(body.name, sizeof body.name, "barrel");
    second = added(set, &body);
    assert_true(first != second && first != foreign);
    assert_true(gyre_bodies_find(set, "crate") == first && gyre_bodies_element(set, 1) == second);
    assert_true(gyre_bodies_find(set, "crat") == 0);
    assert_non_null(strstr(gyre_message(), "\"crate\"?"));
    assert_int_equal(gyre_bodies_read(set, foreign, &body), GYRE_ERROR_ARGUMENT);
    must(gyre_bodies_remove(set, first));
    assert_int_equal(gyre_bodies_remove(set, first), GYRE_ERROR_ARGUMENT);
    assert_non_null(strstr(gyre_message(), "gone"));
    for (int n = 0; n < 10; n++) {
        must(gyre_bodies_step(set, 0.01f));
    }
    // What does not differ goes on undisturbed: to the bit.
    uint64_t before = gyre_bodies_hash(set);
    body = read_of(set, second);
    must(gyre_bodies_update(set, second, &body));
    assert_true(gyre_bodies_hash(set) == before);
    gyre_body_state was = state_of(set, second);
    body.force[0] = 3;
    must(gyre_bodies_update(set, second, &body));
    assert_memory_equal(state_of(set, second).angular, was.angular, sizeof was.angular);
    body.pose.velocity[1] = 4;
    must(gyre_bodies_update(set, second, &body));
    near("velocity", state_of(set, second).velocity[1], 4, 1e-6);
    // Turned by its degrees while its orientation counts: these count from now on.
    body.pose.rotation[0] = 10;
    must(gyre_bodies_update(set, second, &body));
    near("turned", (double)read_of(set, second).pose.rotation[0], 10, 0);
    body = read_of(set, second);
    body.form.as.box.size[0] = 1;
    assert_int_equal(gyre_bodies_update(set, second, &body), GYRE_ERROR_STATE);
    gyre_bodies_destroy(set);
    gyre_bodies_destroy(other);
}

typedef struct purse {
    size_t out;
    int calls, left;
} purse;

static void *lend(void *user, size_t size, size_t alignment)
{
    purse *p = user;
    p->calls++;
    if (p->left-- <= 0) {
        return NULL;
    }
    p->out += size;
    return aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

static void take_back(void *user, void *memory, size_t size)
{
    ((purse *)user)->out -= size;
    free(memory);
}

static void memory_is_the_hosts(void **state)
{
    (void)state;
    purse p = {0, 0, 0};
    gyre_bodies_def def = gyre_bodies_default_def();
    gyre_bodies *set = NULL;
    mesh_case ball = mesh_case_sphere(8, 8, 1);
    arrays a = arrays_of(&ball);
    gyre_body body = mesh_body(&a);
    def.host = (gyre_host){.allocate = lend, .release = take_back, .user = &p};
    def.capacity = 3;
    assert_int_equal(gyre_bodies_create(&def, &set), GYRE_ERROR_MEMORY);
    p.left = 1;
    must(gyre_bodies_create(&def, &set));
    size_t alone = p.out;
    for (int left = 0; left < 3; left++) { // its surface, its tree, the edges that are sorted
        p.left = left;
        assert_true(gyre_bodies_add(set, &body) == 0);
        assert_int_equal(p.out, alone);
    }
    p.left = 100;
    added(set, &body);
    gyre_body box = tumbler();
    added(set, &box);
    size_t two = p.out;
    must(gyre_bodies_remove(set, added(set, &body)));
    assert_int_equal(p.out, two);
    int calls = p.calls;
    must(gyre_bodies_step(set, 0.1f));
    gyre_bodies_hash(set);
    assert_int_equal(p.calls, calls);
    // A load that finds no memory changes nothing.
    size_t size = gyre_bodies_save_size(set), written, full = p.out;
    char *saved = malloc(size);
    must(gyre_bodies_save(set, saved, size, &written));
    must(gyre_bodies_step(set, 0.1f));
    uint64_t hash = gyre_bodies_hash(set);
    for (int left = 0; left < 4; left++) {
        p.left = left;
        assert_int_equal(gyre_bodies_load(set, saved, written), GYRE_ERROR_MEMORY);
        assert_true(gyre_bodies_hash(set) == hash);
        assert_int_equal(p.out, full);
    }
    free(saved);
    p.left = 100;
    added(set, &box);
    assert_true(gyre_bodies_add(set, &box) == 0);
    assert_non_null(strstr(gyre_message(), "full"));
    gyre_bodies_destroy(set);
    assert_int_equal(p.out, 0);
    free(a.indices);
    mesh_case_free(&ball);
}

static void states_come_back(void **state)
{
    (void)state;
    const float keys[16] = {0, 0, 0, 0, 0, 0, 0, 1, 3, 4, 0, 1, 0, 0, 0, 1};
    mesh_case ball = mesh_case_sphere(8, 8, 1);
    arrays a = arrays_of(&ball);
    float *frames = calloc(6 * (size_t)ball.mesh.point_count, sizeof(float));
    for (int k = 0; k < 6 * ball.mesh.point_count; k++) {
        frames[k] = ball.points[k % (3 * ball.mesh.point_count)] * (k < 171 ? 1.0f : 1.5f);
    }
    gyre_body egg = mesh_body(&a), box = tumbler(), cart = gyre_bodies_default_body();
    egg.form.as.mesh.frames = (gyre_volume){frames, {3, ball.mesh.point_count, 2}, "frames"};
    egg.form.as.mesh.rate = 0.7f;
    egg.pose.spin[1] = 30;
    cart.motion = GYRE_MOTION_PATH;
    cart.path = (gyre_volume){keys, {8, 2, 1}, "path"};
    gyre_bodies *set = set_of();
    gyre_id ids[3] = {added(set, &egg), added(set, &box), added(set, &cart)}, more;
    const float force[3] = {1, 2, 3}, at[3] = {1.2f, 0, 0};
    for (int n = 0; n < 7; n++) {
        must(gyre_bodies_step(set, 0.03f));
    }
    must(gyre_bodies_push(set, ids[1], force, force));
    size_t size = gyre_bodies_save_size(set), written = 0;
    char *saved = malloc(size);
    assert_int_equal(gyre_bodies_save(set, saved, 10, NULL), GYRE_ERROR_ARGUMENT);
    must(gyre_bodies_save(set, saved, size, &written));
    assert_true(written <= size);
    uint64_t hash = gyre_bodies_hash(set), end;
    float v[3], w[3];
    must(gyre_bodies_velocity(set, ids[0], at, 1, v));
    for (int n = 0; n < 20; n++) {
        must(gyre_bodies_step(set, 0.02f));
    }
    end = gyre_bodies_hash(set);
    assert_true(end != hash);
    must(gyre_bodies_remove(set, ids[1]));
    more = added(set, &box);
    must(gyre_bodies_load(set, saved, written));
    assert_true(gyre_bodies_hash(set) == hash);
    must(gyre_bodies_velocity(set, ids[0], at, 1, w));
    assert_memory_equal(v, w, sizeof v);
    assert_int_equal(gyre_bodies_read(set, more, &box), GYRE_ERROR_ARGUMENT);
    for (int n = 0; n < 20; n++) {
        must(gyre_bodies_step(set, 0.02f));
    }
    assert_true(gyre_bodies_hash(set) == end);
    // Another set that uses the same arrays takes it, too; one that does not refuses.
    gyre_bodies *other = set_of();
    assert_int_equal(gyre_bodies_load(other, saved, written), GYRE_ERROR_FORMAT);
    assert_int_equal(gyre_bodies_count(other), 0);
    added(other, &cart);
    added(other, &egg);
    must(gyre_bodies_load(other, saved, written));
    assert_true(gyre_bodies_hash(other) == hash);
    assert_int_equal(gyre_bodies_count(other), 3);
    // Damage: each byte changed, each length cut.
    for (size_t i = 0; i < written; i += 1 + i / 300) {
        saved[i] = (char)(saved[i] ^ 16);
        assert_int_equal(gyre_bodies_load(set, saved, written), GYRE_ERROR_FORMAT);
        saved[i] = (char)(saved[i] ^ 16);
        assert_int_equal(gyre_bodies_load(set, saved, i), GYRE_ERROR_FORMAT);
    }
    assert_true(gyre_bodies_hash(set) == end);
    gyre_bodies_destroy(set);
    gyre_bodies_destroy(other);
    free(saved);
    free(frames);
    free(a.indices);
    mesh_case_free(&ball);
}

/// Whatever is asked for: finite, and to be saved and loaded.
static void any_step_stays_finite(void **state)
{
    (void)state;
    gyre_bodies *set = set_of();
    gyre_body body = tumbler();
    const float force[3] = {1e30f, -1e30f, 1e30f};
    gyre_id id = added(set, &body);
    size_t size = gyre_bodies_save_size(set), written;
    char *saved = malloc(size);
    const float dts[6] = {0, 1e-30f, 1, 1e10f, 3e38f, 0.01f};
    for (int n = 0; n < 24; n++) {
        must(gyre_bodies_push(set, id, n % 3 ? force : NULL, n % 2 ? force : NULL));
        must(gyre_bodies_step(set, dts[n % 6]));
        gyre_body now = read_of(set, id);
        gyre_body_state s = state_of(set, id);
        for (int a = 0; a < 3; a++) {
            assert_true(fabsf(now.pose.position[a]) <= 1e6f && fabsf(now.pose.velocity[a]) <= 1e4f);
            assert_true(fabsf(now.pose.spin[a]) <= 1e6f && isfinite(now.pose.rotation[a]));
            assert_true(isfinite(s.energy));
        }
        must(gyre_bodies_save(set, saved, size, &written));
        must(gyre_bodies_load(set, saved, written));
    }
    free(saved);
    gyre_bodies_destroy(set);
}

/// Whatever the compiler, level and machine: these bits are those of gcc 12 and clang 14, -O0 to
/// -O3.
static void the_same_bits_everywhere(void **state)
{
    (void)state;
    gyre_bodies *set = set_of();
    gyre_body body = tumbler();
    gyre_id id = added(set, &body);
    body.motion = GYRE_MOTION_HELD;
    added(set, &body);
    for (int n = 0; n < 500; n++) {
        const float force[3] = {1, (float)(n % 7), -2}, at[3] = {0, 1, (float)(n % 3)};
        must(gyre_bodies_push_at(set, id, force, at));
        must(gyre_bodies_step(set, 0.01f));
    }
    uint64_t hash = gyre_bodies_hash(set);
    if (hash != 0xa464e2d4583b8937u) {
        fail_msg("the hash is 0x%016llx", (unsigned long long)hash);
    }
    gyre_bodies_destroy(set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_bodies_are_refused), cmocka_unit_test(ids_and_updates),
        cmocka_unit_test(memory_is_the_hosts),    cmocka_unit_test(states_come_back),
        cmocka_unit_test(any_step_stays_finite),  cmocka_unit_test(the_same_bits_everywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
