// test/web/hash.mjs BUILD FRAMES SCENE...: of each scene file a line "NAME HASH", as the module comes
// to it after so many frames; script/web_hashes holds them against the tool's.
import { basename } from "node:path";
import { Gyre, makeModule } from "./module.mjs";

const [build, frames, ...scenes] = process.argv.slice(2);
for (const path of scenes) {
    // One each: memory that has grown does not shrink.
    const gyre = new Gyre(await makeModule(build));
    try {
        gyre.m._web_reserve(0); // room for more is a part of water's state
        const scene = gyre.openFile(path);
        const { time } = gyre.json("describe", scene);
        gyre.must("step", scene, Number(frames) * time.steps_per_frame);
        console.log(basename(path), gyre.text("hash", scene));
        gyre.m._web_close(scene);
    } catch (error) {
        console.log(basename(path), String(error.message).replaceAll("\n", " "));
    }
}
