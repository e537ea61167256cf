/** Blocks, headers and transactions between peers' messages and the raw forms. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { recordedBlocks } from "../../../tests/vectors/recordedBlocks.ts";
import { p2pVectors } from "../../../tests/vectors/p2pVectors.ts";
import { refusal } from "../../base/testkit/refusal.ts";
import { decodeHex, encodeHex } from "../../base/hex.ts";
import { codeOf } from "../../base/testkit/codeOf.ts";
import { FORM_BOUNDS } from "../raw/formBounds.ts";
import { decodeRawBlock, encodeRawBlock } from "../raw/rawBlock.ts";
import { encodeRawHeaders } from "../raw/rawHeaders.ts";
import type { P2pBlock, P2pBlockHeader, P2pTransaction } from "./generated/p2pValues.ts";
import {
  blockMessage,
  headerForms,
  headerMessages,
  rawBlockFrom,
  rawBlockWith,
  rawBlockOf,
  rawHeadersOf,
} from "./p2pBlock.ts";
import { readEnvelope, writeEnvelope } from "./p2pEnvelope.ts";
import { rawTransactionOf, transactionMessage } from "./p2pTransaction.ts";

const recorded = recordedBlocks().map(({ raw }) => decodeHex(raw));
const { made } = p2pVectors();

/** A message over the wire. */
function sent(block: P2pBlock): P2pBlock {
  const payload = { $case: "block", value: block } as const;
  const bytes = writeEnvelope({ payload, responseId: 1, requestId: 0 });
  const { payload: arrived } = readEnvelope(bytes);
  if (arrived?.$case !== "block") throw new Error("another message arrived");
  return arrived.value;
}

/** The block that has something in every field. */
function fullBlock(): P2pBlock {
  const hex = made.find(({ type }) => type === "block")?.hex ?? "";
  const { payload } = readEnvelope(decodeHex(hex));
  if (payload?.$case !== "block") throw new Error("the vectors have no block");
  return payload.value;
}

function fullHeader(): P2pBlockHeader {
  const { header } = fullBlock();
  if (header === undefined) throw new Error("the block has no header");
  return header;
}

function fullTransaction(): P2pTransaction {
  const [transaction] = fullBlock().transactions;
  if (transaction === undefined) throw new Error("the block has no transaction");
  return transaction;
}

describe("blocks of peers", () => {
  it("arrive as they were sent, with and without a witness", () => {
    expect(recorded.length).toBeGreaterThan(0);
    for (const raw of recorded) {
      expect(rawBlockOf(sent(blockMessage(raw)))).toEqual(raw);
      const witnessed = encodeRawBlock({ ...decodeRawBlock(raw), witness: Uint8Array.of(1, 2) });
      expect(rawBlockOf(sent(blockMessage(witnessed)))).toEqual(witnessed);
    }
  });

  it("lose a witness that is larger than any, and keep their header", () => {
    const [raw = new Uint8Array()] = recorded;
    const message = blockMessage(raw);
    const { header } = message;
    if (header === undefined) throw new Error("a block without a header");
    const { witness } = FORM_BOUNDS;
    const withWitness = (length: number) => ({
      ...message,
      header: { ...header, auxPow: new Uint8Array(length) },
    });
    expect(rawBlockOf(withWitness(witness + 1))).toEqual(raw);
    expect(rawBlockOf(withWitness(witness)).length).toBeGreaterThan(raw.length + witness);
  });

  it("may come as header and body", () => {
    for (const raw of recorded) {
      const { header, transactions } = blockMessage(raw);
      if (header === undefined) throw new Error("a block without a header");
      expect(rawBlockFrom(header, transactions)).toEqual(raw);
    }
  });

  it("have headers that arrive as they were sent", () => {
    const headers = recorded.map((raw) => ({ header: decodeRawBlock(raw).header }));
    const { header, witness = new Uint8Array() } = decodeRawBlock(rawBlockOf(fullBlock()));
    const raw = encodeRawHeaders([...headers.slice(0, 60), { header, witness }]);
    expect(rawHeadersOf(headerMessages(raw))).toEqual(raw);
  });

  it("begin with the form of their header, whether it is read or passed over", () => {
    const blocks = [...recorded, rawBlockOf(fullBlock())];
    const headers = blocks.map((raw) => {
      const { header, witness } = decodeRawBlock(raw);
      return witness === undefined ? { header } : { header, witness };
    });
    const forms = headerForms(encodeRawHeaders(headers));
    expect(forms).toHaveLength(blocks.length);
    for (const [at, raw] of blocks.entries()) {
      const form = forms[at] ?? new Uint8Array();
      expect(rawBlockWith(form, blockMessage(raw).transactions)).toEqual(raw);
    }
  });

  it("have all fields in the raw form", () => {
    const raw = rawBlockOf(fullBlock());
    const { header, transactions, witness } = decodeRawBlock(raw);
    expect(header.parentsByLevel.map((level) => level.length)).toEqual([
      ...Array.from({ length: 3 }, () => 2),
      ...Array.from({ length: 247 }, () => 1),
    ]);
    expect(header).toMatchObject({ version: 2, timestamp: 1_700_000_000_123n, blueWork: 0x123n });
    expect(header.nonce).toBe(9_223_372_036_854_775_809n);
    expect(encodeHex(witness ?? new Uint8Array())).toBe("0badf00d");
    expect(transactions).toMatchObject([
      {
        version: 2,
        inputs: [{ index: 7, sequence: 18_446_744_073_709_551_615n, compute: 9 }],
        outputs: [{ value: 12_345_678_901n, scriptVersion: 3, covenant: { authorizingInput: 4 } }],
        lockTime: 77n,
        gas: 5n,
        storageMass: 11n,
      },
    ]);
  });

  it("are refused where a field is missing or too large, and the error names it", () => {
    const header = fullHeader();
    const hash = { bytes: new Uint8Array(31) };
    const level = { parentHashes: [], cumulativeLevel: 1 };
    const bad: readonly [string, Partial<P2pBlockHeader>][] = [
      ["version", { version: 65_536 }],
      ["hashMerkleRoot", { hashMerkleRoot: undefined }],
      ["acceptedIdMerkleRoot", { acceptedIdMerkleRoot: hash }],
      ["utxoCommitment", { utxoCommitment: hash }],
      ["pruningPoint", { pruningPoint: undefined }],
      ["timestamp", { timestamp: -1n }],
      ["blueWork", { blueWork: new Uint8Array(25) }],
      ["parents", { parents: Array.from({ length: 256 }, () => level) }],
      ["cumulativeLevel", { parents: [{ ...level, cumulativeLevel: 0 }] }],
      ["cumulativeLevel", { parents: [{ ...level, cumulativeLevel: 256 }] }],
      ["parentHashes", { parents: [{ ...level, parentHashes: [hash] }] }],
    ];
    for (const [field, change] of bad) {
      const block = { header: { ...header, ...change }, transactions: [] };
      expect(refusal(() => rawBlockOf(block))).toBe(`p2p/bad-message ${field}`);
      expect(refusal(() => rawHeadersOf([block.header]))).toBe(`p2p/bad-message ${field}`);
    }
    expect(refusal(() => rawBlockOf({ header: undefined, transactions: [] }))).toBe(
      "p2p/bad-message header",
    );
    const many = Array.from({ length: 129 }, () => header);
    expect(refusal(() => rawHeadersOf(many))).toBe("p2p/bad-message blockHeaders");
  });

  it("have transactions that are refused likewise", () => {
    const transaction = fullTransaction();
    const [input] = transaction.inputs;
    const [output] = transaction.outputs;
    if (input === undefined || output === undefined) throw new Error("no input or output");
    const bad: readonly [string, Partial<P2pTransaction>][] = [
      ["version", { version: 65_536 }],
      ["subnetworkId", { subnetworkId: undefined }],
      ["subnetworkId", { subnetworkId: { bytes: new Uint8Array(19) } }],
      ["payload", { payload: new Uint8Array(1_000_001) }],
      ["inputs", { inputs: Array.from({ length: 1_001 }, () => input) }],
      ["outputs", { outputs: Array.from({ length: 1_001 }, () => output) }],
      ["previousOutpoint", { inputs: [{ ...input, previousOutpoint: undefined }] }],
      ["computeCommit", { inputs: [{ ...input, computeCommit: 65_536 }] }],
      ["scriptPublicKey", { outputs: [{ ...output, scriptPublicKey: undefined }] }],
      [
        "script",
        {
          outputs: [{ ...output, scriptPublicKey: { script: new Uint8Array(10_001), version: 0 } }],
        },
      ],
    ];
    for (const [field, change] of bad) {
      expect(refusal(() => rawTransactionOf({ ...transaction, ...change }))).toBe(
        `p2p/bad-message ${field}`,
      );
    }
    expect(rawTransactionOf(transactionMessage(rawTransactionOf(transaction)))).toEqual(
      rawTransactionOf(transaction),
    );
  });

  it("of damaged raw bytes are refused by the codec or have one form", () => {
    const [raw = new Uint8Array()] = recorded;
    fc.assert(
      fc.property(fc.nat(), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const bytes = raw.slice();
        const place = at % bytes.length;
        bytes[place] = (bytes[place] ?? 0) ^ change;
        const code = codeOf(() => expect(rawBlockOf(blockMessage(bytes))).toEqual(bytes));
        expect(code).toMatch(/^(none|codec\/.*|p2p\/bad-message)$/);
      }),
    );
  });

  it("may write blue work with leading zeros, which mean nothing", () => {
    const header = fullHeader();
    const padded = { ...header, blueWork: Uint8Array.of(0, 0, 1, 0x23) };
    const raw = (each: P2pBlockHeader): Uint8Array => rawHeadersOf([each]);
    expect(raw(padded)).toEqual(raw(header));
    const [again] = headerMessages(raw(padded));
    expect(again?.blueWork).toEqual(header.blueWork);
    const none = { ...header, blueWork: new Uint8Array() };
    expect(headerMessages(raw(none))[0]?.blueWork).toEqual(new Uint8Array());
  });
});
