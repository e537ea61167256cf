/** Nodes that lie in compact records, flood and break off: what the port to a node of the parent network does with them. */
import { afterEach, describe, expect, it } from "vitest";
import { RpcNode } from "@svc/node-server/client/rpcNode.ts";
import { CLIENT_LIMITS } from "@svc/node-server/client/clientLimits.ts";
import { asBlockHash, asChainIndex, asLeafPosition } from "@svc/shared/base/brand.ts";
import { rejectionCode } from "@svc/shared/base/testkit/rejectionCode.ts";
import { readProfile } from "@svc/shared/chain/profile.ts";
import { readRecords } from "@svc/shared/protocol/http/recordContainer.ts";
import type {
  RpcMempoolEntry,
  RpcShieldedChainBlock,
} from "@svc/shared/protocol/rpc/generated/rpcValues.ts";
import {
  encodeErrorResponse,
  encodeResponse,
  readRequest,
  type RequestEnvelope,
  type ResponsePayload,
} from "@svc/shared/protocol/rpc/rpcEnvelope.ts";
import { core, simnet } from "../engine/engineFixture.ts";
import { serveGrpc } from "./lyingNodes.ts";
import { never } from "../node/nodeFixture.ts";
import { STEP_HANG_MS } from "../../testkit/hangMs.ts";

const HASH = asBlockHash("ab".repeat(32));
const OTHER = "cd".repeat(32);
const PLACE = { chainIndex: asChainIndex(9n), leafEnd: asLeafPosition(5n) };
const { networkName, genesis } = readProfile(simnet);
const BLOCKS = 1_122;
/** Hexadecimal digits of one compact action. */
const ACTION = "00".repeat(148);

const closers: (() => unknown)[] = [];
/** The streams that the nodes of a test were opened. */
const streams = new Set<unknown>();
afterEach(() => {
  streams.clear();
  for (const close of closers.splice(0).toReversed()) close();
});

/** An answer, null for none, or a refusal in words. */
type Answer = ResponsePayload | "refused" | null;
type Script = { readonly [Q in "info" | "tree" | "supply" | "blocks" | "pool"]: Answer };

const INFO = {
  ...{ networkName, blockCount: 0n, headerCount: 0n, tipHashes: [], difficulty: 0 },
  ...{ pastMedianTime: 0n, virtualParentHashes: [], pruningPointHash: HASH },
  ...{ virtualDaaScore: 20n, sink: HASH, shieldedTip: undefined, error: undefined },
};
const TREE = {
  ...{ blockHash: HASH, daaScore: 19n, size: 0n, leaf: "00".repeat(32), ommers: [] },
  ...{ historyFromDaaScore: 0n, historyComplete: true, error: undefined },
};
const SUPPLY = {
  ...{ blockHash: HASH, daaScore: 19n, blueScore: 15n, cumulativeCoinbase: 0n, cumulativeFees: 0n },
  ...{ cumulativeBurns: 0n, poolValue: 0n, noteCount: 0n, error: undefined },
};
const BLOCK: RpcShieldedChainBlock = {
  ...{ hash: OTHER, blueScore: 10n, daaScore: 11n, timestamp: 12n, coinbaseTxid: OTHER },
  ...{ coinbaseOutputs: [], acceptedActions: [], acceptedTxids: [] },
};

const treeOf = (over: object = {}): Answer => ({
  $case: "getShieldedTreeState",
  value: { ...TREE, ...over },
});
const supplyOf = (over: object = {}): Answer => ({
  $case: "getShieldedSupply",
  value: { ...SUPPLY, ...over },
});
const infoOf = (over: object = {}): Answer => ({
  $case: "getBlockDagInfo",
  value: { ...INFO, ...over },
});
const pageOf = (blocks: readonly RpcShieldedChainBlock[], reorged = false): Answer => ({
  $case: "getShieldedBlocks",
  value: { blocks: [...blocks], reorged, sinkBlueScore: 15n, error: undefined },
});
const blockWith = (over: Partial<RpcShieldedChainBlock>): Answer => pageOf([{ ...BLOCK, ...over }]);

const HONEST: Script = {
  info: infoOf(),
  tree: treeOf(),
  supply: supplyOf(),
  blocks: pageOf([]),
  pool: null,
};
const QUESTIONS: ReadonlyMap<number, keyof Script> = new Map([
  [1_035, "info"],
  [1_120, "tree"],
  [1_124, "supply"],
  [BLOCKS, "blocks"],
  [1_043, "pool"],
]);

/** A port to a node that follows the script; `blocks` decides by the request where it is given. */
async function scripted(
  script: Partial<Script>,
  blocks?: (request: RequestEnvelope) => Answer,
): Promise<RpcNode> {
  const answers = { ...HONEST, ...script };
  const server = await serveGrpc((bytes, call) => {
    streams.add(call);
    const request = readRequest(bytes);
    const method = request.method ?? 0;
    const question = QUESTIONS.get(method);
    if (question === undefined) return null;
    const isAsked = question === "blocks" && blocks !== undefined;
    const answer = isAsked ? blocks(request) : answers[question];
    if (answer === null) return null;
    if (answer !== "refused") return encodeResponse(request.id, answer);
    return encodeErrorResponse(request.id, method, { message: "no", json: undefined });
  });
  const port = new RpcNode(server.address, { core, profileJson: simnet, callMs: STEP_HANG_MS });
  closers.push(
    () => server.close(),
    () => port.close(),
  );
  return port;
}

function startHashOf({ payload }: RequestEnvelope): string {
  return payload?.$case === "getShieldedBlocks" ? payload.value.startHash : "";
}
function limitOf({ payload }: RequestEnvelope): number {
  return payload?.$case === "getShieldedBlocks" ? Number(payload.value.limit) : 0;
}

describe("the tip of a node that serves compact records", () => {
  it.each([
    ["a tree of another block", { tree: treeOf({ blockHash: OTHER }) }, /^http\/unavailable$/],
    ["a supply of another block", { supply: supplyOf({ blockHash: OTHER }) }, /^http\/unavail/],
    ["a leaf of another form", { tree: treeOf({ size: 1n, leaf: "zz" }) }, /^codec\//],
    ["ommers that no tree has", { tree: treeOf({ ommers: [OTHER] }) }, /^(codec|shielded)\//],
    ["very many ommers", { tree: treeOf({ ommers: Array(300).fill(OTHER) }) }, /^codec\//],
    ["the answer of another call", { supply: infoOf() }, /^http\/unavailable$/],
    ["another network", { info: infoOf({ networkName: "x-mainnet" }) }, /node-wrong-network$/],
    ["another genesis", { blocks: pageOf([], true) }, /^wallet\/node-wrong-network$/],
    ["no such genesis", { blocks: "refused" }, /^wallet\/node-wrong-network$/],
    ["a refusal", { supply: "refused" }, /^http\/unavailable$/],
  ] as const)("is not taken with %s", async (_, script, code) => {
    const port = await scripted(script);
    expect(await rejectionCode(port.tip(never))).toMatch(code);
  });

  it("asks once for what follows genesis", async () => {
    const asked: string[] = [];
    const port = await scripted({}, (request) => {
      asked.push(startHashOf(request));
      return pageOf([]);
    });
    for (let count = 0; count < 3; count += 1) await port.tip(never);
    expect(asked).toEqual([genesis.hash]);
  });
});

describe("a node whose history does not reach down to genesis", () => {
  it("serves wallets that have a place, and none that needs a beginning", async () => {
    const history = { historyComplete: false, historyFromDaaScore: 7n };
    const port = await scripted({ tree: treeOf(history), blocks: blockWith({}) });
    expect(await port.tip(never)).toMatchObject({ ...history, genesis: genesis.hash });
    const page = await port.blocks(HASH, 3, never, PLACE);
    expect(page).toMatchObject({ firstIndex: 10n, count: 1 });
    expect(await rejectionCode(port.start(asChainIndex(0n), never))).toBe(
      "wallet/node-compact-only",
    );
  });
});

describe("a page of compact records", () => {
  it.each([
    ["a hash of another form", { hash: "AB".repeat(32) }],
    ["a short hash", { hash: "ab" }],
    ["part of an action", { acceptedTxids: [OTHER], acceptedActions: [ACTION.slice(2)] }],
    ["actions that are no bytes", { acceptedTxids: [OTHER], acceptedActions: ["x".repeat(296)] }],
    ["actions of no transaction", { acceptedActions: [ACTION] }],
    ["a transaction without actions", { acceptedTxids: [OTHER] }],
    [
      "an output without its commitment",
      {
        coinbaseOutputs: [
          { scriptPublicKey: "00".repeat(43), value: 1n, commitment: new Uint8Array() },
        ],
      },
    ],
  ])("is not taken with %s", async (_, over) => {
    const port = await scripted({ blocks: blockWith(over) });
    expect(await rejectionCode(port.blocks(HASH, 3, never, PLACE))).toMatch(/^codec\//);
  });

  it("is not taken when it is longer than was asked for", async () => {
    const port = await scripted({ blocks: pageOf([BLOCK, BLOCK]) });
    expect(await port.blocks(HASH, 2, never, PLACE)).toMatchObject({ count: 2 });
    expect(await rejectionCode(port.blocks(HASH, 1, never, PLACE))).toBe("codec/count-too-large");
  });

  it("counts leaves and indices from the place that was given", async () => {
    const output = { scriptPublicKey: "00".repeat(43), value: 1n, commitment: new Uint8Array(32) };
    const block = {
      ...BLOCK,
      coinbaseOutputs: [output, output],
      acceptedTxids: [OTHER],
      acceptedActions: [ACTION + ACTION],
    };
    const port = await scripted({ blocks: pageOf([block, { ...block, blueScore: 11n }]) });
    const page = await port.blocks(HASH, 3, never, PLACE);
    expect(page).toMatchObject({ firstIndex: 10n, count: 2 });
    expect(readRecords(page).map(({ firstLeaf }) => firstLeaf)).toEqual([5n, 9n]);
  });

  it("is asked for by half after one that was too large, and by more again", async () => {
    const limits: number[] = [];
    const fits = 100;
    // An action takes five times its length, so this page would take more than a whole one may.
    const long = { ...BLOCK, acceptedTxids: [OTHER], acceptedActions: [ACTION.repeat(43_000)] };
    const port = await scripted({}, (request) => {
      limits.push(limitOf(request));
      return limitOf(request) > fits ? pageOf([long]) : pageOf([BLOCK]);
    });
    const ask = () => rejectionCode(port.blocks(HASH, 2_000, never, PLACE));
    const most = CLIENT_LIMITS.compactPageBlocks;
    expect([await ask(), await ask(), await ask(), await ask()]).toEqual([
      ...["codec/count-too-large", "codec/count-too-large"],
      ...["none", "codec/count-too-large"],
    ]);
    expect(limits).toEqual([most, most / 2, most / 4, most / 2]);
  });

  it("ends the stream when it has more parts than may be read", async () => {
    const outputs = Array.from({ length: 70_000 }, () => ({
      ...{ scriptPublicKey: "", value: 0n, commitment: new Uint8Array() },
    }));
    const port = await scripted({ blocks: blockWith({ coinbaseOutputs: outputs }) });
    expect(await rejectionCode(port.blocks(HASH, 3, never, PLACE))).toBe("wallet/node-unreachable");
  });
});

describe("a refusal without a code", () => {
  it("is about the block where the node answers the same question about its sink", async () => {
    const port = await scripted({}, (request) =>
      startHashOf(request) === HASH ? pageOf([]) : "refused",
    );
    const call = port.blocks(asBlockHash(OTHER), 3, never, PLACE);
    expect(await rejectionCode(call)).toBe("chain/unknown-block");
  });

  it("is about the node where it refuses that, too", async () => {
    const port = await scripted({ blocks: "refused" });
    const call = port.blocks(asBlockHash(OTHER), 3, never, PLACE);
    expect(await rejectionCode(call)).toBe("http/unavailable");
  });

  it("of a block that was never served is of one that is unknown, also when the chain changed", async () => {
    const port = await scripted({ blocks: pageOf([], true) });
    const call = port.blocks(asBlockHash(OTHER), 3, never, PLACE);
    expect(await rejectionCode(call)).toBe("chain/unknown-block");
  });
});

describe("what waits at a node of the parent network", () => {
  const entry: RpcMempoolEntry = { fee: 1n, transaction: undefined, isOrphan: false };

  it("is passed over where it is no payment", async () => {
    const value = { entries: [entry, { ...entry, isOrphan: true }], payments: [] };
    const pool: Answer = { $case: "getMempoolEntries", value: { ...value, error: undefined } };
    expect(await (await scripted({ pool })).pool(never)).toEqual([]);
  });

  it("is asked for on a stream of its own, which too much of it ends", async () => {
    const entries = Array.from({ length: 70_000 }, () => entry);
    const value = { entries, payments: [], error: undefined };
    const port = await scripted({ pool: { $case: "getMempoolEntries", value } });
    await port.tip(never);
    expect(await rejectionCode(port.pool(never))).toBe("wallet/node-unreachable");
    expect(streams.size).toBe(2);
    expect(await port.tip(never)).toMatchObject({ sink: HASH });
    expect(streams.size).toBe(2);
  });
});
