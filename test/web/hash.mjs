// test/web/hash.mjs BUILD THREADS FRAMES SCENE: the scene's hash after so many frames, as the module
// in Node.js comes to it: 1 thread: the one without; more: the one with them. script/web_hashes
// holds it against the tool's.
import { basename, resolve } from "node:path";
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { counted } from "./gyre.mjs";
import { Gyre, makeModule } from "./module.mjs";
import { PageWorker } from "./threads.mjs";

const [build, threads, frames, path] = process.argv.slice(2);
const many = Number(threads) > 1;
const folder = many ? "web/threads" : "web";
try {
    const Worker = (globalThis.Worker = counted(PageWorker));
    const base = pathToFileURL(resolve(build, folder)) + "/";
    const more = many ? { pthreads: Number(threads) - 1, locateFile: (file) => base + file } : {};
    const gyre = new Gyre(await makeModule(build, folder, more));
    const text = readFileSync(path, "utf8");
    gyre.putFiles(path, text);
    const hash = gyre.after(Number(frames), text, basename(path), Number(threads));
    console.log(Worker.running === threads - 1 ? hash : `${Worker.running} further threads ran, expected ${threads - 1}`);
} catch (error) {
    console.log(String(error.message ?? error).replaceAll("\n", " "));
}
process.exit(); // workers stand by
