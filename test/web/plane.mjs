// test/web/plane.mjs BUILD: the module for gases in 2D alone: the same bits as the whole one and as the
// tool has (app/web/package/test/hashes.json), for every shipped scene that it is said to run
// (planeNames of the package); and a sentence for what it lacks.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { Gyre, makeModule } from "./module.mjs";

const build = process.argv[2], root = new URL("../../", import.meta.url).pathname;
const whole = new Gyre(await makeModule(build)), plane = new Gyre(await makeModule(build, "web/plane"));
const generated = readFileSync(`${root}app/web/package/src/generated/scenes.ts`, "utf8");
const names = [.../planeNames = \[([^\]]*)\]/.exec(generated)[1].matchAll(/'(\w+)'/g)].map((m) => m[1]);
const known = JSON.parse(readFileSync(`${root}app/web/package/test/hashes.json`, "utf8"));
const pathOf = (name) => [`${root}scene/${name}.json`, `${root}app/web/package/scene/${name}.json`].find(existsSync);
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

/** The scene's hash after so many frames. */
function after(gyre, name, frames) {
    const text = readFileSync(pathOf(name), "utf8");
    gyre.m.FS.mkdirTree("/scene");
    gyre.putFiles(pathOf(name), text);
    return gyre.after(frames, text, `${name}.json`, 1);
}

test("there are scenes", () => assert.ok(names.length >= 10 && names.includes("ink"), names.join(" ")));
for (const name of names) {
    test(`${name}: the same bits`, () => {
        const hash = after(plane, name, 2);
        assert.match(hash, /^[0-9a-f]{16}$/);
        assert.equal(hash, after(whole, name, 2));
        if (known[name]) assert.equal(hash, known[name]);
    });
}

const grid = { dim: 2, n: [32, 32, 1], h: 0.1 };
const refused = {
    "water": { pond: { type: "water", grid } },
    "ocean": { sea: { type: "ocean" } },
    "dim is 3": { gas: { grid: { dim: 3, n: [16, 16, 16], h: 0.1 } } },
    "fire": { gas: { grid, channels: [{ name: "fuel" }], fire: { fuel: "fuel" } } },
    "tracers": { gas: { grid, tracers: { capacity: 8 } } },
    "atmosphere": { gas: { grid, atmosphere: { layered: true } } },
    "direct": { gas: { grid, pressure: { solver: "direct" } } },
    "jacobi": { gas: { grid, diffusion: { solver: "jacobi" }, viscosity: 0.1 } },
    "mic0": { gas: { grid, pressure: { solver: "pcg" } } },
    "floor": { gas: { grid, floor: true } },
};
for (const [what, models] of Object.entries(refused)) {
    test(`${what} is refused`, () => {
        assert.equal(plane.open(JSON.stringify({ models })), 0);
        assert.match(plane.message(), /this module holds gases in 2D only/);
        assert.ok(plane.message().includes(what), plane.message());
    });
}

test("bodies are refused", () => {
    const scene = { models: { gas: { grid } }, bodies: [{ name: "ball", mass: 1 }] };
    assert.equal(plane.open(JSON.stringify(scene)), 0);
    assert.match(plane.message(), /this module holds gases in 2D only.*bodies/);
});

test("a misspelt model is no missing one", () => {
    assert.equal(plane.open(JSON.stringify({ models: { gass: { grid } } })), 0);
    assert.match(plane.message(), /did you mean "gas"/);
});

console.log(`${count} of ${names.length + Object.keys(refused).length + 3} tests passed`);
