/**
 * Messages of peers: those recorded from nodes of the reference decode and encode to the same bytes, and so do those that
 * another protobuf library made of known values.
 */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { p2pVectors } from "../../../tests/vectors/p2pVectors.ts";
import { decodeHex, encodeHex } from "../../base/hex.ts";
import { codeOf } from "../../base/testkit/codeOf.ts";
import { recordedWire } from "../../../tests/vectors/recordedWire.ts";
import { rawAnchorBindingsOf } from "./p2pAnchorBindings.ts";
import { readEnvelope, writeEnvelope } from "./p2pEnvelope.ts";
import { messageNumbers } from "./testkit/messageNumbers.ts";

const vectors = p2pVectors();

const definition = readFileSync(new URL("../proto/p2p.proto", import.meta.url), "utf8");
const numbers = new Map(messageNumbers(definition));
/** Messages that the reference does not know. */
const OWN = [
  "stemTransaction",
  "requestAnchorBindings",
  "anchorBindingChunk",
  "requestNextAnchorBindingChunk",
  "requestAnchorLog",
  "anchorLogPage",
];

/** A decoded value as JSON has it: byte strings as hex, large numbers as text, nothing absent. */
function plain(value: unknown): unknown {
  if (value instanceof Uint8Array) return encodeHex(value);
  if (typeof value === "bigint") return String(value);
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null) return value;
  const present = Object.entries(value).filter(([, part]) => part !== undefined);
  return Object.fromEntries(present.map(([name, part]) => [name, plain(part)]));
}

function again(hex: string): { readonly type: string; readonly hex: string } {
  const envelope = readEnvelope(decodeHex(hex));
  return { type: envelope.payload?.$case ?? "none", hex: encodeHex(writeEnvelope(envelope)) };
}

describe("messages of peers", () => {
  it("that were recorded survive a round trip", () => {
    expect(vectors.recorded.length).toBeGreaterThan(40);
    for (const { type, hex } of vectors.recorded) expect(again(hex)).toEqual({ type, hex });
  });

  it("made by another library have the same bytes and the same values", () => {
    for (const { type, hex, value } of vectors.made) {
      expect(again(hex)).toEqual({ type, hex });
      const { payload } = readEnvelope(decodeHex(hex));
      expect(plain(payload?.value), type).toEqual(value);
    }
  });

  it("are each in the vectors", () => {
    const seen = new Set([...vectors.recorded, ...vectors.made].map(({ type }) => type));
    expect(numbers.size).toBe(56 + OWN.length);
    const missing = [...numbers.keys()].filter((name) => !seen.has(name));
    expect(missing).toEqual(OWN);
  });

  it("of our own that carry a payment on its stem have the bytes of a transaction", () => {
    const { hex = "" } = vectors.made.find(({ type }) => type === "transaction") ?? {};
    const { payload } = readEnvelope(decodeHex(hex));
    if (payload?.$case !== "transaction") throw new Error("the vectors have no transaction");
    const { value } = payload;
    const sent = { responseId: 0, requestId: 0 };
    const plainly = encodeHex(writeEnvelope({ payload: { $case: "transaction", value }, ...sent }));
    const stem = encodeHex(
      writeEnvelope({ payload: { $case: "stemTransaction", value }, ...sent }),
    );
    // Field 3 has a key of one byte, field 201 one of two.
    expect(plainly.startsWith("1a")).toBe(true);
    expect(stem).toBe(`ca0c${plainly.slice(2)}`);
    expect(again(stem)).toEqual({ type: "stemTransaction", hex: stem });
  });

  it("of our own about old anchors have the bytes of their definition", () => {
    const entries = [
      { block: new Uint8Array(32).fill(7), data: Uint8Array.of(1, 2) },
      { block: new Uint8Array(32).fill(8), data: new Uint8Array() },
    ];
    const chunk = writeEnvelope({
      payload: { $case: "anchorBindingChunk", value: { entries, done: true } },
      responseId: 0,
      requestId: 3,
    });
    const [first, second] = [`0a20${"07".repeat(32)}12020102`, `0a20${"08".repeat(32)}`];
    const body = `0a26${first}0a22${second}1001`;
    expect(encodeHex(chunk)).toBe(`ea0c${(body.length / 2).toString(16)}${body}b00603`);
    expect(again(encodeHex(chunk))).toEqual({ type: "anchorBindingChunk", hex: encodeHex(chunk) });
    expect(rawAnchorBindingsOf({ entries, done: true }).length).toBe(2 * 36 + 2);
  });

  it("without a message, and with one nobody knows, are told from malformed ones", () => {
    expect(readEnvelope(new Uint8Array()).payload).toBeUndefined();
    // Field 99 with one byte, and the id of a route.
    const unknown = readEnvelope(decodeHex("9a060105b00607"));
    expect(unknown).toEqual({ payload: undefined, responseId: 0, requestId: 7 });
    for (const hex of ["12", "12ff01", "0aff", "aa0301", "07"]) {
      expect(
        codeOf(() => readEnvelope(decodeHex(hex))),
        hex,
      ).toBe("p2p/bad-message");
    }
  });

  it("survive a round trip in the whole recording", () => {
    const rows = recordedWire();
    expect(rows.length).toBeGreaterThan(4_000);
    for (const { hex } of rows) {
      expect(again(hex).hex === hex, hex.slice(0, 100)).toBe(true);
    }
  });
});
