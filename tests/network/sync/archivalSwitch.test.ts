/**
 * A folder that changes between keeping bodies and not: what was kept on purpose goes only when that is confirmed, what is gone
 * is said, and the chain stays the same.
 */
import { cpSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { EXIT_STATUS } from "@svc/node-server/app/program/exitStatus.ts";
import { CONSENSUS_LAYOUT } from "@svc/node-server/storage/layout.ts";
import { stagingFolder, swapSteps } from "@svc/node-server/storage/storeFolders.ts";
import { encodeHex } from "@svc/shared/base/hex.ts";
import { EngineChain } from "../../fixtures/payments/engineChain.ts";
import { recipient } from "../../integration/engine/engineFixture.ts";
import { DEPTH, FINALITY, smallNetwork } from "../../integration/node/smallNetwork.ts";
import { genesisMs } from "../../testkit/genesisMs.ts";
import { loadIntoNode } from "../testkit/chainMaker.ts";
import { fileBytes } from "../testkit/fileBytes.ts";
import { PATIENCE_MS } from "../testkit/networkSizes.ts";
import { chainFacts } from "../testkit/nodeFacts.ts";
import { mineAt, payAddressOf } from "../testkit/nodeMiner.ts";
import type { NodeProcess } from "../testkit/nodeProcess.ts";
import { expectSoundStore, genesisHashOf } from "../testkit/nodeStore.ts";
import { programEnd } from "../testkit/programEnd.ts";
import { core, Scene } from "../testkit/scene.ts";

/** Blocks above genesis: the pruning point has moved three times, and moves again above them. */
const COUNT = DEPTH + 3 * FINALITY + 1;
const NETWORK = "svc-prune";
const NAME = "node";
const GONE = /"level":40.*bodies of blocks below the pruning point are gone and do not come back/;
const SWEPT = /everything below a pruning point is gone/;
const REFUSED = {
  status: EXIT_STATUS.failed,
  said: "This database keeps the bodies of all blocks: start with --archival, or with --yes to have those below the pruning point deleted. [node/was-archival]",
};

/** A folder with a chain of which nothing has been deleted yet. */
class SwitchedNode {
  readonly scene = new Scene(smallNetwork());

  async load(): Promise<void> {
    const profile = core.canonicalProfile(smallNetwork());
    const chain = new EngineChain(core, profile, genesisMs(profile));
    const miner = encodeHex(recipient(1));
    const blocks = Array.from({ length: COUNT }, () => chain.mine(miner));
    const appdir = this.scene.appdir(NAME);
    await loadIntoNode(core, { appdir, profile: smallNetwork(), blocks });
  }

  start(...more: readonly string[]): Promise<NodeProcess> {
    return this.scene.node({ name: NAME, more, watched: [GONE, SWEPT] });
  }

  /** What its files hold. */
  contents(): Record<string, string> {
    return fileBytes(join(this.scene.appdir(NAME), NETWORK));
  }

  /** A start without `--archival` ends and leaves everything as it is. */
  async expectRefused(): Promise<void> {
    const before = this.contents();
    const node = this.scene.begin({ name: NAME });
    const line = await node.line(/^svc node: /, PATIENCE_MS);
    expect({ status: await node.ended(), said: line.replace("svc node: ", "") }).toEqual(REFUSED);
    expect(this.contents()).toEqual(before);
  }

  /** Blocks and remarks of a check of all records. */
  async verified(): Promise<unknown> {
    const where = [`--profile=${this.scene.profileFile}`, `--appdir=${this.scene.appdir(NAME)}`];
    const { stdout } = await programEnd(["verify", "--json", "--assume-proofs", ...where]);
    return JSON.parse(stdout);
  }
}

const recordsAfter = genesisHashOf(smallNetwork());
const factsOf = (node: NodeProcess) => chainFacts(node, { recordsAfter });

/** Waits until everything below its pruning point is gone. */
async function swept(node: NodeProcess): Promise<bigint> {
  const { pruningPoint } = await node.tip();
  await node.line(new RegExp(`"point":"${pruningPoint}".*${SWEPT.source}`), PATIENCE_MS);
  return (await node.tip()).blockCount;
}

test("a pruned folder is told what it lacks, and keeps everything from then on", async () => {
  const node = new SwitchedNode();
  await node.load();
  const pruned = await node.start();
  const left = await swept(pruned);
  const facts = await factsOf(pruned);
  expect(left).toBeLessThan(BigInt(COUNT));
  expect(pruned.countOf(GONE)).toBe(0);
  await pruned.stop();

  const archival = await node.start("--archival");
  expect(archival.countOf(GONE)).toBe(1);
  expect(await factsOf(archival)).toEqual(facts);
  expect(await archival.tip()).toMatchObject({ blockCount: left, isArchival: true });
  const mined = 3 * FINALITY;
  await mineAt(archival, mined, payAddressOf(1));
  const tip = await archival.tip();
  expect(tip.pruningPoint).not.toBe(facts.pruningPoint);
  expect(tip.blockCount).toBe(left + BigInt(mined));
  expect(archival.countOf(SWEPT)).toBe(0);
  await archival.stop();
  await expectSoundStore(node.scene, NAME);

  // Kept on purpose from here on; it is not told again.
  await node.expectRefused();
  const again = await node.start("--archival");
  expect((await again.tip()).blockCount).toBe(tip.blockCount);
  await again.stop();
  expect(again.countOf(GONE)).toBe(0);
});

test("an archival folder loses bodies only when that is confirmed", async () => {
  const node = new SwitchedNode();
  await node.load();
  const archival = await node.start("--archival");
  const facts = await factsOf(archival);
  await archival.stop();
  expect(archival.countOf(GONE)).toBe(0);
  await node.expectRefused();
  const whole = { result: "same", blocks: COUNT + 1, notes: [] };
  expect(await node.verified()).toEqual(whole);

  const confirmed = await node.start("--yes");
  expect(await swept(confirmed)).toBeLessThan(BigInt(COUNT));
  expect(await factsOf(confirmed)).toEqual(facts);
  expect(await confirmed.tip()).toMatchObject({ isArchival: false, historyComplete: true });
  await confirmed.stop();
  expect(await node.verified()).toMatchObject({ result: "same", notes: ["verify/pruned"] });
  // From now on it is an ordinary node.
  const ordinary = await node.start();
  expect(await factsOf(ordinary)).toEqual(facts);
  await ordinary.stop();
});

test("an archival folder whose store was just replaced keeps the store of before, whatever the next start is told", async () => {
  const node = new SwitchedNode();
  await node.load();
  await (await node.start("--archival")).stop();
  const root = join(node.scene.appdir(NAME), NETWORK);
  const inUse = join(root, CONSENSUS_LAYOUT.name);
  const before = fileBytes(inUse);
  cpSync(inUse, join(stagingFolder(root), CONSENSUS_LAYOUT.name), { recursive: true });
  // As a kill leaves it when the new one has its place and the old one has no name of its own yet.
  for (const step of swapSteps(root, { keepsOld: true }).slice(0, 3)) step();
  for (const more of [[], ["--yes"]]) {
    const started = node.scene.begin({ name: NAME, more });
    if (more.length === 0) expect(await started.ended()).toBe(EXIT_STATUS.failed);
    else {
      await started.listening();
      await started.stop();
    }
    expect(fileBytes(`${inUse}.archive-1`)).toEqual(before);
  }
});
