// test/web/gyre.mjs: the module as its tests call it, in Node.js and in browsers alike: texts, results
// and messages.

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

    /** Puts a file into the folder /scene of the module's files. */
    file(name, bytes) {
        const target = `/scene/${name}`;
        this.m.FS.mkdirTree(target.slice(0, target.lastIndexOf("/")));
        this.m.FS.writeFile(target, bytes);
    }

    /** The hash of a scene's text after so many frames, with a hand's room in its lists. */
    after(frames, text, name, threads) {
        this.m.FS.mkdirTree("/scene");
        const scene = this.open(text, `/scene/${name}`, null, threads);
        if (!scene) throw new Error(`${name}: ${this.message()}`);
        const { time } = this.json("describe", scene);
        this.must("step", scene, frames * time.steps_per_frame);
        const hash = this.text("hash", scene);
        this.m._web_close(scene);
        return hash;
    }
}

/** Workers that count which of them were given a thread to run. */
export function counted(Worker) {
    return class extends Worker {
        static running = 0;
        postMessage(message, transfer) {
            this.constructor.running += message.cmd === "run";
            super.postMessage(message, transfer);
        }
    };
}

/** Names of files that a scene's text has. */
export function filesOf(text) {
    const named = [...text.matchAll(/"([^"]+\.(?:png|npy|npz|obj|ply|stl))(?:#[a-z]+)?"/gi)];
    return [...new Set(named.map((m) => m[1]))];
}
