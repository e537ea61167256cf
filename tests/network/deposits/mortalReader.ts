/** Shop that credits customers in a process of its own (`depositReader.ts`), which is killed again and again. */
import { spawn, type ChildProcessByStdio } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import * as v from "valibot";
import type { SeededRandom } from "../../testkit/seededRandom.ts";
import { depositLedger, emptyLedger, type DepositLedger } from "./depositLedger.ts";

const PROGRAM = fileURLToPath(new URL("./depositReader.ts", import.meta.url));
/** A reader is killed at one of its first lines, or after a time: it may have nothing to read, and dies while it starts, too. */
const LINES = 6;
const SOON_MS = 1_000;
const LONGEST_MS = 4_000;

type Child = ChildProcessByStdio<null, Readable, Readable>;

/** Reads the feed of a wallet, dies, and reads on. */
export class MortalReader {
  kills = 0;
  /** Kills of readers that had read a page and not kept it yet. */
  killsWithPage = 0;
  readonly #parts: { readonly base: string; readonly token: string; readonly file: string };
  readonly #random: SeededRandom;
  #child: Child | null = null;
  #fault = "";

  /** `base` is the address of the daemon, which stays; the file is the reader's own. */
  constructor(
    parts: { readonly base: string; readonly token: string; readonly file: string },
    random: SeededRandom,
  ) {
    this.#parts = parts;
    this.#random = random;
    onTestFinished(() => void this.#child?.kill("SIGKILL"));
  }

  /** What it has kept by now. */
  get ledger(): DepositLedger {
    const { file } = this.#parts;
    if (!existsSync(file)) return emptyLedger();
    return v.parse(depositLedger, JSON.parse(readFileSync(file, "utf8")));
  }

  /** Is killed so often, each time somewhere else. Rejects when a reader ends by itself. */
  async die(count: number): Promise<void> {
    while (this.kills < count) {
      const isWithPage = await this.#live(1 + this.#random.below(LINES));
      this.kills += 1;
      if (isWithPage) this.killsWithPage += 1;
    }
  }

  /** Reads from now on and is not killed; rejects when it ends by itself before it is stopped. */
  begin(): { stop(): Promise<void> } {
    const child = this.#start();
    const ended = once(child, "exit");
    return {
      stop: async () => {
        const hasEnded = child.exitCode !== null;
        child.kill("SIGKILL");
        await ended;
        if (hasEnded) throw new Error(`the reader ended by itself: ${this.#fault}`);
      },
    };
  }

  /** One life; tells whether its last line was that of a page. */
  async #live(lines: number): Promise<boolean> {
    const child = this.#start();
    const ended = once(child, "exit");
    const limitMs = this.#random.below(3) === 0 ? this.#random.below(SOON_MS) : LONGEST_MS;
    const limit = setTimeout(() => child.kill("SIGKILL"), limitMs);
    const heard: string[] = [];
    createInterface({ input: child.stdout }).on("line", (line) => {
      heard.push(line);
      if (heard.length === lines) child.kill("SIGKILL");
    });
    await ended;
    clearTimeout(limit);
    if (child.signalCode !== "SIGKILL")
      throw new Error(`the reader ended by itself: ${this.#fault}`);
    return heard.at(-1) === "page";
  }

  #start(): Child {
    const { base, token, file } = this.#parts;
    const child = spawn(process.execPath, [PROGRAM, base, token, file], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    createInterface({ input: child.stderr }).on("line", (line) => (this.#fault += `${line}\n`));
    this.#child = child;
    return child;
  }
}
