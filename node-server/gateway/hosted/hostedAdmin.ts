/**
 * What an operator does at a hosted gateway, each call signed: merchants, their API keys, and how the scanner is. The text of a key is made here, and its
 * SHA-256 alone is told.
 */
import * as v from "valibot";
import type { MerchantId, TimestampMs } from "@svc/shared/base/brand.ts";
import { fields } from "@svc/shared/base/fields.ts";
import { stableJson } from "@svc/shared/base/stableJson.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import {
  API_KEY_BYTES,
  hashApiKey,
  makeApiKey,
  type ApiKeyMode,
} from "@svc/shared/gateway/apiKey.ts";
import { LAST_DATE_MS } from "@svc/shared/light/nodeFault.ts";
import { KEY_SCOPES, type KeyScope } from "@svc/shared/protocol/gateway/route.ts";
import type { IssuedKey } from "../access/issueKeys.ts";
import type { MerchantRow } from "../access/merchantTable.ts";
import { GATEWAY_LIMITS } from "../gatewayLimits.ts";
import { postHosted, type HostedAnswer, type HostedParts } from "./hostedPost.ts";
import { hostedRefusal } from "./hostedRefusal.ts";

/** What a hosted gateway has of a merchant that this program adds. */
export type HostedMerchant = Pick<
  MerchantRow,
  "id" | "name" | "key" | "policy" | "expiresInS" | "frameOrigins" | "language"
>;

/** A merchant as the gateway lists it. */
export type ListedMerchant = Pick<MerchantRow, "id" | "name" | "key">;

/** An API key as the gateway lists it. */
export type ListedKey = {
  readonly id: string;
  readonly label: string;
  readonly scopes: readonly KeyScope[];
  readonly createdMs: TimestampMs;
  /** Null while it is good. */
  readonly revokedMs: TimestampMs | null;
};

/** What a hosted gateway was told last, as it answers. */
export type ToldScanner = v.InferOutput<typeof scanner>;

const PATH = "/admin/v1/";
const DONE = 200;

const text = v.pipe(v.string(), v.maxLength(GATEWAY_LIMITS.hostedTextChars));
const named = v.object({ id: text });
const merchants = v.object({
  merchants: v.pipe(
    v.array(v.object({ id: fields.merchantId, name: text, key: fields.viewingKeyId })),
    v.maxLength(GATEWAY_LIMITS.hostedRows),
  ),
  next: v.nullable(fields.merchantId),
});
const keys = v.object({
  keys: v.pipe(
    v.array(
      v.object({
        id: text,
        label: text,
        scopes: v.array(v.picklist(KEY_SCOPES)),
        createdMs: fields.timestampMs,
        revokedMs: v.nullable(fields.timestampMs),
      }),
    ),
    v.maxLength(GATEWAY_LIMITS.hostedRows),
  ),
});

const time = v.pipe(
  fields.timestampMs,
  v.check((ms) => ms <= LAST_DATE_MS),
);
const scanner = v.object({
  scanner: text,
  /** Sentences that say why the gateway is not ready; none for one that is. */
  reasons: v.pipe(v.array(text), v.maxLength(GATEWAY_LIMITS.hostedRows)),
  /** Null before the first batch. */
  told: v.nullable(
    v.object({
      blueScore: fields.blueScore,
      /** When its block was mined, as its miner says. */
      blockMs: time,
      toldMs: time,
      /** It asks its node for evidence. */
      proves: v.boolean(),
      /** What it says against its node; null for nothing. */
      fault: v.nullable(v.object({ code: text, sentence: text, sinceMs: time })),
    }),
  ),
});

/**
 * The administration of a hosted gateway. Its calls reject with `gateway/unreachable`, `run/timeout`, `run/aborted`, with `gateway/refused`
 * for another secret (401), and with `gateway/bad-answer`. One that was not answered may have been done; it may be asked again.
 */
export class HostedAdmin {
  readonly #parts: HostedParts;

  constructor(parts: HostedParts) {
    this.#parts = parts;
  }

  /** Adds a merchant. Rejects with `gateway/merchant-exists`, too. */
  async addMerchant(row: HostedMerchant, signal: AbortSignal): Promise<void> {
    await this.#ask(
      { call: "merchants", body: row, form: named, about: { merchant: row.id } },
      signal,
    );
  }

  /** A part of the merchants by their ids, behind one of them; `next` is the last where there are more. */
  listMerchants(
    after: MerchantId | null,
    signal: AbortSignal,
  ): Promise<{ readonly merchants: readonly ListedMerchant[]; readonly next: MerchantId | null }> {
    return this.#ask(
      { call: "merchants/list", body: { after }, form: merchants, about: {} },
      signal,
    );
  }

  /** Makes an API key. Rejects with `gateway/no-merchant`, too. */
  async issueKey(
    wish: {
      readonly merchant: MerchantId;
      readonly label: string;
      readonly scopes: readonly KeyScope[];
      readonly mode: ApiKeyMode;
    },
    randomBytes: (length: number) => Uint8Array,
    signal: AbortSignal,
  ): Promise<IssuedKey> {
    const key = makeApiKey(wish.mode, randomBytes(API_KEY_BYTES));
    const body = { ...wish, hash: await hashApiKey(key), expiresMs: null };
    const about = { merchant: wish.merchant };
    const { id } = await this.#ask({ call: "keys", body, form: named, about }, signal);
    return { text: key, id };
  }

  /** The API keys of a merchant, the newest first, revoked ones among them. Rejects with `gateway/no-merchant`, too. */
  async listKeys(merchant: MerchantId, signal: AbortSignal): Promise<readonly ListedKey[]> {
    const about = { merchant };
    const asked = { call: "keys/list", body: { merchant }, form: keys, about };
    return (await this.#ask(asked, signal)).keys;
  }

  /** Revokes an API key by its name. Rejects with `gateway/no-key`, too, also for one that was revoked before. */
  async revokeKey(merchant: MerchantId, id: string, signal: AbortSignal): Promise<void> {
    const body = { merchant, id };
    await this.#ask({ call: "keys/revoke", body, form: named, about: { id } }, signal);
  }

  /** What the gateway was told by its scanner last. */
  scanner(signal: AbortSignal): Promise<ToldScanner> {
    return this.#ask({ call: "scanner", body: {}, form: scanner, about: {} }, signal);
  }

  async #ask<T>(
    {
      call,
      body,
      form,
      about,
    }: {
      readonly call: string;
      readonly body: object;
      readonly form: v.GenericSchema<unknown, T>;
      /** Data of the refusals that this call knows. */
      readonly about: Readonly<Record<string, string>>;
    },
    signal: AbortSignal,
  ): Promise<T> {
    const asked = { path: `${PATH}${call}`, id: "admin", json: stableJson(body) };
    const answer = await postHosted(this.#parts, asked, signal);
    if (answer.status !== DONE) throw refusalOf(answer, about);
    const read = v.safeParse(form, answer.body);
    if (read.success) return read.output;
    const reason = `no answer to ${call}`;
    throw new SvcError("gateway/bad-answer", { status: DONE, reason });
  }
}

/** What was asked for is named by this program, not by the answer. */
function refusalOf(answer: HostedAnswer, about: Readonly<Record<string, string>>): SvcError {
  const refusal = hostedRefusal(answer);
  const { merchant, id } = about;
  switch (refusal.data["reason"]) {
    case "gateway/merchant-exists":
      return merchant === undefined
        ? refusal
        : new SvcError("gateway/merchant-exists", { merchant });
    case "gateway/no-merchant":
      return merchant === undefined ? refusal : new SvcError("gateway/no-merchant", { merchant });
    case "gateway/no-key":
      return id === undefined ? refusal : new SvcError("gateway/no-key", { id });
    default:
      return refusal;
  }
}
