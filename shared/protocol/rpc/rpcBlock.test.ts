import { readFileSync } from "node:fs";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { decodeHex } from "../../base/hex.ts";
import { SvcError } from "../../base/svcError.ts";
import { decodeRawBlock, encodeRawBlock } from "../raw/rawBlock.ts";
import { RpcRequest, RpcResponse } from "./generated/rpc.ts";
import type { RpcBlock } from "./generated/rpcValues.ts";
import { blockFromRpc, blockToRpc } from "./rpcBlock.ts";

const url = new URL("../../../tests/vectors/reference/rpc.json", import.meta.url);
const { messages } = v.parse(
  v.object({ messages: v.array(v.object({ type: v.string(), hex: v.string() })) }),
  JSON.parse(readFileSync(url, "utf8")),
);

/** Blocks of recorded templates and submissions; both carry neither hash nor verbose data. */
const blocks = messages.flatMap(({ type, hex }): RpcBlock[] => {
  const bytes = decodeHex(hex);
  const payload =
    type === "submitBlockRequest"
      ? RpcRequest.decode(bytes).payload
      : type === "getBlockTemplateResponse"
        ? RpcResponse.decode(bytes).payload
        : undefined;
  if (payload?.$case !== "submitBlock" && payload?.$case !== "getBlockTemplate") return [];
  return "block" in payload.value && payload.value.block !== undefined ? [payload.value.block] : [];
});

function sample(): RpcBlock & { header: NonNullable<RpcBlock["header"]> } {
  const [block] = blocks;
  if (block?.header === undefined) throw new Error("the vectors hold no block");
  return structuredClone({ ...block, header: block.header });
}

/** Field that the error about a changed block names. */
function refusedField(change: (block: ReturnType<typeof sample>) => void): string | undefined {
  const block = sample();
  change(block);
  try {
    blockFromRpc(block);
  } catch (error) {
    if (SvcError.is(error, "rpc/bad-argument")) return error.data["field"];
    throw error;
  }
  return undefined;
}

describe("blocks in gRPC messages", () => {
  it("keep every value on the way to raw bytes and back", () => {
    expect(blocks.length).toBeGreaterThan(2);
    for (const block of blocks) {
      const plain = blockFromRpc(block);
      expect(decodeRawBlock(encodeRawBlock(plain))).toEqual(plain);
      const { header, transactions } = blockToRpc(plain);
      expect({ ...header, hash: block.header?.hash }).toEqual(block.header);
      const bare = block.transactions.map((each) => ({ ...each, verboseData: undefined }));
      expect(transactions).toEqual(bare);
    }
  });

  it("carry a merge-mining witness as it came", () => {
    const block = sample();
    block.header.auxPow = "00ff17";
    const plain = blockFromRpc(block);
    expect(plain.witness).toEqual(Uint8Array.of(0, 255, 0x17));
    expect(decodeRawBlock(encodeRawBlock(plain))).toEqual(plain);
    expect(blockToRpc(plain).header?.auxPow).toBe("00ff17");
    expect(blockFromRpc(sample())).not.toHaveProperty("witness");
  });

  it("are refused with the name of the field at fault", () => {
    const [transaction] = sample().transactions;
    expect(transaction).toBeDefined();
    const cases: [string, Parameters<typeof refusedField>[0]][] = [
      ["version", (block) => (block.header.version = 0x1_0000)],
      ["hashMerkleRoot", (block) => (block.header.hashMerkleRoot = "11")],
      ["acceptedIdMerkleRoot", (block) => (block.header.acceptedIdMerkleRoot = "Z".repeat(64))],
      ["utxoCommitment", (block) => (block.header.utxoCommitment = "")],
      ["timestamp", (block) => (block.header.timestamp = -1n)],
      ["blueWork", (block) => (block.header.blueWork = "f".repeat(49))],
      ["pruningPoint", (block) => (block.header.pruningPoint = "ab")],
      ["parentHashes", (block) => (block.header.parents = [{ parentHashes: ["0"] }])],
      ["auxPow", (block) => (block.header.auxPow = "0")],
      ["auxPow", (block) => (block.header.auxPow = "zz")],
      ["subnetworkId", (block) => block.transactions.forEach((tx) => (tx.subnetworkId = "00"))],
      ["payload", (block) => block.transactions.forEach((tx) => (tx.payload = "abc"))],
      [
        "previousOutpoint",
        (block) => block.transactions.forEach((tx) => (tx.inputs = [emptyInput])),
      ],
    ];
    for (const [field, change] of cases) expect(refusedField(change)).toBe(field);
  });

  it("read blue work with an odd number of digits", () => {
    const block = sample();
    block.header.blueWork = "17abf725e";
    expect(blockFromRpc(block).header.blueWork).toBe(0x17abf725en);
    block.header.blueWork = "";
    expect(blockFromRpc(block).header.blueWork).toBe(0n);
  });
});

const emptyInput = {
  previousOutpoint: undefined,
  signatureScript: "",
  sequence: 0n,
  verboseData: undefined,
  sigOpCount: 0,
  computeBudget: 0,
};
