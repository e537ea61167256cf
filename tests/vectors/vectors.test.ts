/**
 * The vectors as TypeScript meets them: its own codecs, then the core through its binding. The Rust tests
 * read the same files; formulas without a TypeScript face (trees, windows, emission) are tested there alone.
 */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import * as v from "valibot";
import { loadCoreFile } from "@svc/node-server/platform/files/wasmFiles.ts";
import { fields } from "@svc/shared/base/fields.ts";
import { decodeHex, encodeHex } from "@svc/shared/base/hex.ts";
import type { SvcError } from "@svc/shared/base/svcError.ts";
import type { Header } from "@svc/shared/chain/header.ts";
import type { Transaction } from "@svc/shared/chain/transaction.ts";
import { coreError } from "@svc/shared/core/callCore.ts";
import { encodeRawBlock } from "@svc/shared/protocol/raw/rawBlock.ts";
import { encodeRawTransaction } from "@svc/shared/protocol/raw/rawTransaction.ts";

const core = await loadCoreFile();

function vector<S extends v.GenericSchema>(name: string, schema: S): v.InferOutput<S> {
  return v.parse(schema, JSON.parse(readFileSync(new URL(`${name}.json`, import.meta.url), "utf8")));
}

const bytes = v.pipe(v.string(), v.transform(decodeHex));
const transactionSchema = v.object({
  version: v.number(),
  inputs: v.array(
    v.object({ txid: fields.txId, index: v.number(), script: bytes, sequence: fields.u64, compute: v.number() }),
  ),
  outputs: v.array(v.object({ value: fields.sompi, scriptVersion: v.number(), script: bytes })),
  lockTime: fields.u64,
  subnetworkId: bytes,
  gas: fields.u64,
  payload: bytes,
  storageMass: fields.u64,
});
const transactions = vector(
  "transaction",
  v.object({
    cases: v.array(
      v.object({ name: v.string(), transaction: transactionSchema, id: fields.txId, hash: fields.hash32 }),
    ),
  }),
).cases;
const headers = vector(
  "header",
  v.object({
    cases: v.array(
      v.object({
        header: v.object({
          version: v.number(),
          levels: v.array(v.array(fields.blockHash)),
          hashMerkleRoot: fields.hash32,
          acceptedIdMerkleRoot: fields.hash32,
          utxoCommitment: fields.hash32,
          timestampMs: fields.timestampMs,
          bits: v.number(),
          nonce: fields.u64,
          daaScore: fields.daaScore,
          blueWork: v.string(),
          blueScore: fields.blueScore,
          pruningPoint: fields.blockHash,
        }),
        hash: fields.blockHash,
      }),
    ),
  }),
).cases;
const hashesSchema = v.object({
  hash: v.string(),
  txids: v.array(v.string()),
  txHashes: v.array(v.string()),
  computeMasses: v.array(fields.u64),
});

function plainTransaction(recorded: v.InferOutput<typeof transactionSchema>): Transaction {
  const outputs = recorded.outputs.map((output) => ({ ...output, covenant: null }));
  return { ...recorded, outputs };
}

function plainHeader({ levels, timestampMs, blueWork, ...rest }: (typeof headers)[number]["header"]): Header {
  return { ...rest, parentsByLevel: levels, timestamp: timestampMs, blueWork: BigInt(`0x${blueWork}`) };
}

function hashesOf(header: Header, list: readonly Transaction[]) {
  const raw = encodeRawBlock({ header, transactions: list });
  return v.parse(hashesSchema, JSON.parse(core.computeHashes(raw)));
}

test("header hashes", () => {
  for (const { header, hash } of headers) {
    expect(hashesOf(plainHeader(header), []).hash).toBe(hash);
  }
});

test.each(transactions)("transaction: $name", ({ transaction, id, hash }) => {
  const plain = plainTransaction(transaction);
  expect(core.transactionId(encodeRawTransaction(plain))).toBe(id);
  const [first] = headers;
  if (first === undefined) throw new Error("the header vectors are empty");
  const hashes = hashesOf(plainHeader(first.header), [plain]);
  expect(hashes).toMatchObject({ txids: [id], txHashes: [hash] });
});

test("masses of a block's transactions, whether they can be read or not", () => {
  const payload = new Uint8Array(200).fill(0xff);
  // Two actions are promised; flags, value and all else are nonsense, as a block in the graph may carry them.
  payload.set([0, 0, 0, 2], 109);
  const strange = {
    version: 2,
    inputs: [],
    outputs: [],
    lockTime: 0n,
    subnetworkId: new Uint8Array(20),
    gas: 0n,
    payload,
    storageMass: 0n,
  };
  const coinbase = { ...strange, version: 1, subnetworkId: strange.subnetworkId.with(0, 1) };
  const [first] = headers;
  if (first === undefined) throw new Error("the header vectors are empty");
  const { computeMasses } = hashesOf(plainHeader(first.header), [coinbase, strange]);
  // 94 bytes of envelope and the payload, and the premium of two actions.
  expect(computeMasses).toEqual([0n, 294n + 2_000n]);
});

test("genesis of the built-in networks", () => {
  const { cases } = vector(
    "genesis",
    v.object({ cases: v.array(v.object({ network: v.string(), hash: fields.blockHash })) }),
  );
  expect(cases).toHaveLength(4);
  for (const { network, hash } of cases) {
    expect(core.genesisHash(core.builtInProfile(network))).toBe(hash);
  }
});

test("keys and the first address of a seed", () => {
  const keys = vector(
    "shielded-keys",
    v.object({ seed: bytes, fvk: v.string(), ivk: v.string(), address0: v.string() }),
  );
  const fvk = core.fullViewingKey(keys.seed);
  expect(encodeHex(fvk)).toBe(keys.fvk);
  expect(encodeHex(core.incomingViewingKey(fvk))).toBe(keys.ivk);
  expect(encodeHex(core.addressAt(fvk, 0))).toBe(keys.address0);
});

const incoming = vector(
  "incoming-addresses",
  v.object({
    cases: v.array(
      v.object({
        fvk: bytes,
        ivk: v.string(),
        addresses: v.array(v.object({ index: v.number(), raw: v.string() })),
      }),
    ),
  }),
);

test.each(incoming.cases)("incoming viewing key $ivk and its addresses", ({ fvk, ivk, addresses }) => {
  expect(encodeHex(core.incomingViewingKey(fvk))).toBe(ivk);
  for (const { index, raw } of addresses) {
    expect(encodeHex(core.incomingAddresses(decodeHex(ivk), index, 1))).toBe(raw);
    expect(encodeHex(core.addressAt(fvk, index))).toBe(raw);
  }
  // The second of the indices of invoices follows the first.
  const at = (wanted: number): string | undefined =>
    addresses.find(({ index }) => index === wanted)?.raw;
  const run = encodeHex(core.incomingAddresses(decodeHex(ivk), 2 ** 31, 2));
  expect(run).toBe(`${at(2 ** 31)}${at(2 ** 31 + 1)}`);
});

test("bytes that are no incoming viewing key, and runs that are too long", () => {
  const [first] = incoming.cases;
  const good = decodeHex(first?.ivk ?? "");
  const codeOf = (call: () => unknown): string | null => {
    try {
      call();
      return null;
    } catch (error) {
      return coreError(error).code;
    }
  };
  const refusal = (ivk: Uint8Array, from: number, count: number) =>
    codeOf(() => core.incomingAddresses(ivk, from, count));
  expect(refusal(good, 2 ** 32 - 1, 1)).toBeNull();
  expect(refusal(good, 2 ** 32 - 1, 2)).toBe("codec/count-too-large");
  expect(refusal(good, 0, 1_025)).toBe("codec/count-too-large");
  expect(refusal(good.subarray(1), 0, 1)).toBe("codec/wrong-length");
  expect(refusal(new Uint8Array(64), 0, 1)).toBe("keys/bad-viewing-key");
  expect(codeOf(() => new core.IncomingScanner(new Uint8Array(64).fill(0xff)))).toBe(
    "keys/bad-viewing-key",
  );
  expect(codeOf(() => new core.IncomingScanner(good.subarray(1)))).toBe("codec/wrong-length");
  const many = new Uint8Array(257 * 64);
  expect(codeOf(() => new core.IncomingScanner(many))).toBe("codec/count-too-large");
});

const addresses = vector(
  "shielded-addresses",
  v.object({
    valid: v.array(v.object({ hrp: v.string(), raw: v.string(), text: v.string() })),
    invalid: v.object({
      hrp: v.string(),
      cases: v.array(v.object({ text: v.string(), code: v.string(), why: v.string() })),
    }),
  }),
);

test.each(addresses.valid)("address $text", ({ hrp, raw, text }) => {
  expect(core.encodeAddress(hrp, decodeHex(raw))).toBe(text);
  expect(encodeHex(core.decodeAddress(hrp, text))).toBe(raw);
});

test.each(addresses.invalid.cases)("refused address: $why", ({ text, code }) => {
  let caught: SvcError | null = null;
  try {
    core.decodeAddress(addresses.invalid.hrp, text);
  } catch (error) {
    caught = coreError(error);
  }
  expect(caught?.code).toBe(code);
});

test("fees of wallet and node", () => {
  const table = vector(
    "fee",
    v.object({
      walletFees: v.array(v.object({ actions: v.number(), fee: fields.sompi })),
      nodeMinimums: v.array(v.object({ payloadLength: v.number(), fee: fields.sompi })),
    }),
  );
  for (const { actions, fee } of table.walletFees) expect(core.walletFee(actions)).toBe(fee);
  for (const { payloadLength, fee } of table.nodeMinimums) {
    expect(core.nodeMinimumFee(payloadLength)).toBe(fee);
  }
});
