/** Tests of the messages of an initial sync, converted to the raw forms of the core and back. */
import { describe, expect, it } from "vitest";
import { p2pVectors } from "../../../tests/vectors/p2pVectors.ts";
import { refusal } from "../../base/testkit/refusal.ts";
import { ByteWriter } from "../../base/bytes.ts";
import { decodeHex, encodeHex } from "../../base/hex.ts";
import { codeOf } from "../../base/testkit/codeOf.ts";
import { recordedWire } from "../../../tests/vectors/recordedWire.ts";
import { FORM_BOUNDS } from "../raw/formBounds.ts";
import { readEnvelope, writeEnvelope, type P2pContent, type P2pName } from "./p2pEnvelope.ts";
import { rawHeaderPagesOf } from "./p2pHeaderPages.ts";
import { historyChunkMessage, historyPageOf } from "./p2pHistory.ts";
import { laneChunkMessage, lanesMetadataOf, lastLaneKey, rawLanePageOf } from "./p2pLanes.ts";
import { nullifierChunkMessage, rawNullifiersOf } from "./p2pNullifiers.ts";
import { proofMessage, rawProofOf } from "./p2pProof.ts";
import { rawStateClaimOf, stateClaimMessage } from "./p2pStateClaim.ts";
import { rawTrustedPage, rawTrustedPagesOf, trustedPartOf } from "./p2pTrusted.ts";
import { sampleHash, sampleRecord, sampleState } from "./testkit/importSamples.ts";
import { throughRaw } from "./testkit/throughRaw.ts";

const { recorded } = p2pVectors();

/** The recorded message of a name. */
function contentOf<Name extends P2pName>(name: Name): P2pContent<Name> {
  for (const { hex } of recorded) {
    const { payload } = readEnvelope(decodeHex(hex));
    if (payload?.$case === name) return payload.value as P2pContent<Name>;
  }
  throw new Error(`no ${name} is recorded`);
}

/** The bytes of a message that went through its raw form; null for one without such a form. */
function again(hex: string): string | null {
  const envelope = readEnvelope(decodeHex(hex));
  const payload = envelope.payload && throughRaw(envelope.payload);
  return payload === undefined ? null : encodeHex(writeEnvelope({ ...envelope, payload }));
}

describe("messages of an initial sync", () => {
  it("come back from their raw forms in the same bytes", () => {
    const seen = new Set<string>();
    for (const { type, hex } of recorded) {
      // Its data are shortened; those made below stand for them.
      if (type === "shieldedMetadata") continue;
      const bytes = again(hex);
      if (bytes === null) continue;
      expect(bytes, type).toBe(hex);
      seen.add(type);
    }
    expect([...seen].toSorted()).toEqual([
      "blockHeaders",
      "blockWithTrustedDataV4",
      "pruningPointProof",
      "pruningPoints",
      "smtLaneChunk",
      "smtMetadata",
      "trustedData",
    ]);
  });

  it("come back in the whole recording", () => {
    let count = 0;
    for (const { hex } of recordedWire()) {
      const bytes = again(hex);
      if (bytes === null) continue;
      expect(bytes === hex, hex.slice(0, 100)).toBe(true);
      count += 1;
    }
    expect(count).toBeGreaterThanOrEqual(11);
  });

  it("bring a proof with every header once", () => {
    const [first] = contentOf("blockHeaders").blockHeaders;
    if (first === undefined) throw new Error("no header");
    const other = { ...first, nonce: 1n };
    const levels = [{ blockHeaders: [first, other, first] }, { blockHeaders: [other] }];
    const raw = rawProofOf({ levels });
    const alone = rawProofOf({ levels: [{ blockHeaders: [first, other] }] });
    // Two indices and one more level.
    expect(raw.length - alone.length).toBe(4 + 4 + 4);
    expect(rawProofOf(proofMessage(raw))).toEqual(raw);
    expect(proofMessage(raw).levels.map(({ blockHeaders }) => blockHeaders.length)).toEqual([3, 1]);
  });

  it("bring pages that the core takes", () => {
    const [first] = contentOf("blockHeaders").blockHeaders;
    if (first === undefined) throw new Error("no header");
    const blockHeaders = Array.from({ length: 129 }, () => first);
    expect(rawHeaderPagesOf({ blockHeaders }, 129).map((page) => page[0])).toEqual([128, 1]);
    const [trusted] = contentOf("trustedData").daaWindow;
    if (trusted === undefined) throw new Error("no trusted header");
    const daaWindow = Array.from({ length: 1_025 }, () => trusted);
    const pages = rawTrustedPagesOf({ daaWindow, ghostdagData: [] });
    expect(pages.map((page) => trustedPartOf(page).window.length)).toEqual([1_024, 1]);
  });

  it("say more of the state to those who understand it", () => {
    const sent = sampleState();
    const { claim, stateRoot } = rawStateClaimOf(sent, 77n);
    expect(stateRoot).toEqual(sampleHash(5));
    const facts = { stateRoot: stateRoot ?? sampleHash(0), blueScoreOf: () => 5n };
    const extended = stateClaimMessage(claim, facts, true);
    const plain = stateClaimMessage(claim, facts, false);
    // The version, an empty slot, an empty log without entries, and the number in the chain.
    expect(plain).toEqual(sent);
    expect(extended.data.length - plain.data.length).toBe(1 + 12 + 8 + 4 + 8);
    expect(rawStateClaimOf(extended, 1n).claim).toEqual(claim);
    expect(rawStateClaimOf(plain, 1n).claim).not.toEqual(claim);
    expect(rawStateClaimOf(plain, 77n)).toEqual({ claim, stateRoot });
    const none = rawStateClaimOf({ data: new Uint8Array(), nullifierCount: 0n }, 3n);
    expect(none.stateRoot).toBeNull();
    expect(none.claim).toHaveLength(1 + 8 + 32 + 1 + 32 + 1 + 8 + 8 + 12 + 8 + 4 + 4 + 8);
  });

  it("bring rows and records", () => {
    const lanes = { entries: [1, 2].map((byte) => ({ ...lane(byte), blueScore: BigInt(byte) })) };
    const raw = rawLanePageOf(lanes);
    expect(raw).toHaveLength(144);
    expect(laneChunkMessage(raw, () => new Uint8Array())).toEqual(lanes);
    expect(lastLaneKey(raw)).toEqual(sampleHash(2));
    expect(lastLaneKey(new Uint8Array())).toBeNull();
    const spent = { nullifiers: [sampleHash(1), sampleHash(2)] };
    expect(nullifierChunkMessage(rawNullifiersOf(spent))).toEqual(spent);
    const records = new ByteWriter().block(sampleRecord(7)).block(sampleRecord(6)).toBytes();
    const chunk = historyChunkMessage(records, 9n);
    expect(chunk.entries.map(({ chainIndex }) => chainIndex)).toEqual([9n, 8n]);
    expect(historyPageOf(chunk)).toEqual({
      records,
      count: 2,
      lowest: sampleHash(6),
      isDone: false,
    });
    expect(historyChunkMessage(records, 1n).done).toBe(true);
  });

  it("are refused with the field that is wrong", () => {
    const bad = "p2p/bad-message";
    const { data, nullifierCount } = sampleState();
    const state = (change: (bytes: Uint8Array) => void): string => {
      const bytes = data.slice();
      change(bytes);
      return refusal(() => rawStateClaimOf({ data: bytes, nullifierCount }, 0n));
    };
    expect(state(() => {})).toBe("none");
    // The mark of the last leaf, and the number of ommers.
    expect(state((bytes) => bytes.set([2], 8))).toBe(`${bad} data`);
    expect(state((bytes) => bytes.set([0], 8))).toBe(`${bad} data`);
    expect(state((bytes) => bytes.set([33], 41))).toBe(`${bad} data`);
    expect(state((bytes) => bytes.set([255, 255, 255, 255, 255], 41))).toBe(`${bad} data`);
    const cut = { data: data.subarray(0, data.length - 1), nullifierCount };
    expect(refusal(() => rawStateClaimOf(cut, 0n))).toBe(`${bad} data`);
    const more = { data: Uint8Array.of(...data, 9), nullifierCount };
    expect(refusal(() => rawStateClaimOf(more, 0n))).toBe(`${bad} data`);
    const short = { data: sampleHash(0), activeLanesCount: 1n };
    expect(refusal(() => lanesMetadataOf(short))).toBe(`${bad} data`);
    expect(refusal(() => rawNullifiersOf({ nullifiers: [new Uint8Array(31)] }))).toBe(
      `${bad} nullifiers`,
    );
    const nullifiers = Array.from({ length: FORM_BOUNDS.pageRows + 1 }, () => sampleHash(1));
    expect(refusal(() => rawNullifiersOf({ nullifiers }))).toBe(`${bad} nullifiers`);
    const [trusted] = contentOf("trustedData").daaWindow;
    if (trusted === undefined) throw new Error("no trusted header");
    const bare = { ...trusted, ghostdagData: undefined };
    expect(refusal(() => rawTrustedPage({ window: [bare], segment: [] }))).toBe(
      `${bad} ghostdagData`,
    );
    const levels = Array.from({ length: FORM_BOUNDS.proofLevels + 1 }, () => ({
      blockHeaders: [],
    }));
    expect(refusal(() => rawProofOf({ levels }))).toBe(`${bad} levels`);
    const entry = { blockHash: sampleHash(7), data: sampleRecord(7), chainIndex: 5n };
    const history = (entries: (typeof entry)[]): string =>
      refusal(() => historyPageOf({ entries, done: false, anchorIndex: 5n }));
    expect(history([entry])).toBe("none");
    expect(history([entry, entry])).toBe(`${bad} chainIndex`);
    expect(history([{ ...entry, blockHash: sampleHash(8) }])).toBe(`${bad} data`);
    expect(history([{ ...entry, data: sampleHash(7) }])).toBe(`${bad} data`);
  });

  it("are not made of raw forms that are none", () => {
    expect(codeOf(() => proofMessage(Uint8Array.of(2)))).toBe("codec/version");
    const claim = new ByteWriter().u8(1).u32(500_000).toBytes();
    expect(codeOf(() => proofMessage(claim))).toBe("codec/count-too-large");
    expect(codeOf(() => trustedPartOf(Uint8Array.of(1, 0, 4)))).toBe("codec/count-too-large");
    expect(codeOf(() => laneChunkMessage(new Uint8Array(71), () => new Uint8Array()))).toBe(
      "codec/count-too-large",
    );
  });
});

function lane(byte: number): { data: Uint8Array; proof: Uint8Array } {
  return { data: new Uint8Array(64).fill(byte), proof: new Uint8Array() };
}
