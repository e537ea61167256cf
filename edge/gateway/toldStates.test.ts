/** Every state of an invoice at the edge, as a shop hears of it: by alarms, the Cron handler and the platform's own queue. */
import { afterEach, beforeEach, describe, expect, inject, it } from "vitest";
import * as v from "valibot";
import type { PaymentFact } from "@svc/shared/invoice/paymentFact.ts";
import { blockAt } from "@svc/shared/invoice/testkit/invoices.ts";
import { KEY_SCOPES } from "@svc/shared/protocol/gateway/route.ts";
import { webhookEvent } from "@svc/shared/protocol/gateway/webhookEvent.ts";
import { GatewayCaller, payment, takenBack } from "../../tests/gateway/gatewayCaller.ts";
import { EDGE_LIMITS } from "../edgeLimits.ts";
import { EdgeHost } from "../testkit/edgeHost.ts";

const receiver = inject("receiver");
const MINUTE_MS = 60_000n;
const LIFE_MS = 15n * MINUTE_MS;

const sent = v.array(v.object({ headers: v.record(v.string(), v.unknown()), body: v.string() }));
const deliveries = v.object({
  deliveries: v.array(
    v.object({ state: v.string(), attempts: v.number(), dueAt: v.nullable(v.number()) }),
  ),
});

let host: EdgeHost;
let shop: GatewayCaller;
let key = "";
let webhook = "";
beforeEach(async () => {
  host = await EdgeHost.open();
  shop = new GatewayCaller(host, await host.issueKey("told", KEY_SCOPES));
  key = crypto.randomUUID();
  const url = `${receiver}/shop?key=${key}`;
  const { json } = await shop.ask("POST", "/api/v1/webhooks", { url });
  webhook = String(json["id"]);
});
afterEach(() => host.close());

/** What the shop was sent, each event once, in the order of the invoice's versions. */
async function told() {
  const came = v.parse(sent, await (await fetch(`${receiver}/came/${key}`)).json());
  const events = new Map(
    came.map(({ body }) => {
      const event = v.parse(webhookEvent, JSON.parse(body));
      return [event.id, event] as const;
    }),
  );
  return [...events.values()].toSorted(
    (a, b) => (a.invoice?.version ?? 0) - (b.invoice?.version ?? 0),
  );
}

/** Waits until the shop was told exactly this of an invoice. */
async function expectTold(...types: readonly string[]): Promise<void> {
  const wanted = ["created", ...types].map((type) => `invoice.${type}`);
  await expect.poll(async () => (await told()).map(({ type }) => type)).toEqual(wanted);
}

describe("a shop is told over the platform's queue", () => {
  it("that an invoice has expired", async () => {
    await shop.create();
    await host.pass(LIFE_MS);
    await expectTold("expired");
  });

  it("that a part has come, that the time is over, and that the rest has come", async () => {
    const { id } = await shop.create();
    await host.tell([await payment(host, id, 400n, 101n)], 101n);
    await host.pass(LIFE_MS);
    await new GatewayCaller(host, null).ask("POST", `/api/v1/checkout/${id}/topup`);
    await host.tell([await payment(host, id, 600n, 102n)], 112n);
    await expectTold(
      ...["payment_received", "partial", "expired", "updated"],
      ...["payment_received", "confirmed"],
    );
  });

  it("that more was paid than asked for", async () => {
    const { id } = await shop.create();
    await host.tell([await payment(host, id, 1_500n, 101n)], 101n);
    await host.tell([], 111n);
    await expectTold("payment_received", "paid", "overpaid");
    expect((await told()).at(-1)?.invoice).toMatchObject({ overpaidSompi: 500n, settled: true });
  });

  it("that a payment came too late", async () => {
    const { id } = await shop.create();
    await host.pass(LIFE_MS + MINUTE_MS);
    await host.tell([await payment(host, id, 1_000n, 101n)], 111n);
    await expectTold("expired", "payment_received", "paid_late");
  });

  it("that a payment left the chain, and of its confirmation when it was mined again and is deep enough", async () => {
    const { id } = await shop.create();
    const fact = await payment(host, id, 1_000n, 101n);
    await host.tell([fact], 109n);
    await host.tell([takenBack(fact)], 112n);
    expect(await shop.invoice(id)).toMatchObject({ status: "new", settled: false });
    await host.tell([minedAt(fact, 113n)], 115n);
    await host.tell([], 123n);
    await expectTold("payment_received", "paid", "updated", "paid", "confirmed");
    const settled = (await told()).filter(({ invoice }) => invoice?.settled === true);
    expect(settled.map(({ type }) => type)).toEqual(["invoice.confirmed"]);
  });

  it("what it missed in an hour in which it was down, once it is there again", async () => {
    await fetch(`${receiver}/down/${key}`);
    const { id } = await shop.create();
    await host.tell([await payment(host, id, 1_000n, 101n)], 111n);
    // Messages of the platform's queue wait by the clock of the machine: the Cron handler puts those back that are overdue.
    for (let minute = 0; minute < 60; minute += 1) {
      await host.pass(MINUTE_MS);
      await untilTried();
    }
    const waiting = await all();
    expect(new Set(waiting.map(({ state }) => state))).toEqual(new Set(["waiting"]));
    expect(Math.min(...waiting.map(({ attempts }) => attempts))).toBeGreaterThanOrEqual(4);
    expect(await shop.invoice(id)).toMatchObject({ status: "confirmed" });
    await fetch(`${receiver}/up/${key}`);
    await host.pass(150n * MINUTE_MS);
    const states = async () => (await all()).map(({ state }) => state);
    await expect.poll(states).toEqual(waiting.map(() => "delivered"));
    await expectTold("payment_received", "confirmed");
  });
});

/** The same payment in a block of another branch. */
function minedAt({ key: owner, index, input }: PaymentFact, score: bigint): PaymentFact {
  if (input.kind !== "mined") throw new TypeError("a payment that no block accepts");
  const block = blockAt(score, host.nowMs(), 1);
  return { key: owner, index, input: { ...input, block } };
}

/** The deliveries to the shop. */
async function all() {
  const { json } = await shop.ask("GET", `/api/v1/webhooks/${webhook}/deliveries`);
  return v.parse(deliveries, json).deliveries;
}

/** Waits until nothing is due that the Cron handler has put back. */
async function untilTried(): Promise<void> {
  const isDue = async (): Promise<boolean> => {
    const beforeS = Number((host.nowMs() - EDGE_LIMITS.sweepSlackMs) / 1_000n);
    return (await all()).some(({ dueAt }) => dueAt !== null && dueAt < beforeS);
  };
  await expect.poll(isDue).toBe(false);
}
