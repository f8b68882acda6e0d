// What emscripten's loader asks of Node.js, which an ES module does not have by itself.
const require = globalThis.process?.getBuiltinModule?.("module").createRequire(import.meta.url);
const __dirname = require?.("url").fileURLToPath(new URL(".", import.meta.url)).slice(0, -1);
