/** Test helper: the gateway's desks over a database, behind the API, with a clock that the test moves and a receiver of webhooks in memory. */
import {
  asAddressText,
  asBlueScore,
  asChainIndex,
  asInvoiceId,
  asMerchantId,
  asRawAddress,
  asSompi,
  asTimestampMs,
  asViewingKeyId,
  type AddressText,
  type MerchantId,
  type TimestampMs,
  type ViewingKeyId,
} from "@svc/shared/base/brand.ts";
import { decodeHex } from "@svc/shared/base/hex.ts";
import { Secret } from "@svc/shared/base/secret.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { callRates } from "@svc/shared/gateway/callRates.ts";
import { gatewayApp } from "@svc/shared/gateway/gatewayApp.ts";
import { checkoutHandlers } from "@svc/shared/gateway/handlers/checkoutHandlers.ts";
import { coinOfAddress } from "@svc/shared/gateway/greenfield/coinCode.ts";
import { invoiceHandlers } from "@svc/shared/gateway/handlers/invoiceHandlers.ts";
import { receiptHandlers } from "@svc/shared/gateway/handlers/receiptHandlers.ts";
import { refundHandlers } from "@svc/shared/gateway/handlers/refundHandlers.ts";
import { serviceHandlers } from "@svc/shared/gateway/handlers/serviceHandlers.ts";
import { tillHandlers } from "@svc/shared/gateway/handlers/tillHandlers.ts";
import { webhookHandlers } from "@svc/shared/gateway/handlers/webhookHandlers.ts";
import type { RecordPlace } from "@svc/shared/gateway/invoiceRecordOf.ts";
import type { CheckoutAssets } from "@svc/shared/gateway/page/checkoutAssets.ts";
import type { ReceiptPort } from "@svc/shared/gateway/receiptPort.ts";
import type { CoinRate, PricePort } from "@svc/shared/gateway/pricePort.ts";
import type { ToldRate } from "@svc/shared/gateway/toldRates.ts";
import { GATEWAY_RETRIES } from "@svc/shared/gateway/retrySchedule.ts";
import { TEST_POLICY } from "@svc/shared/invoice/testkit/invoices.ts";
import { x402Handlers } from "@svc/shared/gateway/x402/x402Handlers.ts";
import { x402Network } from "@svc/shared/protocol/gateway/x402Records.ts";
import type { BatchReceipt } from "@svc/shared/invoice/factBatch.ts";
import type { ReceiptNote } from "@svc/shared/light/coreReceipts.ts";
import type { PaymentFact } from "@svc/shared/invoice/paymentFact.ts";
import type { KeyScope } from "@svc/shared/protocol/gateway/route.ts";
import { webhookUrl } from "@svc/shared/protocol/webhook/webhookTarget.ts";
import { WebhookSender } from "../../client/webhookSender.ts";
import { postWebhook, type WebhookPost } from "../../client/webhookPost.ts";
import { mulberry32 } from "../../platform/testkit/mulberry32.ts";
import { AccessStore } from "../access/accessStore.ts";
import {
  addTill,
  removeTill,
  setTillPassword,
  type PasswordMaking,
} from "../access/tillAccounts.ts";
import { addMerchant, issueKey, revokeKey } from "../access/issueKeys.ts";
import { MerchantDirectory } from "../access/merchantDirectory.ts";
import { applyFacts, applyReceipts } from "../desk/applyScan.ts";
import { DeskDeliveries } from "../desk/deskDeliveries.ts";
import { DeskEvents } from "../desk/deskEvents.ts";
import { DeskLooks } from "../desk/deskLooks.ts";
import { InvoiceDesk } from "../desk/invoiceDesk.ts";
import { InvoiceWatch } from "../desk/invoiceWatch.ts";
import { RefundDesk } from "../desk/refundDesk.ts";
import { TillDesk } from "../desk/tillDesk.ts";
import { WebhookDesk } from "../desk/webhookDesk.ts";
import type { GatewayServerParts } from "../http/gatewayServer.ts";
import { FIRST_INVOICE_INDEX } from "../keys/viewingKeyFile.ts";
import { GatewayStore } from "../store/gatewayStore.ts";
import { ChallengeDesk } from "../x402/challengeDesk.ts";
import { Facilitator } from "../x402/facilitator.ts";
import { ModelPayments } from "./modelPayments.ts";

/** A post that the receiver got. */
export type ReceivedPost = {
  readonly url: string;
  readonly headers: Headers;
  readonly body: string;
};

/** What differs from host to host: its checkout pages, its prices, and how its webhooks are sent. */
export type HostLook = {
  readonly assets: CheckoutAssets;
  /** Origins whose pages may show them in a frame. */
  readonly frameOrigins: readonly string[];
  /** Largest amount for which a payment counts that waits in a pool. */
  readonly poolLimit: bigint;
  /** The node that payments of x402 are broadcast by; one of its own where it is left out. */
  readonly payments?: ModelPayments;
  /** Where payers reach it. */
  readonly publicUrl: string;
  /** What one coin costs, by currency. */
  readonly rates: Readonly<Record<string, string>>;
  /** Prices of another source; those of `rates` when left out. */
  readonly prices?: PricePort;
  /** Sends a webhook that the receiver in memory has taken; nothing more is done with it when left out. */
  readonly post: (post: WebhookPost) => Promise<void>;
};

const LOOK: HostLook = {
  assets: new Map(),
  frameOrigins: [],
  poolLimit: 0n,
  publicUrl: "https://pay.example",
  rates: {},
  post: async () => undefined,
};
const KEY = asViewingKeyId(`key_${"1".repeat(16)}`);
const HRP = "svcsim:";
const ADDRESS_BYTES = 43;
const ADDRESSES = 512;
/** What opens the note of a payment: the files of a test are made of none. */
const NOTE: ReceiptNote = {
  recipient: asRawAddress("0a".repeat(43)),
  value: asSompi(1n),
  rho: "00".repeat(32),
  rseed: "00".repeat(32),
  position: 0,
};
const RATE_AGE_MS = 900_000n;
/** Of its tills' passwords: next to nothing. */
const PASSWORD_COST = { n: 16, r: 8, p: 1 };
const NOTHING_ELSE = new AbortController().signal;

/** Stands for the network's addresses, whose last character stands for their checksum. */
async function checkAddress(given: string): Promise<AddressText> {
  const text = given.trim();
  if (!text.startsWith(HRP)) throw new SvcError("address/missing-prefix", {});
  if (!/^[0-9a-f]{78}q$/.test(text.slice(HRP.length))) {
    throw new SvcError("address/bad-checksum", {});
  }
  return asAddressText(text);
}

function secretOf(text: string): Secret {
  return new Secret(new TextEncoder().encode(text));
}

/** Prices that the operator gave. */
function pricesOf(rates: HostLook["rates"], nowMs: () => TimestampMs): PricePort {
  const of = (currency: string, rate: string) => {
    return { currency, rate, source: "operator", toldMs: nowMs(), isStale: false };
  };
  return {
    rate: async (currency) => {
      const rate = rates[currency];
      return rate === undefined ? null : of(currency, rate);
    },
    rates: async () => Object.entries(rates).map(([currency, rate]) => of(currency, rate)),
  };
}

/** Desks, API and clock. */
export class DeskHost {
  readonly store: GatewayStore;
  readonly access: AccessStore;
  readonly desk: InvoiceDesk;
  readonly looks: DeskLooks;
  readonly queue: DeskDeliveries;
  readonly refunds: RefundDesk;
  readonly tills: TillDesk;
  readonly app: ReturnType<typeof gatewayApp>;
  /** The node that payments of x402 are broadcast by. */
  readonly payments: ModelPayments;
  readonly challenges: ChallengeDesk;
  readonly facilitator: Facilitator;
  /** What a server of the gateway serves. */
  readonly served: Pick<
    GatewayServerParts,
    "handlers" | "merchants" | "pages" | "till" | "greenfield"
  >;
  readonly #watch: InvoiceWatch;
  readonly #posts: ReceivedPost[] = [];
  readonly #random = mulberry32(20);
  readonly #look: HostLook;
  readonly #rates = new Map<string, ToldRate>();
  readonly #sleepers = new Set<{ readonly untilMs: bigint; readonly wake: () => void }>();
  #nowMs = 1_785_100_000_000n;
  #status = 200;

  private constructor(store: GatewayStore, access: AccessStore, look: HostLook) {
    this.#look = look;
    this.payments = look.payments ?? new ModelPayments();
    this.store = store;
    this.access = access;
    const clock = this.#clock();
    const merchants = new MerchantDirectory(access);
    const watch = new InvoiceWatch(clock);
    this.#watch = watch;
    const place = () => this.#place();
    const randomBytes = (length: number) => this.#randomBytes(length);
    this.queue = new DeskDeliveries({ store, clock, reach: "loopback" });
    this.desk = new InvoiceDesk({
      store,
      merchants: access.merchants,
      events: new DeskEvents({ store, place, onDeliveries: () => undefined }),
      clock,
      randomBytes,
      addressText: (raw) => asAddressText(`${HRP}${raw.slice(0, 78)}q`),
      moreAddresses: async () => undefined,
      onChange: (id) => watch.changed(id),
    });
    this.looks = new DeskLooks({
      ...{ store, desk: this.desk, clock, log: { error: () => undefined } },
      onLooked: (id) => watch.changed(id),
    });
    this.refunds = new RefundDesk({ store, clock, randomBytes, onApproved: () => undefined });
    this.tills = new TillDesk({
      ...{ access, store, clock, randomBytes },
      passwordCost: PASSWORD_COST,
    });
    this.challenges = new ChallengeDesk({ store, desk: this.desk, clock });
    this.facilitator = this.#makeFacilitator(watch);
    this.served = this.#servedTo(merchants, watch, place);
    this.app = gatewayApp({
      ...this.served,
      rates: callRates(() => Number(this.#nowMs), 1_000),
      callerOf: () => "127.0.0.1",
      randomBytes,
      onError: (error) => {
        if (SvcError.is(error, "internal/unexpected")) console.error(error);
      },
      stopped: NOTHING_ELSE,
    });
  }

  #makeFacilitator(watch: InvoiceWatch): Facilitator {
    const { store, challenges, payments } = this;
    return new Facilitator({
      network: x402Network("5a".repeat(32)),
      ...{ store, challenges, watch, clock: this.#movedClock() },
      ...{ reader: payments, node: payments },
      onChange: (id) => watch.changed(id),
    });
  }

  /** Opens the desks over a folder; null for a database in memory. */
  static async open(folder: string | null, look: Partial<HostLook> = {}): Promise<DeskHost> {
    const [store, access] = [await GatewayStore.open(folder, null), await AccessStore.open(folder)];
    return new DeskHost(store, access, { ...LOOK, ...look });
  }

  /** Asks the API. */
  async fetch(path: string, init: RequestInit = {}): Promise<Response> {
    return this.app.request(path, init);
  }

  /** Issues a key, and makes the merchant where there is none. */
  async issueKey(merchant: string, scopes: readonly KeyScope[]): Promise<string> {
    const id = asMerchantId(merchant);
    if (this.access.merchants.get(id) === undefined) this.#add(id);
    const wish = { merchant: id, label: "", scopes, mode: "test", nowMs: this.#now() } as const;
    return (await issueKey(this.access, wish, (length) => this.#randomBytes(length))).text;
  }

  /** Revokes a key. */
  async revokeKey(merchant: string, key: string): Promise<void> {
    const nowMs = this.#now();
    revokeKey(this.access, { merchant: asMerchantId(merchant), id: key.slice(0, 17), nowMs });
  }

  /** Adds a till that rings up in euros of Berlin, and the merchant where there is none. */
  async addTill(merchant: string, name: string, password: string): Promise<void> {
    const id = asMerchantId(merchant);
    if (this.access.merchants.get(id) === undefined) this.#add(id);
    const till = { name, merchant: id, currency: "EUR", timeZone: "Europe/Berlin" };
    const row = { ...till, tips: [5, 10, 15], createdMs: this.#now() };
    await addTill(this.access, row, secretOf(password), this.#making());
  }

  /** Gives a till another password; null removes it. */
  async changeTill(name: string, password: string | null): Promise<void> {
    if (password === null) return removeTill(this.access, name);
    return setTillPassword(this.access, name, secretOf(password), this.#making());
  }

  #making(): PasswordMaking {
    return { randomBytes: (length) => this.#randomBytes(length), cost: PASSWORD_COST };
  }

  /** Applies facts, then moves the tip. */
  async tell(facts: readonly PaymentFact[], tip: bigint): Promise<void> {
    const { store, desk } = this;
    store.commit((batch) => applyFacts({ store, desk }, batch, facts));
    this.looks.moveTip(asBlueScore(tip));
    await this.looks.look(NOTHING_ELSE);
    this.#watch.moved();
  }

  /** Tells what becomes of receipts of payments, with the sink where it is. */
  async tellReceipts(receipts: readonly BatchReceipt[]): Promise<void> {
    const { store, desk } = this;
    store.commit((batch) => {
      for (const { receipt, ...place } of receipts) {
        const bytes = receipt === null ? null : decodeHex(receipt);
        applyReceipts({ store, desk }, batch, [{ ...place, bytes }]);
        if (bytes === null) continue;
        const paid = { ...place, chainIndex: asChainIndex(1n), note: NOTE };
        store.receipts.put(batch, paid);
        store.receipts.keep(batch, { paid, bytes, state: asChainIndex(1n), work: 1n });
      }
    });
    this.#watch.moved();
  }

  /** Tells what a coin costs. */
  async tellRates(rates: readonly ToldRate[]): Promise<void> {
    for (const rate of rates) this.#rates.set(rate.currency, rate);
  }

  /** Where an invoice is paid to. */
  async addressOf(
    invoice: string,
  ): Promise<{ readonly key: ViewingKeyId; readonly index: number }> {
    const found = this.store.invoices.get(asInvoiceId(invoice));
    if (found === undefined) throw new SvcError("gateway/no-invoice", {});
    return found.terms.address;
  }

  /** Lets time pass. */
  async pass(ms: bigint): Promise<void> {
    this.#nowMs += ms;
    for (const { untilMs, wake } of this.#sleepers) if (untilMs <= this.#nowMs) wake();
    await this.looks.look(NOTHING_ELSE);
  }

  /** The clock, ms. */
  nowMs(): bigint {
    return this.#nowMs;
  }

  /** Sends what is due, to a receiver that answers this status; returns what it got. */
  async hooks(status = 200): Promise<readonly ReceivedPost[]> {
    this.#status = status;
    await this.#drain((post) => this.#receive(post));
    return this.#posts.splice(0);
  }

  /** Sends what is due, and what becomes due meanwhile, to the receivers themselves. */
  async deliver(): Promise<void> {
    await this.#drain(postWebhook);
  }

  async #drain(post: (one: WebhookPost, signal: AbortSignal) => Promise<void>): Promise<void> {
    const sender = new WebhookSender({
      queue: this.queue,
      clock: { ...this.#clock(), steadyMs: () => this.#nowMs, bootMs: () => this.#nowMs },
      random: () => 2 ** 31,
      retries: GATEWAY_RETRIES,
      log: { error: (context: unknown) => console.error(context) },
      post,
    });
    await sender.drain();
  }

  /** Closes the databases. */
  async close(): Promise<void> {
    await this.store.close();
    await this.access.close();
  }

  /** What a server serves: the handlers over the desks, the pages and the BTCPay interface. */
  #servedTo(
    merchants: MerchantDirectory,
    watch: InvoiceWatch,
    place: () => RecordPlace,
  ): DeskHost["served"] {
    const prices = this.#look.prices ?? this.#prices();
    const checkUrl = (url: string): void => void webhookUrl(url, "loopback");
    const { store, desk: invoices, refunds } = this;
    const clock = this.#clock();
    const checkouts = checkoutHandlers({ invoices, merchants, prices, changes: watch, place });
    const topUp = checkouts.topUpCheckout;
    const randomBytes = (length: number) => this.#randomBytes(length);
    const onDeliveries = (): void => undefined;
    const webhooks = new WebhookDesk({ store, clock, randomBytes, checkUrl, onDeliveries });
    const health = async () => ({ reasons: [], scannerLagSeconds: 0 });
    const isSecure = (): boolean => this.#look.publicUrl.startsWith("https:");
    const till = { tills: this.tills, isSecure, invoices, prices, place };
    const claims = { refunds, merchants, checkAddress, place };
    const { assets } = this.#look;
    const receipts: ReceiptPort = {
      receipt: async ({ cmx, block }) => store.receipts.receipt(cmx, block),
    };
    return {
      handlers: {
        ...invoiceHandlers({ invoices, prices, place }),
        ...checkouts,
        ...webhookHandlers(webhooks),
        ...refundHandlers(claims),
        ...receiptHandlers({ invoices, receipts, place }),
        ...x402Handlers({ facilitator: this.facilitator, place }),
        ...tillHandlers(till),
        ...serviceHandlers({ prices, place, health }),
      },
      merchants,
      pages: { invoices, merchants, place, topUp, claims, assets, hasSocket: false },
      till: { ...till, assets },
      greenfield: { invoices, webhooks, refunds, prices, health, place, coin: coinOfAddress(HRP) },
    };
  }

  async #receive(post: WebhookPost): Promise<void> {
    const { url, headers, body } = post;
    const text = new TextDecoder().decode(body);
    this.#posts.push({ url: url.href, headers: new Headers(headers), body: text });
    if (this.#status !== 200) {
      throw new SvcError("webhook/refused", { status: this.#status });
    }
    await this.#look.post(post);
  }

  /** Those that were told, and else those of the look. */
  #prices(): PricePort {
    const fixed = pricesOf(this.#look.rates, () => this.#now());
    const aged = (rate: ToldRate): CoinRate => {
      return { ...rate, isStale: this.#nowMs - rate.toldMs > RATE_AGE_MS };
    };
    return {
      rate: async (currency) => {
        const rate = this.#rates.get(currency);
        return rate === undefined ? fixed.rate(currency) : aged(rate);
      },
      rates: async () => [...(await fixed.rates()), ...[...this.#rates.values()].map(aged)],
    };
  }

  #add(id: MerchantId): void {
    addMerchant(this.access, {
      id,
      name: `The ${id}`,
      key: KEY,
      policy: { ...TEST_POLICY, poolLimit: asSompi(this.#look.poolLimit) },
      expiresInS: 900,
      frameOrigins: this.#look.frameOrigins,
      language: null,
      payout: null,
      createdMs: this.#now(),
      closedMs: null,
    });
    if (this.store.addresses.left(KEY) > 0) return;
    const addresses = new Uint8Array(ADDRESS_BYTES * ADDRESSES);
    for (let place = 0; place < ADDRESSES; place += 1) {
      new DataView(addresses.buffer).setUint32(place * ADDRESS_BYTES, place);
    }
    const run = { key: KEY, from: FIRST_INVOICE_INDEX, addresses };
    this.store.commit((batch) => this.store.addresses.add(batch, run));
  }

  /** What records say besides their invoice. */
  #place() {
    const { publicUrl } = this.#look;
    const [tip, nowMs] = [this.desk.tip(), this.#now()];
    return { publicUrl, network: "simnet", livemode: false, tip, nowMs };
  }

  #clock() {
    return {
      nowMs: () => this.#now(),
      sleep: (_ms: number, signal: AbortSignal): Promise<void> =>
        new Promise((_resolve, reject) =>
          signal.addEventListener("abort", () => reject(new SvcError("run/aborted", {}))),
        ),
    };
  }

  /** A clock whose sleeps end when the test lets their time pass. */
  #movedClock() {
    const sleep = (ms: number, signal: AbortSignal): Promise<void> =>
      new Promise((resolve, reject) => {
        const sleeper = { untilMs: this.#nowMs + BigInt(ms), wake: () => resolve() };
        this.#sleepers.add(sleeper);
        signal.addEventListener("abort", () => {
          this.#sleepers.delete(sleeper);
          reject(new SvcError("run/aborted", {}));
        });
      });
    return { nowMs: () => this.#now(), sleep };
  }

  #now() {
    return asTimestampMs(this.#nowMs);
  }

  #randomBytes(length: number): Uint8Array {
    return Uint8Array.from({ length }, () => this.#random() & 0xff);
  }
}
