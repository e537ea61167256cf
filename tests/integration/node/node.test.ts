/** A whole node: start, serve, mine, stop, start again. */
import { cpSync, existsSync, mkdirSync, readdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { ManualClock } from "@svc/node-server/platform/time/clock.ts";
import type { RunningNode } from "@svc/node-server/app/node/node.ts";
import { CONSENSUS_LAYOUT, consensusTable } from "@svc/node-server/storage/layout.ts";
import { openReadOnly } from "@svc/node-server/storage/openStore.ts";
import { decodeHex, encodeHex } from "@svc/shared/base/hex.ts";
import {
  temporaryFolder,
  type TemporaryFolder,
} from "@svc/node-server/platform/testkit/temporaryFolder.ts";
import { readPaymentFixture } from "../../fixtures/payments/paymentFixture.ts";
import { NOW_MS, recipient } from "../engine/engineFixture.ts";
import { fetchTip, mineOn, never, startTestNode } from "./nodeFixture.ts";

const fixture = readPaymentFixture();
let folder: TemporaryFolder;
let running: RunningNode[];

async function start(...args: Parameters<typeof startTestNode>): Promise<RunningNode> {
  const node = await startTestNode(...args);
  running.push(node);
  return node;
}

beforeEach(() => {
  folder = temporaryFolder();
  running = [];
});
afterEach(async () => {
  for (const node of running) await node.stop();
  folder.remove();
});

describe("a node", () => {
  test("keeps sink and waiting payments over a restart and leaves no lock", async () => {
    const first = await start(folder.path);
    for (const raw of fixture.trunk.slice(0, fixture.forkIndex))
      await first.api.submitBlock(raw, never);
    await first.api.submitTransaction(fixture.payment("waiting").raw, never);
    const before = await fetchTip(first);
    expect(before).toMatchObject({
      status: 200,
      network: "svc-simnet",
      chainIndex: String(fixture.forkIndex),
      mempoolSize: 1,
      isSynced: true,
    });
    await first.stop();
    await first.stop();
    expect(existsSync(join(folder.path, "svc-simnet", "lock"))).toBe(false);
    await expect(fetch(`${first.httpAddress}/v1/tip`)).rejects.toThrow("fetch failed");

    const second = await start(folder.path);
    // Its proof is judged again, which a start does not wait for.
    await second.poolRestored;
    expect(await fetchTip(second)).toMatchObject({ sink: before["sink"], mempoolSize: 1 });
    await mineOn(second, recipient(1));
    await mineOn(second, recipient(1));
    expect(await fetchTip(second)).toMatchObject({ mempoolSize: 0 });
    await second.stop();
  });

  test("its folder belongs to one process; a refused start leaves nothing running", async () => {
    const first = await start(folder.path);
    await expect(startTestNode(folder.path)).rejects.toThrow("node/already-running");
    expect((await fetchTip(first))["status"]).toBe(200);
    const port = Number(new URL(first.httpAddress ?? "").port);
    const other = temporaryFolder();
    await expect(startTestNode(other.path, { http: { port } })).rejects.toThrow("node/port-in-use");
    expect(existsSync(join(other.path, "svc-simnet", "lock"))).toBe(false);
    other.remove();
  });

  test("settles what a kill in the middle of an exchange of stores left", async () => {
    const first = await start(folder.path);
    const hash = await mineOn(first, recipient(1));
    await first.stop();
    const data = join(folder.path, "svc-simnet");
    renameSync(join(data, "consensus"), join(data, "consensus.old"));
    mkdirSync(join(data, "staging", "consensus"), { recursive: true });
    const second = await start(folder.path);
    expect((await fetchTip(second))["sink"]).toBe(hash);
    expect(readdirSync(data).filter((name) => /old|gone|staging/.test(name))).toEqual([]);
    await second.stop();
    // An old store never comes back from a reset.
    cpSync(join(data, "consensus"), join(data, "consensus.old"), { recursive: true });
    const third = await start(folder.path, { resetDb: true });
    expect((await fetchTip(third))["sink"]).not.toBe(hash);
    expect(existsSync(join(data, "consensus.old"))).toBe(false);
  });

  test("deletes its data when asked to, and only then", async () => {
    const first = await start(folder.path);
    const hash = await mineOn(first, recipient(1));
    await first.stop();
    const second = await start(folder.path);
    expect((await fetchTip(second))["sink"]).toBe(hash);
    await second.stop();
    const third = await start(folder.path, { resetDb: true });
    expect((await fetchTip(third))["chainIndex"]).toBe("0");
  });

  test("tells listeners of payments and of blocks in their order, of a block when it is on the disk", async () => {
    const node = await start(folder.path);
    const news: string[] = [];
    const disk = openReadOnly(join(folder.path, "svc-simnet"), CONSENSUS_LAYOUT);
    onTestFinished(() => disk.close());
    /** What is on the disk now: without a snapshot of its own, a reader sees one commit for as long as its thread is busy. */
    const onDisk = (table: number, key: Uint8Array): Uint8Array | undefined => {
      const now = disk.snapshot();
      try {
        return now.get(table, key);
      } finally {
        now.close();
      }
    };
    const isStored = (hash: string): boolean =>
      onDisk(consensusTable("bodies"), decodeHex(hash)) !== undefined;
    const storedSink = (): string => {
      const virtual = onDisk(consensusTable("meta"), new TextEncoder().encode("virtual"));
      return encodeHex((virtual ?? new Uint8Array()).subarray(0, 32));
    };
    /** Blocks that were told of, and whether each was on the disk then. */
    const told: string[] = [];
    const wereStored: boolean[] = [];
    /** Sinks that were told of, and which one was on the disk then. */
    const sinks: (readonly [told: string, stored: string])[] = [];
    node.api.onEvent((event) => {
      news.push(event.type);
      if (event.type === "blockAdded") {
        told.push(event.hash);
        wereStored.push(isStored(event.hash));
      }
      if (event.type === "virtualChanged") sinks.push([event.sink, storedSink()]);
    });
    for (const raw of fixture.trunk.slice(0, fixture.forkIndex))
      await node.api.submitBlock(raw, never);
    expect(news.length).toBe(2 * fixture.forkIndex);
    expect(told.length).toBe(fixture.forkIndex);
    expect(wereStored).toEqual(told.map(() => true));
    // News may be heard a block late: the disk is then ahead of them, but never behind.
    expect(sinks.map(([sink]) => sink)).toEqual(told);
    for (const [sink, stored] of sinks) {
      expect(told.indexOf(stored)).toBeGreaterThanOrEqual(told.indexOf(sink));
    }
    news.length = 0;
    const { raw, txid, nullifier } = fixture.payment("waiting");
    const frames: Uint8Array[] = [];
    node.api.onEvent((event) => {
      if (event.type === "poolAdded") frames.push(event.frame);
    });
    await node.api.submitTransaction(raw, never);
    const [frame = new Uint8Array()] = frames;
    expect(frame.subarray(0, 32)).toEqual(decodeHex(txid));
    expect(frame.length).toBe(34 + 2 * 788);
    const nullifiers = [34, 34 + 788].map((at) => frame.subarray(at, at + 32));
    expect(nullifiers).toContainEqual(decodeHex(nullifier));
    await mineOn(node, recipient(1));
    await mineOn(node, recipient(1));
    expect(news).toEqual([
      "poolAdded",
      ...["blockAdded", "virtualChanged", "blockAdded", "virtualChanged"],
      "poolRemoved",
    ]);
  });

  test("a profile with proof of work is not mined in process", async () => {
    const mining = { address: null, intervalMs: null };
    const options = { network: { name: "devnet" }, mining };
    await expect(startTestNode(null, options)).rejects.toThrow("node/bad-option");
  });
});

describe("an archival node", () => {
  test("says so, and its bodies are not given up without a word", async () => {
    const first = await start(folder.path, { archival: true });
    expect(await fetchTip(first)).toMatchObject({ isArchival: true, historyComplete: true });
    await first.stop();
    await expect(start(folder.path)).rejects.toThrow("node/was-archival");
    const second = await start(folder.path, { confirmed: true });
    expect(await fetchTip(second)).toMatchObject({ isArchival: false });
    await second.stop();
    // From now on it is an ordinary node.
    await (await start(folder.path)).stop();
  });
});

describe("the local miner", () => {
  test("makes a block per interval, pays whom it is told, remembers it", async () => {
    const clock = new ManualClock(NOW_MS);
    const mining = { address: fixture.owners.alice.address, intervalMs: 500 };
    const node = await start(folder.path, { clock, mining });
    const mined = (count: number) => untilMined(node, clock, count);
    await mined(3);
    expect(node.miner?.state()).toMatchObject({ minedBlocks: "3", blocksPerSecond: 2 });
    const { address } = fixture.owners.bob;
    const answer = await fetch(`${node.httpAddress}/local/mine`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ address }),
    });
    expect(await answer.json()).toMatchObject({ address });
    const refused = await fetch(`${node.httpAddress}/local/mine`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ address: "nonsense" }),
    });
    expect([refused.status, (await refused.json()).code]).toEqual([400, "address/missing-prefix"]);
    await mined(5);
    await node.stop();
    const again = await start(folder.path, { mining: { address: null, intervalMs: null } });
    expect(again.miner?.state().address).toBe(address);
    expect((await fetchTip(again))["chainIndex"]).toBe("5");
  });
});

/** Moves the clock by one interval whenever the miner sleeps, until it has made so many blocks. */
async function untilMined(node: RunningNode, clock: ManualClock, count: number): Promise<void> {
  while (node.miner?.state().minedBlocks !== String(count)) {
    clock.advance(500);
    await new Promise((resolve) => setImmediate(resolve));
  }
}
