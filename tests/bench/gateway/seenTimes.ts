/**
 * How long payments wait until all viewing keys were tried on them: the gateway's scan of the pool, while a chain is scanned with the
 * same keys, over payments that come at a steady rate.
 */
import { createHash } from "node:crypto";
import { performance } from "node:perf_hooks";
import { PoolScan, type PooledPayment } from "@svc/node-server/scanning/poolScan.ts";
import { KeySets } from "@svc/node-server/scanning/keySets.ts";
import { ScanThreads } from "@svc/node-server/scanning/scanThreads.ts";
import { WaitingNotes } from "@svc/node-server/scanning/waitingNotes.ts";
import { GATEWAY_LIMITS } from "@svc/node-server/gateway/gatewayLimits.ts";
import { createLog } from "@svc/node-server/platform/log/log.ts";
import { systemClock } from "@svc/node-server/platform/time/clock.ts";
import { callCore } from "@svc/shared/core/callCore.ts";
import type { CoreGlue } from "@svc/shared/core/generated/coreGlue.ts";
import { poolRecord } from "@svc/shared/wallet/node/poolRecord.ts";
import type { IncomingNote } from "@svc/shared/wallet/state/incomingFacts.ts";
import type { RecordPage } from "@svc/shared/wallet/state/ports.ts";

/** What comes. */
export type SeenPlan = {
  readonly keys: number;
  /** Payments of `actions` actions. */
  readonly payments: number;
  readonly actions: number;
  /** Actions a second. */
  readonly rate: number;
};

const NETWORK = "simnet";
const LOOK_MS = 5;
/** The network has a block a second. */
const BLOCK_MS = 1_000;
const ACTION_BYTES = 788;
/** Payments that come before those that count: keys are prepared and code is compiled meanwhile. */
const WARM = 4;
/** Nullifier, ephemeral key and commitment begin an action; the top byte of each stays below the field's order. */
const FIELDS = 3;
const never = new AbortController().signal;

/** A payment with random notes, which are nobody's. */
function payment(number: number, actions: number): PooledPayment {
  const frame = new Uint8Array(34 + actions * ACTION_BYTES);
  for (let at = 0; at < frame.length; at += 64) {
    const words = createHash("sha512").update(`payment ${number} ${at}`).digest();
    frame.set(words.subarray(0, Math.min(64, frame.length - at)), at);
  }
  new DataView(frame.buffer).setUint16(32, actions, true);
  for (let action = 0; action < actions; action += 1) {
    for (let field = 1; field <= FIELDS; field += 1) {
      const top = 34 + action * ACTION_BYTES + 32 * field - 1;
      frame[top] = (frame[top] ?? 0) & 0x3f;
    }
  }
  return poolRecord(frame);
}

/** Viewing keys of wallets that nobody has. */
function viewingKeys(core: CoreGlue, count: number): readonly Uint8Array[] {
  return Array.from({ length: count }, (_, number) => {
    const seed = new Uint8Array(createHash("sha256").update(`merchant ${number}`).digest());
    return callCore(() => core.incomingViewingKey(core.fullViewingKey(seed)));
  });
}

/** One thread tries the keys, beside this one: what both use is one core's where the process is pinned to one. */
class SeenScene {
  readonly #scan: ScanThreads;
  readonly #pool: PoolScan<Uint8Array, readonly IncomingNote[], WaitingNotes>;
  readonly #chain: KeySets<Uint8Array>;
  readonly #came = new Map<PooledPayment, number>();
  readonly times: number[] = [];

  constructor(core: CoreGlue, keys: readonly Uint8Array[]) {
    const log = createLog("warn");
    const profileJson = callCore(() => core.builtInProfile(NETWORK));
    this.#scan = new ScanThreads({ profileJson, threads: 1, log });
    const rules = { keyOf: (key: Uint8Array) => key, keysPerSet: GATEWAY_LIMITS.keysPerSet };
    this.#chain = new KeySets(rules);
    this.#chain.add(keys);
    this.#pool = new PoolScan<Uint8Array, readonly IncomingNote[], WaitingNotes>({
      node: { pool: async () => [...this.#came.keys()] },
      sets: new KeySets(rules),
      scan: (page, sets, signal) => this.#tried(page, sets, signal),
      clock: systemClock,
      log,
      owners: () => keys,
      listen: () => new WaitingNotes({ onWaiting: () => undefined, onGone: () => undefined }),
    });
  }

  /** Begins to look at the pool. */
  start(): void {
    this.#pool.start();
  }

  /** A payment comes into the pool, and the next block holds it. */
  async take(one: PooledPayment): Promise<void> {
    this.#came.set(one, performance.now());
    this.#pool.wake();
    await systemClock.sleep(BLOCK_MS, never);
    await this.#scan.scanIncoming(one.page, this.#chain.all, never);
  }

  async stop(): Promise<void> {
    await this.#pool.stop();
    await this.#scan.stop();
  }

  /** A look took what had come when it began; it is over when all keys were tried. */
  async #tried(
    page: RecordPage,
    sets: Parameters<ScanThreads["scanIncoming"]>[1],
    signal: AbortSignal,
  ) {
    const asked = [...this.#came].slice(this.times.length);
    const answers = await this.#scan.scanIncoming(page, sets, signal);
    const now = performance.now();
    for (const [, came] of asked.slice(0, paymentsOf(page))) this.times.push(now - came);
    return answers;
  }
}

/** A pool's page is one record: behind its head comes the number of payments. */
function paymentsOf({ body }: RecordPage): number {
  return new DataView(body.buffer, body.byteOffset).getUint16(32 + 4 * 8 + 32 + 2, true);
}

/** Milliseconds of each payment from its coming to the end of the trial of all keys. */
export async function seenTimes(core: CoreGlue, plan: SeenPlan): Promise<readonly number[]> {
  const scene = new SeenScene(core, viewingKeys(core, plan.keys));
  try {
    scene.start();
    const everyMs = (1_000 * plan.actions) / plan.rate;
    const count = WARM + plan.payments;
    const payments = Array.from({ length: count }, (_, number) => payment(number, plan.actions));
    const begun = performance.now();
    const blocks: Promise<void>[] = [];
    for (const [number, one] of payments.entries()) {
      await systemClock.sleep(Math.max(0, begun + number * everyMs - performance.now()), never);
      blocks.push(scene.take(one));
    }
    await Promise.all(blocks);
    while (scene.times.length < count) await systemClock.sleep(LOOK_MS, never);
    return scene.times.slice(WARM);
  } finally {
    await scene.stop();
  }
}
