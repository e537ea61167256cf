/** Test helper: the hosted gateway behind the contract suite, with a clock that the test moves and a receiver of webhooks in memory. */
import { createScheduledController, reset, runDurableObjectAlarm, SELF } from "cloudflare:test";
import { env } from "cloudflare:workers";
import * as v from "valibot";
import { vi } from "vitest";
import { writeAddressText } from "@svc/shared/wallet/plan/addressText.ts";
import {
  asAddressText,
  asInvoiceId,
  asMerchantId,
  asRawAddress,
  asTimestampMs,
  asViewingKeyId,
  type ViewingKeyId,
} from "@svc/shared/base/brand.ts";
import { decodeHex, encodeHex } from "@svc/shared/base/hex.ts";
import { stableJson } from "@svc/shared/base/stableJson.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { API_KEY_BYTES, hashApiKey, makeApiKey } from "@svc/shared/gateway/apiKey.ts";
import { encodeToldRates, type ToldRate } from "@svc/shared/gateway/toldRates.ts";
import {
  decodeFactBatch,
  encodeFactBatch,
  type BatchFact,
  type BatchReceipt,
  type FactBatch,
} from "@svc/shared/invoice/factBatch.ts";
import type { NodeFault } from "@svc/shared/light/nodeFault.ts";
import { decodeInvoice } from "@svc/shared/invoice/invoiceCodec.ts";
import type { PaymentFact } from "@svc/shared/invoice/paymentFact.ts";
import { blockAt, TEST_POLICY } from "@svc/shared/invoice/testkit/invoices.ts";
import type { KeyScope } from "@svc/shared/protocol/gateway/route.ts";
import { signCall } from "@svc/shared/protocol/webhook/signedCall.ts";
import type { GatewayHost, ReceivedHook } from "../../tests/gateway/gatewayHost.ts";
import { ADMIN_PATH } from "../gateway/adminCalls.ts";
import { DeliveryStore, type WebhookMessage } from "../gateway/deliveryStore.ts";
import gatewayWorker from "../gateway/gatewayWorker.ts";
import { RATES_PATH } from "../gateway/ingestRates.ts";
import { INGEST_PATH } from "../gateway/ingestFacts.ts";
import type { InvoiceWish, MerchantObject } from "../gateway/objects/merchantObject.ts";
import { deliverWebhooks } from "../gateway/webhookQueue.ts";
import { SecretBox } from "../platform/secretBox.ts";
import { migrate } from "./database.ts";

/** What a scanner proved. */
export type ProvedChain = NonNullable<FactBatch["proved"]>;

const NO_PAGES = { frameOrigins: [], language: null } as const;
const ADDRESSES = 512;
const FIRST_INDEX = 0x8000_0000;
const DAY_MS = 86_400_000n;
const LOOKS = 20;
/** A number that no batch of a test has, and that of the first one: a scanner's object says which it waits for. */
const FAR = 1_000_000n;
const FIRST = "1";
const awaited = v.object({ next: v.string() });
/** In the year 2100, so that no alarm goes off by itself; each host begins later than the one before. */
let startMs = 4_102_444_800_000n;

/** The gateway. */
export class EdgeHost implements GatewayHost {
  readonly #key = asViewingKeyId(`key_${randomHex(8)}`);
  readonly #hooks: ReceivedHook[] = [];
  #sequence = 0n;
  /** Blue score of the sink, as it was told last. */
  #tip = 0n;
  #nowMs: bigint;

  private constructor() {
    this.#nowMs = startMs;
  }

  /** Begins anew, with nothing stored. */
  static async open(): Promise<EdgeHost> {
    const host = await EdgeHost.#empty();
    const addresses = Array.from({ length: ADDRESSES }, (_, place) => {
      const raw = place.toString(16).padStart(8, "0").padEnd(86, "0");
      return {
        raw: asRawAddress(raw),
        text: asAddressText(writeAddressText(env.SVC_COIN.toLowerCase(), decodeHex(raw))),
      };
    });
    const run = { kind: "addresses", key: host.#key, from: FIRST_INDEX, addresses } as const;
    await host.tellFacts([run], 100n);
    return host;
  }

  /** Empties all until nothing is left: an object that a file before left at work may write what it holds once more after a reset. */
  static async #empty(): Promise<EdgeHost> {
    for (let tries = 0; tries < LOOKS; tries += 1) {
      await reset();
      await migrate();
      const host = new EdgeHost();
      host.#setClock(startMs);
      const far = await host.push(host.batch(FAR, [], 100n));
      if (v.parse(awaited, await far.json()).next === FIRST) return host;
    }
    throw new Error("the scanner's object is never empty");
  }

  async fetch(path: string, init: RequestInit = {}): Promise<Response> {
    return SELF.fetch(`https://pay.example${path}`, init);
  }

  async issueKey(merchant: string, scopes: readonly KeyScope[]): Promise<string> {
    const key = this.#key;
    const row = { ...{ id: merchant, name: `The ${merchant}`, key, expiresInS: 900 }, ...NO_PAGES };
    const added = await this.admin("merchants", stableJson({ ...row, policy: TEST_POLICY }));
    // A merchant of this name is there already.
    if (!added.ok && added.status !== 409) throw new Error(await added.text());
    const text = makeApiKey("test", crypto.getRandomValues(new Uint8Array(API_KEY_BYTES)));
    const hash = await hashApiKey(text);
    const wanted = { merchant, hash, mode: "test", scopes, label: "", expiresMs: null };
    const issued = await this.admin("keys", JSON.stringify(wanted));
    if (!issued.ok) throw new Error(await issued.text());
    return text;
  }

  async revokeKey(merchant: string, key: string): Promise<void> {
    const id = (await hashApiKey(key)).slice(0, 16);
    const revoked = await this.admin("keys/revoke", JSON.stringify({ merchant, id }));
    if (!revoked.ok) throw new Error(await revoked.text());
  }

  /** Does what an operator does, signed with a secret. */
  async admin(call: string, body: string, secret = env.SVC_ADMIN_SECRET ?? ""): Promise<Response> {
    const path = `${ADMIN_PATH}${call}`;
    const headers = await this.signed(path, body, secret);
    return this.fetch(path, { method: "POST", headers, body });
  }

  async tell(facts: readonly PaymentFact[], tip: bigint): Promise<void> {
    await this.tellFacts(
      facts.map(({ key, index, input }) => ({ ...input, key, index })),
      tip,
    );
  }

  /** Tells facts as a scanner does, in the next batch, with what it proved and what it has against its node. */
  async tellFacts(
    facts: readonly BatchFact[],
    tip: bigint,
    proved?: ProvedChain,
    fault?: NodeFault,
  ): Promise<void> {
    this.#tip = tip;
    await this.#tellNext(facts, {
      ...(proved === undefined ? {} : { proved }),
      ...(fault === undefined ? {} : { fault }),
    });
  }

  /** Tells what becomes of receipts, with the sink where it is. */
  async tellReceipts(receipts: readonly BatchReceipt[]): Promise<void> {
    await this.#tellNext([], { receipts: [...receipts] });
  }

  async #tellNext(facts: readonly BatchFact[], parts: Partial<FactBatch>): Promise<void> {
    this.#sequence += 1n;
    const plain = decodeFactBatch(this.batch(this.#sequence, facts, this.#tip));
    const answer = await this.push(encodeFactBatch({ ...plain, ...parts }));
    if (!answer.ok) throw new Error(`the batch was refused: ${await answer.text()}`);
  }

  async tellRates(rates: readonly ToldRate[]): Promise<void> {
    const body = encodeToldRates(rates);
    const answer = await this.fetch(RATES_PATH, {
      ...{ method: "POST", body, headers: await this.signed(RATES_PATH, body) },
    });
    if (!answer.ok) throw new Error(`the prices were refused: ${await answer.text()}`);
  }

  /** A batch as JSON. */
  batch(
    sequence: bigint,
    facts: readonly BatchFact[],
    tip: bigint,
    scanner = env.SVC_SCANNER,
  ): string {
    const seenAtMs = this.#now();
    return encodeFactBatch({
      ...{ scanner, sequence, seenAtMs, facts: [...facts] },
      tip: blockAt(tip, seenAtMs),
    });
  }

  /** Sends a batch, signed with a secret. */
  async push(body: string, secret = env.SVC_INGEST_SECRET ?? ""): Promise<Response> {
    const headers = await this.signed(INGEST_PATH, body, secret);
    return this.fetch(INGEST_PATH, { method: "POST", headers, body });
  }

  /** Headers that sign a call. */
  async signed(path: string, body: string, secret = env.SVC_INGEST_SECRET ?? "") {
    const bytes = new TextEncoder().encode(body);
    const message = { id: "batch", sentAt: this.#nowMs / 1_000n, body: bytes };
    return signCall(secret, message, { method: "POST", path });
  }

  /** The object that allots addresses to the merchants. */
  merchantStub(): DurableObjectStub<MerchantObject> {
    return env.MERCHANTS.getByName(this.#key);
  }

  /** An invoice of the least terms, as the Worker asks an object for it. */
  wish(key: ViewingKeyId): InvoiceWish {
    const order = {
      ...{ orderId: "1", amountSompi: 1n, expiresInS: 60, policy: TEST_POLICY },
      ...{ redirectUrl: null, language: null, metadata: {}, quote: null },
    };
    return { key, merchant: asMerchantId("shop"), order, request: null, tip: null };
  }

  async addressOf(invoice: string): Promise<Pick<PaymentFact, "key" | "index">> {
    const given = await env.INVOICES.getByName(asInvoiceId(invoice)).read();
    if (given === null) throw new SvcError("gateway/no-invoice", {});
    return decodeInvoice(given.json).terms.address;
  }

  async pass(ms: bigint): Promise<void> {
    this.#setClock(this.#nowMs + ms);
    for (let look = 0; look < LOOKS; look += 1) {
      const due = await this.#due();
      if (due.length === 0) break;
      for (const object of due) await this.ring(object);
    }
    await this.sweep();
  }

  /** Lets time pass, and no alarm come. */
  async passSilently(ms: bigint): Promise<void> {
    this.#setClock(this.#nowMs + ms);
  }

  /** Calls the Cron handler. */
  async sweep(): Promise<void> {
    const controller = createScheduledController({ scheduledTime: new Date(Number(this.#nowMs)) });
    await gatewayWorker.scheduled(controller, env);
  }

  /** Lets the alarm of an object come, where it has one. */
  async ring(object: string): Promise<boolean> {
    return runDurableObjectAlarm(env.INVOICES.get(env.INVOICES.idFromString(object)));
  }

  nowMs(): bigint {
    return this.#nowMs;
  }

  async hooks(status = 200): Promise<readonly ReceivedHook[]> {
    const secrets = await SecretBox.of(env.SVC_MASTER_KEY);
    for (const message of await this.#dueMessages()) {
      await deliverWebhooks([{ body: message, ack: () => undefined, retry: () => undefined }], {
        ...{ deliveries: new DeliveryStore(env.DB), secrets, reach: "loopback" },
        queue: { send: () => QUEUED, sendBatch: () => QUEUED },
        now: () => this.#now(),
        random: () => 2 ** 31,
        post: async ({ url, headers, body }) => {
          this.#hooks.push({ url: url.href, headers: new Headers(headers), body });
          if (status !== 200) throw new SvcError("webhook/refused", { status });
        },
      });
    }
    return this.#hooks.splice(0);
  }

  async close(): Promise<void> {
    startMs = this.#nowMs + DAY_MS;
    vi.useRealTimers();
  }

  /** Deliveries that are due, those of one moment in the order of the invoice's versions. */
  async #dueMessages(): Promise<readonly WebhookMessage[]> {
    const { results } = await env.DB.prepare(
      "SELECT merchant, endpoint, id AS delivery, attempts AS attempt FROM webhook_deliveries WHERE due_ms <= ?1 ORDER BY created_ms, place",
    )
      .bind(Number(this.#nowMs))
      .all<WebhookMessage>();
    return results;
  }

  async #due(): Promise<readonly string[]> {
    const { results } = await env.DB.prepare("SELECT object FROM due_times WHERE due_ms <= ?1")
      .bind(Number(this.#nowMs))
      .all<{ object: string }>();
    return results.map(({ object }) => object);
  }

  #setClock(ms: bigint): void {
    this.#nowMs = ms;
    vi.useFakeTimers({ toFake: ["Date"], now: Number(ms) });
  }

  #now() {
    return asTimestampMs(this.#nowMs);
  }
}

const QUEUED = Promise.resolve({ metadata: { metrics: { backlogCount: 0, backlogBytes: 0 } } });

function randomHex(length: number): string {
  return encodeHex(crypto.getRandomValues(new Uint8Array(length)));
}
