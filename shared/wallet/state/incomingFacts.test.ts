import { describe, expect, it } from "vitest";
import { joinedIncoming, readIncomingFacts } from "./incomingFacts.ts";

const hash = (byte: number): string => byte.toString(16).padStart(2, "0").repeat(32);

const note = (key: number, value: number) => ({
  key,
  txid: hash(value),
  outputIndex: 1,
  cmx: hash(3),
  position: "4",
  rho: hash(5),
  rseed: hash(6),
  value: String(value),
  recipient: "0a".repeat(43),
  addressIndex: 2 ** 31,
  memo: "6d",
});

const block = (byte: number, notes: readonly unknown[]) => ({
  hash: hash(byte),
  blueScore: String(byte),
  daaScore: "7",
  timestamp: "1700000000000",
  firstLeaf: "3",
  leaves: "2",
  notes,
});

const text = (...blocks: readonly unknown[]): string => JSON.stringify({ blocks });

describe("facts of incoming keys", () => {
  it("have the notes of each key in the order of the chain, with their blocks", () => {
    const facts = readIncomingFacts(
      text(block(1, [note(4, 10), note(0, 11)]), block(2, []), block(3, [note(4, 12)])),
    );
    expect(facts.blocks.map(({ blueScore }) => blueScore)).toEqual([1n, 2n, 3n]);
    expect([...facts.found.keys()].toSorted((a, b) => a - b)).toEqual([0, 4]);
    const own = facts.found.get(4) ?? [];
    expect(own.map(({ value }) => value)).toEqual([10n, 12n]);
    expect(own[1]).toEqual({
      txid: hash(12),
      outputIndex: 1,
      cmx: hash(3),
      position: 4n,
      rho: hash(5),
      rseed: hash(6),
      value: 12n,
      recipient: "0a".repeat(43),
      addressIndex: 2 ** 31,
      memo: "6d",
      block: facts.blocks[2],
    });
    expect(facts.blocks[2]).toEqual({
      hash: hash(3),
      blueScore: 3n,
      daaScore: 7n,
      timestamp: 1_700_000_000_000n,
      firstLeaf: 3n,
      leaves: 2,
    });
  });

  it("of parts are those of the whole", () => {
    const blocks = [
      block(1, [note(4, 10), note(0, 11)]),
      block(2, [note(1, 1)]),
      block(3, [note(4, 12)]),
    ];
    const whole = readIncomingFacts(text(...blocks));
    const parts = blocks.map((one) => readIncomingFacts(text(one)));
    expect(joinedIncoming(parts)).toEqual(whole);
    expect(joinedIncoming([])).toEqual({ blocks: [], found: new Map() });
  });

  it.each([
    ["no JSON", "{"],
    ["no blocks", "{}"],
    ["a number as money", text(block(1, [{ ...note(0, 1), value: 1 }]))],
    ["money beyond 64 bits", text(block(1, [{ ...note(0, 1), value: "18446744073709551616" }]))],
    ["a short address", text(block(1, [{ ...note(0, 1), recipient: "0a" }]))],
    ["an index beyond 32 bits", text(block(1, [{ ...note(0, 1), addressIndex: 2 ** 32 }]))],
    ["a short rseed", text(block(1, [{ ...note(0, 1), rseed: "06" }]))],
    ["a position that is no number", text(block(1, [{ ...note(0, 1), position: "-1" }]))],
    ["no key", text(block(1, [{ ...note(0, 1), key: undefined }]))],
    ["a key that is no number", text(block(1, [{ ...note(0, 1), key: -1 }]))],
  ])("are refused with %s", (_, json) => {
    expect(() => readIncomingFacts(json)).toThrow("wallet/bad-page");
  });

  it("have no index for an address beyond those of 32 bits", () => {
    const facts = readIncomingFacts(text(block(1, [{ ...note(0, 1), addressIndex: null }])));
    expect(facts.found.get(0)?.[0]?.addressIndex).toBeNull();
  });
});
