// test/web/test_web.mjs BUILD: web.h in Node.js: scenes from texts that may be bad, bounds, states, the
// hand, models by themselves. Of pictures see picture.mjs.
import assert from "node:assert/strict";
import { Gyre, makeModule } from "./module.mjs";

const gyre = new Gyre(await makeModule(process.argv[2]));
const m = gyre.m;
let count = 0;

function test(name, body) {
    try {
        body();
        count++;
    } catch (error) {
        console.error(`${name}: ${error.stack}`);
        process.exitCode = 1;
    }
}

const puff = JSON.stringify({
    title: "puff",
    models: { gas: { grid: { dim: 2, n: [32, 48, 1], h: 0.05 },
        emitters: [{ name: "source", shape: { sphere: { centre: [0.8, 0.4, 0], radius: 0.2 } }, density: 2, temperature: 80 }] } },
    time: { fps: 30, frames: 30 },
});
const still = JSON.stringify({ models: { gas: { grid: { dim: 2, n: [32, 32, 1], h: 0.1 } } } });
const pond = JSON.stringify({ models: { water: { grid: { dim: 2, n: [32, 24, 1], h: 0.1 }, level: 0.5 } }, view: { mode: "surface" } });

/** Bytes of the module's memory, taken and given back. */
function block(size, use) {
    const at = m._web_malloc(size);
    try {
        return use(at);
    } finally {
        m._web_free(at);
    }
}

/** A field's samples, or null with a message. */
function map(scene, field, write, use) {
    return block(24, (at) => {
        gyre.must("map", scene, 0, field, write ? 1 : 0, at);
        const [address, nx, ny, nz, sy, sz] = m.HEAP32.subarray(at / 4, at / 4 + 6);
        use((i, j, k = 0) => address / 4 + i + j * sy + k * sz, nx, ny, nz);
        gyre.must("unmap", scene, 0, field);
    });
}

function total(scene, field) {
    let sum = 0;
    map(scene, field, false, (at, nx, ny, nz) => {
        for (let k = 0; k < nz; k++)
            for (let j = 0; j < ny; j++)
                for (let i = 0; i < nx; i++) sum += m.HEAPF32[at(i, j, k)];
    });
    return sum;
}

test("tables", () => {
    const tables = gyre.json("tables");
    assert.ok(tables.models.gas && tables.models.water && tables.models.ocean && tables.models.classic);
    const viscosity = tables.models.gas.find((p) => p.name === "viscosity");
    assert.equal(viscosity.kind, "float");
    assert.ok(viscosity.doc.length > 3 && viscosity.high > viscosity.low);
    const emitters = tables.models.gas.find((p) => p.name === "emitters");
    assert.equal(emitters.kind, "pool");
    assert.ok(emitters.members.some((p) => p.name === "density" && p.role === "feed"));
    assert.equal(JSON.parse(gyre.text("schema")).title, "gyre scene");
});

test("bad scenes are told of", () => {
    assert.equal(gyre.open("{"), 0);
    assert.match(gyre.message(), /scene\.json:1:/);
    assert.equal(gyre.open(puff.replace("density", "densty")), 0);
    assert.match(gyre.message(), /densty.*density/s);
    assert.equal(gyre.open(puff, "scene.json", "gas.viscosity=-1"), 0);
    assert.match(gyre.message(), /viscosity/);
});

test("bounds are looked at before anything is made", () => {
    const before = m.HEAPU8.length;
    const large = puff.replace("[32,48,1]", "[4096,4096,1]");
    assert.equal(gyre.open(large), 0);
    assert.match(gyre.message(), /16777216 cells/);
    assert.equal(gyre.open(puff, "scene.json", null, 1, [1000, 0, 0, 0]), 0);
    assert.match(gyre.message(), /1536 cells; more than 1000/);
    assert.equal(gyre.open(puff, "scene.json", null, 1, [0, 10000, 0, 0]), 0);
    assert.match(gyre.message(), /bytes; more than 10000/);
    assert.equal(gyre.open(puff, "scene.json", null, 1, [0, 0, 0, 100]), 0);
    assert.match(gyre.message(), /bytes of text/);
    const dust = puff.replace('"emitters"', '"tracers":{"capacity":5000000},"emitters"');
    assert.equal(gyre.open(dust), 0);
    assert.match(gyre.message(), /5000000 particles/);
    assert.equal(m.HEAPU8.length, before);
    // A coarser grid by a setting fits.
    const scene = gyre.open(large, "scene.json", "\ngas.grid.n=32,48,1\n\n");
    assert.ok(scene, gyre.message());
    m._web_close(scene);
});

test("states are kept and come again", () => {
    const scene = gyre.open(puff);
    assert.ok(scene, gyre.message());
    gyre.must("step", scene, 4);
    block(8, (at) => {
        gyre.must("save", scene, at, at + 4);
        const [bytes, size] = m.HEAP32.subarray(at / 4, at / 4 + 2);
        assert.ok(bytes && size > 1000);
        gyre.must("step", scene, 3);
        const hash = gyre.text("hash", scene);
        assert.match(hash, /^[0-9a-f]{16}$/);
        gyre.must("load", scene, bytes, size);
        assert.notEqual(gyre.text("hash", scene), hash);
        gyre.must("step", scene, 3);
        assert.equal(gyre.text("hash", scene), hash);
        m.HEAPU8[bytes + size - 9] ^= 1;
        assert.notEqual(gyre.call("load", scene, bytes, size), 0);
        m._web_free(bytes);
        gyre.must("reset", scene, 0);
        gyre.must("step", scene, 7);
        assert.equal(gyre.text("hash", scene), hash);
        assert.equal(gyre.json("stats", scene).step, 7);
    });
    m._web_close(scene);
});

test("settings are read back, recorded, and kept or not", () => {
    const scene = gyre.open(puff);
    gyre.must("step", scene, 2);
    gyre.must("set", scene, "gas.viscosity", "0.25");
    gyre.must("set", scene, "gas.emitters.source.shape.sphere.centre", "[0.5, 0.5, 0]");
    assert.equal(gyre.json("get", scene, "gas.viscosity"), 0.25);
    assert.deepEqual(gyre.json("get", scene, "gas.emitters.source.shape.sphere.centre"), [0.5, 0.5, 0]);
    assert.equal(gyre.json("get", scene, "gas.emitters").length, 1);
    assert.equal(gyre.json("get", scene, "gas.emitters.0").name, "source");
    assert.equal(gyre.json("get", scene, "time.fps"), 30);
    assert.notEqual(gyre.call("set", scene, "gas.viscosity", '"thick"'), 0);
    assert.notEqual(gyre.call("set", scene, "gas.viscocity", "1"), 0);
    assert.match(gyre.message(), /viscosity/);
    assert.equal(gyre.call("get", scene, "gas.viscocity"), 0);
    assert.match(gyre.message(), /viscosity/);
    const replay = JSON.parse(gyre.text("replay", scene));
    assert.equal(replay.steps, 2);
    assert.equal(replay.timeline.length, 2);
    const written = gyre.text("scene_file", scene), other = gyre.open(written);
    assert.ok(other, gyre.message());
    assert.equal(gyre.json("get", other, "gas.viscosity"), 0.25);
    m._web_close(other);
    gyre.must("reset", scene, 1);
    assert.equal(gyre.json("get", scene, "gas.viscosity"), 0.25);
    gyre.must("reset", scene, 0);
    assert.equal(gyre.json("get", scene, "gas.viscosity"), 0);
    m._web_close(scene);
});

test("a scene describes itself", () => {
    const scene = gyre.open(puff);
    const of = gyre.json("describe", scene);
    assert.equal(of.title, "puff");
    assert.deepEqual(of.models[0].n, [32, 48, 1]);
    assert.ok(Math.abs(of.dt - 1 / 30) < 1e-6);
    assert.ok(of.models[0].fields.some((f) => f.name === "density" && f.role === "smoke"));
    assert.equal(of.models[0].values.emitters[0].density, 2);
    assert.deepEqual(of.modes, ["map", "cells", "streaks"]);
    const stats = gyre.json("stats", scene);
    assert.ok(stats.bytes > 32 * 48 * 4 && "max_speed" in stats.models.gas);
    m._web_close(scene);
});

test("fields are read and written in place", () => {
    const scene = gyre.open(still);
    map(scene, "density", true, (at, nx, ny) => {
        assert.deepEqual([nx, ny], [32, 32]);
        m.HEAPF32[at(5, 7)] = 3;
    });
    assert.equal(total(scene, "density"), 3);
    block(64, (at) => {
        m.HEAPF32.set([0.55, 0.75, 0], at / 4);
        gyre.must("probe", scene, 0, "density", at, 1, at + 16);
        assert.ok(Math.abs(m.HEAPF32[at / 4 + 4] - 3) < 1e-5);
        m.HEAPF32.set([1.6, 1.6, 0, 1, -1], at / 4);
        gyre.must("splat", scene, 0, "velocity", at, 0.4, at + 12, 2);
        assert.notEqual(gyre.call("splat", scene, 0, "velocity", at, 0.4, at + 12, 4), 0);
        gyre.must("probe", scene, 0, "vorticity", at, 1, at + 16);
    });
    assert.ok(total(scene, "velocity_x") > 1 && total(scene, "velocity_y") < -1);
    assert.notEqual(gyre.call("map", scene, 0, "densty", 0, 0), 0);
    assert.match(gyre.message(), /density/);
    assert.notEqual(gyre.call("map", scene, 1, "density", 0, 0), 0);
    m._web_close(scene);
});

const [PLAY, , , GRAB, DIG, ORBIT] = [0, 1, 2, 3, 4, 5], [DOWN, MOVE, UP] = [0, 1, 2];

test("a pointer pours and pushes, several at once, and a replay has it", () => {
    const scene = gyre.open(still);
    assert.equal(total(scene, "density"), 0);
    gyre.must("pointer", scene, 7, DOWN, PLAY, 0.3, 0.5, -1);
    gyre.must("pointer", scene, 9, DOWN, PLAY, 0.7, 0.5, -1);
    for (let i = 1; i <= 5; i++) {
        gyre.must("pointer", scene, 7, MOVE, PLAY, 0.3, 0.5 + 0.02 * i, -1);
        gyre.must("pointer", scene, 9, MOVE, PLAY, 0.7, 0.5 - 0.02 * i, -1);
        gyre.must("step", scene, 1);
    }
    const poured = total(scene, "density"), emitters = gyre.json("get", scene, "gas.emitters");
    assert.ok(poured > 0.5, `poured ${poured}`);
    assert.deepEqual(emitters.map((e) => e.name).sort(),
        ["brush_dye", "brush_dye_1", "brush_push", "brush_push_1"]);
    let left = 0, right = 0, up = 0, down = 0;
    map(scene, "density", false, (at) => {
        for (let j = 0; j < 32; j++) for (let i = 0; i < 32; i++)
            i < 16 ? (left += m.HEAPF32[at(i, j)]) : (right += m.HEAPF32[at(i, j)]);
    });
    map(scene, "velocity_y", false, (at) => {
        for (let i = 0; i < 16; i++) {
            up += m.HEAPF32[at(i, 17)];
            down += m.HEAPF32[at(31 - i, 15)];
        }
    });
    assert.ok(left > 0.2 * poured && right > 0.2 * poured, `${left} ${right}`);
    assert.ok(up > 0 && down < 0, `${up} ${down}`);
    gyre.must("pointer", scene, 7, UP, PLAY, 0.3, 0.6, -1);
    gyre.must("pointer", scene, 9, UP, PLAY, 0.7, 0.4, -1);
    gyre.must("step", scene, 3);
    assert.ok(gyre.json("get", scene, "gas.emitters").every((e) => !e.enabled));
    // What was recorded comes to the same state.
    const replay = JSON.parse(gyre.text("replay", scene)), hash = gyre.text("hash", scene);
    assert.equal(replay.hash, hash);
    assert.ok(replay.timeline.length > 30);
    m._web_close(scene);
});

test("water is poured, and what cannot be done is said", () => {
    const scene = gyre.open(pond);
    assert.ok(scene, gyre.message());
    const before = total(scene, "depth");
    gyre.must("pointer", scene, 1, DOWN, PLAY, 0.5, 0.65, -1);
    gyre.must("step", scene, 5);
    gyre.must("pointer", scene, 1, UP, PLAY, 0.5, 0.65, -1);
    assert.ok(total(scene, "depth") > before * 1.0001);
    assert.equal(gyre.json("get_look", scene).mode, "surface");
    assert.notEqual(gyre.call("pointer", scene, 1, 5, PLAY, 0.5, 0.5, -1), 0);
    assert.notEqual(gyre.call("pointer", scene, 1, DOWN, PLAY, NaN, 0.5, -1), 0);
    m._web_close(scene);
    const gas = gyre.open(still);
    assert.notEqual(gyre.call("pointer", gas, 1, DOWN, DIG, 0.5, 0.5, -1), 0);
    assert.match(gyre.message(), /no ground/);
    gyre.must("pointer", gas, 1, UP, DIG, 0.5, 0.5, -1);
    m._web_close(gas);
});

test("looks", () => {
    const scene = gyre.open(pond);
    gyre.must("look", scene, JSON.stringify({ mode: "bars", arrows: true, scale: 0.5, camera: { field_of_view: 40 }, light: { intensity: 2 } }));
    const look = gyre.json("get_look", scene);
    assert.equal(look.mode, "bars");
    assert.equal(look.scale, 0.5);
    assert.equal(look.camera.field_of_view, 40);
    assert.equal(look.light.intensity, 2);
    assert.notEqual(gyre.call("look", scene, '{"mode": "volume"}'), 0);
    assert.match(gyre.message(), /3D/);
    assert.notEqual(gyre.call("look", scene, '{"mode": "baars"}'), 0);
    assert.match(gyre.message(), /"bars"/);
    assert.notEqual(gyre.call("look", scene, '{"arrows": false, "field": "depht"}'), 0);
    assert.match(gyre.message(), /depth/);
    assert.equal(gyre.json("get_look", scene).arrows, true); // all of it or nothing
    gyre.must("look", scene, '{"field": "depth", "mode": "map", "map": "viridis", "range": [0, 2]}');
    assert.deepEqual(gyre.json("get_look", scene).view.range, [0, 2]);
    // The eye turns.
    gyre.must("look", scene, '{"mode": "surface"}');
    gyre.must("pointer", scene, 3, DOWN, ORBIT, 0.5, 0.5, -1);
    gyre.must("pointer", scene, 3, MOVE, ORBIT, 0.6, 0.5, -1);
    gyre.must("pointer", scene, 3, UP, ORBIT, 0.6, 0.5, -1);
    const one = gyre.json("get_look", scene).camera.position;
    gyre.must("zoom", scene, 1.5, 0.5, 0.5);
    const two = gyre.json("get_look", scene).camera.position;
    assert.notDeepEqual(one, two);
    assert.notEqual(gyre.call("draw", scene, 100, 100, 1), 0);
    assert.match(gyre.message(), /web_draw_open/);
    m._web_close(scene);
});

test("a model by itself", () => {
    block(8, (at) => {
        assert.notEqual(gyre.call("model_create", "gas", '{"grid": {"dim": 2, "n": [16, 16, 1]}, "vicosity": 1}', 1, at), 0);
        assert.match(gyre.message(), /viscosity/);
        assert.notEqual(gyre.call("model_create", "gass", "{}", 1, at), 0);
        gyre.must("model_create", "gas", '{"grid": {"dim": 2, "n": [16, 16, 1], "h": 0.1}}', 1, at);
        const model = m.HEAP32[at / 4];
        gyre.must("model_set", model, "viscosity", "0.5");
        assert.equal(gyre.json("model_get", model, "viscosity"), 0.5);
        gyre.must("model_set", model, "emitters", '{"name": "e", "density": 1, "shape": {"sphere": {"centre": [0.8, 0.8, 0], "radius": 0.3}}}');
        gyre.must("model_step", model, 0.1);
        gyre.must("model_step", model, 0.05);
        const hash = gyre.text("model_hash", model);
        assert.ok(gyre.json("model_describe", model).values.emitters[0].name === "e");
        assert.ok("max_speed" in gyre.json("model_stats", model));
        gyre.must("model_save", model, at, at + 4);
        const [bytes, size] = m.HEAP32.subarray(at / 4, at / 4 + 2);
        gyre.must("model_step", model, 0.1);
        assert.notEqual(gyre.text("model_hash", model), hash);
        gyre.must("model_load", model, bytes, size);
        assert.equal(gyre.text("model_hash", model), hash);
        m._web_free(bytes);
        gyre.must("model_set", model, "emitters.e", "null");
        assert.equal(gyre.json("model_get", model, "emitters").length, 0);
        m._web_model_destroy(model);
    });
});

test("memory comes back", () => {
    let size = 0;
    for (let i = 0; i < 12; i++) {
        const scene = gyre.open(puff);
        gyre.must("pointer", scene, 0, DOWN, PLAY, 0.4, 0.5, -1);
        gyre.must("step", scene, 2);
        gyre.text("scene_file", scene);
        m._web_close(scene);
        size = i === 3 ? m.HEAPU8.length : size;
    }
    assert.equal(m.HEAPU8.length, size);
});

if (!process.exitCode) console.log(`${count} tests`);
