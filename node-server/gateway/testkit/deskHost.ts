/** Test helper: the gateway's desks over a database, behind the API, with a clock that the test moves and a receiver of webhooks in memory. */
import {
  asAddressText,
  asBlueScore,
  asInvoiceId,
  asMerchantId,
  asSompi,
  asTimestampMs,
  asViewingKeyId,
  type AddressText,
  type MerchantId,
  type ViewingKeyId,
} from "@svc/shared/base/brand.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { callRates } from "@svc/shared/gateway/callRates.ts";
import { gatewayApp } from "@svc/shared/gateway/gatewayApp.ts";
import { checkoutHandlers } from "@svc/shared/gateway/handlers/checkoutHandlers.ts";
import { invoiceHandlers } from "@svc/shared/gateway/handlers/invoiceHandlers.ts";
import { refundHandlers } from "@svc/shared/gateway/handlers/refundHandlers.ts";
import { serviceHandlers } from "@svc/shared/gateway/handlers/serviceHandlers.ts";
import { webhookHandlers } from "@svc/shared/gateway/handlers/webhookHandlers.ts";
import type { CheckoutAssets } from "@svc/shared/gateway/page/checkoutAssets.ts";
import type { CheckoutPagesParts } from "@svc/shared/gateway/page/checkoutPages.ts";
import type { CoinRate, PricePort } from "@svc/shared/gateway/pricePort.ts";
import type { ToldRate } from "@svc/shared/gateway/toldRates.ts";
import { GATEWAY_RETRIES } from "@svc/shared/gateway/retrySchedule.ts";
import { TEST_POLICY } from "@svc/shared/invoice/testkit/invoices.ts";
import { x402Handlers } from "@svc/shared/gateway/x402/x402Handlers.ts";
import { x402Network } from "@svc/shared/protocol/gateway/x402Records.ts";
import type { PaymentFact } from "@svc/shared/invoice/paymentFact.ts";
import type { KeyScope } from "@svc/shared/protocol/gateway/route.ts";
import { webhookUrl } from "@svc/shared/protocol/webhook/webhookTarget.ts";
import { WebhookSender } from "../../client/webhookSender.ts";
import type { WebhookPost } from "../../client/webhookPost.ts";
import { mulberry32 } from "../../platform/testkit/mulberry32.ts";
import { AccessStore } from "../access/accessStore.ts";
import { addMerchant, issueKey, revokeKey } from "../access/issueKeys.ts";
import { MerchantDirectory } from "../access/merchantDirectory.ts";
import { applyFacts } from "../desk/applyScan.ts";
import { DeskDeliveries } from "../desk/deskDeliveries.ts";
import { DeskEvents } from "../desk/deskEvents.ts";
import { DeskLooks } from "../desk/deskLooks.ts";
import { InvoiceDesk } from "../desk/invoiceDesk.ts";
import { InvoiceWatch } from "../desk/invoiceWatch.ts";
import { RefundDesk } from "../desk/refundDesk.ts";
import { WebhookDesk } from "../desk/webhookDesk.ts";
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

/** The checkout pages of a host. */
export type HostLook = {
  readonly assets: CheckoutAssets;
  /** Origins whose pages may show them in a frame. */
  readonly frameOrigins: readonly string[];
  /** Largest amount for which a payment counts that waits in a pool. */
  readonly poolLimit: bigint;
  /** The node that payments of x402 are broadcast by; one of its own where it is left out. */
  readonly payments?: ModelPayments;
};

const KEY = asViewingKeyId(`key_${"1".repeat(16)}`);
const HRP = "svcsim:";
const ADDRESS_BYTES = 43;
const ADDRESSES = 512;
const RATE_AGE_MS = 900_000n;
const NOTHING_ELSE = new AbortController().signal;

/** Stands for the network's addresses, whose last character stands for their checksum. */
async function checkAddress(text: string): Promise<AddressText> {
  if (!text.startsWith(HRP)) throw new SvcError("address/missing-prefix", {});
  if (!/^[0-9a-f]{78}q$/.test(text.slice(HRP.length))) {
    throw new SvcError("address/bad-checksum", {});
  }
  return asAddressText(text);
}

/** Desks, API and clock. */
export class DeskHost {
  readonly store: GatewayStore;
  readonly access: AccessStore;
  readonly desk: InvoiceDesk;
  readonly looks: DeskLooks;
  readonly queue: DeskDeliveries;
  readonly refunds: RefundDesk;
  /** The checkout pages. */
  readonly pages: CheckoutPagesParts;
  readonly app: ReturnType<typeof gatewayApp>;
  /** The node that payments of x402 are broadcast by. */
  readonly payments: ModelPayments;
  readonly challenges: ChallengeDesk;
  readonly facilitator: Facilitator;
  readonly #watch: InvoiceWatch;
  readonly #posts: ReceivedPost[] = [];
  readonly #random = mulberry32(20);
  readonly #look: HostLook;
  readonly #rates = new Map<string, ToldRate>();
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
    this.looks = new DeskLooks({ store, desk: this.desk, clock, log: { error: () => undefined } });
    this.refunds = new RefundDesk({ store, clock, randomBytes, onApproved: () => undefined });
    const prices = this.#prices();
    const checkUrl = (url: string): void => void webhookUrl(url, "loopback");
    const invoices = this.desk;
    const checkouts = checkoutHandlers({ invoices, merchants, prices, changes: watch, place });
    const topUp = checkouts.topUpCheckout;
    this.challenges = new ChallengeDesk({ store, desk: this.desk, clock });
    this.facilitator = this.#makeFacilitator(watch);
    this.pages = { invoices, merchants, place, topUp, assets: look.assets };
    this.app = gatewayApp({
      handlers: {
        ...invoiceHandlers({ invoices, prices, place }),
        ...checkouts,
        ...webhookHandlers(
          new WebhookDesk({ store, clock, randomBytes, checkUrl, onDeliveries: () => undefined }),
        ),
        ...refundHandlers({ refunds: this.refunds, merchants, checkAddress, place }),
        ...x402Handlers({ facilitator: this.facilitator, place }),
        ...serviceHandlers({
          prices,
          place,
          health: async () => ({ reasons: [], scannerLagSeconds: 0 }),
        }),
      },
      merchants,
      pages: this.pages,
      rates: callRates(() => Number(this.#nowMs), 1_000),
      callerOf: () => "127.0.0.1",
      randomBytes,
      onError: (error) => {
        if (SvcError.is(error, "internal/unexpected")) console.error(error);
      },
      stopped: NOTHING_ELSE,
    });
  }

  /** What records say besides their invoice. */
  #place() {
    return {
      publicUrl: "https://pay.example",
      network: "simnet",
      livemode: false,
      tip: this.desk.tip(),
      nowMs: this.#now(),
    };
  }

  #makeFacilitator(watch: InvoiceWatch): Facilitator {
    const { store, challenges, payments } = this;
    return new Facilitator({
      network: x402Network("5a".repeat(32)),
      ...{ store, challenges, watch, clock: this.#clock() },
      ...{ reader: payments, node: payments },
      onChange: (id) => watch.changed(id),
    });
  }

  /** Opens the desks over a folder; null for a database in memory. */
  static async open(folder: string | null, look: Partial<HostLook> = {}): Promise<DeskHost> {
    const [store, access] = [await GatewayStore.open(folder, null), await AccessStore.open(folder)];
    return new DeskHost(store, access, {
      assets: new Map(),
      frameOrigins: [],
      poolLimit: 0n,
      ...look,
    });
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

  /** Applies facts, then moves the tip. */
  async tell(facts: readonly PaymentFact[], tip: bigint): Promise<void> {
    const { store, desk } = this;
    store.commit((batch) => applyFacts({ store, desk }, batch, facts));
    this.looks.moveTip(asBlueScore(tip));
    await this.looks.look(NOTHING_ELSE);
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
    await this.looks.look(NOTHING_ELSE);
    this.#watch.moved();
  }

  /** The clock, ms. */
  nowMs(): bigint {
    return this.#nowMs;
  }

  /** Sends what is due, to a receiver that answers this status; returns what it got. */
  async hooks(status = 200): Promise<readonly ReceivedPost[]> {
    this.#status = status;
    const sender = new WebhookSender({
      queue: this.queue,
      clock: { ...this.#clock(), steadyMs: () => this.#nowMs, bootMs: () => this.#nowMs },
      random: () => 2 ** 31,
      retries: GATEWAY_RETRIES,
      log: { error: (context: unknown) => console.error(context) },
      post: (post) => this.#receive(post),
    });
    await sender.drain();
    return this.#posts.splice(0);
  }

  /** Closes the databases. */
  async close(): Promise<void> {
    await this.store.close();
    await this.access.close();
  }

  async #receive({ url, headers, body }: WebhookPost): Promise<void> {
    const text = new TextDecoder().decode(body);
    this.#posts.push({ url: url.href, headers: new Headers(headers), body: text });
    if (this.#status !== 200) {
      throw new SvcError("webhook/refused", { status: this.#status });
    }
  }

  /** What a file of the operator would say. */
  #prices(): PricePort {
    const aged = (rate: ToldRate): CoinRate => {
      return { ...rate, isStale: this.#nowMs - rate.toldMs > RATE_AGE_MS };
    };
    return {
      rate: async (currency) => {
        const rate = this.#rates.get(currency);
        return rate === undefined ? null : aged(rate);
      },
      rates: async () => [...this.#rates.values()].map(aged),
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

  #clock() {
    return {
      nowMs: () => this.#now(),
      sleep: (_ms: number, signal: AbortSignal): Promise<void> =>
        new Promise((_resolve, reject) =>
          signal.addEventListener("abort", () => reject(new SvcError("run/aborted", {}))),
        ),
    };
  }

  #now() {
    return asTimestampMs(this.#nowMs);
  }

  #randomBytes(length: number): Uint8Array {
    return Uint8Array.from({ length }, () => this.#random() & 0xff);
  }
}
