/**
 * The step "on the chain" of the explorer's checks against whole nodes of networks that ask for work: deep and young blocks, blocks beside
 * the chain, payments, a network before its log, and servers that lie or are silent.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { RunningNode } from "@svc/node-server/app/node/node.ts";
import { askFacts } from "@svc/node-server/engine/calls/askFacts.ts";
import { systemClock } from "@svc/node-server/platform/time/clock.ts";
import { temporaryFolder } from "@svc/node-server/platform/testkit/temporaryFolder.ts";
import { asChainIndex } from "@svc/shared/base/brand.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { checkBlock } from "@svc/web/explorer/check/checkBlock.ts";
import { orNone } from "@svc/web/explorer/check/checkContext.ts";
import type { CheckReport } from "@svc/web/explorer/check/checkReport.ts";
import { restSource, type CheckSource } from "@svc/web/explorer/check/checkSource.ts";
import { checkTransaction } from "@svc/web/explorer/check/checkTransaction.ts";
import { core } from "../engine/engineFixture.ts";
import { contextOf, differing, lyingSource, type Lie } from "./lyingSource.ts";
import { never, startTestNode } from "../node/nodeFixture.ts";
import { submitMined, templateFor } from "../node/workedMiner.ts";
import { STEP_HANG_MS } from "../../testkit/hangMs.ts";

const WORKED = new URL("../../profiles/worked.json", import.meta.url);
const PAYEE = core.addressAt(core.fullViewingKey(new Uint8Array(32).fill(7)), 0);
const folder = temporaryFolder();
const nodes: RunningNode[] = [];
let node: RunningNode;
let honest: CheckSource;
/** Chain blocks from the tip down. */
let hashes: readonly string[];
/** A block beside the chain that was merged. */
let side = "";

async function start(file: string): Promise<RunningNode> {
  const started = await startTestNode(null, {
    network: { file },
    index: "on",
    allowUnsyncedMining: true,
    clock: systemClock,
  });
  nodes.push(started);
  return started;
}

async function mine({ api }: RunningNode, count: number): Promise<void> {
  for (let mined = 0; mined < count; mined += 1) {
    await submitMined(api, await templateFor(api, PAYEE));
  }
}

/** Two blocks on the same parents: one of them stands beside the chain. */
async function mineTwins({ api }: RunningNode): Promise<void> {
  const twins = [await templateFor(api, PAYEE), await templateFor(api, PAYEE, 1)];
  for (const twin of twins) await submitMined(api, twin);
}

/** The chain blocks, from the tip down to genesis. */
async function chainOf({ api }: RunningNode): Promise<readonly string[]> {
  const { chainIndex } = await askFacts(api, "tip", [], never);
  const found: string[] = [];
  for (let index: bigint = chainIndex; index >= 0n; index -= 1n) {
    found.push((await api.ask("chainHashAt", [asChainIndex(index)])) ?? "");
  }
  return found;
}

/** The id of the coinbase of the block so far below the tip. */
async function coinbaseAt(depth: number): Promise<string> {
  const block: unknown = await honest.json(`/blocks/${hashes[depth]}`);
  const [txid = ""] = Object(block).verboseData.transactionIds;
  return txid;
}

beforeAll(async () => {
  node = await start(WORKED.pathname);
  await mine(node, 60);
  await mineTwins(node);
  await mine(node, 150);
  hashes = await chainOf(node);
  honest = restSource(`${node.httpAddress}/api`);
  const told = v.parse(
    v.array(v.object({ block_hash: v.string(), isChainBlock: v.boolean() })),
    await honest.json("/blocks/recent?limit=200"),
  );
  side = told.find(({ isChainBlock }) => !isChainBlock)?.block_hash ?? "";
  // The index follows the chain at its own pace.
  const status = async () => {
    const told = await orNone(honest.json(`/transactions/${await coinbaseAt(30)}`));
    return Object(told)["status"];
  };
  await vi.waitUntil(async () => (await status()) === "applied", { timeout: STEP_HANG_MS });
});
afterAll(async () => {
  for (const one of nodes) await one.stop();
  folder.remove();
});

const onChain = ({ steps }: CheckReport) => steps.find(({ step }) => step === "onChain");
const blockFrom = async (source: CheckSource, hash: string) =>
  onChain(await checkBlock(await contextOf(source), hash));
const lied = (lie: Lie, hash: string) => blockFrom(lyingSource(honest, lie), hash);

describe("an honest node", () => {
  it("shows each block of its chain, from the second newest down, with its number and the work above it", async () => {
    const context = await contextOf(honest);
    const last = hashes.length - 1;
    for (const at of [1, 2, 9, 10, 11, 40, 60, 149, 150, 151, 200, last - 1]) {
      const report = await checkBlock(context, hashes[at] ?? "");
      expect([at, differing(report)]).toEqual([at, []]);
      const step = onChain(report);
      expect([at, step]).toMatchObject([at, { subject: "block", outcome: "ok", reason: "inLog" }]);
      expect([at, step?.place?.number]).toEqual([at, String(last - at)]);
      expect([at, step?.place?.above]).toEqual([at, String(at)]);
      expect(step?.place?.isSinceFork).toBe(false);
    }
  });

  it("shows its newest block to nobody: nothing stands on it", async () => {
    expect(await blockFrom(honest, hashes[0] ?? "")).toMatchObject({ reason: "youngBlock" });
    const genesis = hashes.at(-1) ?? "";
    expect(await blockFrom(honest, genesis)).toMatchObject({ reason: "firstBlock" });
  });

  it("shows the chain block that merged a block beside the chain, and that it did", async () => {
    expect(side).toMatch(/^[0-9a-f]{64}$/);
    const report = await checkBlock(await contextOf(honest), side);
    expect(differing(report)).toEqual([]);
    expect(report.steps).toContainEqual(
      expect.objectContaining({ subject: "block", step: "merged", outcome: "ok" }),
    );
    expect(onChain(report)).toMatchObject({ subject: "merging", outcome: "ok" });
  });

  it("shows the chain block that accepted a transaction", async () => {
    const report = await checkTransaction(await contextOf(honest), await coinbaseAt(30));
    expect(differing(report)).toEqual([]);
    expect(onChain(report)).toMatchObject({ subject: "accepting", outcome: "ok" });
  });

  it("sends at most 150 kB for a block under the first tip", async () => {
    let sent = 0;
    const counted: Lie = {
      evidence: (_, bytes) => {
        sent += bytes.length;
        return bytes;
      },
    };
    await lied(counted, hashes[180] ?? "");
    expect(sent).toBeGreaterThan(30_000);
    expect(sent).toBeLessThan(150_000);
  });
});

describe("a server that lies", () => {
  const piece = (name: string, alter: (path: string, bytes: Uint8Array) => unknown): Lie => ({
    evidence: async (path, bytes) =>
      path.startsWith(`/evidence/${name}`) ? Object(await alter(path, bytes)) : bytes,
  });
  const swapped = (name: string, from: string, to: string) =>
    piece(name, (path) => honest.evidence(path.replaceAll(from, to)));

  it("with the membership of another block is named", async () => {
    const [block = "", other = ""] = [hashes[180], hashes[181]];
    expect(await lied(swapped("membership", block, other), block)).toMatchObject({
      outcome: "differs",
      reason: "chainOther",
      found: other,
    });
  });

  it("with an altered membership, opening or run is named", async () => {
    for (const name of ["membership", "opening", "run"]) {
      const altered = piece(name, (_, bytes) => {
        const copy = bytes.slice();
        // In the middle: another last header is one that somebody may have mined, as one in sixteen here.
        const place = copy.length >> 1;
        copy[place] = (copy[place] ?? 0) ^ 1;
        return copy;
      });
      const step = await lied(altered, hashes[180] ?? "");
      expect([name, step]).toMatchObject([name, { outcome: "differs" }]);
    }
  });

  it("with the opening of another state is named", async () => {
    const [, , , named = ""] = hashes;
    const other = piece("opening", () => honest.evidence(`/evidence/opening?of=${named}`));
    expect(await lied(other, hashes[180] ?? "")).toMatchObject({
      outcome: "differs",
      reason: "chainFalse",
    });
  });

  it("about which block merged another is named", async () => {
    const lie: Lie = {
      json: (path, document) => {
        if (path === `/blocks/${side}`)
          Object.assign(document["extra"] ?? {}, { mergedBy: hashes[50] });
        return document;
      },
    };
    const report = await checkBlock(await contextOf(lyingSource(honest, lie)), side);
    expect(differing(report)).toContain("block merged");
  });

  it("by silence is told, and the rest is checked", async () => {
    const silent: CheckSource = {
      ...honest,
      evidence: () => Promise.reject(new SvcError("http/not-found", { path: "" })),
    };
    const report = await checkBlock(await contextOf(silent), hashes[180] ?? "");
    expect(differing(report)).toEqual([]);
    expect(onChain(report)).toMatchObject({ outcome: "notProvable", reason: "noEvidence" });
    expect(report.steps).toContainEqual(
      expect.objectContaining({ step: "headerHash", outcome: "ok" }),
    );
  });
});

describe("a network without a log of its chain", () => {
  let bare: CheckSource;
  let rows: readonly string[];

  beforeAll(async () => {
    const profile = JSON.parse(readFileSync(WORKED, "utf8"));
    const activations = { ...profile.activations, securityFork: null };
    const file = join(folder.path, "bare.json");
    writeFileSync(file, JSON.stringify({ ...profile, networkName: "svc-bare", activations }));
    const started = await start(file);
    await mine(started, 170);
    bare = restSource(`${started.httpAddress}/api`);
    rows = await chainOf(started);
  });

  it("shows its newest blocks by the headers above them", async () => {
    for (const at of [1, 30, 150]) {
      const step = await blockFrom(bare, rows[at] ?? "");
      expect([at, step]).toMatchObject([at, { outcome: "ok", reason: "linked" }]);
      expect([at, step?.place]).toMatchObject([at, { number: null, above: String(at) }]);
    }
    expect(await blockFrom(bare, rows[0] ?? "")).toMatchObject({ reason: "youngBlock" });
  });

  it("says of the others why they are not shown", async () => {
    expect(await blockFrom(bare, rows[160] ?? "")).toMatchObject({ reason: "noLog" });
  });
});
