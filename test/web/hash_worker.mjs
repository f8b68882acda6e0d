// test/web/hash_worker.mjs: a Worker of a page: the hash of a scene after so many frames, from the
// module that the page may have: with threads where it is isolated.
import { Gyre, counted, filesOf } from "./gyre.mjs";

const bytes = async (url) => {
    const answer = await fetch(url);
    if (!answer.ok) throw new Error(`${url}: ${answer.status}`);
    return new Uint8Array(await answer.arrayBuffer());
};

async function hash({ build, path, frames }) {
    const base = new URL(`/${build}/web/${crossOriginIsolated ? "threads/" : ""}`, location);
    const threads = crossOriginIsolated ? 3 : 1, pages = (self.Worker = counted(Worker));
    const make = (await import(`${base}gyre.js`)).default;
    const gyre = new Gyre(await make({ locateFile: (file) => base + file, pthreads: threads - 1, print() {}, printErr() {} }));
    const text = new TextDecoder().decode(await bytes(`/${path}`));
    for (const name of filesOf(text)) {
        gyre.file(name, await bytes(new URL(name, new URL(`/${path}`, location))));
    }
    const hash = gyre.after(frames, text, path.slice(path.lastIndexOf("/") + 1), threads);
    return pages.running === threads - 1 ? hash : `${pages.running} further threads ran, expected ${threads - 1}`;
}

onmessage = async ({ data }) => {
    try {
        postMessage(await hash(data));
    } catch (error) {
        postMessage(String(error?.message ?? error));
    }
};
postMessage("ready");
