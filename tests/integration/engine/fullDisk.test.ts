/** The parts of a node on a real file system that fills up: who is told, with which words, and that nothing is tried again. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { DiskSpaceMonitor } from "@svc/node-server/app/node/diskSpaceMonitor.ts";
import { OutOfSpaceKv } from "@svc/node-server/app/folder/outOfSpaceKv.ts";
import { verifyStore } from "@svc/node-server/app/verify/verifyStore.ts";
import { createEngine, createStagedImport } from "@svc/node-server/engine/startEngine.ts";
import { ManualClock } from "@svc/node-server/platform/time/clock.ts";
import { createLog } from "@svc/node-server/platform/log/log.ts";
import { LmdbKv } from "@svc/node-server/storage/lmdbKv.ts";
import { APP_LIMITS } from "@svc/node-server/app/appLimits.ts";
import { STORAGE_LIMITS } from "@svc/node-server/storage/storageLimits.ts";
import type { SvcError } from "@svc/shared/base/svcError.ts";
import { SmallDisk, smallDiskRefusal } from "../../testkit/smallDisk.ts";
import { BlockMaker, NOW_MS, recipient, simnet, sinkOf, startHost } from "./engineFixture.ts";
import { trustingVerifier } from "../node/nodeFixture.ts";
import { networkFolderOf, storeOf, verifyOptions } from "./verifyFixture.ts";

const KIB = 1024;
const MIB = 1024 * KIB;
const ROOMY = APP_LIMITS.diskWarnBytes + 64 * MIB;
const refusal = smallDiskRefusal();
const skipped = refusal === null ? "" : ` (skipped: ${refusal})`;
const log = createLog("silent");

describe.skipIf(refusal !== null)(`on a disk that fills up${skipped}`, () => {
  let disk: SmallDisk;
  beforeEach(async () => {
    disk = await SmallDisk.make(ROOMY);
  });
  afterEach(() => disk.remove());

  test("an engine ends with the store's own words and is not started again; what it answered is there", async () => {
    const maker = new BlockMaker();
    const { engine, fatal } = await startHost(disk.path);
    const reopened = Promise.withResolvers<string>();
    engine.onEvent(({ type }) => {
      if (type === "engineRestarted") reopened.resolve(type);
    });
    let last = "";
    for (let number = 0; number < 20; number += 1) {
      await engine.insertBlock(maker.next(recipient(1)), NOW_MS);
      last = maker.sink();
    }
    disk.leave(STORAGE_LIMITS.diskReserveBytes);
    await expect(engine.insertBlock(maker.next(recipient(1)), NOW_MS)).rejects.toThrow(
      "engine/restarted",
    );
    const folder = join(disk.path, "consensus");
    expect(await Promise.race([fatal, reopened.promise])).toMatchObject({
      code: "store/no-room",
      data: { folder: expect.stringContaining(folder), freeMib: "64" },
    });
    await expect(engine.ask("tip", [])).rejects.toThrow("engine/restarted");
    await engine.stop();
    disk.leave(ROOMY);
    const again = await startHost(disk.path);
    expect(sinkOf(await again.engine.ask("tip", []))).toBe(last);
    await again.engine.stop();
  });

  test("an engine that finds no room at start says so", async () => {
    disk.leave(STORAGE_LIMITS.diskReserveBytes);
    const started = startHost(disk.path);
    await expect(started).rejects.toMatchObject({ code: "store/no-room" });
  });

  test("an import that finds no room ends the node and not only itself", async () => {
    const fatal: SvcError[] = [];
    const options = {
      root: disk.path,
      profile: simnet,
      archival: false,
      proofs: { prover: "own", threads: 1 },
      clock: new ManualClock(NOW_MS),
      log,
      spawnVerifier: trustingVerifier,
      onFatal: (error: SvcError) => fatal.push(error),
    } as const;
    const { engine, verifiers } = createEngine(options);
    await engine.start();
    disk.leave(STORAGE_LIMITS.diskReserveBytes);
    const staged = createStagedImport(options, verifiers);
    await expect(staged.start()).rejects.toMatchObject({ code: "store/no-room" });
    expect(fatal.map(({ code }) => code)).toEqual(["store/no-room"]);
    // A database that is being made has a name of its own until it is whole.
    expect(fatal[0]?.data["folder"]).toBe(join(disk.path, "staging", "consensus.new"));
    await staged.abandon();
    await engine.stop();
    await verifiers.stop();
  });

  test("a check of a database says that it has no room, and removes what it wrote", async () => {
    const maker = new BlockMaker();
    const folder = networkFolderOf(disk.path);
    mkdirSync(folder, { recursive: true });
    await storeOf(
      disk.path,
      Array.from({ length: 5 }, () => maker.next(recipient(1))),
    );
    const checked = (): ReturnType<typeof verifyStore> => verifyStore(verifyOptions(disk.path));
    // Enough to open a database, too little for the blocks; then too little to open it, then for its folder.
    disk.leave(STORAGE_LIMITS.diskReserveBytes + 400 * KIB);
    await expect(checked()).rejects.toMatchObject({ code: "store/no-room" });
    disk.leave(STORAGE_LIMITS.diskReserveBytes);
    await expect(checked()).rejects.toMatchObject({ code: "store/no-room" });
    disk.leave(0);
    await expect(checked()).rejects.toMatchObject({ code: "store/no-room" });
    disk.leave(ROOMY);
    await expect(checked()).resolves.toMatchObject({ blocks: 6 });
  });

  test("the node's own database tells of it, to who writes what must not be lost and for who need not know", () => {
    const told: string[] = [];
    const onOutOfRoom = (error: SvcError): void => void told.push(error.code);
    const inner = new LmdbKv({ path: join(disk.path, "meta") });
    const strict = new OutOfSpaceKv(inner, { onOutOfRoom, isForgiving: false });
    const forgiving = new OutOfSpaceKv(inner, { onOutOfRoom, isForgiving: true });
    const change = (value: number) => [
      { table: 1, key: Uint8Array.of(1), value: Uint8Array.of(value) },
    ];
    strict.commit(change(1));
    disk.leave(STORAGE_LIMITS.diskReserveBytes);
    expect(() => strict.commit(change(2))).toThrow("store/no-room");
    forgiving.commit(change(3));
    expect(told).toEqual(["store/no-room", "store/no-room"]);
    // What has nothing to do with room is told to nobody else.
    disk.leave(ROOMY);
    const bad = [{ table: 1, key: new Uint8Array(600), value: null }];
    expect(() => forgiving.commit(bad)).toThrow("store/commit-failed");
    expect(told.length).toBe(2);
    expect(forgiving.get(1, Uint8Array.of(1))).toEqual(Uint8Array.of(1));
    return strict.close();
  });

  test("the watch warns at the bound and when half is gone, tells when there is room again, and ends the node once", async () => {
    const clock = new ManualClock(0n);
    const lines: string[] = [];
    const fatal: SvcError[] = [];
    const say = ({ freeMib }: { freeMib: number }, text: string): unknown =>
      lines.push(`${freeMib} ${text.slice(0, 12)}`);
    const watchLog = { warn: say, info: say } as unknown as ConstructorParameters<
      typeof DiskSpaceMonitor
    >[0]["log"];
    const onOutOfRoom = (error: SvcError): void => void fatal.push(error);
    const watch = new DiskSpaceMonitor({ folder: disk.path, clock, log: watchLog, onOutOfRoom });
    const warned: number[] = [];
    watch.start();
    for (const left of [2100, 2000, 1900, 990, 900, 2100, 1800, 130, 127, 100]) {
      await untilIdle(clock, fatal);
      if (fatal.length > 0) break;
      disk.leave(left * MIB);
      clock.advance(APP_LIMITS.diskLookMs);
      await untilIdle(clock, fatal);
      warned.push(...watch.warnings().map(({ data }) => Number(data["freeMib"])));
    }
    await watch.stop();
    expect(lines).toEqual([
      "2000 the disk tha",
      "990 the disk tha",
      "2100 the disk has",
      "1800 the disk tha",
      "130 the disk tha",
    ]);
    expect(warned).toEqual([2000, 1900, 990, 900, 1800, 130, 127]);
    expect(fatal.map(({ data }) => data)).toEqual([
      { folder: disk.path, freeMib: "127", neededMib: "128" },
    ]);
  });
});

/** Resolves when the watch sleeps again, or has ended. */
async function untilIdle(clock: ManualClock, fatal: readonly SvcError[]): Promise<void> {
  while (clock.sleeping === 0 && fatal.length === 0) {
    await new Promise((resolve) => setImmediate(resolve));
  }
}
