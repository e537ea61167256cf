import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { folderOfTest } from "../testkit/folderOfTest.ts";
import { acquireLock } from "./lockFile.ts";

let folder: string;
let path: string;

beforeEach(() => {
  folder = folderOfTest();
  path = join(folder, "lock");
});

const holdLock = `
  const { acquireLock } = await import(${JSON.stringify(new URL("lockFile.ts", import.meta.url).href)});
  acquireLock(process.argv[1]);
  console.log("held");
  process.stdin.resume();
`;

/** A process that holds the lock until it is killed. */
async function holder(): Promise<{ pid: number; kill(): Promise<void> }> {
  const child = spawn(process.execPath, ["--input-type=module", "-e", holdLock, path], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  await once(child.stdout, "data");
  const kill = async (): Promise<void> => {
    child.kill("SIGKILL");
    await once(child, "exit");
  };
  return { pid: child.pid ?? 0, kill };
}

test("the lock is exclusive and can be taken again after release", () => {
  const lock = acquireLock(path);
  expect(lock.wasLeft).toBe(false);
  expect(() => acquireLock(path)).toThrow(`node/already-running (path=${path}, pid=${process.pid}`);
  lock.release();
  lock.release();
  expect(existsSync(path)).toBe(false);
  acquireLock(path).release();
  expect(readdirSync(folder)).toEqual([]);
});

test("a live process keeps its lock; a killed one loses it", async () => {
  const other = await holder();
  expect(() => acquireLock(path)).toThrow(`pid=${other.pid}`);
  await other.kill();
  expect(existsSync(path)).toBe(true);
  const lock = acquireLock(path);
  expect(lock.wasLeft).toBe(true);
  lock.release();
});

test("one that is left is found left by whoever takes it next, and marks nothing after a release", () => {
  acquireLock(path).leave();
  const next = acquireLock(path);
  expect(next.wasLeft).toBe(true);
  next.release();
  expect(existsSync(path)).toBe(false);
  const clean = acquireLock(path);
  expect(clean.wasLeft).toBe(false);
  clean.release();
});

test.runIf(process.platform === "linux")("a process id used again is not the holder", () => {
  writeFileSync(path, JSON.stringify({ pid: process.ppid, started: "1" }));
  acquireLock(path).release();
});

test("the same process id from an earlier life, and an unreadable lock, are taken over", () => {
  writeFileSync(path, JSON.stringify({ pid: process.pid, started: "1" }));
  acquireLock(path).release();
  writeFileSync(path, "{");
  acquireLock(path).release();
});

test("files that a killed process left beside the lock are removed, and those of a live one are not", async () => {
  const dead = await holder();
  await dead.kill();
  const live = `lock.${process.ppid}.new`;
  const foreign = ["lock.new", "lock.1a.new", "other.1.new"];
  for (const name of [`lock.${dead.pid}.new`, `lock.${dead.pid}.old`, live, ...foreign]) {
    writeFileSync(join(folder, name), "");
  }
  acquireLock(path).release();
  expect(readdirSync(folder).toSorted()).toEqual([live, ...foreign].toSorted());
});
