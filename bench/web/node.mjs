// bench/web/node.mjs FOLDER: the module in Node.js, one thread: each line of the standard input is a job as JSON,
// each line of the output what came of it, with the processor time of this process in ms.
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { stepper } from "./stepper.mjs";

const folder = resolve(process.argv[2]);
const make = (await import(pathToFileURL(join(folder, "gyre.js")))).default;
const answer = await stepper(make, { wasmBinary: readFileSync(join(folder, "gyre.wasm")) });
for await (const line of createInterface({ input: process.stdin })) {
    const before = process.cpuUsage();
    const made = await answer(JSON.parse(line));
    const took = process.cpuUsage(before);
    process.stdout.write(JSON.stringify({ ...made, ms: (took.user + took.system) / 1000 }) + "\n");
}
