// test/web/picture.mjs BUILD JOBS OUT: draws scenes with the module in a headless Chromium, in WebGL 2
// on the processor. JOBS is JSON: [ { "name", "scene": path, "frames", "width", "height", "look" } ];
// of each OUT/name.png. Needs playwright-core (GYRE_PLAYWRIGHT: a folder with it in node_modules) and
// /usr/bin/chromium.
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

const [build, jobsFile, out] = process.argv.slice(2);
const require = createRequire(join(resolve(process.env.GYRE_PLAYWRIGHT ?? "app/web/package"), "x.js"));
const { chromium } = require("playwright-core");
const jobs = JSON.parse(readFileSync(jobsFile, "utf8"));

const kinds = { ".js": "text/javascript", ".wasm": "application/wasm", ".html": "text/html" };
const server = createServer((request, answer) => {
    const path = new URL(request.url, "http://x").pathname;
    if (path === "/") {
        answer.writeHead(200, { "content-type": "text/html" });
        answer.end("<!doctype html><canvas></canvas>");
        return;
    }
    if (path === "/favicon.ico") {
        answer.writeHead(204).end();
        return;
    }
    const file = join(resolve(build, "web"), path);
    if (!existsSync(file)) {
        answer.writeHead(404).end();
        return;
    }
    answer.writeHead(200, { "content-type": kinds[path.slice(path.lastIndexOf("."))] ?? "application/octet-stream" });
    answer.end(readFileSync(file));
});
await new Promise((done) => server.listen(0, "127.0.0.1", done));
const port = server.address().port;

const browser = await chromium.launch({
    executablePath: process.env.GYRE_CHROMIUM ?? "/usr/bin/chromium",
    args: ["--headless", "--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader",
        "--enable-unsafe-swiftshader", "--disable-background-networking"],
});

/** Runs in the page. */
async function draw(job) {
    const make = (await import("/gyre.js")).default;
    const lines = [];
    const m = await make({ print: (t) => lines.push(t), printErr: (t) => lines.push(t) });
    const put = (text) => {
        const size = m.lengthBytesUTF8(text) + 1, at = m._web_malloc(size);
        m.stringToUTF8(text, at, size);
        return at;
    };
    const must = (result, what) => {
        if (result !== 0) throw new Error(`${what}: ${m.UTF8ToString(m._web_message())} ${lines.join(" ")}`);
    };
    m.FS.mkdirTree("/scene");
    for (const [name, base64] of Object.entries(job.files)) {
        const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
        m.FS.mkdirTree("/scene/" + name.split("/").slice(0, -1).join("/"));
        m.FS.writeFile("/scene/" + name, bytes);
    }
    const handle = m._web_malloc(8);
    must(m._web_open(put(job.text), put("/scene/scene.json"), 0, 0, 0, handle), "open");
    const scene = m.HEAP32[handle / 4];
    const canvas = document.querySelector("canvas");
    canvas.width = job.width;
    canvas.height = job.height;
    const attributes = { antialias: false, alpha: false, preserveDrawingBuffer: true };
    const gl = canvas.getContext("webgl2", attributes);
    const context = m.GL.registerContext(gl, { ...attributes, majorVersion: 2, enableExtensionsByDefault: true });
    m.GL.makeContextCurrent(context);
    must(m._web_draw_open(scene), "draw_open");
    const description = JSON.parse(m.UTF8ToString(m._web_describe(scene)));
    const steps = job.frames * description.time.steps_per_frame;
    const begun = performance.now();
    must(m._web_step(scene, steps - 1), "step");
    must(m._web_show(scene), "show");
    must(m._web_step(scene, 1), "step");
    must(m._web_show(scene), "show");
    const stepped = performance.now();
    if (job.look) must(m._web_look(scene, put(JSON.stringify(job.look))), "look");
    must(m._web_draw(scene, job.width, job.height, 1), "draw");
    const pixels = new Uint8Array(4 * job.width * job.height);
    gl.readPixels(0, 0, job.width, job.height, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
    const errors = [];
    for (let e = gl.getError(); e; e = gl.getError()) errors.push(e);
    return { url: canvas.toDataURL("image/png"), lines, errors, step: stepped - begun,
        draw: performance.now() - stepped, renderer: gl.getParameter(gl.RENDERER) };
}

let failed = 0;
mkdirSync(out, { recursive: true });
for (const job of jobs) {
    const text = readFileSync(job.scene, "utf8"), files = {};
    for (const [, name] of text.matchAll(/"([^"]+\.(?:png|npy|obj|ply|stl))(?:#[a-z]+)?"/gi)) {
        const path = join(dirname(job.scene), name);
        if (existsSync(path)) files[name] = readFileSync(path).toString("base64");
    }
    const page = await browser.newPage();
    const told = [];
    page.on("console", (m) => told.push(m.text()));
    try {
        await page.goto(`http://127.0.0.1:${port}/`);
        const made = await page.evaluate(draw, { ...job, text, files });
        writeFileSync(join(out, job.name + ".png"), Buffer.from(made.url.split(",")[1], "base64"));
        const bad = [...made.lines, ...made.errors.map((e) => `GL error ${e}`), ...told];
        failed += bad.length > 0;
        console.log(`${job.name}: ${Math.round(made.step)} ms to step, ${Math.round(made.draw)} to draw` +
            (bad.length ? ": " + bad.slice(0, 6).join(" | ") : ""));
    } catch (error) {
        failed++;
        console.log(`${job.name}: ${String(error.message).slice(0, 1500)} ${told.slice(0, 5).join(" | ").slice(0, 1500)}`);
    }
    await page.close();
}
await browser.close();
server.close();
process.exit(failed ? 1 : 0);
