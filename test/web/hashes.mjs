// test/web/hashes.mjs [OPTION...] [SCENE...]: what script/web_hashes says: every shipped scene's hash
// as the module comes to it in Node.js and in a headless Chromium, with threads and without, beside
// the native tool's; and the golden tests in Chromium. The module keeps a hand's room in lists, the
// tool does not.
import { execFile } from "node:child_process";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { availableParallelism, setPriority } from "node:os";
import { basename, join, resolve } from "node:path";
import { promisify } from "node:util";
import { chromium, lacking, work } from "./chromium.mjs";
import { scenesOf } from "./module.mjs";

const places = ["node", "node-threads", "chromium", "chromium-threads", "golden"];
/** What --short takes of scenes and of golden tests. */
const few = ["classic_jet", "dam_break", "duck_pond", "motor_boat", "surfer", "torch"];
const fewTests = ["test_golden", "test_water_golden"];
const usage = `usage: script/web_hashes [--in PLACE,...] [--short] [--frames N] [--jobs N] [--build FOLDER] [SCENE...]
places: ${places.join(", ")}; all of them where none is named
--short: some, after two frames, beside the hashes of app/web/package/test/hashes.json`;
/** Frames of a scene: so many, of the heavy ones fewer. */
const usual = 5;
const heavy = { breath: 3, hand_fan: 3, plume: 3, walker: 2 };

function options(words) {
    const found = { in: undefined, short: false, frames: 0, jobs: availableParallelism(), build: "build-wasm", scenes: [] };
    while (words.length > 0) {
        const word = words.shift();
        if (word === "--short") found.short = true;
        else if (word === "--in") found.in = (words.shift() ?? "").split(",");
        else if (word === "--frames") found.frames = Number(words.shift());
        else if (word === "--jobs") found.jobs = Number(words.shift());
        else if (word === "--build") found.build = words.shift() ?? "";
        else if (word.startsWith("-")) throw new Error(usage);
        else found.scenes.push(word);
    }
    const numbers = Number.isInteger(found.frames) && found.frames >= 0 && Number.isInteger(found.jobs) && found.jobs > 0;
    if (!numbers || !(found.in ?? []).every((p) => places.includes(p))) throw new Error(usage);
    return found;
}

/** Runs a program; what it printed. It may take an hour: a machine that does much else is slow. */
async function run(program, words) {
    try {
        return (await promisify(execFile)(program, words, { timeout: 3600e3, maxBuffer: 1 << 24 })).stdout.trim();
    } catch (error) {
        return `${basename(program)} ended with ${error.code ?? error.signal}: ${`${error.stdout}${error.stderr}`.trim().slice(-300)}`;
    }
}

/** The hash in what the tool says. */
async function native(scene, frames) {
    const said = await run("build/gyre", ["run", scene, "--frames", String(frames)]);
    return /hash ([0-9a-f]{16})/.exec(said)?.[1] ?? said;
}

/** Does something for each of a list, so many at a time. */
async function all(list, jobs, each) {
    let next = 0;
    const lane = async () => {
        while (next < list.length) await each(list[next++]);
    };
    await Promise.all(Array.from({ length: Math.min(jobs, list.length) }, lane));
}

/** Scenes with their frames and what the native library comes to, if that is known. */
function cases(o) {
    if (o.short) {
        const known = JSON.parse(readFileSync("app/web/package/test/hashes.json", "utf8"));
        return few.map((name) => ({ path: `scene/${name}.json`, frames: 2, hash: known[name] }));
    }
    const scenes = o.scenes.length > 0 ? o.scenes : scenesOf("scene").map((name) => join("scene", name));
    return scenes.map((path) => ({ path, frames: o.frames || (heavy[basename(path, ".json")] ?? usual) }));
}

/** The scene's hash at each place, printed in one line; whether they are the same. */
async function one(o, c, pages) {
    const hash = c.hash ?? (await native(c.path, c.frames));
    const here = (threads) => run(process.execPath, ["--no-experimental-fetch", "test/web/hash.mjs", o.build, String(threads), String(c.frames), c.path]);
    const there = (page) => work(page, "/test/web/hash_worker.mjs", "module", { build: o.build, path: c.path, frames: c.frames });
    const found = {};
    for (const place of o.in) {
        if (place === "node") found[place] = await here(1);
        if (place === "node-threads") found[place] = await here(3);
        if (place.startsWith("chromium")) found[place] = await there(pages[place]);
    }
    const others = Object.entries(found).filter(([, h]) => h !== hash);
    console.log(`${basename(c.path, ".json")} ${c.frames} ${hash} ${others.length ? "" : Object.keys(found).join(" ")}`.trim());
    for (const [place, h] of others) console.log(`    ${place}: ${h}`);
    return others.length === 0 && /^[0-9a-f]{16}$/.test(hash);
}

/** The golden tests that are linked with threads and without, in pages; names of those that fail. */
async function golden(o, pages) {
    const folder = join(o.build, "test"), failed = [];
    const built = existsSync(folder) ? readdirSync(folder) : [];
    const tests = built.filter((f) => f.endsWith("_threads.js")).map((f) => f.slice(0, -"_threads.js".length)).sort();
    const chosen = o.short ? fewTests : tests;
    if (chosen.length === 0 || !chosen.every((t) => tests.includes(t))) {
        return [`golden tests are not in ${folder}: script/test web builds them`];
    }
    for (const name of chosen.flatMap((t) => [t, `${t}_threads`])) {
        const page = pages[name.endsWith("_threads") ? "chromium-threads" : "chromium"];
        const url = await page.evaluate((path) => new URL(path, location).href, `/${folder}/${name}.js`);
        const { status, lines } = await work(page, "/test/web/golden_worker.js", "classic", { url });
        const right = status === 0 && lines.some((line) => /^\[=+\] 0 of [1-9]\d* failed/.test(line));
        console.log(`${name} in Chromium: ${right ? lines.filter((l) => /OK/.test(l)).length + " tests passed" : `ended with ${status}\n${lines.slice(-40).join("\n")}`}`);
        if (!right) failed.push(name);
    }
    return failed;
}

async function main() {
    process.chdir(resolve(import.meta.dirname, "../.."));
    const o = options(process.argv.slice(2)), lacks = lacking();
    if (!o.in && o.short && lacks) {
        console.log(`NOT CHECKED: pages: ${lacks}`);
        o.in = places.filter((p) => p.startsWith("node"));
    }
    o.in ??= places;
    setPriority(5); // and of all that is started: others have work, too
    const needs = [["node", "web/gyre.js"], ["chromium", "web/gyre.js"], ["threads", "web/threads/gyre.js"]];
    const missing = needs.filter(([place, file]) => o.in.some((p) => p.includes(place)) && !existsSync(join(o.build, file))).map(([, file]) => join(o.build, file));
    if (!o.short && !existsSync("build/gyre")) missing.push("build/gyre");
    if (missing.length > 0) throw new Error(`${[...new Set(missing)].join(", ")}: to be built first: script/build, script/web --build`);
    const browsed = o.in.some((p) => p.startsWith("chromium") || p === "golden");
    if (browsed && lacks) throw new Error(lacks);
    const browser = browsed ? await chromium() : undefined;
    const begun = Date.now(), list = cases(o), failed = [];
    try {
        const pages = browser ? { chromium: await browser.open(false), "chromium-threads": await browser.open(true) } : {};
        if (o.in.some((p) => p !== "golden")) {
            await all(list, o.jobs, async (c) => (await one(o, c, pages)) || failed.push(c.path));
            console.log(`${list.length} scenes, ${o.in.filter((p) => p !== "golden").length} places${browser ? `, Chromium ${browser.version}` : ""}, Node.js ${process.version}, ${Math.round((Date.now() - begun) / 1000)} s`);
        }
        if (o.in.includes("golden")) failed.push(...(await golden(o, pages)));
    } finally {
        await browser?.close();
    }
    if (failed.length > 0) throw new Error(`not the same: ${failed.join(", ")}`);
}

main().then(() => process.exit(), (error) => {
    console.error(`script/web_hashes: ${error.message}`);
    process.exit(1);
});
