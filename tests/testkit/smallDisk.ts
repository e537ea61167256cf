/**
 * Small disk for tests of a full disk: a real tmpfs in a mount namespace of its own, which is gone with the process that
 * holds it, whatever ends the test. Others reach it through that process's root.
 */
import { execFile, spawn, spawnSync, type ChildProcessByStdio } from "node:child_process";
import { once } from "node:events";
import { statfsSync } from "node:fs";
import type { Readable, Writable } from "node:stream";
import { setTimeout } from "node:timers/promises";
import { promisify } from "node:util";
import { freeBytes } from "@svc/node-server/storage/diskSpace.ts";
import {
  temporaryFolder,
  type TemporaryFolder,
} from "@svc/node-server/platform/testkit/temporaryFolder.ts";

/** Mounts, says so, and stays until its input ends. */
const HOLD = 'mount -t tmpfs -o "size=$1" none "$2" && echo mounted && read -r _';

/** Milliseconds between two looks at the freed space: a browser does not fill it sooner. */
const SQUEEZE_MS = 50;

/** Why this machine cannot make one; null where it can. For the name of a skipped test. */
export function smallDiskRefusal(): string | null {
  const { path, remove } = temporaryFolder();
  const args = ["--mount", "sh", "-c", HOLD, "sh", "65536", path];
  const tried = spawnSync("unshare", args, { input: "\n", encoding: "utf8" });
  remove();
  if (tried.stdout?.startsWith("mounted")) return null;
  return `no file system can be mounted here: ${tried.error?.message ?? tried.stderr.trim()}`;
}

type Holder = ChildProcessByStdio<Writable, Readable, Readable>;

/** A small file system. */
export class SmallDisk {
  /** Where it is seen from any process of this machine. */
  readonly path: string;
  readonly #folder: TemporaryFolder;
  readonly #holder: Holder;

  private constructor(folder: TemporaryFolder, holder: Holder) {
    this.#folder = folder;
    this.#holder = holder;
    this.path = `/proc/${holder.pid}/root${folder.path}`;
  }

  /** Makes an empty one of so many bytes. */
  static async make(bytes: number): Promise<SmallDisk> {
    const folder = temporaryFolder();
    const args = ["--mount", "sh", "-c", HOLD, "sh", `${bytes}`, folder.path];
    const holder = spawn("unshare", args, { stdio: ["pipe", "pipe", "pipe"] });
    await once(holder.stdout, "data");
    return new SmallDisk(folder, holder);
  }

  /** Where it is seen by programs that are started with `entry` before them: those that follow links to their end. */
  get mount(): string {
    return this.#folder.path;
  }

  /** Program and arguments that start another one where the mount is. */
  get entry(): readonly string[] {
    return ["nsenter", "--target", `${this.#holder.pid}`, "--mount"];
  }

  /** Bytes that are left. */
  get free(): number {
    return freeBytes(this.path);
  }

  /** Makes it larger or smaller until so many bytes are left. */
  leave(bytes: number): void {
    this.#remount(sizeOf(this.#usedBytes() + bytes));
  }

  /**
   * Does this while nothing is left: space that is freed meanwhile is taken again. The thread of the test does not wait for that, since
   * the browser needs it.
   */
  async whileFull(work: () => Promise<void>): Promise<void> {
    while (!(await this.#shrink()));
    const over = new AbortController();
    const squeezing = this.#squeeze(over.signal);
    try {
      await work();
    } finally {
      over.abort();
      await squeezing;
    }
  }

  async #squeeze(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await setTimeout(SQUEEZE_MS, undefined, { signal }).catch(() => undefined);
      if (!signal.aborted) await this.#shrink();
    }
  }

  /** Makes it as large as what it holds. False when something was written meanwhile, which is more than that. */
  async #shrink(): Promise<boolean> {
    const [command, ...args] = this.#remounting(sizeOf(this.#usedBytes()));
    const shrinking = promisify(execFile)(command, args);
    return shrinking.then(
      () => true,
      () => false,
    );
  }

  /** Lets nobody write to it from now on. */
  lock(): void {
    this.#remount("ro");
  }

  /** Gives it back, with what it holds. */
  async remove(): Promise<void> {
    const ended = once(this.#holder, "exit");
    this.#holder.stdin.end();
    await ended;
    this.#folder.remove();
  }

  #usedBytes(): number {
    const { blocks, bfree, bsize } = statfsSync(this.path);
    return (blocks - bfree) * bsize;
  }

  #remount(options: string): void {
    const [command, ...args] = this.#remounting(options);
    const done = spawnSync(command, args, { encoding: "utf8" });
    if (done.status !== 0) throw new Error(`remount: ${done.error?.message ?? done.stderr}`);
  }

  #remounting(options: string): readonly [string, ...string[]] {
    const where = ["--target", `${this.#holder.pid}`, "--mount"];
    return ["nsenter", ...where, "mount", "-o", `remount,${options}`, this.#folder.path];
  }
}

/** The option of a size; one of 0 would be one without a bound. */
function sizeOf(bytes: number): string {
  return `size=${Math.max(4096, bytes)}`;
}
