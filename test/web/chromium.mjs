// test/web/chromium.mjs: a headless Chromium on the repository's own files, in pages that are
// isolated, and have threads, and in pages that are not. Playwright is the package's.
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { serve } from "../../app/web/serve.mjs";

const repository = resolve(import.meta.dirname, "../..");
const program = process.env.GYRE_CHROMIUM ?? ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find((p) => existsSync(p));

/** Why there is no browser here; undefined: there is one. */
export function lacking() {
    if (!program) return "there is no Chromium ($GYRE_CHROMIUM; on Debian: apt-get install chromium)";
    const package_ = resolve(repository, "app/web/package/node_modules/playwright-core");
    return existsSync(package_) ? undefined : "there is no Playwright: cd app/web/package && npm ci --ignore-scripts";
}

/** { version, open(isolated), close() }; open gives a page with `work(script, options, message)`. */
export async function chromium() {
    const { chromium: playwright } = createRequire(resolve(repository, "app/web/package/package.json"))("playwright-core");
    const served = [await serve(repository, { isolated: false }), await serve(repository)];
    const browser = await playwright.launch({ executablePath: program, args: ["--no-sandbox"] });
    return {
        version: browser.version(),
        open: async (isolated) => {
            const context = await browser.newContext();
            const page = await context.newPage();
            await page.goto(`${served[isolated ? 1 : 0].address}test/web/page.html`);
            if ((await page.evaluate(() => crossOriginIsolated)) !== isolated) {
                throw new Error(`a page that was to be ${isolated ? "" : "not "}isolated is the contrary`);
            }
            return page;
        },
        close: async () => {
            await browser.close();
            for (const s of served) await s.close();
        },
    };
}

/** Runs a script in a Worker of a page; what it answers to a message. */
export function work(page, script, type, message) {
    return page.evaluate(([s, t, m]) => new Promise((done, failed) => {
        const worker = new Worker(s, { type: t });
        const end = (how, what) => (worker.terminate(), how(what));
        worker.onerror = (event) => end(failed, new Error(`${s}: ${event.message}`));
        worker.onmessage = ({ data }) => (data === "ready" ? worker.postMessage(m) : end(done, data));
        if (t === "classic") worker.postMessage(m);
    }), [script, type, message]);
}
