/**
 * Payment URIs: parser and formatter of `svc:<data>?amount=12.5&memo=…&label=…&expires=…` (specification wallet 3.3).
 *
 * Strict on reading: a link with a doubtful field is refused as a whole. Further
 * payees are `address.1`, `amount.1`, `memo.1` and so on.
 */
import {
  asAddressText,
  asTimestampMs,
  type AddressText,
  type Sompi,
  type TimestampMs,
} from "../../base/brand.ts";
import { WALLET_LIMITS } from "../walletLimits.ts";
import { formatCoins, parseCoins } from "../../base/money.ts";
import { SvcError } from "../../base/svcError.ts";
import { encodeMemo, encodeMemoBytes } from "../state/memo.ts";
import { lowerCaseAddress } from "./payee.ts";

/** One payee of a link; null where the link leaves the field open. */
export type UriPayment = {
  readonly address: AddressText;
  readonly amount: Sompi | null;
  /** Hex, "" for none. */
  readonly memo: string;
};

/** A parsed payment URI. The label is only a suggestion and never stored by itself. */
export type PaymentUri = {
  readonly payments: readonly UriPayment[];
  readonly label: string | null;
  /** Until when its payee wants to be paid; null for no such wish. Advice: nothing on the chain holds a payer to it. */
  readonly expiresMs: TimestampMs | null;
};

/** Dependencies of the parser: how addresses of this network are recognised. */
export type UriNetwork = {
  readonly hrp: string;
  /** The core's decoder: throws with an `address/…` code. */
  readonly decodeAddress: (hrp: string, text: string) => Uint8Array;
};

/** Beyond this no amount exists: sums of the chain are signed 64-bit numbers. */
const MAX_AMOUNT = 2n ** 63n;
const AMOUNT_FORM = /^\d+(?:\.\d{1,8})?$/;
const DATA_FORM = /^[a-z0-9]{79}$/;
const WRAPPED_FORM = /^web\+([a-z]+):(.*)$/is;
/** Seconds since 1970, as far as a calendar of four digits goes. */
const TIME_FORM = /^(?:0|[1-9]\d{0,11})$/;
const MAX_SECONDS = 253_402_300_799n;
const MS = 1_000n;
const KEY_FORM = /^(address|amount|memo|memo64)(?:\.([1-9]\d?))?$/;

/** Parses a link, bare or wrapped by a protocol handler. Throws `uri/…`, `address/…`, `amount/…` or `wallet/memo-too-long`. */
export function parsePaymentUri(text: string, network: UriNetwork): PaymentUri {
  if (text.length > WALLET_LIMITS.paymentUriChars) {
    throw new SvcError("uri/too-long", { length: text.length, max: WALLET_LIMITS.paymentUriChars });
  }
  const bare = unwrap(text.trim(), network.hrp);
  const question = bare.indexOf("?");
  const address = question < 0 ? bare : bare.slice(0, question);
  const draft = new UriDraft(network);
  // A link may have all of its payees in its fields (ZIP 321): then nothing stands between prefix and question mark.
  const isListed = question >= 0 && address.toLowerCase() === `${network.hrp}:`;
  if (!isListed) draft.set("address", 0, lowerCaseAddress(address));
  for (const [key, value] of queryFields(question < 0 ? "" : bare.slice(question + 1))) {
    draft.add(key, value);
  }
  return draft.finish();
}

/**
 * The link inside `web+NAME:…`: either a whole link with its characters escaped, or, where NAME is this network's
 * prefix, what follows that prefix.
 */
function unwrap(text: string, hrp: string): string {
  const [, name, inner] = WRAPPED_FORM.exec(text) ?? [];
  if (name === undefined || inner === undefined) return text;
  if (name.toLowerCase() !== hrp) return percentDecode(inner);
  const address = percentDecode(inner.split("?", 1)[0] ?? "");
  return address.includes(":") ? percentDecode(inner) : `${hrp}:${inner}`;
}

/** Formats a link. Throws `uri/too-long`. */
export function formatPaymentUri(payment: {
  readonly address: AddressText;
  readonly amount?: Sompi;
  readonly memoText?: string;
  readonly label?: string;
  /** Written in whole seconds, the last one begun. */
  readonly expiresMs?: TimestampMs;
}): string {
  const query: string[] = [];
  if (payment.amount !== undefined) query.push(`amount=${formatCoins(payment.amount)}`);
  if (payment.memoText) {
    encodeMemo(payment.memoText);
    query.push(`memo=${encodeURIComponent(payment.memoText)}`);
  }
  if (payment.label) query.push(`label=${encodeURIComponent(payment.label)}`);
  if (payment.expiresMs !== undefined) query.push(`expires=${payment.expiresMs / MS}`);
  const uri = query.length === 0 ? payment.address : `${payment.address}?${query.join("&")}`;
  if (uri.length > WALLET_LIMITS.paymentUriChars) {
    throw new SvcError("uri/too-long", { length: uri.length, max: WALLET_LIMITS.paymentUriChars });
  }
  return uri;
}

type Field = "address" | "amount" | "memo";

/** The fields of a link while it is read: field name and payee number → checked value. */
class UriDraft {
  readonly #network: UriNetwork;
  readonly #addresses = new Map<number, AddressText>();
  readonly #amounts = new Map<number, Sompi>();
  readonly #memos = new Map<number, string>();
  readonly #seen = new Set<string>();
  #label: string | null = null;
  #expiresMs: TimestampMs | null = null;

  constructor(network: UriNetwork) {
    this.#network = network;
  }

  /** Takes one `key=value` of the query. */
  add(key: string, value: string): void {
    if (this.#seen.has(key)) throw new SvcError("uri/duplicate-key", { key });
    this.#seen.add(key);
    if (key === "label") {
      this.#label = value;
      return;
    }
    if (key === "expires") {
      this.#expiresMs = readTime(value);
      return;
    }
    const match = KEY_FORM.exec(key);
    if (match === null) {
      if (key.startsWith("req-")) throw new SvcError("uri/unsupported", { key });
      return;
    }
    const [, field, number = "0"] = match;
    const payee = Number(number);
    if (field === "address") this.set("address", payee, value);
    else if (field === "amount") this.set("amount", payee, value);
    else this.set("memo", payee, field === "memo64" ? decodeMemo64(value) : encodeMemo(value));
  }

  /** Stores a checked field; each may be given once. */
  set(field: Field, payee: number, value: string): void {
    const fields = { address: this.#addresses, amount: this.#amounts, memo: this.#memos }[field];
    const key = payee === 0 ? field : `${field}.${payee}`;
    if (fields.has(payee)) throw new SvcError("uri/duplicate-key", { key });
    if (field === "address") this.#addresses.set(payee, this.#readAddress(value));
    else if (field === "amount") this.#amounts.set(payee, readAmount(value));
    else this.#memos.set(payee, value);
  }

  finish(): PaymentUri {
    for (const payee of [...this.#amounts.keys(), ...this.#memos.keys()]) {
      if (!this.#addresses.has(payee)) throw malformed(`payee ${payee} has no address`);
    }
    if (this.#addresses.size === 0) throw malformed("it has no address");
    if (this.#addresses.size > WALLET_LIMITS.walletPayeesMax) {
      const count = this.#addresses.size;
      throw new SvcError("wallet/too-many-payees", { count, max: WALLET_LIMITS.walletPayeesMax });
    }
    const payments = [...this.#addresses]
      .toSorted(([a], [b]) => a - b)
      .map(([payee, address]) => ({
        address,
        amount: this.#amounts.get(payee) ?? null,
        memo: this.#memos.get(payee) ?? "",
      }));
    return { payments, label: this.#label, expiresMs: this.#expiresMs };
  }

  #readAddress(text: string): AddressText {
    this.#network.decodeAddress(this.#network.hrp, text);
    if (!DATA_FORM.test(text.slice(text.indexOf(":") + 1))) {
      throw new SvcError("address/bad-length", { length: text.length });
    }
    return asAddressText(text);
  }
}

function readAmount(text: string): Sompi {
  const value = parseCoins(text);
  if (!AMOUNT_FORM.test(text)) throw new SvcError("amount/malformed", { text });
  if (value >= MAX_AMOUNT) throw new SvcError("amount/too-large", { text });
  return value;
}

function readTime(text: string): TimestampMs {
  const seconds = TIME_FORM.test(text) ? BigInt(text) : null;
  if (seconds === null || seconds > MAX_SECONDS) throw malformed("expires is no time");
  return asTimestampMs(seconds * MS);
}

function decodeMemo64(text: string): string {
  if (!/^[A-Za-z0-9_-]*$/.test(text) || text.length % 4 === 1) {
    throw malformed("memo64 is not base64url");
  }
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return encodeMemoBytes(Uint8Array.from(binary, (character) => character.charCodeAt(0)));
}

function queryFields(query: string): [string, string][] {
  if (query === "") return [];
  return query.split("&").map((part) => {
    const equals = part.indexOf("=");
    if (equals < 0) throw malformed("a field has no value");
    return [part.slice(0, equals), percentDecode(part.slice(equals + 1))];
  });
}

function percentDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw malformed("a percent sign does not begin a character");
  }
}

function malformed(reason: string): SvcError {
  return new SvcError("uri/malformed", { reason });
}
