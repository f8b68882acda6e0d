// bench/web/stepper.mjs: the module with one scene, as gyre bench web steps it in Node.js and in a page: what the
// conductor asks for by name.

/** The functions that answer { what, ... }; `make`: the default export of gyre.js, `options` are handed to it. */
export async function stepper(make, options) {
    const lines = [];
    let m, scene = 0;

    const put = (text) => {
        const size = m.lengthBytesUTF8(text) + 1, at = m._web_malloc(size);
        m.stringToUTF8(text, at, size);
        return at;
    };
    const take = (at) => {
        if (!at) throw new Error(m.UTF8ToString(m._web_message()));
        const text = m.UTF8ToString(at);
        m._web_free(at);
        return text;
    };
    const must = (result) => {
        if (result !== 0) throw new Error(m.UTF8ToString(m._web_message()) + lines.join(" "));
    };
    const asked = {
        /** Another module for each scene: memory that has grown does not shrink. */
        async open({ text, name }) {
            m = await make({ ...options, print: (t) => lines.push(t), printErr: (t) => lines.push(t) });
            const out = m._web_malloc(4), texts = [put(text), put(name)];
            must(m._web_open(texts[0], texts[1], 0, 1, 0, out));
            scene = m.HEAP32[out / 4];
            for (const at of [out, ...texts]) m._web_free(at);
        },
        /** With a field: read after each step, which is when a sea works it out. */
        step({ steps, field }) {
            if (!field) return void must(m._web_step(scene, steps));
            const name = put(field), layout = m._web_malloc(24);
            for (let i = 0; i < steps; i++) {
                must(m._web_step(scene, 1));
                must(m._web_map(scene, 0, name, 0, layout));
                must(m._web_unmap(scene, 0, name));
            }
            for (const at of [name, layout]) m._web_free(at);
        },
        hash: () => take(m._web_hash(scene)),
        stats: () => JSON.parse(take(m._web_stats(scene))).models,
        close() {
            m._web_close(scene);
            m = undefined;
        },
    };
    return async (job) => {
        try {
            return { value: await asked[job.what](job) };
        } catch (error) {
            return { error: String(error?.message ?? error) };
        }
    };
}
