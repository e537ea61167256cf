/** Checks that deposits were told: by the feed, each thing once, and by the webhook, each entry of the feed at least once. */
import { expect } from "vitest";
import type { RouteResult } from "@svc/shared/protocol/wallet/walletRoutes.ts";
import type { PaidCalls } from "./expectAllPaid.ts";
import { wholeFeed, type DepositEvent, type FeedReader } from "../deposits/feedReader.ts";
import { untilSo } from "../testkit/nodeProcess.ts";
import { options, PAYER, SHOP, type WalletdScene } from "./walletdScene.ts";
import type { WebhookReceiver } from "./webhookReceiver.ts";
import { PATIENCE_MS } from "../testkit/networkSizes.ts";

type Delivery = RouteResult<"webhooks">["deliveries"][number];

/** Each deposit seen at most once, credited once and final once; the whole feed is what the reader has. */
export async function expectAllTold(
  of: WalletdScene,
  { wanted, client }: PaidCalls,
  reader: FeedReader,
): Promise<void> {
  const address = of.addressOf("shop");
  const deposits = wanted.flatMap(({ key, payees }) =>
    payees.flatMap(({ to, amount }) => (to === address ? [{ key, amount }] : [])),
  );
  const finals = (): number => reader.events.filter(({ kind }) => kind === "final").length;
  await untilSo(async () => finals() >= deposits.length, PATIENCE_MS).catch(
    async (error: unknown) => {
      await reader.stop();
      throw new Error(`${String(error)}: ${describe(reader.events)}`);
    },
  );
  await reader.stop();
  const events = await wholeFeed(of, SHOP);
  expect(reader.events).toEqual(events);
  const cursors = events.map(({ cursor }) => BigInt(cursor));
  expect(cursors).toEqual([...new Set(cursors)].toSorted((a, b) => (a < b ? -1 : 1)));
  for (const { key, amount } of deposits) {
    const own = events.filter((event) => event.amount_sompi === amount);
    const kinds = own.map(({ kind }) => kind).filter((kind) => kind !== "seen");
    expect(kinds, key).toEqual(["credited", "final"]);
    expect(own.length - kinds.length, key).toBeLessThanOrEqual(1);
    const [txid, ...others] = new Set(own.map((event) => event.txid));
    expect(others).toEqual([]);
    expect(client.answers.get(key)?.txids).toContain(txid);
  }
  const outputs = new Set(events.map(({ txid, output }) => `${txid} ${output}`));
  expect(outputs.size).toBe(deposits.length);
}

/** The receiver has each entry of both feeds, in the order of its feed, and nothing else. */
export async function expectAllDelivered(of: WalletdScene, hook: WebhookReceiver): Promise<void> {
  const names = new Set<string>();
  let received = 0;
  for (const token of [PAYER, SHOP]) {
    let deliveries: readonly Delivery[] = [];
    const isOver = async (): Promise<boolean> => {
      deliveries = await deliveriesOf(of, token);
      return deliveries.every(({ state }) => state === "delivered");
    };
    await untilSo(isOver, PATIENCE_MS).catch((error: unknown) => {
      const left = deliveries.filter(({ state }) => state !== "delivered");
      throw new Error(`${String(error)}: ${JSON.stringify(left)}`);
    });
    const feed = await wholeFeed(of, token);
    expect(deliveries.map(({ cursor }) => cursor)).toEqual(feed.map(({ cursor }) => cursor));
    const ids = new Set(deliveries.map(({ id }) => id));
    // In the order in which each came first.
    const came = [...hook.events].flatMap(([id, data]) => (ids.has(id) ? [data] : []));
    expect(came.map(({ event }) => event)).toEqual(
      feed.map(({ cursor, kind, txid, amount_sompi: amount }) => ({
        ...{ cursor, kind, txid },
        amountSompi: String(amount),
      })),
    );
    for (const { wallet } of came) names.add(`${token} ${wallet}`);
    received += came.length;
  }
  expect(names.size).toBe(2);
  expect(received).toBe(hook.events.size);
  expect(hook.faults).toEqual([]);
  console.info(
    `webhook: ${received} events in ${hook.deliveries} deliveries, ${hook.refused} of them refused`,
  );
}

async function deliveriesOf(of: WalletdScene, token: string): Promise<readonly Delivery[]> {
  const rows: Delivery[] = [];
  for (let after = 0n; ;) {
    const page = await of.client(token).webhooks({ after, dead: "" }, options());
    rows.push(...page.deliveries);
    if (!page.more) return rows;
    after = BigInt(page.next);
  }
}

function describe(events: readonly DepositEvent[]): string {
  return events.map(({ cursor, kind, txid }) => `${cursor} ${kind} ${txid.slice(0, 8)}`).join(", ");
}
