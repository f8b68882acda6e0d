// bench/web/chromium.mjs: the module in a page of a headless Chromium, found by its name. The page asks this
// script for jobs; its processor time is that of Chromium's renderers, as /proc has it.
import { spawn } from "node:child_process";
import { accessSync, constants, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";

const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const kinds = { js: "text/javascript", mjs: "text/javascript", wasm: "application/wasm", html: "text/html" };

/** The program's path; null where there is none. GYRE_CHROMIUM names one that lies elsewhere. */
export function find() {
    const own = process.env.GYRE_CHROMIUM;
    if (own) return existsSync(own) ? own : null;
    for (const folder of (process.env.PATH ?? "").split(delimiter))
        for (const name of names)
            try {
                accessSync(join(folder, name), constants.X_OK);
                return join(folder, name);
            } catch {}
    return null;
}

/** Processor time in ms of all renderers below a process; null where there is no /proc. */
function rendererTime(root) {
    try {
        const parents = new Map();
        for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name)))
            try {
                parents.set(Number(pid), Number(readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1).split(" ")[1]));
            } catch {} // it has ended
        let sum = 0, found = false;
        for (let [pid] of parents) {
            let above = pid;
            while (above && above !== root) above = parents.get(above);
            if (!above || !readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("--type=renderer")) continue;
            found = true;
            for (const task of readdirSync(`/proc/${pid}/task`))
                try {
                    sum += Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, "utf8").split(" ")[0]);
                } catch {} // it has ended
        }
        return found ? sum / 1e6 : null;
    } catch {
        return null;
    }
}

/** A page with the module of `folder`: { ask(job), close() }. */
export async function open(program, folder) {
    const own = import.meta.dirname, files = { "/": join(own, "page.html"), "/stepper.mjs": join(own, "stepper.mjs"),
        "/module/gyre.js": join(folder, "gyre.js"), "/module/gyre.wasm": join(folder, "gyre.wasm") };
    let waiting = null, job, done; // the page's request; a job it has not fetched; who waits for its answer
    const hand = () => {
        if (!waiting || job === undefined) return;
        waiting.end(JSON.stringify(job));
        waiting = job = undefined;
    };
    const server = createServer((request, answer) => {
        if (request.url === "/next") {
            waiting = answer;
            hand();
        } else if (request.url === "/done") {
            let text = "";
            request.on("data", (part) => (text += part)).on("end", () => {
                answer.end();
                done(JSON.parse(text));
            });
        } else if (files[request.url]) {
            const path = files[request.url];
            answer.writeHead(200, { "content-type": kinds[path.slice(path.lastIndexOf(".") + 1)] });
            answer.end(readFileSync(path));
        } else answer.writeHead(404).end();
    });
    await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
    const profile = mkdtempSync(join(tmpdir(), "gyre-bench-"));
    const child = spawn(program, ["--headless", "--disable-gpu", "--disable-background-networking", "--no-first-run",
        "--disable-extensions", `--user-data-dir=${profile}`, ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
        `http://127.0.0.1:${server.address().port}/`], { stdio: "ignore" });
    let ended = null;
    child.on("error", (error) => (ended = String(error.message)));
    child.on("exit", (status) => {
        ended ??= `it ended with status ${status}`;
        done?.({ error: ended });
    });

    async function ask(next) {
        if (ended) return { error: ended };
        const before = rendererTime(child.pid);
        const made = await new Promise((answer) => {
            const late = setTimeout(() => answer({ error: "its page did not answer within five minutes" }), 300e3);
            done = (value) => {
                clearTimeout(late);
                answer(value);
            };
            job = next;
            hand();
        });
        const after = rendererTime(child.pid);
        return before === null || after === null ? { ...made, clock: true } : { ...made, ms: after - before };
    }

    async function close() {
        const gone = new Promise((end) => (ended ? end() : child.on("exit", end)));
        child.kill();
        await gone;
        server.closeAllConnections();
        server.close();
        for (let left = 20; left > 0; left--) // its last processes may still write there
            try {
                rmSync(profile, { recursive: true, force: true });
                break;
            } catch {
                await new Promise((later) => setTimeout(later, 100));
            }
    }
    return { ask, close };
}
