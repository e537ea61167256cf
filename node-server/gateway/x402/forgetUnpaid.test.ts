/** Challenges that nobody pays: they go, and what is paid to their addresses later is still their merchant's. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { asInvoiceId, asTimestampMs } from "@svc/shared/base/brand.ts";
import type { PaymentFact } from "@svc/shared/invoice/paymentFact.ts";
import { KEY_SCOPES } from "@svc/shared/protocol/gateway/route.ts";
import { folderOfTest } from "../../platform/testkit/folderOfTest.ts";
import { KEYS_END } from "../../storage/kv.ts";
import { openStore } from "../../storage/openStore.ts";
import { GATEWAY_LAYOUT, GATEWAY_TABLES } from "../store/gatewayLayout.ts";
import { DeskHost } from "../testkit/deskHost.ts";
import { payloadOf, paymentOf, X402Shop, type Asked } from "../testkit/x402Shop.ts";

const KEPT_MS = 345_600_000n;
const LIFE_MS = 300_000n;
const WISH = { amountSompi: "1000", resource: "GET https://api.example/r" };
/** Tables whose rows stay: what the gateway is, and the addresses that are left to give out. */
const STAYING: readonly number[] = [
  GATEWAY_TABLES.sequence,
  GATEWAY_TABLES.addresses,
  GATEWAY_TABLES.addressHeads,
  GATEWAY_TABLES.oldAddresses,
];

let folder: string;
let host: DeskHost;
let key: string;
let shop: X402Shop;
beforeEach(async () => {
  folder = folderOfTest();
  host = await DeskHost.open(folder);
  key = await host.issueKey("shop", KEY_SCOPES);
  shop = new X402Shop(host, key);
});
afterEach(() => host.close());

async function invoiceOf({ extra }: Asked): Promise<readonly [number, unknown]> {
  const headers = { Authorization: `Bearer ${key}` };
  const response = await host.fetch(`/api/v1/invoices/${extra.challenge}`, { headers });
  const { status }: { status?: unknown } = await response.json();
  return [response.status, status];
}

async function addressOf({ extra }: Asked) {
  const address = host.store.invoices.get(asInvoiceId(extra.challenge))?.terms.address;
  if (address === undefined) throw new Error("no invoice");
  return address;
}

/** A block of the present accepts a payment. */
function minedNow(...[raw, address]: Parameters<typeof host.payments.goneFacts>): PaymentFact[] {
  const timestampMs = asTimestampMs(host.nowMs());
  return host.payments.minedFacts(raw, address, 100n).map((fact) => {
    const { input } = fact;
    if (input.kind !== "mined") return fact;
    return { ...fact, input: { ...input, block: { ...input.block, timestampMs } } };
  });
}

describe("a challenge that nobody paid", () => {
  it("goes four days after its end, with its key, events and notes: of a flood 160 bytes of each stay", async () => {
    const count = 60;
    for (let number = 0; number < count; number += 1) {
      await shop.ask("/x402/challenges", WISH, number % 2 === 0 ? `key-${number}` : null);
    }
    const bound = await shop.challenge("1000");
    expect(await shop.verify(bound, payloadOf(paymentOf(bound, "note")))).toBe("valid");
    await host.pass(LIFE_MS + KEPT_MS - 1n);
    expect(await host.challenges.forgetUnpaid(1_000)).toBe(0);
    await host.pass(1n);
    await host.challenges.forgetEnded(1_000);
    // A part each time.
    expect(await host.challenges.forgetUnpaid(40)).toBe(40);
    expect(await host.challenges.forgetUnpaid(1_000)).toBe(count + 1 - 40);
    expect(host.store.flaws()).toEqual([]);
    expect(await invoiceOf(bound)).toEqual([404, undefined]);
    // The key is as old as its invoice.
    const again = await shop.ask("/x402/challenges", { ...WISH, amountSompi: "7" }, "key-0");
    expect(again["code"]).toBeUndefined();
    expect(host.store.challenges.over(10n ** 15n, 10)).toHaveLength(1);
    await host.pass(LIFE_MS + KEPT_MS);
    expect(await host.challenges.forgetUnpaid(1_000)).toBe(1);
    await host.close();

    const { store } = await openStore(folder, GATEWAY_LAYOUT);
    const range = { from: new Uint8Array(), to: KEYS_END, limit: 1_000 };
    for (const { number, name } of GATEWAY_LAYOUT.tables) {
      if (STAYING.includes(number)) continue;
      expect(store.range({ table: number, ...range }), name).toEqual([]);
    }
    const rows = store.range({ table: GATEWAY_TABLES.oldAddresses, ...range });
    expect(rows).toHaveLength(count + 2);
    for (const row of rows) expect(row.key.length + row.value.length).toBeLessThanOrEqual(160);
    await store.close();
    host = await DeskHost.open(folder);
  });

  it("is its merchant's invoice again when its address is paid, however late, also after a new start", async () => {
    const asked = await shop.challenge("1000");
    const address = await addressOf(asked);
    const before = host.store.invoices.get(asInvoiceId(asked.extra.challenge));
    await host.pass(LIFE_MS + KEPT_MS);
    expect(await host.challenges.forgetUnpaid(10)).toBe(1);
    await host.close();
    host = await DeskHost.open(folder);
    await host.pass(LIFE_MS + KEPT_MS + 10n ** 10n);
    const raw = paymentOf(asked, "note");
    // What takes nothing away and brings nothing changes nothing.
    await host.tell(host.payments.goneFacts(raw, address), 99n);
    expect(await invoiceOf(asked)).toEqual([404, undefined]);
    await host.tell(minedNow(raw, address), 110n);
    expect(await invoiceOf(asked)).toEqual([200, "paidLate"]);
    const invoice = host.store.invoices.get(asInvoiceId(asked.extra.challenge));
    expect(invoice?.terms).toEqual(before?.terms);
    const versions = host.store.events.below(asInvoiceId(asked.extra.challenge), null, 10);
    // Versions go on where they were: no id of an event comes twice.
    expect(Math.min(...versions.map(({ version }) => version))).toBeGreaterThan(2);
    expect(host.store.flaws()).toEqual([]);
    // It stays from then on.
    await host.pass(LIFE_MS + KEPT_MS);
    expect(await host.challenges.forgetUnpaid(10)).toBe(0);
    // A payment that pays somebody else's invoice is not moved by it.
    expect(host.store.oldAddresses.at(address.key, address.index)).toBeUndefined();
  });

  it("stays where it was paid, where its merchant said something of it, or while its payment is on its way", async () => {
    const [paid, marked, sent, longer] = [
      await shop.challenge("1000"),
      await shop.challenge("1000"),
      await shop.challenge("1000"),
      await shop.challenge("1000"),
    ];
    await host.tell(
      host.payments.minedFacts(paymentOf(paid, "a"), await addressOf(paid), 100n),
      110n,
    );
    const path = `/api/v1/invoices/${marked.extra.challenge}/mark`;
    await host.fetch(path, {
      method: "POST",
      headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
      body: JSON.stringify({ as: "invalid", reason: "a test" }),
    });
    const raw = paymentOf(sent, "b");
    expect(await shop.verify(sent, payloadOf(raw))).toBe("valid");
    host.payments.fault = "lost";
    await shop.settle(sent, payloadOf(raw));
    await host.desk.change(
      asInvoiceId(longer.extra.challenge),
      {
        kind: "extend",
        ...extension(longer),
      },
      () => undefined,
    );
    await host.pass(LIFE_MS + KEPT_MS);
    expect(await host.challenges.forgetUnpaid(10)).toBe(0);
    const left = host.store.challenges.over(10n ** 15n, 10).map(({ id }) => id);
    expect(left.toSorted()).toEqual([sent, longer].map(({ extra }) => extra.challenge).toSorted());
    await host.pass(KEPT_MS);
    expect(await host.challenges.forgetUnpaid(10)).toBe(1);
    expect(await invoiceOf(longer)).toEqual([404, undefined]);
    for (const asked of [paid, marked, sent]) expect((await invoiceOf(asked))[0]).toBe(200);
  });
});

/** Twice the life that it had. */
function extension(asked: Asked) {
  const terms = host.store.invoices.get(asInvoiceId(asked.extra.challenge))?.terms;
  if (terms === undefined) throw new Error("no invoice");
  const { amount, quote, createdMs } = terms;
  return { expiresMs: asTimestampMs(createdMs + 2n * LIFE_MS), amount, quote };
}
