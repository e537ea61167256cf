/** Nodes as programs on a real file system that fills up: each ends in good order, says why, and keeps what it acknowledged. */
import { cpSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { EXIT_STATUS } from "@svc/node-server/app/program/exitStatus.ts";
import { APP_LIMITS } from "@svc/node-server/app/appLimits.ts";
import { STORAGE_LIMITS } from "@svc/node-server/storage/storageLimits.ts";
import { IS_FULL } from "@svc/node-server/platform/testkit/testRun.ts";
import { SmallDisk, smallDiskRefusal } from "../../testkit/smallDisk.ts";
import { mineAt, payAddressOf } from "../testkit/nodeMiner.ts";
import type { NodeProcess } from "../testkit/nodeProcess.ts";
import { PATIENCE_MS, PRUNED, SHALLOW, WHOLE } from "../testkit/networkSizes.ts";
import { expectSoundStore } from "../testkit/nodeStore.ts";
import { nodeArguments, programEnd } from "../testkit/programEnd.ts";
import { Scene, storedChain, type StoredChain } from "../testkit/scene.ts";

const MIB = 1024 * 1024;
/** Enough for every chain of these tests, without a warning. */
const ROOMY = APP_LIMITS.diskWarnBytes + 512 * MIB;
const SENTENCE = /The disk that holds (\S+) has (\d+) MiB left and (\d+) MiB are needed/;
const REOPENED = /the engine is reopened/;
const STAGE = /"stage":"(proof|headers)".*a stage begins/;
const STARTED = /"stage":"(proof|bodies)".*a stage begins/;
const watched = [REOPENED, STAGE];
const refusal = smallDiskRefusal();
const skipped = refusal === null ? "" : ` (skipped: ${refusal})`;

type Health = { status: string; warnings: { code: string; message: string }[] };

async function health(node: NodeProcess): Promise<Health> {
  const response = await fetch(`${node.http}/v1/health`);
  return JSON.parse(await response.text());
}

async function rpcWarnings(node: NodeProcess): Promise<readonly string[]> {
  const { warnings } = await node.grpc.call({ $case: "getServerInfo", value: {} });
  return warnings.map(({ code }) => code);
}

describe.skipIf(refusal !== null)(`a node whose disk fills up${skipped}`, () => {
  let scene: Scene;
  let disk: SmallDisk;
  let chain: StoredChain;
  beforeAll(async () => {
    chain = await storedChain(SHALLOW);
  });
  beforeEach(async () => {
    scene = new Scene(SHALLOW.profile);
    disk = await SmallDisk.make(ROOMY);
    cpSync(chain.path, join(disk.path, "data"), { recursive: true });
    symlinkSync(join(disk.path, "data"), scene.appdir("small"));
    // Before the scene ends: its nodes use the disk.
    onTestFinished(() => disk.remove());
  });

  /** Mines until the node ends; returns how long the chain was that it had acknowledged. */
  async function mineToTheEnd(
    node: NodeProcess,
    atBlock: (length: bigint) => void,
  ): Promise<bigint> {
    let acknowledged: bigint = (await node.tip()).chainIndex;
    const payAddress = payAddressOf(1);
    try {
      for (;;) {
        atBlock(acknowledged);
        await mineAt(node, 1, payAddress);
        acknowledged += 1n;
      }
    } catch {
      expect(await node.ended()).toBe(EXIT_STATUS.outOfRoom);
    }
    return acknowledged;
  }

  async function expectAllThere(acknowledged: bigint): Promise<void> {
    disk.leave(ROOMY);
    const again = await scene.node({ name: "small", watched });
    expect((await again.tip()).chainIndex).toBeGreaterThanOrEqual(acknowledged);
    await mineAt(again, 1, payAddressOf(1));
    await again.stop();
  }

  test("warns in the log, in health and over gRPC, then stops while there is room left", async () => {
    const node = await scene.node({ name: "small", watched });
    expect(await health(node)).toMatchObject({ status: "ok", warnings: [] });
    expect(await rpcWarnings(node)).toEqual([]);
    disk.leave(500 * MIB);
    await node.line(/"freeMib":\d+.*is nearly full/, PATIENCE_MS);
    expect(await health(node)).toMatchObject({
      status: "warning",
      warnings: [{ code: "store/low-room", message: expect.stringMatching(/has \d+ MiB left/) }],
    });
    expect(await rpcWarnings(node)).toEqual(["store/low-room"]);
    const said = node.line(/the node cannot go on/, PATIENCE_MS);
    const { chainIndex } = await node.tip();
    disk.leave(APP_LIMITS.diskStopBytes - 4 * MIB);
    const [, folder, free, needed] = SENTENCE.exec(await said) ?? [];
    expect(folder).toContain(scene.appdir("small"));
    expect(Number(free)).toBeGreaterThan(100);
    expect(Number(needed)).toBe(APP_LIMITS.diskStopBytes / MIB);
    expect(await node.ended()).toBe(EXIT_STATUS.outOfRoom);
    expect(node.log).toContain("[store/no-room]");
    expect(node.countOf(REOPENED)).toBe(0);
    await expectAllThere(chainIndex);
  });

  test("at the tip stops at the commit that would not fit, and every acknowledged block is there", async () => {
    const node = await scene.node({ name: "small", watched });
    const said = node.line(/the node cannot go on/, PATIENCE_MS);
    const { chainIndex } = await node.tip();
    const acknowledged = await mineToTheEnd(node, (length) => {
      if (length === chainIndex + 20n) disk.leave(MIB);
    });
    expect(acknowledged).toBeGreaterThanOrEqual(chainIndex + 20n);
    expect(await said).toMatch(SENTENCE);
    expect(node.countOf(REOPENED)).toBe(0);
    await expectAllThere(acknowledged);
    await expectSoundStore(scene, "small");
  });

  test("that has no room to start is refused with the sentence, and leaves what is there", async () => {
    for (const left of [APP_LIMITS.diskStartBytes - MIB, 0]) {
      disk.leave(left);
      const end = await programEnd(nodeArguments(scene.profileFile, scene.appdir("small")));
      expect(end.status).toBe(EXIT_STATUS.outOfRoom);
      expect(end.stderr).toMatch(SENTENCE);
      expect(end.stderr).toContain("[store/no-room]");
    }
    await expectAllThere(BigInt(SHALLOW.count));
  });
});

const FIRST_SYNCS = [
  ["from the pruning point on", PRUNED],
  // Its chain is long enough to be seen on its way; the engine is the one that runs at the tip too.
  ...(IS_FULL ? [["from genesis on", WHOLE] as const] : []),
] as const;

describe.skipIf(refusal !== null).each(FIRST_SYNCS)(
  `a first sync without room, %s${skipped}`,
  (_, wish) => {
    test("ends with the sentence within one try", async () => {
      const chain = await storedChain(wish);
      const scene = new Scene(wish.profile);
      const disk = await SmallDisk.make(ROOMY);
      onTestFinished(() => disk.remove());
      symlinkSync(disk.path, scene.appdir("fresh"));
      scene.copyStore({ from: chain.path, name: "source" });
      const source = await scene.node({ name: "source" });
      const fresh = await scene.node({ name: "fresh", watched });
      const said = fresh.line(/the node cannot go on/, PATIENCE_MS);
      const begun = fresh.line(STARTED, PATIENCE_MS);
      await fresh.addPeer(source.peerPort);
      await begun;
      disk.leave(STORAGE_LIMITS.diskReserveBytes);
      expect(await said).toMatch(SENTENCE);
      expect(await fresh.ended()).toBe(EXIT_STATUS.outOfRoom);
      expect([fresh.countOf(REOPENED), fresh.countOf(STAGE)]).toEqual([0, 1]);
    });
  },
);
