/** Reads the QR code that a page draws as a path of modules. */
import { decodeQR } from "qr/decode.js";

/** Pixels of one module. */
const SCALE = 4;
/** Modules of the light border. */
const BORDER = 4;

/** The text of a code of so many modules a side, from its path. Throws where there is none. */
export function drawnText(size: number, path: string): string {
  const side = (size + 2 * BORDER) * SCALE;
  const data = new Uint8Array(side * side * 3).fill(255);
  for (const [, x, y] of path.matchAll(/M(\d+) (\d+)h1/g)) {
    for (let row = 0; row < SCALE; row += 1) {
      const start = ((Number(y) + BORDER) * SCALE + row) * side + (Number(x) + BORDER) * SCALE;
      data.fill(0, 3 * start, 3 * (start + SCALE));
    }
  }
  return decodeQR({ width: side, height: side, data });
}
