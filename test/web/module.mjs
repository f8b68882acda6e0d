// test/web/module.mjs: the module in Node.js, and what its tests say texts and results by.
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { Gyre as Anywhere, filesOf } from "./gyre.mjs";

/** Makes a module from a folder's gyre.js and gyre.wasm: the build's web or web/threads. */
export async function makeModule(build, folder = "web", more = {}) {
    const file = resolve(build, folder, "gyre.js");
    const make = (await import(pathToFileURL(file))).default;
    const wasmBinary = readFileSync(resolve(build, folder, "gyre.wasm"));
    const lines = [];
    const module = await make({ wasmBinary, print: (t) => lines.push(t), printErr: (t) => lines.push(t), ...more });
    module.lines = lines;
    return module;
}

export class Gyre extends Anywhere {
    /** Puts the files that a scene's text names where the module finds them. */
    putFiles(path, text) {
        for (const name of filesOf(text)) {
            const file = join(dirname(path), name);
            if (existsSync(file)) this.file(name, readFileSync(file));
        }
    }

    /** Opens a scene's file, with what lies beside it in the module's files. */
    openFile(path, sets = null, threads = 0) {
        const folder = dirname(path);
        const text = readFileSync(path, "utf8");
        this.m.FS.mkdirTree("/scene");
        this.putFiles(path, text);
        const scene = this.open(text, "/scene/" + path.slice(folder.length + 1), sets, threads);
        if (!scene) throw new Error(`${path}: ${this.message()}`);
        return scene;
    }
}

export function scenesOf(folder) {
    return readdirSync(folder).filter((f) => f.endsWith(".json")).sort();
}
