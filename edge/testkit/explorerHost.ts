/** Test helper: the explorer's Worker in workerd, the nodes that answer it, and a clock that the test moves. */
import { SELF } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { vi } from "vitest";
import { EXPLORER_LIMITS } from "../explorerLimits.ts";
import type { StandInCall, StandInWord } from "../../tests/edge/standInWords.ts";

const DAY_MS = 86_400_000;
/** So much later begins each test that nothing of the one before may still be shown. */
const APART_MS = 7 * DAY_MS;
const ROUNDS = 3;
/** In the year 2100. */
let startMs = 4_102_444_800_000;
let visitors = 0;

/** The explorer. */
export class ExplorerHost {
  #nowMs: number;
  /** Where its requests come from. */
  readonly visitor: string;

  private constructor() {
    startMs += APART_MS;
    visitors += 1;
    this.#nowMs = startMs;
    this.visitor = `203.0.113.${visitors % 256}`;
  }

  /** Begins anew: nodes that answer with examples, and nothing held that may be shown. */
  static async open(): Promise<ExplorerHost> {
    await reset();
    const host = new ExplorerHost();
    // A look at the nodes that the test before left at work ends with the first of these.
    for (let round = 0; round < ROUNDS; round += 1) {
      host.pass(EXPLORER_LIMITS.nodeSeenMs);
      await host.status("/api/health");
    }
    await reset();
    host.pass(EXPLORER_LIMITS.nodeSeenMs);
    return host;
  }

  /** Ends the clock. */
  close(): void {
    vi.useRealTimers();
  }

  /** Unix ms. */
  nowMs(): number {
    return this.#nowMs;
  }

  /** Lets time pass. */
  pass(ms: number): void {
    this.#nowMs += ms;
    vi.useFakeTimers({ toFake: ["Date"], now: this.#nowMs });
  }

  /** Asks the explorer. */
  fetch(path: string, init: RequestInit = {}, visitor = this.visitor): Promise<Response> {
    const headers = new Headers(init.headers);
    headers.set("CF-Connecting-IP", visitor);
    return SELF.fetch(`https://explorer.example${path}`, { ...init, headers });
  }

  /** The status of an answer, whose body is read to its end. */
  async status(path: string, visitor = this.visitor): Promise<number> {
    const response = await this.fetch(path, {}, visitor);
    await response.arrayBuffer();
    return response.status;
  }

  /** Has a node answer otherwise from now on; null ends it. */
  async tell(node: string, path: string, word: StandInWord | null): Promise<void> {
    const body = JSON.stringify({ node, path, word });
    await fetch(`${env.STAND_INS}/control`, { method: "POST", body });
  }

  /** What the nodes were asked for a path; for every path where it is left out. */
  async asked(path?: string): Promise<readonly StandInCall[]> {
    const response = await fetch(`${env.STAND_INS}/seen`);
    const seen: readonly StandInCall[] = await response.json();
    return path === undefined ? seen : seen.filter((call) => call.path === path);
  }
}

async function reset(): Promise<void> {
  await fetch(`${env.STAND_INS}/reset`, { method: "POST" });
}
