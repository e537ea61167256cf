/**
 * Simulation of payment privacy: a network of nodes in simulated time, with a spy that wants to know where payments come
 * from.
 */
import {
  dial,
  dialAsStranger,
  RelayNode,
  simulatedId,
} from "@svc/node-server/p2p/testkit/relayNetwork.ts";
import { chances } from "@svc/node-server/p2p/testkit/chances.ts";
import { numberedPayment } from "@svc/node-server/p2p/testkit/numberedPayment.ts";
import { SimulatedClock } from "@svc/node-server/p2p/testkit/simulatedClock.ts";
import { asTxId, type TxId } from "@svc/shared/base/brand.ts";
import { drawSample } from "@svc/node-server/platform/net/drawSample.ts";
import { encodeHex } from "@svc/shared/base/hex.ts";
import { P2P_LIMITS } from "@svc/node-server/p2p/p2pLimits.ts";
import { rawTransactionOf } from "@svc/shared/protocol/p2p/p2pTransaction.ts";
import { OWN_SERVICES, SERVICES } from "@svc/shared/protocol/p2p/p2pServices.ts";
import type { P2pPayload } from "@svc/shared/protocol/p2p/p2pEnvelope.ts";

/** Options of a simulated measurement. */
export type OriginOptions = {
  readonly seed: number;
  readonly nodes?: number;
  readonly payments?: number;
  /** Peers that each node dials. */
  readonly outbound?: number;
  /** Whether nodes announce that they take stems. */
  readonly stems?: boolean;
  /** Nodes that belong to the spy, and do what nodes do. */
  readonly spied?: number;
};

/** The result of a measurement. */
export type OriginFigures = {
  /** Payments whose origin was guessed. */
  readonly guessed: number;
  readonly payments: number;
  /** Milliseconds from the origin to the last node, of the payments in the middle and at nine tenths. */
  readonly medianMs: number;
  readonly slowMs: number;
  /** Payments that did not come to all nodes. */
  readonly lost: number;
};

/** Milliseconds on the way between two nodes, at least and at most. */
const [LINE_MIN_MS, LINE_MAX_MS] = [20, 120];
/** Whoever wants to be first has good lines. */
const SPY_LINE_MS = 5;
const JUDGE_MS = 30;
/** Milliseconds between two payments: far less than they take, so that several are on their way at a time. */
const PAYMENT_MS = 4_000;
const SETTLE_MS = 120_000;
const PAYLOAD_BYTES = 64;

/** Sends payments from nodes drawn by lot, and guesses each time that whoever told the spy first is the origin. */
export async function measureOrigin(options: OriginOptions): Promise<OriginFigures> {
  const { seed, nodes: count = 20, payments = 200, outbound = P2P_LIMITS.p2pOutbound } = options;
  const { stems = true, spied = 0 } = options;
  const random = chances(seed);
  const clock = new SimulatedClock();
  const services = stems ? OWN_SERVICES : OWN_SERVICES & ~SERVICES.stem;
  const nodes = Array.from(
    { length: count },
    (_, at) => new RelayNode(`10.0.0.${at + 1}`, { clock, random, judgeMs: JUDGE_MS, services }),
  );
  connect(nodes, { clock, random, outbound });
  const first = new Map<TxId, string>();
  const hear = (from: string, payload: P2pPayload): void => {
    for (const txid of namedIn(payload)) if (!first.has(txid)) first.set(txid, from);
  };
  spyOn(nodes, clock, hear);
  for (const node of nodes.slice(0, spied)) node.onHeard = hear;
  const arrivals = new Map<TxId, number[]>();
  for (const { pool } of nodes) {
    pool.onChange(({ type, ...change }) => {
      if (type !== "added" || !("entry" in change)) return;
      const { txid } = change.entry;
      arrivals.set(txid, [...(arrivals.get(txid) ?? []), Number(clock.nowMs())]);
    });
  }
  const sent: { readonly txid: TxId; readonly origin: string; readonly atMs: number }[] = [];
  for (let number = 1; number <= payments; number += 1) {
    await clock.runTo(number * PAYMENT_MS);
    const [origin] = drawSample(nodes.slice(spied), 1, random);
    if (origin === undefined) throw new Error("there is no node");
    const raw = numberedPayment(number, PAYLOAD_BYTES);
    sent.push({ txid: simulatedId(raw), origin: origin.name, atMs: number * PAYMENT_MS });
    void origin.pool.submit(raw);
  }
  await clock.runTo(payments * PAYMENT_MS + SETTLE_MS);
  for (const { relay } of nodes) await relay.stop();
  const times = sent.map(({ txid, atMs }) => {
    const of = arrivals.get(txid) ?? [];
    return of.length === count ? Math.max(...of) - atMs : Infinity;
  });
  const sorted = times.toSorted((a, b) => a - b);
  return {
    guessed: sent.filter(({ txid, origin }) => first.get(txid) === origin).length,
    payments,
    medianMs: sorted[Math.floor(payments / 2)] ?? Infinity,
    slowMs: sorted[Math.floor(payments * 0.9)] ?? Infinity,
    lost: times.filter((time) => time === Infinity).length,
  };
}

type Lines = {
  readonly clock: SimulatedClock;
  readonly random: () => number;
  readonly outbound: number;
};

/** Each node dials so many of those that it is not connected with yet. */
function connect(nodes: readonly RelayNode[], { clock, random, outbound }: Lines): void {
  for (const node of nodes) {
    const dialled = node.peers.filter(({ link }) => link.isOutbound).length;
    const known = new Set(node.peers.map(({ key }) => key));
    const others = nodes.filter((other) => other !== node && !known.has(other.name));
    for (const other of drawSample(others, outbound - dialled, random)) {
      const delayMs = LINE_MIN_MS + random() * (LINE_MAX_MS - LINE_MIN_MS);
      dial(node, other, { clock, delayMs });
    }
  }
}

/** Dials every node, and is dialled by none. */
function spyOn(
  nodes: readonly RelayNode[],
  clock: SimulatedClock,
  hear: (from: string, payload: P2pPayload) => void,
): void {
  const spy = { name: "10.9.9.9", services: OWN_SERVICES };
  for (const node of nodes) {
    const link = dialAsStranger(node, spy, { clock, delayMs: SPY_LINE_MS });
    const told = link.route(["invTransactions"]);
    link.start();
    const listen = async (): Promise<void> => {
      for (;;) hear(node.name, (await told.next(null)).payload);
    };
    void listen().catch(() => undefined);
  }
}

function namedIn(payload: P2pPayload): TxId[] {
  if (payload.$case === "invTransactions")
    return payload.value.ids.map(({ bytes }) => asTxId(encodeHex(bytes)));
  if (payload.$case === "stemTransaction") return [simulatedId(rawTransactionOf(payload.value))];
  return [];
}
