/**
 * Errors as the wallet API answers them. Status, code and data are the registry's. The sentence is that of the API's specification, word
 * for word, where that gives one: clients of the reference compare it. Every other code has the registry's sentence, and so has
 * every other surface.
 */
import {
  ERRORS,
  filled,
  httpErrorOf,
  publicSentenceOf,
  type HttpErrorBody,
} from "../../base/errors.ts";
import type { Code } from "../../base/generated/codes.ts";
import type { ErrorJson, SvcError } from "../../base/svcError.ts";
import { FIELD_FORMS } from "./fieldForms.ts";
import type { RouteName } from "./walletRoutes.ts";

const FIELD_MUST = "{field} must be {expected}";
const NO_RECIPIENT = "recipient is not a shielded Orchard address";

/** The specification's sentences, and one that says what it is about here; slots as in the registry. */
const SENTENCES: Readonly<Partial<Record<Code, string>>> = {
  "address/bad-key": NO_RECIPIENT,
  "address/bad-version": NO_RECIPIENT,
  "amount/zero": "amount must be positive",
  "api/bad-bearer": "missing or invalid bearer token",
  "api/bad-field": FIELD_MUST,
  "api/bad-token": "invalid X-Wallet-Token",
  "api/missing-token": "missing X-Wallet-Token",
  "api/wrong-type": FIELD_MUST,
  "evidence/not-shown": "no receipt can be made now: {reason}",
  "wallet/bad-payee": "payee {index}: {reason}",
  "wallet/memo-too-long": "memo too long (max {max} bytes)",
  "wallet/no-session": "no such prepared session (expired or already submitted)",
  "wallet/no-wallet": "no wallet loaded",
  "wallet/partly-sent": "payment partially sent: {sent}/{total} txs accepted, then {reason}",
};

/** Sentences of fields that `FIELD_MUST` does not fit, by what the field must be. */
const FIELD_SENTENCES: ReadonlyMap<string, string> = new Map([
  [FIELD_FORMS.anAmount, "specify amount_sompi or amount_fc"],
  [FIELD_FORMS.withFee, "amount + fee overflows"],
  [FIELD_FORMS.notEmpty, "{field} must not be empty"],
  [FIELD_FORMS.signature, "each sig must be 64 bytes of hex"],
]);

const PAYEE = /^payee \d+: /;

/** The sentence of a code with its slots, as the API's documents show it. */
export function apiSentence(code: Code): string {
  return SENTENCES[code] ?? ERRORS[code].sentence;
}

/** The sentence of an error. `row`: whose request it refuses, where that is known. */
export function apiSentenceOf(error: ErrorJson, row: RouteName | null = null): string {
  const { code, data } = error;
  const isAddress = code.startsWith("address/");
  // The address of a claim is no recipient.
  if (isAddress && row === "verify") return publicSentenceOf(error);
  const { field = "", expected = "" } = data;
  const special = code === "api/bad-field" ? FIELD_SENTENCES.get(expected) : undefined;
  if (special !== undefined) return `${PAYEE.exec(field)?.[0] ?? ""}${filled(special, data)}`;
  const own = SENTENCES[code];
  if (own !== undefined) return filled(own, data);
  const sentence = publicSentenceOf(error);
  return isAddress ? `invalid recipient address: ${sentence}` : sentence;
}

/** Status and body of the answer to a request that fails. `row` as for `apiSentenceOf`. */
export function apiErrorOf(
  error: SvcError,
  row: RouteName | null = null,
): { readonly status: number; readonly body: HttpErrorBody } {
  const { status, body } = httpErrorOf(error);
  return { status, body: { ...body, error: apiSentenceOf(error, row) } };
}
