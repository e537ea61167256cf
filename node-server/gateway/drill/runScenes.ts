/** Plays scenes one after the other: the shop places an order for each, and is asked what it handed over. */
import type { InvoiceId } from "@svc/shared/base/brand.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { Clock } from "../../platform/time/clock.ts";
import { withinMs } from "../../platform/time/withinMs.ts";
import { GATEWAY_LIMITS } from "../gatewayLimits.ts";
import type { Scene } from "./drillScenes.ts";
import type { PlayedChain } from "./playedChain.ts";

/** What a drill knows an order by. */
export type DrillOrder = {
  readonly scene: string;
  readonly invoice: InvoiceId;
  /** As the shop named it when it made the invoice. */
  readonly orderId: string;
};

/** The shop that a drill is played against. */
export type DrillShop = {
  /** Has an order placed, which makes an invoice. */
  readonly order: (scene: Scene, signal: AbortSignal) => Promise<void>;
  /** Whether `order` has placed it when it resolves; a person may take as long as he likes. */
  readonly ordersItself: boolean;
  /** How often goods were handed over for an order. */
  readonly handedOver: (order: DrillOrder, when: string, signal: AbortSignal) => Promise<number>;
  /** Whether `handedOver` may be asked again and again; a person is asked once. */
  readonly countsItself: boolean;
};

/** One thing that was looked at. */
export type DrillCheck = {
  readonly when: string;
  readonly expected: string;
  readonly seen: string;
};

/** How a scene ended. */
export type DrillRow = {
  readonly scene: string;
  readonly orderId: string | null;
  readonly checks: readonly DrillCheck[];
  readonly pass: boolean;
};

/** Dependencies. */
export type ScenesParts = {
  readonly chain: PlayedChain;
  readonly shop: DrillShop;
  readonly scenes: readonly Scene[];
  /** The machine's. */
  readonly clock: Clock;
  /** ms. A shop that counts itself is asked again for so long. */
  readonly settleMs: number;
  readonly signal: AbortSignal;
  /** Hears of each scene when it has ended, as it stands then. */
  readonly onScene?: (row: DrillRow) => void;
};

type Played = {
  readonly scene: string;
  readonly order: DrillOrder | null;
  readonly checks: DrillCheck[];
  /** What the last question of the scene expected. */
  expected: number;
};

/** Plays them. Rejects with `run/aborted`, and with what the shop's commands reject with. */
export async function runScenes(parts: ScenesParts): Promise<readonly DrillRow[]> {
  const played: Played[] = [];
  for (const scene of parts.scenes) {
    const one = await playScene(parts, scene);
    played.push(one);
    parts.onScene?.(rowOf(one));
  }
  if (parts.shop.countsItself) await lookAgain(parts, played);
  return played.map(rowOf);
}

function rowOf({ scene, order, checks }: Played): DrillRow {
  return {
    scene,
    orderId: order?.orderId ?? null,
    checks: [...checks],
    pass: checks.every(({ expected, seen }) => expected === seen),
  };
}

async function playScene(parts: ScenesParts, scene: Scene): Promise<Played> {
  const { chain, signal } = parts;
  const checks: DrillCheck[] = [];
  const order = await orderOf(parts, scene);
  const played: Played = { scene: scene.name, order, checks, expected: 0 };
  if (order === null) {
    checks.push({ when: "ordered", expected: "an invoice", seen: "none" });
    return played;
  }
  await scene.play({
    chain,
    id: order.invoice,
    signal,
    handedOver: async (when, expected) => {
      played.expected = expected;
      const seen = await countOf(parts, order, { when, expected });
      checks.push({ when, expected: String(expected), seen: String(seen) });
    },
    refused: (when, seen) => void checks.push({ when, expected: "refused", seen }),
  });
  return played;
}

/** The order of a scene; null where the shop made no invoice for it. */
async function orderOf(
  { chain, shop, clock, settleMs, signal }: ScenesParts,
  scene: Scene,
): Promise<DrillOrder | null> {
  const over = new AbortController();
  const made = chain.nextInvoice(AbortSignal.any([signal, over.signal]));
  // It may end before anybody waits for it.
  made.catch(() => undefined);
  try {
    await shop.order(scene, signal);
    const bound = { waitMs: GATEWAY_LIMITS.drillInvoiceMs, what: "invoice", signal };
    const id = shop.ordersItself ? await withinMs(clock, bound, () => made) : await made;
    // The shop has not had the gateway's answer yet.
    if (!shop.ordersItself) await clock.sleep(settleMs, signal);
    return { scene: scene.name, invoice: id, orderId: chain.invoice(id).terms.orderId ?? id };
  } catch (thrown) {
    if (SvcError.is(thrown, "run/timeout")) return null;
    throw thrown;
  } finally {
    over.abort();
  }
}

/** A shop may act behind its answer. Where nothing may have left the whole time is waited; else until it has. */
async function countOf(
  { chain, shop, clock, settleMs, signal }: ScenesParts,
  order: DrillOrder,
  { when, expected }: { readonly when: string; readonly expected: number },
): Promise<number> {
  const endMs = clock.steadyMs() + BigInt(settleMs);
  for (;;) {
    await chain.settle(signal);
    const seen = await shop.handedOver(order, when, signal);
    const isSure = seen > expected || (seen === expected && expected > 0);
    if (!shop.countsItself || isSure || clock.steadyMs() >= endMs) return seen;
    await clock.sleep(GATEWAY_LIMITS.drillAskMs, signal);
  }
}

/** Goods may have left after a scene was judged. */
async function lookAgain({ shop, signal }: ScenesParts, played: readonly Played[]): Promise<void> {
  for (const { order, checks, expected } of played) {
    if (order === null) continue;
    const when = "at the end";
    const seen = await shop.handedOver(order, when, signal);
    checks.push({ when, expected: String(expected), seen: String(seen) });
  }
}
