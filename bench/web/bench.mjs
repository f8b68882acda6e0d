// bench/web/bench.mjs TOOL FOLDER [--quick] [--gate] [--case NAME]: what gyre bench web runs. The same scenes on one
// thread: by the tool on the instruction set "baseline" (SSE2 on x86-64), by the module of FOLDER in Node.js, and in
// Chromium. They take turns, so that the ratios hold on a machine that other people use too; times are processor
// time; and all of them must come to the same state.
import { spawn, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import * as chromium from "./chromium.mjs";

/** `steps` of a turn; `field`: read after each; `most`: ms of a step that the module may take on a quiet machine;
 * `model`: of its divergence. */
const cases = [
    { name: "dye_512", steps: 6, most: 22, model: "gas", what: "512^2, velocity and three dyes, a cell a step" },
    { name: "dye_512_fast", steps: 6, model: "gas", what: "the same, five cells a step" },
    { name: "smoke_64", steps: 4, most: 50, model: "gas", what: "64^3 smoke in a box" },
    { name: "smoke_solid_64", steps: 3, most: 50, model: "gas", what: "64^3 smoke round a ball" },
    { name: "water_256", steps: 30, what: "256^2 shallow water" },
    { name: "sea_256", steps: 12, field: "height", what: "256^2 sea of two patches, read" },
];
const WARM_UP = 3, MOST_RATIO = 2;

function stop(message) {
    console.error(`gyre bench web: ${message}`);
    process.exit(1);
}

const [tool, folder, ...options] = process.argv.slice(2);
const quick = options.includes("--quick"), gated = options.includes("--gate");
const only = options.includes("--case") ? options[options.indexOf("--case") + 1] : null;
if (only && !cases.some((c) => c.name === only))
    stop(`there is no case ${only}; there are ${cases.map((c) => c.name).join(", ")}`);
const rounds = quick ? 5 : 11;

/** A program that answers each line of JSON with one: { ask(job), close() }. */
function program(path, ...args) {
    const child = spawn(path, args, { stdio: ["pipe", "pipe", "inherit"] });
    let done, ended = false;
    child.on("error", (error) => stop(`${path}: ${error.message}`));
    child.on("exit", () => {
        ended = true;
        done?.({ error: `${path} ended` });
    });
    createInterface({ input: child.stdout }).on("line", (line) => done(JSON.parse(line)));
    return {
        ask: (job) => ended ? { error: `${path} ended` } : new Promise((answer) => {
            done = answer;
            child.stdin.write(JSON.stringify(job) + "\n");
        }),
        async close() {
            child.stdin.end();
        },
    };
}

const found = chromium.find();
const runners = [
    { name: "native", ...program(tool, "bench", "web", "--serve") },
    { name: "Node.js", ...program(process.execPath, join(import.meta.dirname, "node.mjs"), folder) },
];
if (found) runners.push({ name: "Chromium", ...(await chromium.open(found, folder)) });

async function end(status) {
    for (const runner of runners) await runner.close();
    process.exit(status);
}

async function ask(runner, job) {
    const made = await runner.ask(job);
    if (made.error) {
        console.error(`gyre bench web: ${runner.name}: ${made.error}`);
        await end(1);
    }
    runner.clock ||= made.clock ?? false;
    return made;
}

const median = (values) => {
    const sorted = [...values].sort((a, b) => a - b), half = sorted.length >> 1;
    return sorted.length % 2 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
};

/** The state of each runner, which must be the same: its hash. */
async function same(c) {
    const hashes = [];
    for (const runner of runners) hashes.push((await ask(runner, { what: "hash" })).value);
    if (hashes.some((hash) => hash !== hashes[0])) {
        console.error(`gyre bench web: ${c.name}: not the same bits: ` +
            runners.map((runner, i) => `${runner.name} ${hashes[i]}`).join(", "));
        await end(1);
    }
    return hashes[0];
}

/** Of each runner ms of a step, round by round. */
async function measure(c) {
    const path = join(import.meta.dirname, c.name + ".json"), text = readFileSync(path, "utf8");
    for (const runner of runners) await ask(runner, { what: "open", text, name: path });
    const times = runners.map(() => []);
    for (let round = -WARM_UP; round < rounds; round++)
        for (const [i, runner] of runners.entries()) {
            const { ms } = await ask(runner, { what: "step", steps: c.steps, field: c.field });
            if (round >= 0) times[i].push(ms / c.steps);
        }
    const hash = await same(c);
    let down = null;
    if (c.model) { // told of a step after one that was asked about
        await ask(runners[1], { what: "stats" });
        await ask(runners[1], { what: "step", steps: 1 });
        const stats = (await ask(runners[1], { what: "stats" })).value[c.model];
        down = stats.div_rms_before / stats.div_rms_after;
    }
    for (const runner of runners) await ask(runner, { what: "close" });
    return { times, hash, down };
}

console.log(`one thread of ${cpus()[0]?.model.trim() ?? "this machine"}; Node.js ${process.version}; ${found
    ? spawnSync(found, ["--version"], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).stdout.trim() : "not measured: no chromium"}`);
console.log(`ms of a step, median and least of ${rounds} turns; how many times the native one`);
console.log("| case | native SSE2 | Node.js | | Chromium | | divergence down by | the same state |");
console.log("|---|---|---|---|---|---|---|---|");
const missed = [];
for (const c of cases.filter((one) => !only || one.name === only)) {
    const { times, hash, down } = await measure(c), cells = [];
    const native = { median: median(times[0]), least: Math.min(...times[0]) };
    for (const [i, list] of times.entries()) {
        const middle = median(list), least = Math.min(...list);
        cells.push(`${middle.toFixed(2)}, ${least.toFixed(2)}`);
        if (i === 0) continue;
        // By the least: what others on the machine take only adds.
        const ratio = least / native.least;
        cells.push(ratio.toFixed(2));
        if (ratio > MOST_RATIO) missed.push(`${c.name}: ${runners[i].name} takes ${ratio.toFixed(2)} times the native time (at most ${MOST_RATIO})`);
        if (c.most && least > c.most) missed.push(`${c.name}: ${runners[i].name} takes ${least.toFixed(1)} ms (at most ${c.most})`);
    }
    if (!found) cells.push("not measured: no chromium", "");
    console.log(`| ${c.name}: ${c.what} | ${cells.join(" | ")} | ${down === null ? "" : down.toExponential(1)} | ${hash} |`);
}
for (const runner of runners)
    if (runner.clock) console.log(`${runner.name} by the clock: there is no /proc that has its processor time`);
for (const miss of missed) console.log((gated ? "FAIL " : "missed: ") + miss);
await end(gated && missed.length ? 1 : 0);
