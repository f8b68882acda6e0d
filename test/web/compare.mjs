// test/web/compare.mjs ONE.png OTHER.png BOUND: the mean difference of two pictures in steps of 255, which
// must not exceed the bound.
import { readFileSync } from "node:fs";
import { inflateSync } from "node:zlib";

/** 8 bits a sample, RGB or RGBA, not interlaced. */
function read(path) {
    const file = readFileSync(path), parts = [];
    let width = 0, height = 0, channels = 0;
    for (let at = 8; at < file.length;) {
        const size = file.readUInt32BE(at), kind = file.toString("latin1", at + 4, at + 8), body = file.subarray(at + 8, at + 8 + size);
        if (kind === "IHDR") {
            [width, height] = [body.readUInt32BE(0), body.readUInt32BE(4)];
            channels = { 2: 3, 6: 4 }[body[9]];
            if (body[8] !== 8 || !channels || body[12]) throw new Error(`${path}: another kind of PNG`);
        } else if (kind === "IDAT") parts.push(body);
        at += 12 + size;
    }
    const raw = inflateSync(Buffer.concat(parts)), row = width * channels, out = new Uint8Array(row * height);
    for (let y = 0, p = 0; y < height; y++) {
        const filter = raw[p++];
        for (let x = 0; x < row; x++, p++) {
            const o = y * row + x, a = x >= channels ? out[o - channels] : 0, b = y ? out[o - row] : 0,
                c = y && x >= channels ? out[o - row - channels] : 0, q = a + b - c,
                [da, db, dc] = [Math.abs(q - a), Math.abs(q - b), Math.abs(q - c)],
                paeth = da <= db && da <= dc ? a : db <= dc ? b : c;
            out[o] = raw[p] + [0, a, b, (a + b) >> 1, paeth][filter];
        }
    }
    return { width, height, rgb: (i, k) => out[i * channels + k] };
}

const [one, other] = process.argv.slice(2, 4).map(read), bound = Number(process.argv[4]);
if (one.width !== other.width || one.height !== other.height) throw new Error("pictures of two sizes");
let sum = 0;
const count = one.width * one.height;
for (let i = 0; i < count; i++) for (let k = 0; k < 3; k++) sum += Math.abs(one.rgb(i, k) - other.rgb(i, k));
const mean = sum / (3 * count);
console.log(`${process.argv[2]}: mean difference ${mean.toFixed(2)} of ${bound}`);
process.exit(mean <= bound ? 0 : 1);
