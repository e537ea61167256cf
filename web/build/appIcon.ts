/** The icon of the installed wallet as a PNG: the mark of `web/ui/mark.svg` on a full square, which each system cuts to its shape. */
import { crc32, deflateSync } from "node:zlib";

type Point = { readonly x: number; readonly y: number };

/** Of the mark, whose picture is 32 by 32. */
const SIDE = 32;
/** Systems may crop an icon to its middle four fifths (safe zone of maskable icons). */
const SCALE = 0.8;
const GROUND = [0x0b, 0x6e, 0x5f] as const;
/** Share of white in the lines between the squares. */
const LINE = 0.6;
const HALF_LINE = 0.8;
const RADIUS = 3.5;
/** Looks at each pixel, in both directions. */
const LOOKS = 4;

/** Draws it, `size` pixels wide and high. The same size gives the same bytes under the same Node. */
export function appIcon(size: number): Uint8Array {
  const row = 1 + size * 3;
  const pixels = new Uint8Array(row * size);
  for (let y = 0; y < size; y += 1) {
    for (let x = 0; x < size; x += 1) {
      const white = whiteOf(x, y, size);
      GROUND.forEach((color, part) => {
        pixels[y * row + 1 + x * 3 + part] = Math.round(color + (255 - color) * white);
      });
    }
  }
  return pngOf(size, pixels);
}

/** The share of white in a pixel. */
function whiteOf(x: number, y: number, size: number): number {
  let sum = 0;
  for (let look = 0; look < LOOKS * LOOKS; look += 1) {
    const at = (pixel: number, step: number) => {
      const place = ((pixel + (step + 0.5) / LOOKS) / size) * SIDE;
      return SIDE / 2 + (place - SIDE / 2) / SCALE;
    };
    sum += whiteAt({ x: at(x, look % LOOKS), y: at(y, Math.floor(look / LOOKS)) });
  }
  return sum / (LOOKS * LOOKS);
}

function whiteAt(point: Point): number {
  if (isWithin(point, 9, 10) || isWithin(point, 17, 16)) return 1;
  // The second line is the first one, turned by half about the middle of the picture.
  const turned = { x: SIDE - point.x, y: SIDE - point.y };
  return isOnLine(point) || isOnLine(turned) ? LINE : 0;
}

function isWithin({ x, y }: Point, left: number, top: number): boolean {
  return x >= left && x < left + 6 && y >= top && y < top + 6;
}

/** To the right from the first square, and round a quarter of a circle down to the second. */
function isOnLine({ x, y }: Point): boolean {
  const center = { x: 19.5, y: 13 + RADIUS };
  if (x >= 15 && x <= center.x) return Math.abs(y - 13) <= HALF_LINE;
  const away = Math.hypot(x - center.x, y - center.y);
  return x > center.x && y <= center.y && Math.abs(away - RADIUS) <= HALF_LINE;
}

function pngOf(size: number, pixels: Uint8Array): Uint8Array {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(size, 0);
  head.writeUInt32BE(size, 4);
  // Eight bits of each of red, green and blue.
  head.set([8, 2, 0, 0, 0], 8);
  const parts = [
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk("IHDR", head),
    chunk("IDAT", deflateSync(pixels, { level: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ];
  return Buffer.concat(parts);
}

function chunk(name: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(name, "latin1"), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}
