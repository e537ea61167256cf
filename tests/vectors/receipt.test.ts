/** Receipts of the simulated chain through the binding: what they show, and a named error for what does not hold. */
import { readFileSync } from "node:fs";
import * as v from "valibot";
import { afterAll, describe, expect, it } from "vitest";
import { loadCoreFile } from "@svc/node-server/platform/files/wasmFiles.ts";
import { fields } from "@svc/shared/base/fields.ts";
import { decodeHex, encodeHex } from "@svc/shared/base/hex.ts";
import { callCore } from "@svc/shared/core/callCore.ts";
import { CborReader } from "@svc/shared/signer/airgap/cborReader.ts";
import { readHardestHeader, readReceiptFacts } from "@svc/shared/protocol/facts/receiptFacts.ts";

const text = (name: string): string => readFileSync(new URL(name, import.meta.url), "utf8");
const bytes = v.pipe(v.string(), v.transform(decodeHex));
const told = v.parse(
  v.object({
    profile: v.string(),
    seed: bytes,
    recipient: fields.rawAddress,
    value: v.string(),
    rho: v.string(),
    rseed: v.string(),
    position: v.number(),
    block: v.string(),
    blueScore: v.string(),
    time: v.string(),
    depth: v.string(),
    header: v.string(),
    work: v.string(),
    receipt: bytes,
    challenge: v.string(),
    challenged: bytes,
    tip: v.object({ opening: bytes, run: bytes, membership: bytes }),
  }),
  JSON.parse(text("receipt.json")),
);
const profile = text(told.profile);

const core = await loadCoreFile();
const judge = new core.EvidenceJudge(profile, undefined, 0);
const tip = judge.tip(told.tip.opening, told.tip.run);
afterAll(() => {
  tip.free();
  judge.free();
});

const { recipient, rho, rseed, position } = told;
const note = JSON.stringify({ recipient, value: told.value, rho, rseed, position });

/** A copy with one bit changed. */
function changed(original: Uint8Array, place: number): Uint8Array {
  const copy = original.slice();
  copy[place] = (copy[place] ?? 0) ^ 1;
  return copy;
}

describe("a receipt", () => {
  it("shows payee, amount and block by the work of its header", () => {
    expect(told.receipt.length).toBeLessThan(8 * 1024);
    const facts = readReceiptFacts(judge.receipt(told.receipt, undefined, undefined));
    expect(facts).toMatchObject({
      grade: "work",
      recipient,
      value: BigInt(told.value),
      position,
      block: told.block,
      blueScore: BigInt(told.blueScore),
      time: BigInt(told.time),
      depth: BigInt(told.depth),
      header: told.header,
      work: told.work,
      challenge: null,
      disclosure: null,
    });
    expect(facts.blocks).toBe(null);
    const easy = readReceiptFacts(judge.receipt(told.receipt, undefined, 0x207f_ffff));
    expect(easy.blocks).toBe(BigInt(`0x${told.work}`) / 2n);
    expect(core.receiptHeader(told.receipt)).toBe(told.header);
  });

  it("stands as firm as the chain under a tip that was proved", () => {
    const call = judge.receiptInChain(
      told.receipt,
      tip,
      told.tip.membership,
      undefined,
      undefined,
    );
    const facts = readReceiptFacts(call);
    expect(facts).toMatchObject({ grade: "chain", recipient, block: told.block });
  });

  it("tells a challenge and that the payee answered it", () => {
    const { challenge, challenged } = told;
    const facts = readReceiptFacts(judge.receipt(challenged, challenge, undefined));
    expect(facts.challenge).toEqual({ text: challenge, isAnswered: true });
  });

  it("is made again of its parts, with an answer of the payee's key", () => {
    const key = core.fullViewingKey(told.seed.slice());
    const answer = encodeHex(judge.answerChallenge(key, note, "till 3"));
    const parts = { note: JSON.parse(note) as unknown, challenge: { text: "till 3", answer } };
    const path = siblingsOf(told.receipt);
    const { opening, membership } = piecesOf(told.receipt);
    const made = judge.makeReceipt(JSON.stringify(parts), path, opening, membership, undefined);
    const facts = readReceiptFacts(judge.receipt(made, "till 3", undefined));
    expect(facts).toMatchObject({ value: BigInt(told.value), block: told.block, time: null });
    expect(facts.challenge).toEqual({ text: "till 3", isAnswered: true });
    const again = judge.makeReceipt(JSON.stringify({ note: parts.note }), path, opening, membership);
    expect(readReceiptFacts(judge.receipt(again)).challenge).toBe(null);
  });

  it("finds the header of a run that took the most work", () => {
    const hardest = readHardestHeader(judge.hardestHeader(told.tip.run));
    expect(hardest).not.toBe(null);
  });

  const refusals: readonly (readonly [string, () => unknown, string])[] = [
    ["for another challenge", () => judge.receipt(told.challenged, "another"), "other-challenge"],
    ["without the challenge", () => judge.receipt(told.receipt, told.challenge), "other-challenge"],
    ["with another path", () => judge.receipt(changed(told.receipt, 700)), "not-in-tree"],
    [
      "anchored by another path",
      () => judge.receiptInChain(told.receipt, tip, changed(told.tip.membership, 180)),
      "not-member",
    ],
  ];
  it.each(refusals)("%s is refused by name", (_, lie, code) => {
    expect(() => callCore(lie)).toThrow(`evidence/${code}`);
  });

  it("of another network is refused by name", () => {
    const other = new core.EvidenceJudge(core.builtInProfile("simnet"), undefined, 0);
    expect(() => callCore(() => other.receipt(told.receipt))).toThrow("evidence/other-network");
    other.free();
  });
});

/** The pieces of a receipt, read with the reader that the air gap has: both know the same CBOR. */
function piecesOf(receipt: Uint8Array) {
  const reader = new CborReader(receipt);
  reader.map(9, 4);
  reader.key(0);
  reader.number(1n);
  reader.key(1);
  reader.bytes(32);
  const piece = (key: number) => {
    reader.key(key);
    return reader.bytes(receipt.length, 1);
  };
  return { note: piece(2), opening: piece(3), membership: piece(4) };
}

/** The siblings stand at the end of the note. */
function siblingsOf(receipt: Uint8Array): Uint8Array {
  return piecesOf(receipt).note.subarray(-1024);
}
