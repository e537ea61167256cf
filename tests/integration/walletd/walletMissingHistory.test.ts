/**
 * Wallets at a node that began at a pruning point, and has no notes from before it: what the wallet API says of one that is older than
 * the node's history, and of one that is not.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { parseFlags } from "@svc/node-server/app/options/flags.ts";
import type { RunningNode } from "@svc/node-server/app/node/node.ts";
import { folderOfTest } from "@svc/node-server/platform/testkit/folderOfTest.ts";
import { encodeHex } from "@svc/shared/base/hex.ts";
import { BlockMaker, core, recipient } from "../engine/engineFixture.ts";
import { never, runningClock, startTestNode, tipOf, untilSink } from "../node/nodeFixture.ts";
import { DEPTH, FINALITY, smallNetwork } from "../node/smallNetwork.ts";
import { untilFound } from "../node/untilFound.ts";
import { WalletApiScene } from "./walletApiScene.ts";
import { idleProver } from "./walletdFixture.ts";

const profileJson = core.canonicalProfile(smallNetwork());
/** Blocks whose rewards are the wallet's: the first ones, and some above the pruning point. */
const EARLY = 10;
const LATE = 5;
const BLOCKS = DEPTH + 2 * FINALITY;
/** Until the last rewards are notes. */
const AFTER = 12;
const OWN = 0x61;
const OTHER = 9;
const OLD = "01d0".repeat(8);
const YOUNG = "90f6".repeat(8);
const fvk = encodeHex(core.fullViewingKey(new Uint8Array(32).fill(OWN)));

const running: { stop(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of running.splice(0).toReversed()) await one.stop();
});

async function start(file: string, ...peers: string[]): Promise<RunningNode> {
  const over = {
    network: { file },
    peers: parseFlags("local", peers, {}).peers,
    clock: runningClock,
  };
  const node = await startTestNode(folderOfTest(), over);
  running.push(node);
  return node;
}

/** A node with all notes, and one that began at its pruning point. */
async function nodes(): Promise<{ readonly whole: RunningNode; readonly part: RunningNode }> {
  const file = join(folderOfTest(), "network.json");
  writeFileSync(file, smallNetwork());
  const whole = await start(file, "--listen=127.0.0.1:0");
  const maker = new BlockMaker(profileJson);
  const late = BLOCKS - AFTER - LATE;
  for (let block = 0; block < BLOCKS; block += 1) {
    const isOwn = block < EARLY || (block >= late && block < late + LATE);
    const raw = maker.next(recipient(isOwn ? OWN : OTHER));
    expect((await whole.api.submitBlock(raw, never)).kind).toBe("accepted");
  }
  const part = await start(file, `--connect=127.0.0.1:${whole.peerPort}`);
  await untilSink(part, (await tipOf(whole)).sink);
  return { whole, part };
}

async function sceneAt(node: RunningNode, path: string): Promise<WalletApiScene> {
  const nowUnix = () => 1_700_000_000;
  const folder = { path, network: "svc-prune", hrp: "svcsim", core, secret: null, nowUnix };
  const proofs = { atOnce: 1, threads: 1, cacheFolder: null, makeProver: idleProver };
  const over = { profileJson, folder, proofs };
  const scene = await WalletApiScene.start({ node: node.grpcAddress ?? "", over });
  running.push(scene);
  return scene;
}

/** Has the wallet scanned again; resolves with its status afterwards. */
async function rescanned(scene: WalletApiScene, node: RunningNode, token: string) {
  const { status, json } = await scene.ask("rescan", { token, body: {}, query: { job: "1" } });
  expect(status).toBe(202);
  await untilFound(async () => {
    const { json: job } = await scene.ask("job", { token, params: { id: String(json["job"]) } });
    if (job["state"] === "done") return true;
    expect(job["state"]).toBe("running");
    return false;
  });
  return scene.untilAtTip(node, token);
}

const balanceOf = (status: Readonly<Record<string, unknown>>): bigint =>
  BigInt(String(status["balance_sompi"]));

it("say whether history is missing, after a rescan too, and get it back from a node that has it", async () => {
  const { whole, part } = await nodes();
  const { historyFromDaaScore, historyComplete } = await tipOf(part);
  expect([historyComplete, historyFromDaaScore > BigInt(EARLY)]).toEqual([false, true]);
  const path = folderOfTest();
  const scene = await sceneAt(part, path);
  const watch = (token: string, birthday: bigint) =>
    scene.ask("watch", { token, body: { fvk_hex: fvk, birthday: String(birthday) } });
  expect((await watch(OLD, 0n)).status).toBe(200);
  expect((await watch(YOUNG, historyFromDaaScore + 1n)).status).toBe(200);
  const old = await scene.untilAtTip(part, OLD);
  expect(old).toMatchObject({ missing_history: true, synced: true, error: null });
  expect(balanceOf(old)).toBeGreaterThan(0n);
  const young = await scene.untilAtTip(part, YOUNG);
  expect(young).toMatchObject({ missing_history: false, balance_sompi: old["balance_sompi"] });
  // It is no refusal, and nothing gets lost.
  const { status, json } = await scene.ask("rescan", { token: OLD, body: {} });
  expect([status, json]).toEqual([200, { rescanning: true }]);
  expect(await rescanned(scene, part, OLD)).toMatchObject({
    missing_history: true,
    balance_sompi: old["balance_sompi"],
  });
  expect([...scene.defects]).toEqual([]);
  await scene.stop();
  running.splice(running.indexOf(scene), 1);
  const other = await sceneAt(whole, path);
  await other.untilAtTip(whole, OLD);
  const found = await rescanned(other, whole, OLD);
  expect(found["missing_history"]).toBe(false);
  expect(balanceOf(found)).toBe(3n * balanceOf(old));
  expect([...other.defects]).toEqual([]);
});
