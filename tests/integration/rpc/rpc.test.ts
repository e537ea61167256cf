/**
 * A whole node in memory, asked over gRPC and the browser protocol at once: a recorded chain is submitted
 * block by block, a real payment is proved valid, mined and taken back by a reorganisation.
 */
import { OWN_PAGES } from "@svc/node-server/platform/http/accessCheck.ts";
import { startNode, type RunningNode } from "@svc/node-server/app/node/node.ts";
import { ManualClock } from "@svc/node-server/platform/time/clock.ts";
import { createLog } from "@svc/node-server/platform/log/log.ts";
import { GrpcClient } from "@svc/node-server/client/grpcClient.ts";
import { asBlockHash, type BlockHash } from "@svc/shared/base/brand.ts";
import { concatBytes } from "@svc/shared/base/bytes.ts";
import { encodeHex } from "@svc/shared/base/hex.ts";
import { readChainRows } from "@svc/shared/protocol/facts/chainFacts.ts";
import { readPoolRows } from "@svc/shared/protocol/facts/poolFacts.ts";
import { readTipAnswer } from "@svc/shared/protocol/facts/tipFacts.ts";
import {
  decodeServerFrame,
  encodeClientFrame,
  type ServerFrame,
} from "@svc/shared/protocol/http/liveFrames.ts";
import { readStart } from "@svc/shared/wallet/node/nodeAnswers.ts";
import { readContainer, readRecords } from "@svc/shared/protocol/http/recordContainer.ts";
import { decodeRawBlock, encodeRawBlock } from "@svc/shared/protocol/raw/rawBlock.ts";
import { decodeRawTransaction } from "@svc/shared/protocol/raw/rawTransaction.ts";
import type { RpcBlock } from "@svc/shared/protocol/rpc/generated/rpcValues.ts";
import { blockFromRpc, blockToRpc } from "@svc/shared/protocol/rpc/rpcBlock.ts";
import { errorOf, type ResponsePayload } from "@svc/shared/protocol/rpc/rpcEnvelope.ts";
import { transactionToRpc } from "@svc/shared/protocol/rpc/rpcTransaction.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { readPaymentFixture } from "../../fixtures/payments/paymentFixture.ts";

const fixture = readPaymentFixture();
const plain = fixture.payment("plain");
const common = fixture.trunk.slice(0, fixture.forkIndex);

let node: RunningNode;
let client: GrpcClient;
let hashes: BlockHash[];

beforeAll(async () => {
  node = await startNode({
    network: { name: fixture.profile },
    appdir: null,
    resetDb: false,
    archival: false,
    shieldedHistory: false,
    confirmed: false,
    index: "off",
    indexDays: null,
    grpc: { port: 0 },
    http: { port: 0 },
    httpRules: OWN_PAGES,
    peers: null,
    unsafeRpc: false,
    pages: null,
    mining: null,
    allowUnsyncedMining: true,
    proofs: { prover: "own", threads: null },
    clock: new ManualClock(fixture.firstBlockMs + 1_000_000n),
    log: createLog("silent"),
  });
  client = new GrpcClient(node.grpcAddress ?? "");
  for (const raw of common) await submit(raw);
  const page = await client.call({
    $case: "getShieldedBlocks",
    value: { startHash: fixture.genesis, limit: 0n, metadataOnly: true },
  });
  hashes = page.blocks.map(({ hash }) => asBlockHash(hash));
});

afterAll(async () => {
  client?.close();
  await node?.stop();
});

async function submit(raw: Uint8Array): Promise<string | undefined> {
  return submitRpc(blockToRpc(decodeRawBlock(raw)));
}

/** Submits a block; the detail of the refusal, or nothing. */
async function submitRpc(block: RpcBlock): Promise<string | undefined> {
  const value = { block, allowNonDaaBlocks: undefined };
  const answer = await client.exchange({ $case: "submitBlock", value });
  if (errorOf(answer) === undefined) return undefined;
  return answer.$case === "submitBlock" ? answer.value.rejectDetail : "another answer";
}

async function mine(payAddress: string): Promise<RpcBlock> {
  const value = { payAddress, extraData: "test" };
  const { block, isSynced } = await client.call({ $case: "getBlockTemplate", value });
  expect(isSynced).toBe(true);
  if (block === undefined) throw new Error("no template");
  expect(await submitRpc(block)).toBeUndefined();
  return block;
}

const sinkOf = async () => asBlockHash((await client.call({ $case: "getSink", value: {} })).sink);
const get = (path: string) => fetch(`${node.httpAddress}${path}`);
const bytesAt = async (path: string) => new Uint8Array(await (await get(path)).arrayBuffer());

describe("a node over gRPC", () => {
  it("says where it stands", async () => {
    const dag = await client.call({ $case: "getBlockDagInfo", value: {} });
    expect(dag).toMatchObject({
      networkName: node.api.profile.networkName,
      blockCount: BigInt(common.length + 1),
      pruningPointHash: fixture.genesis,
      sink: hashes.at(-1),
      tipHashes: [hashes.at(-1)],
    });
    const counts = await client.call({ $case: "getBlockCount", value: {} });
    expect(counts.blockCount).toBe(dag.blockCount);
    const { blueScore } = await client.call({ $case: "getSinkBlueScore", value: {} });
    expect(blueScore).toBe(BigInt(common.length));
    const server = await client.call({ $case: "getServerInfo", value: {} });
    expect(server).toMatchObject({ networkId: fixture.profile, rpcApiVersion: 1 });
    const { currentNetwork } = await client.call({ $case: "getCurrentNetwork", value: {} });
    expect(currentNetwork).toBe(fixture.profile);
  });

  it("gives back the blocks it took, with what it knows of them", async () => {
    const hash = hashes[9] ?? "";
    const { block } = await client.call({
      $case: "getBlock",
      value: { hash, includeTransactions: true },
    });
    if (block === undefined) throw new Error("no block");
    expect(encodeHex(encodeRawBlock(blockFromRpc(block)))).toBe(
      encodeHex(common[9] ?? new Uint8Array()),
    );
    expect(block.header?.hash).toBe(hash);
    expect(block.verboseData).toMatchObject({
      hash,
      isChainBlock: true,
      isHeaderOnly: false,
      selectedParentHash: hashes[8],
      childrenHashes: [hashes[10]],
      transactionIds: block.transactions.map(({ verboseData }) => verboseData?.transactionId),
    });
    const { blockHashes, blocks } = await client.call({
      $case: "getBlocks",
      value: { lowHash: "", includeBlocks: true, includeTransactions: undefined },
    });
    expect(blockHashes).toEqual([fixture.genesis, ...hashes]);
    expect(blocks.map(({ verboseData }) => verboseData?.hash)).toEqual(blockHashes);
  });

  it("follows the selected chain, without what is not settled", async () => {
    const ask = (minConfirmationCount: bigint | undefined) =>
      client.call({
        $case: "getVirtualChainFromBlock",
        value: {
          startHash: fixture.genesis,
          includeAcceptedTransactionIds: true,
          minConfirmationCount,
        },
      });
    const all = await ask(undefined);
    expect(all.addedChainBlockHashes).toEqual(hashes);
    expect(all.acceptedTransactionIds).toHaveLength(hashes.length);
    expect((await ask(10n)).addedChainBlockHashes).toEqual(hashes.slice(0, -11));
    expect((await ask(1_000n)).addedChainBlockHashes).toEqual([]);
  });

  it("refuses in the words that clients know", async () => {
    const [first] = common;
    expect(await submit(first ?? new Uint8Array())).toBe("duplicate");
    const orphan = decodeRawBlock(fixture.trunk.at(-1) ?? new Uint8Array());
    const lost = { ...orphan.header, parentsByLevel: [[asBlockHash("ab".repeat(32))]] };
    expect(await submitRpc(blockToRpc({ ...orphan, header: lost }))).toMatch(/unknown/);
    const next = decodeRawBlock(fixture.trunk[fixture.forkIndex] ?? new Uint8Array());
    const easy = { ...next.header, bits: next.header.bits - 1 };
    expect(await submitRpc(blockToRpc({ ...next, header: easy }))).toMatch("header/wrong-bits: ");
    const value = { payAddress: "other:qqqq", extraData: "" };
    await expect(client.call({ $case: "getBlockTemplate", value })).rejects.toThrow(/^address\//);
    await expect(
      client.call({
        $case: "getBlock",
        value: { hash: "ab".repeat(32), includeTransactions: false },
      }),
    ).rejects.toThrow("chain/unknown-block");
    await expect(
      client.call({
        $case: "getBlocks",
        value: { lowHash: "", includeBlocks: false, includeTransactions: true },
      }),
    ).rejects.toThrow("includeTransactions");
    await expect(
      client.call({
        $case: "getMempoolEntry",
        value: {
          txId: plain.txid,
          includeOrphanPool: undefined,
          filterTransactionPool: undefined,
          check: undefined,
        },
      }),
    ).rejects.toThrow(`Transaction ${plain.txid} not found`);
  });

  it("answers the questions of shielded wallets", async () => {
    const supply = await client.call({
      $case: "getShieldedSupply",
      value: { blockHash: undefined },
    });
    expect(supply.blockHash).toBe(hashes.at(-1));
    expect(supply.poolValue).toBe(supply.cumulativeCoinbase - supply.cumulativeFees);
    const state = await client.call({
      $case: "getShieldedTreeState",
      value: { blockHash: hashes.at(-1) },
    });
    expect(state.size).toBe(supply.noteCount);
    expect(state.historyComplete).toBe(true);
    const unasked = await client.call({
      $case: "getShieldedTreeState",
      value: { blockHash: undefined },
    });
    expect(unasked.blockHash).toBe(fixture.genesis);
    const { recipient } = fixture.owners.alice;
    const rewards = await client.call({
      $case: "getShieldedCoinbaseRewards",
      value: { recipients: [recipient], startHash: fixture.genesis, limit: 20n },
    });
    expect(rewards).toMatchObject({ scannedBlocks: 20n, nextCursor: hashes[19], reorged: false });
    const page = await client.call({
      $case: "getShieldedBlocks",
      value: { startHash: fixture.genesis, limit: 20n, metadataOnly: false },
    });
    const paid = page.blocks.flatMap(({ coinbaseOutputs }) => coinbaseOutputs);
    expect(rewards.rewards.map(({ value }) => value)).toEqual(
      paid.filter((output) => output.scriptPublicKey === recipient).map(({ value }) => value),
    );
    await expect(
      client.call({
        $case: "getShieldedCoinbaseRewards",
        value: { recipients: ["00"], startHash: fixture.genesis, limit: undefined },
      }),
    ).rejects.toThrow("43 bytes");
  });
});

/** A live connection that keeps what it heard. */
class LiveClient {
  readonly frames: ServerFrame[] = [];
  readonly #socket: WebSocket;
  #onFrame: () => void = () => {};

  constructor(after: string) {
    this.#socket = new WebSocket(`${node.httpAddress?.replace("http", "ws")}/v1/live`);
    this.#socket.on("open", () => {
      const subscribe = { type: "subscribe", after: asBlockHash(after), pool: true } as const;
      this.#socket.send(encodeClientFrame(subscribe));
    });
    this.#socket.on("message", (data: Buffer) => {
      this.frames.push(decodeServerFrame(new Uint8Array(data)));
      this.#onFrame();
    });
  }

  /** Waits until a frame fits, counted from the first. */
  async find(fits: (frame: ServerFrame) => boolean): Promise<ServerFrame> {
    for (;;) {
      const found = this.frames.find(fits);
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => (this.#onFrame = resolve));
    }
  }

  close(): void {
    this.#socket.close();
  }
}

const holds = (hash: string) => (frame: ServerFrame) =>
  frame.type === "block" &&
  encodeHex(readContainer(frame.container, 1).body.subarray(0, 32)) === hash;

describe("a payment", () => {
  it("is admitted, seen by those who watch, mined, and undone by a reorganisation", async () => {
    const heard: ResponsePayload[] = [];
    client.onNotification((notification) => heard.push(notification));
    await client.call({ $case: "notifyBlockAdded", value: { command: undefined } });
    await client.call({
      $case: "notifyVirtualChainChanged",
      value: { includeAcceptedTransactionIds: true, command: undefined },
    });
    const live = new LiveClient(hashes.at(-1) ?? "");
    await live.find(({ type }) => type === "tip");

    const transaction = transactionToRpc(decodeRawTransaction(plain.raw));
    const pay = {
      $case: "submitTransaction",
      value: { transaction, allowOrphan: undefined },
    } as const;
    expect(await client.call(pay)).toMatchObject({ transactionId: plain.txid });
    await expect(client.call(pay)).rejects.toThrow(
      `Rejected transaction ${plain.txid}: mempool/duplicate`,
    );
    const added = await live.find(({ type }) => type === "poolAdd");
    expect(added.type === "poolAdd" && encodeHex(added.payment.subarray(0, 32))).toBe(plain.txid);
    const { entries } = await client.call({
      $case: "getMempoolEntries",
      value: { includeOrphanPool: undefined, filterTransactionPool: undefined },
    });
    expect(entries).toMatchObject([
      {
        fee: plain.fee,
        isOrphan: false,
        transaction: { verboseData: { transactionId: plain.txid } },
      },
    ]);
    expect(readPoolRows(await (await get("/v1/mempool")).text()).entries).toMatchObject([
      { txid: plain.txid, fee: plain.fee },
    ]);

    const carrier = await mine(fixture.owners.bob.address);
    expect(carrier.transactions).toHaveLength(2);
    const carrierHash = await sinkOf();
    await mine(fixture.owners.bob.address);
    const merging = await sinkOf();
    await live.find(holds(merging));
    await live.find((frame) => frame.type === "poolDelete" && frame.txid === plain.txid);
    const page = await client.call({
      $case: "getShieldedBlocks",
      value: { startHash: carrierHash, limit: 1n, metadataOnly: false },
    });
    expect(page.blocks).toMatchObject([{ hash: merging, acceptedTxids: [plain.txid] }]);
    expect(page.blocks[0]?.acceptedActions[0]).toMatch(/^([0-9a-f]{296})+$/);
    const [record] = readRecords(
      readContainer(await bytesAt(`/v1/blocks?after=${carrierHash}`), 10),
    );
    expect(record?.transactions.map(({ txid }) => txid)).toEqual([plain.txid]);
    expect(page.wholeActions).toBeUndefined();
    const whole = await client.call({
      $case: "getShieldedBlocks",
      value: { startHash: carrierHash, limit: 1n, metadataOnly: false, wholeActions: true },
    });
    const actions = record?.transactions.map(({ actions }) => actions.map(({ bytes }) => bytes));
    expect(whole.wholeActions).toBe(true);
    expect(whole.blocks.map(({ acceptedActions }) => acceptedActions)).toEqual([
      actions?.map((bytes) => encodeHex(concatBytes(...bytes))),
    ]);
    // A wallet begins at an index; its block and tree are those that a hash gives.
    const index = readTipAnswer(await (await get("/v1/tip")).text()).chainIndex;
    const start = readStart(await bytesAt(`/v1/start?index=${index}`));
    expect(start).toMatchObject({ hash: merging, chainIndex: index, blueScore: record?.blueScore });
    expect(start.tree).toEqual(await bytesAt(`/v1/tree/state?at=${merging}`));
    const { rows } = readChainRows(await (await get("/v1/chain?limit=1")).text());
    expect(rows).toMatchObject([
      { hash: merging, applied: [{ txid: plain.txid, block: carrierHash }] },
    ]);

    for (const raw of fixture.branch) expect(await submit(raw)).toBeUndefined();
    const back = await live.find(({ type }) => type === "reorg");
    expect(back).toMatchObject({
      commonHash: hashes.at(-1),
      chainIndex: BigInt(fixture.forkIndex),
    });
    const tip = readTipAnswer(await (await get("/v1/tip")).text());
    expect(tip.chainIndex).toBe(BigInt(fixture.forkIndex + fixture.branchBlocks));
    const lost = await client.call({
      $case: "getShieldedBlocks",
      value: { startHash: merging, limit: undefined, metadataOnly: undefined },
    });
    expect(lost).toMatchObject({ reorged: true, blocks: [] });
    expect((await get(`/v1/blocks?after=${merging}`)).status).toBe(409);

    // Notifications travel beside the answers: what they must hold is waited for, not timed.
    const blocksHeard = () =>
      heard.flatMap((each) => (each.$case === "blockAdded" ? [each.value.block] : []));
    const changes = () =>
      heard.flatMap((each) => (each.$case === "virtualChainChanged" ? [each.value] : []));
    await expect
      .poll(() => changes().some((change) => change.removedChainBlockHashes.includes(merging)))
      .toBe(true);
    await expect
      .poll(() => blocksHeard().map((block) => block?.verboseData?.hash))
      .toEqual(expect.arrayContaining([carrierHash, merging]));
    const moves = changes();
    const accepted = moves.flatMap(({ acceptedTransactionIds }) => acceptedTransactionIds);
    expect(
      accepted.find(({ acceptingBlockHash }) => acceptingBlockHash === merging)
        ?.acceptedTransactionIds,
    ).toContain(plain.txid);
    live.close();
  });
});
