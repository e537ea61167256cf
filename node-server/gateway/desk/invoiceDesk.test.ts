import { beforeEach, describe, expect, it } from "vitest";
import {
  asAddressText,
  asBlueScore,
  asChainIndex,
  asHash32,
  asLeafPosition,
  asMerchantId,
  asSompi,
  asTimestampMs,
  asViewingKeyId,
  type InvoiceId,
  type TimestampMs,
} from "@svc/shared/base/brand.ts";
import { rejectionCode } from "@svc/shared/base/testkit/rejectionCode.ts";
import type { InvoiceOrder } from "@svc/shared/gateway/gatewayPorts.ts";
import type { Invoice } from "@svc/shared/invoice/invoice.ts";
import { blockAt, outputOf, TEST_POLICY } from "@svc/shared/invoice/testkit/invoices.ts";
import type { ChainBlock } from "@svc/shared/wallet/state/walletState.ts";
import type { FoundPayment } from "../scan/chainScan.ts";
import { AccessStore } from "../access/accessStore.ts";
import { GATEWAY_LIMITS } from "../gatewayLimits.ts";
import { GatewayStore } from "../store/gatewayStore.ts";
import { applyScan } from "./applyScan.ts";
import { DeskEvents } from "./deskEvents.ts";
import { DeskLooks } from "./deskLooks.ts";
import { InvoiceDesk } from "./invoiceDesk.ts";

const SHOP = asMerchantId("shop");
const KEY = asViewingKeyId(`key_${"1".repeat(16)}`);
const FIRST = 0x8000_0000;
const RUN = 8;
const never = new AbortController().signal;

const ORDER: InvoiceOrder = {
  orderId: "order 1",
  amountSompi: 100n,
  expiresInS: 900,
  policy: TEST_POLICY,
  redirectUrl: null,
  language: null,
  metadata: {},
  quote: null,
};

function request(key: string, body = "1") {
  return { key, bodyHash: asHash32(body.repeat(64)) };
}

type Wish = { readonly onMore: (add: (from: number) => void) => void };

/** Adds the merchant of the invoices. */
function addShop(access: AccessStore, createdMs: TimestampMs): void {
  access.commit((batch) => {
    access.merchants.put(batch, {
      ...{ id: SHOP, name: "Shop", key: KEY, policy: TEST_POLICY, expiresInS: 900 },
      ...{ frameOrigins: [], language: null, payout: null, createdMs, closedMs: null },
    });
  });
}

async function setUp({ onMore }: Wish = { onMore: () => undefined }) {
  const store = await GatewayStore.open(null, null);
  const access = await AccessStore.open(null);
  let now = 1_000_000n;
  let bytes = 0;
  const clock = { nowMs: (): TimestampMs => asTimestampMs(now), sleep: async () => undefined };
  const place = () => ({
    publicUrl: "https://pay.example",
    network: "simnet",
    livemode: false,
    tip: desk.tip(),
    nowMs: clock.nowMs(),
  });
  const events = new DeskEvents({ store, place, onDeliveries: () => undefined });
  const desk: InvoiceDesk = new InvoiceDesk({
    store,
    merchants: { get: (id) => access.merchants.get(id) },
    events,
    clock,
    randomBytes: (length) => {
      bytes += 1;
      return new Uint8Array(length).fill(bytes);
    },
    addressText: (raw) => asAddressText(`svcsim:${raw.slice(0, 8)}`),
    moreAddresses: async () => onMore(addRun),
    onChange: () => undefined,
  });
  const looked: InvoiceId[] = [];
  const looks = new DeskLooks({
    ...{ store, desk, clock, log: { error: () => undefined } },
    onLooked: (id) => looked.push(id),
  });
  addShop(access, clock.nowMs());
  const addRun = (from: number): void => {
    const addresses = new Uint8Array(43 * RUN).map((_, place) => Math.floor(place / 43));
    store.commit((batch) => store.addresses.add(batch, { key: KEY, from, addresses }));
  };
  addRun(FIRST);
  const scan = (step: Partial<Parameters<typeof applyScan>[1]>) =>
    applyScan({ store, desk, recentBlocks: 100 }, { common: null, blocks: [], found: [], ...step });
  return {
    store,
    desk,
    looks,
    looked,
    scan,
    pass: (ms: bigint) => {
      now += ms;
    },
  };
}

function chainBlock(index: bigint, blueScore: bigint): ChainBlock {
  const { hash, daaScore, timestampMs } = blockAt(blueScore, 1_000_000n);
  return {
    hash,
    chainIndex: asChainIndex(index),
    blueScore: asBlueScore(blueScore),
    daaScore,
    timestamp: timestampMs,
    leafEnd: asLeafPosition(index),
  };
}

function paid(invoice: Invoice, amount: bigint, at: bigint, output = 1): FoundPayment {
  const { key, index } = invoice.terms.address;
  const block = blockAt(at, 1_000_000n);
  const input = { kind: "mined", output: outputOf(output, amount), block } as const;
  return { chainIndex: asChainIndex(at), fact: { key, index, input } };
}

let scene: Awaited<ReturnType<typeof setUp>>;

beforeEach(async () => {
  scene = await setUp();
});

async function told(invoice: Invoice): Promise<readonly string[]> {
  const { rows } = await scene.desk.events(invoice.terms.id, null, 50);
  return rows.map(({ type }) => type.replace("invoice.", "")).toReversed();
}

describe("the desk", () => {
  it("gives each invoice an address of its own, and none when there is none left", async () => {
    const made = await Promise.all(
      Array.from({ length: 8 }, () => scene.desk.create(SHOP, ORDER, null)),
    );
    const indices = made.map(({ invoice }) => invoice.terms.address.index);
    expect(indices.toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 8 }, (_, place) => FIRST + place),
    );
    expect(new Set(made.map(({ invoice }) => invoice.terms.address.raw)).size).toBe(8);
    expect(await rejectionCode(scene.desk.create(SHOP, ORDER, null))).toBe("gateway/no-address");
  });

  it("lets an invoice wait while no address is ready, a bounded number of times", async () => {
    let waits = 0;
    const waiting = await setUp({
      onMore: (add) => {
        waits += 1;
        if (waits === 3) add(FIRST + RUN);
      },
    });
    for (let taken = 0; taken < RUN; taken += 1) await waiting.desk.create(SHOP, ORDER, null);
    const { invoice } = await waiting.desk.create(SHOP, ORDER, request("k"));
    expect([invoice.terms.address.index, waits]).toEqual([FIRST + RUN, 3]);
    for (let taken = 1; taken < RUN; taken += 1) await waiting.desk.create(SHOP, ORDER, null);
    const refused = await rejectionCode(waiting.desk.create(SHOP, ORDER, null));
    expect([refused, waits]).toEqual(["gateway/no-address", 3 + GATEWAY_LIMITS.addressWaits]);
  });

  it("makes one invoice for one key, however often and at once it is asked", async () => {
    const made = await Promise.all(
      Array.from({ length: 5 }, () => scene.desk.create(SHOP, ORDER, request("k"))),
    );
    expect(new Set(made.map(({ invoice }) => invoice.terms.id)).size).toBe(1);
    expect(made.map(({ isReplay }) => isReplay)).toEqual([false, true, true, true, true]);
    expect(await rejectionCode(scene.desk.create(SHOP, ORDER, request("k", "2")))).toBe(
      "gateway/idempotency-conflict",
    );
    const other = await scene.desk.create(SHOP, ORDER, request("l"));
    expect(other.invoice.terms.address.index).toBe(FIRST + 1);
  });

  it("pays an invoice by the address alone, and settles it with the tip", async () => {
    const { invoice } = await scene.desk.create(SHOP, ORDER, null);
    scene.scan({ common: null, blocks: [chainBlock(1n, 1n)], found: [paid(invoice, 100n, 1n)] });
    expect(await told(invoice)).toEqual(["created", "payment_received", "paid"]);
    scene.looks.moveTip(asBlueScore(10n));
    await scene.looks.look(never);
    expect((await scene.desk.find(invoice.terms.id))?.told.status).toBe("paid");
    scene.looks.moveTip(asBlueScore(11n));
    await scene.looks.look(never);
    expect(await told(invoice)).toEqual(["created", "payment_received", "paid", "confirmed"]);
    expect(scene.store.flaws()).toEqual([]);
  });

  it("takes a payment back with its block, and once more with another one", async () => {
    const { invoice } = await scene.desk.create(SHOP, ORDER, null);
    scene.looks.moveTip(asBlueScore(11n));
    scene.scan({
      blocks: [chainBlock(1n, 1n), chainBlock(2n, 2n)],
      found: [paid(invoice, 100n, 1n)],
    });
    scene.scan({ common: asChainIndex(0n), blocks: [] });
    expect(await told(invoice)).toEqual([
      "created",
      "payment_received",
      "confirmed",
      "invalid",
      "updated",
    ]);
    scene.scan({
      common: asChainIndex(0n),
      blocks: [chainBlock(1n, 3n)],
      found: [{ ...paid(invoice, 100n, 3n), chainIndex: asChainIndex(1n) }],
    });
    expect((await scene.desk.find(invoice.terms.id))?.told).toMatchObject({
      status: "paid",
      reorged: true,
    });
    expect(scene.store.flaws()).toEqual([]);
  });

  it("pays two invoices by one transaction, each with its own output", async () => {
    const [one, two] = await Promise.all([
      scene.desk.create(SHOP, ORDER, null),
      scene.desk.create(SHOP, ORDER, null),
    ]);
    scene.scan({
      blocks: [chainBlock(1n, 1n)],
      found: [paid(one.invoice, 100n, 1n, 1), paid(two.invoice, 40n, 1n, 2)],
    });
    expect((await scene.desk.find(one.invoice.terms.id))?.told.paid).toBe(asSompi(100n));
    expect((await scene.desk.find(two.invoice.terms.id))?.told.status).toBe("partial");
  });

  it("lets invoices expire at their time, and puts them away", async () => {
    const { invoice } = await scene.desk.create(SHOP, ORDER, null);
    scene.pass(899_999n);
    await scene.looks.look(never);
    expect(await told(invoice)).toEqual(["created"]);
    expect(scene.looked).toEqual([]);
    scene.pass(1n);
    await scene.looks.look(never);
    expect(await told(invoice)).toEqual(["created", "expired"]);
    expect(scene.looked).toContain(invoice.terms.id);
    scene.pass(86_400_000n);
    await scene.looks.look(never);
    expect((await scene.desk.find(invoice.terms.id))?.archived).toBe(true);
    expect(scene.store.invoices.nextDueMs()).toBeNull();
    expect(scene.store.flaws()).toEqual([]);
  });

  it("lists what fits a filter, in parts, without a row twice", async () => {
    for (let number = 0; number < 7; number += 1) {
      const metadata = { table: number % 2 === 0 ? "window" : "door" };
      await scene.desk.create(SHOP, { ...ORDER, orderId: `order ${number}`, metadata }, null);
      scene.pass(1_000n);
    }
    const all = { orderIds: [], statuses: [], text: null, fromMs: null, toMs: null };
    const list = async (filter: object, limit: number): Promise<string[]> => {
      const found: string[] = [];
      for (let cursor: string | null = null; ;) {
        const question = { ...all, withArchived: false, ...filter };
        const page = await scene.desk.list(SHOP, question, cursor, limit);
        found.push(...page.rows.map(({ terms }) => terms.orderId.slice(-1)));
        cursor = page.next;
        if (cursor === null) return found;
      }
    };
    expect((await list({}, 3)).join("")).toBe("6543210");
    expect((await list({ text: "WINDOW" }, 2)).join("")).toBe("6420");
    expect((await list({ orderIds: ["order 3"] }, 2)).join("")).toBe("3");
    expect((await list({ orderIds: ["order 3", "order 5"] }, 1)).join("")).toBe("53");
    expect((await list({ statuses: ["paid"] }, 2)).join("")).toBe("");
    const bounds = { fromMs: 1_002_000n, toMs: 1_005_000n };
    expect((await list(bounds, 2)).join("")).toBe("432");
    expect(
      await rejectionCode(scene.desk.list(SHOP, { ...all, withArchived: false }, "x", 1)),
    ).toBe("api/bad-field");
    expect(
      (await scene.desk.list(asMerchantId("other"), { ...all, withArchived: true }, null, 9)).rows,
    ).toEqual([]);
  });
});
