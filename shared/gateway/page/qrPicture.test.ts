import { decodeQR } from "qr/decode.js";
import { expect, it } from "vitest";
import { qrPicture } from "./qrPicture.ts";

/** Pixels of one module. */
const SCALE = 4;

it("a QR picture can be read, and has its text and nothing else", () => {
  const uri = `svcsim:${"q".repeat(79)}?amount=0.00000001`;
  const svg = decodeURIComponent(qrPicture(uri).replace("data:image/svg+xml,", ""));
  const side = Number(/viewBox="0 0 (\d+)/.exec(svg)?.[1]) * SCALE;
  const data = new Uint8Array(side * side * 3).fill(255);
  for (const [, x, y, length] of svg.matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g)) {
    for (let row = 0; row < SCALE; row += 1) {
      const start = (Number(y) * SCALE + row) * side + Number(x) * SCALE;
      data.fill(0, 3 * start, 3 * (start + Number(length) * SCALE));
    }
  }
  expect(decodeQR({ width: side, height: side, data })).toBe(uri);
});
