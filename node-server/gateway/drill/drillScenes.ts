/** The scenes of a drill: what is played for an order, and how often the shop may have handed over goods for it at which moment. */
import type { InvoiceId } from "@svc/shared/base/brand.ts";
import type { Invoice } from "@svc/shared/invoice/invoice.ts";
import { GATEWAY_LIMITS } from "../gatewayLimits.ts";
import type { ForgeryEnd, PlayedChain } from "./playedChain.ts";

/** What a scene is played on. */
export type Stage = {
  readonly chain: PlayedChain;
  readonly id: InvoiceId;
  readonly signal: AbortSignal;
  /** Asks what the shop handed over, once everything was told, and notes whether it is so often. */
  readonly handedOver: (when: string, expected: number) => Promise<void>;
  /** Notes what became of a forgery. */
  readonly refused: (what: string, end: ForgeryEnd) => void;
};

/** A scene. */
export type Scene = {
  readonly name: string;
  /** What it plays, for people. */
  readonly text: string;
  readonly play: (stage: Stage) => Promise<void>;
};

const HOUR_MS = 3_600_000n;

/** All scenes, in the order in which they are played. */
export const DRILL_SCENES: readonly Scene[] = [
  { name: "paid", text: "paid in full", play: paid },
  { name: "partial", text: "a part is paid, then the rest", play: partial },
  { name: "overpaid", text: "more is paid than was asked for", play: overpaid },
  { name: "expired", text: "nothing is paid in time", play: expired },
  { name: "late", text: "the payment comes after the expiry", play: late },
  { name: "reorg", text: "the payment loses its block, and gets another", play: reorg },
  { name: "double", text: "paid twice, and told twice", play: double },
  { name: "webhook-down", text: "the webhook is down for an hour", play: webhookDown },
  { name: "forged", text: "somebody else says that it is paid", play: forged },
];

async function paid({ chain, id, handedOver }: Stage): Promise<void> {
  chain.mine(id, amountOf(chain.invoice(id)));
  await handedOver("paid", 0);
  chain.bury(id);
  await handedOver("confirmed", 1);
}

async function partial({ chain, id, handedOver }: Stage): Promise<void> {
  const whole = amountOf(chain.invoice(id));
  const part = whole / 2n;
  chain.mine(id, part);
  chain.bury(id);
  await handedOver("a part", 0);
  chain.mine(id, whole - part);
  chain.bury(id);
  await handedOver("all of it", 1);
}

async function overpaid({ chain, id, handedOver }: Stage): Promise<void> {
  const { amount, policy } = chain.invoice(id).terms;
  chain.mine(id, amount + policy.toleranceOver + 1n);
  chain.bury(id);
  await handedOver("overpaid", 1);
}

async function expired({ chain, id, handedOver }: Stage): Promise<void> {
  chain.pass(untilLateMs(chain.invoice(id)));
  await handedOver("expired", 0);
}

/** A shop that takes late payments says so when it makes the invoice: then goods may leave. */
async function late({ chain, id, signal, handedOver }: Stage): Promise<void> {
  const invoice = chain.invoice(id);
  chain.pass(untilLateMs(invoice));
  await chain.settle(signal);
  chain.mine(id, amountOf(invoice));
  chain.bury(id);
  await handedOver("paid late", invoice.terms.policy.late === "accept" ? 1 : 0);
}

async function reorg({ chain, id, signal, handedOver }: Stage): Promise<void> {
  const payment = chain.mine(id, amountOf(chain.invoice(id)));
  await chain.settle(signal);
  chain.orphan(id, payment);
  await handedOver("without its block", 0);
  chain.mineAgain(id, payment);
  chain.bury(id);
  await handedOver("confirmed", 1);
}

async function double({ chain, id, signal, handedOver }: Stage): Promise<void> {
  const amount = amountOf(chain.invoice(id));
  chain.mine(id, amount);
  chain.bury(id);
  await chain.settle(signal);
  chain.mine(id, amount);
  chain.bury(id);
  await chain.settle(signal);
  await chain.tellAgain(id, signal);
  await handedOver("twice", 1);
}

/** A shop may have asked for the invoice meanwhile: what counts is that it hands over, once. */
async function webhookDown({ chain, id, signal, handedOver }: Stage): Promise<void> {
  await chain.settle(signal);
  chain.mine(id, amountOf(chain.invoice(id)));
  chain.bury(id);
  await chain.holdWebhooks(HOUR_MS, signal);
  await chain.freeWebhooks(signal);
  await handedOver("told an hour later", 1);
}

async function forged({ chain, id, signal, handedOver, refused }: Stage): Promise<void> {
  await chain.settle(signal);
  refused("a wrong signature", await chain.forge(id, "secret", signal));
  refused("an old one", await chain.forge(id, "time", signal));
  await handedOver("not paid", 0);
}

function amountOf({ terms }: Invoice): bigint {
  return terms.amount;
}

/** Payments are on time for a while after the expiry. */
function untilLateMs({ terms }: Invoice): bigint {
  return terms.lifeMs + terms.policy.graceMs + GATEWAY_LIMITS.drillStepMs;
}
