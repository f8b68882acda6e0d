// test/web/golden_worker.js: a classic Worker of a page that runs a test program of the web build, and
// tells what it printed and how it ended.
onmessage = ({ data: { url } }) => {
    const base = url.slice(0, url.lastIndexOf("/") + 1), lines = [];
    const end = (status) => postMessage({ status, lines });
    self.Module = {
        print: (line) => lines.push(line),
        printErr: (line) => lines.push(line),
        locateFile: (file) => base + file,
        mainScriptUrlOrBlob: url,
        onExit: end,
        onAbort: (reason) => (lines.push(String(reason)), end(-1)),
    };
    importScripts(url);
};
