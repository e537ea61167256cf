/** What the operator of a public daemon is shown, and that a camera can read it. */
import { decodeQR } from "qr/decode.js";
import { describe, expect, it } from "vitest";
import type { Pairing } from "@svc/shared/protocol/wallet/pairing.ts";
import { pairingText, parsePairing } from "@svc/shared/protocol/wallet/pairing.ts";
import { pairingLines, publicHostOf } from "./pairingNotice.ts";
import { terminalQr } from "./terminalQr.ts";

const PAIRING: Pairing = {
  host: "203.0.113.7",
  port: 8_501,
  token: "5f".repeat(32),
  network: "simnet",
  fingerprint: "a1".repeat(32),
  wallet: null,
};
const NOTICE = { pairing: PAIRING, certificateNamesHost: true, draws: true };

/** Pixels of a module. */
const SCALE = 4;
const [BEFORE, AFTER] = ["\u001b[38;5;16;48;5;231m", "\u001b[0m"];

/** The cells of a drawn line, whose colours are black on white and end with it; null for another line. */
function cellsOf(line: string): readonly string[] | null {
  if (!line.startsWith(BEFORE) || !line.endsWith(AFTER)) return null;
  const cells = line.slice(BEFORE.length, -AFTER.length);
  return /^[ ▀▄█]+$/u.test(cells) ? [...cells] : null;
}

/** What a terminal shows of the lines, around it the terminal's own colour, as a picture; the width of a cell is half of its height. */
function pictureOf(lines: readonly string[], around: number) {
  const rows = lines.flatMap((line) => {
    const cells = cellsOf(line) ?? [];
    return [cells.map((cell) => "▀█".includes(cell)), cells.map((cell) => "▄█".includes(cell))];
  });
  const side = (rows[0]?.length ?? 0) + 8;
  const at = (x: number, y: number): number => {
    const row = rows[y - 4];
    if (row === undefined || x < 4 || x >= side - 4) return around;
    return row[x - 4] === true ? 0 : 255;
  };
  const [width, height] = [side * SCALE, (rows.length + 8) * SCALE];
  const data = new Uint8Array(width * height * 4);
  for (let pixel = 0; pixel < width * height; pixel += 1) {
    const [x, y] = [pixel % width, Math.floor(pixel / width)];
    data.fill(at(Math.floor(x / SCALE), Math.floor(y / SCALE)), pixel * 4, pixel * 4 + 3);
    data[pixel * 4 + 3] = 255;
  }
  return { width, height, data };
}

describe("a code in a terminal", () => {
  it.each([
    ["dark", 0],
    ["grey", 40],
    ["light", 255],
  ])("is read from a %s terminal", (_, around) => {
    for (const wallet of [null, "9f".repeat(16)]) {
      const text = pairingText({ ...PAIRING, wallet });
      expect(decodeQR(pictureOf(terminalQr(text), around))).toBe(text);
    }
  });

  it("fits on a screen", () => {
    const lines = terminalQr(pairingText({ ...PAIRING, wallet: "9f".repeat(16) }));
    expect(lines.length).toBeLessThanOrEqual(33);
    expect(cellsOf(lines[0] ?? "")?.length).toBeLessThanOrEqual(64);
  });
});

describe("the notice", () => {
  it("has the code as text and, where it is asked for, as a picture of exactly this text", () => {
    const text = pairingText(PAIRING);
    const lines = pairingLines(NOTICE);
    expect(lines.filter((line) => line.startsWith("svc+"))).toEqual([text]);
    expect(
      decodeQR(
        pictureOf(
          lines.filter((line) => cellsOf(line) !== null),
          0,
        ),
      ),
    ).toBe(text);
    expect(pairingLines({ ...NOTICE, draws: false }).join("\n")).not.toContain("\u001b");
  });

  it("draws nothing that a phone would refuse, and says what is missing", () => {
    const lines = pairingLines({ ...NOTICE, pairing: { ...PAIRING, host: null } });
    expect(lines.join("\n")).toContain("--public-host");
    expect(lines.join("\n")).not.toContain("\u001b");
  });

  it("says that a certificate names another host, and that HTTP is readable", () => {
    const other = pairingLines({ ...NOTICE, certificateNamesHost: false, draws: false });
    expect(other.join("\n")).toContain("--renew-certificate");
    const pairing = { ...PAIRING, fingerprint: null };
    const plain = pairingLines({ pairing, certificateNamesHost: false, draws: false });
    expect(plain.join("\n")).toContain("only within a VPN");
    expect(plain.join("\n")).not.toContain("--renew-certificate");
    expect(parsePairing(plain.at(-1) ?? "")).toEqual(pairing);
  });
});

describe("the host of a code", () => {
  it("is the named one, else the address that is listened at, unless that stands for all", () => {
    expect([
      publicHostOf("wallet.example", "0.0.0.0"),
      publicHostOf(null, "203.0.113.7"),
      publicHostOf(null, "0.0.0.0"),
      publicHostOf(null, "::"),
    ]).toEqual(["wallet.example", "203.0.113.7", null, null]);
  });
});
