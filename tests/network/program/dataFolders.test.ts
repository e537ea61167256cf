/** Data folders as people have them: with blanks and umlauts, behind links, not writable, and files where a folder should be. */
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { EXIT_STATUS } from "@svc/node-server/app/program/exitStatus.ts";
import { acquireLock } from "@svc/node-server/platform/files/lockFile.ts";
import { temporaryFolder } from "@svc/node-server/platform/testkit/temporaryFolder.ts";
import { SmallDisk, smallDiskRefusal } from "../../testkit/smallDisk.ts";
import { mineAt, payAddressOf } from "../testkit/nodeMiner.ts";
import { pruneNetwork } from "../testkit/networkSizes.ts";
import { expectSoundStore } from "../testkit/nodeStore.ts";
import { nodeArguments, programEnd, type ProgramEnd } from "../testkit/programEnd.ts";
import { Scene } from "../testkit/scene.ts";
import { startOutcome } from "../testkit/startedNode.ts";
import { STEP_HANG_MS } from "../../testkit/hangMs.ts";

/** Another user than root, for whom permissions count. */
const NOBODY = { uid: 65_534, gid: 65_534 };
const noDisk = smallDiskRefusal();

function noOtherUser(): string | null {
  if (process.getuid?.() !== 0) return "only root can be somebody else";
  const tried = spawnSync(
    process.execPath,
    [import.meta.filename.replace(/[^/]*$/, "nothing.ts")],
    NOBODY,
  );
  return tried.error === undefined
    ? null
    : `another user may not run the program: ${tried.error.message}`;
}
const noUser = noOtherUser();
const because = (reason: string | null): string => (reason === null ? "" : ` (skipped: ${reason})`);

/** An empty folder, gone when the test ends. */
function emptyFolder(): string {
  const folder = temporaryFolder();
  onTestFinished(folder.remove);
  return folder.path;
}

function expectRefused(end: ProgramEnd, reason: string): void {
  expect(end.stderr).toContain(reason);
  expect(end.stderr).toContain("[node/bad-folder]");
  expect(end.stderr).not.toMatch(/\n\s+at /);
  expect(end.status).toBe(EXIT_STATUS.failed);
}

test("a folder with blanks, umlauts and signs in its name works like any other, and again after a stop", async () => {
  const name = `it's "Übergröße" with blanks, 数据 $HOME * %20`;
  const scene = new Scene(pruneNetwork());
  const node = await scene.node({ name });
  await mineAt(node, 3, payAddressOf(1));
  await node.stop();
  const again = await scene.node({ name });
  expect((await again.tip()).chainIndex).toBe(3n);
  await again.stop();
  await expectSoundStore(scene, name);
  expect(existsSync(join(scene.appdir(name), "svc-prune", "consensus", "data.mdb"))).toBe(true);
});

test("a linked folder is the folder: one lock through both paths, one store", async () => {
  const scene = new Scene(pruneNetwork());
  mkdirSync(scene.appdir("real"));
  symlinkSync(scene.appdir("real"), scene.appdir("link"));
  const node = await scene.node({ name: "link" });
  await mineAt(node, 2, payAddressOf(1));
  for (const name of ["real", "link"]) {
    const end = await programEnd(nodeArguments(scene.profileFile, scene.appdir(name)));
    expect(end.stderr).toContain(`Process ${node.pid} uses `);
    expect([end.status, end.stdout]).toEqual([EXIT_STATUS.failed, ""]);
  }
  await node.stop();
  const direct = await scene.node({ name: "real" });
  expect((await direct.tip()).chainIndex).toBe(2n);
});

test("within one process too a lock is one through both paths", () => {
  const folder = emptyFolder();
  mkdirSync(join(folder, "real"));
  symlinkSync(join(folder, "real"), join(folder, "link"));
  const lock = acquireLock(join(folder, "real", "lock"));
  expect(() => acquireLock(join(folder, "link", "lock"))).toThrow("node/already-running");
  lock.release();
  acquireLock(join(folder, "link", "lock")).release();
});

test("a file in the place of the folder, or on the way to it, is said", async () => {
  const folder = emptyFolder();
  const profile = join(folder, "network.json");
  writeFileSync(profile, pruneNetwork());
  const file = join(folder, "a file");
  writeFileSync(file, "mine");
  expectRefused(
    await programEnd(nodeArguments(profile, file)),
    `${file}/svc-prune cannot be used: a file is in the way`,
  );
  expectRefused(
    await programEnd(nodeArguments(profile, join(file, "below"))),
    "a file is in the way",
  );
  mkdirSync(join(folder, "data"));
  writeFileSync(join(folder, "data", "svc-prune"), "mine");
  expectRefused(
    await programEnd(nodeArguments(profile, join(folder, "data"))),
    "a file is in the way",
  );
});

test("links that lead nowhere or in a circle are said", async () => {
  const folder = emptyFolder();
  const profile = join(folder, "network.json");
  writeFileSync(profile, pruneNetwork());
  symlinkSync(join(folder, "nothing"), join(folder, "broken"));
  symlinkSync(join(folder, "circle"), join(folder, "circle"));
  expectRefused(
    await programEnd(nodeArguments(profile, join(folder, "broken"))),
    "it is a link to nothing, or was removed",
  );
  expectRefused(
    await programEnd(nodeArguments(profile, join(folder, "circle"))),
    "its links lead in a circle",
  );
});

test.skipIf(process.platform !== "linux").each([
  ["/proc/svc/data", /\/proc\/svc\/data\/svc-prune cannot be used: no folder can be made there/],
  ["/sys/svc", /\/sys\/svc\/svc-prune cannot be used: /],
])("a place where the system makes no folders is said at once: %s", async (appdir, sentence) => {
  const folder = emptyFolder();
  const profileFile = join(folder, "network.json");
  writeFileSync(profileFile, pruneNetwork());
  const { served, status, said } = await startOutcome({
    profileFile,
    appdir,
    limitMs: STEP_HANG_MS,
  });
  expect({ served, status }).toEqual({ served: false, status: EXIT_STATUS.failed });
  expect(said).toMatch(sentence);
  expect(said).toContain("[node/bad-folder]");
});

test.skipIf(noUser !== null)(
  `a folder where this user may not write is said${because(noUser)}`,
  async () => {
    const folder = emptyFolder();
    chmodSync(folder, 0o755);
    const profile = join(folder, "network.json");
    writeFileSync(profile, pruneNetwork());
    const end = await programEnd(nodeArguments(profile, join(folder, "data")), NOBODY);
    expectRefused(end, "this user may not write there");
    mkdirSync(join(folder, "data", "svc-prune"), { recursive: true, mode: 0o777 });
    chmodSync(join(folder, "data", "svc-prune"), 0o777);
    const foreign = await programEnd(nodeArguments(profile, join(folder, "data")), NOBODY);
    expectRefused(foreign, "it belongs to another user");
  },
);

test.skipIf(noDisk !== null)(
  `a folder on a disk that is read-only is said${because(noDisk)}`,
  async () => {
    const folder = emptyFolder();
    const profile = join(folder, "network.json");
    writeFileSync(profile, pruneNetwork());
    const disk = await SmallDisk.make(1024 * 1024);
    onTestFinished(() => disk.remove());
    disk.lock();
    const end = await programEnd(nodeArguments(profile, disk.path));
    expectRefused(end, "it lies on a disk that cannot be written");
  },
);
