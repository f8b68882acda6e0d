// test/web/module.mjs: the module in Node.js, and what its tests say texts and results by.
import { readFileSync, readdirSync, existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

/** Makes a module from the build folder's web/gyre.js. */
export async function makeModule(build) {
    const file = resolve(build, "web/gyre.js");
    const make = (await import(pathToFileURL(file))).default;
    const wasmBinary = readFileSync(resolve(build, "web/gyre.wasm"));
    const lines = [];
    const module = await make({ wasmBinary, print: (t) => lines.push(t), printErr: (t) => lines.push(t) });
    module.lines = lines;
    return module;
}

export class Gyre {
    constructor(module) {
        this.m = module;
    }

    /** A text in the module's memory. */
    put(text) {
        if (text === null || text === undefined) return 0;
        const size = this.m.lengthBytesUTF8(text) + 1;
        const at = this.m._web_malloc(size);
        this.m.stringToUTF8(text, at, size);
        return at;
    }

    /** What a function gave as a text, which is freed; null: it failed. */
    take(at) {
        if (!at) return null;
        const text = this.m.UTF8ToString(at);
        this.m._web_free(at);
        return text;
    }

    message() {
        return this.m.UTF8ToString(this.m._web_message());
    }

    /** Calls a function with texts as arguments; numbers stay. */
    call(name, ...args) {
        const held = args.map((a) => (typeof a === "number" ? null : this.put(a)));
        const result = this.m["_web_" + name](...args.map((a, i) => held[i] ?? a));
        held.forEach((h) => h && this.m._web_free(h));
        return result;
    }

    must(name, ...args) {
        const result = this.call(name, ...args);
        if (result !== 0) throw new Error(`web_${name}: ${result}: ${this.message()}`);
    }

    text(name, ...args) {
        const result = this.take(this.call(name, ...args));
        if (result === null) throw new Error(`web_${name}: ${this.message()}`);
        return result;
    }

    json(name, ...args) {
        return JSON.parse(this.text(name, ...args));
    }

    /** Opens a scene from its text; 0 with a message. limits: cells, bytes, particles, text. */
    open(text, name = "scene.json", sets = null, threads = 0, limits = null) {
        const out = this.m._web_malloc(8);
        let at = 0;
        if (limits) {
            at = this.m._web_malloc(32);
            this.m.HEAPF64.set(limits, at / 8);
        }
        const result = this.call("open", text, name, sets, threads, at, out);
        const scene = this.m.HEAP32[out / 4];
        this.m._web_free(out);
        if (at) this.m._web_free(at);
        return result === 0 ? scene : 0;
    }

    /** Opens a scene's file, with what lies beside it in the module's files. */
    openFile(path, sets = null, threads = 0) {
        const folder = dirname(path);
        const text = readFileSync(path, "utf8");
        putFolder(this.m.FS, folder, "/scene", text);
        const scene = this.open(text, "/scene/" + path.slice(folder.length + 1), sets, threads);
        if (!scene) throw new Error(`${path}: ${this.message()}`);
        return scene;
    }
}

/** Copies the files that a scene's text names, and those beside them of the same stem. */
function putFolder(FS, from, to, text) {
    const named = new Set(
        [...text.matchAll(/"([^"]+\.(?:png|npy|npz|obj|ply|stl))(?:#[a-z]+)?"/gi)].map((m) => m[1]));
    for (const name of named) {
        const path = join(from, name);
        if (!existsSync(path)) continue;
        const target = to + "/" + name;
        FS.mkdirTree(target.slice(0, target.lastIndexOf("/")));
        FS.writeFile(target, readFileSync(path));
    }
    if (named.size === 0) FS.mkdirTree(to);
}

export function scenesOf(folder) {
    return readdirSync(folder).filter((f) => f.endsWith(".json")).sort();
}
