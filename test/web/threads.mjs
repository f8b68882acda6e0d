// test/web/threads.mjs: Workers for the module with threads, which knows those of pages alone, in
// Node.js: the part of a page's Worker that its loader asks for, by worker_threads.
import { Worker as Thread } from "node:worker_threads";

globalThis.navigator ??= { hardwareConcurrency: 4 }; // older Node.js has none

// What stands in such a Worker before its script: a page's names.
const begin = `
const { parentPort, workerData } = require("node:worker_threads");
globalThis.self = globalThis;
globalThis.location = { href: workerData.url };
globalThis.navigator ??= { hardwareConcurrency: 4 };
globalThis.WorkerGlobalScope = function WorkerGlobalScope() {};
globalThis.importScripts = () => { throw new Error("not a classic script"); };
globalThis.postMessage = (message, transfer) => parentPort.postMessage(message, transfer);
const early = [];
const heard = (data) => (globalThis.onmessage ? globalThis.onmessage({ data }) : early.push(data));
parentPort.on("message", heard);
import(workerData.url).then(() => early.splice(0).forEach(heard));
`;

export class PageWorker {
    constructor(url) {
        this.thread = new Thread(begin, { eval: true, workerData: { url: String(url) } });
        this.thread.on("message", (data) => this.onmessage?.({ data, target: this }));
        this.thread.on("error", (error) => {
            console.error(error);
            process.exit(1); // a thread that fails would be waited for without end
        });
    }

    postMessage(message, transfer) {
        this.thread.postMessage(message, transfer);
    }

    terminate() {
        return this.thread.terminate();
    }
}
