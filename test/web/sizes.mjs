// test/web/sizes.mjs BUILD: holds the modules of a build folder to what a page may have to fetch: bytes after
// brotli -q 11 -w 24, by Node.js's own Brotli. Only a module that is linked to be shipped counts.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";

/** The most that each may take, in bytes: what is reached. 600 000 is the aim, for gases in 2D 150 000. */
const most = {
    "web/gyre.wasm": 635_000,
    "web/threads/gyre.wasm": 645_000,
    "web/plane/gyre.wasm": 370_000,
    "web/plane/threads/gyre.wasm": 380_000,
};

function compressed(bytes) {
    const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
    return brotliCompressSync(bytes, { params }).length;
}

const build = process.argv[2] ?? "build-wasm";
let met = 0;
for (const [name, bytes] of Object.entries(most)) {
    const path = join(build, name);
    if (!existsSync(path)) {
        console.log(`${name}: NOT CHECKED: it is not built`);
        continue;
    }
    const wasm = readFileSync(path);
    const size = compressed(wasm);
    console.log(`${name}: ${wasm.length} bytes, ${size} after Brotli, at most ${bytes}`);
    if (size > bytes) {
        console.error(`${name}: ${size - bytes} bytes too many after Brotli`);
        process.exitCode = 1;
    }
    met++;
}
if (met === 0) throw new Error(`${build} has no module: ninja -C ${build} gyre_web`);
