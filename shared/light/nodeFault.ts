/**
 * Why a scanner does not believe its node, as it tells a gateway on another machine: an error of the registry, and since when. The
 * gateway names it as the scanner's claim.
 */
import * as v from "valibot";
import type { TimestampMs } from "../base/brand.ts";
import { sentenceOf } from "../base/errors.ts";
import { fields } from "../base/fields.ts";
import { isCode, type ErrorJson } from "../base/svcError.ts";
import { LIGHT_LIMITS } from "./lightLimits.ts";

/** A fault. A newer scanner's registry may have a code that this one lacks. */
export type NodeFault = {
  readonly code: string;
  /** The data of the code. */
  readonly data: Readonly<Record<string, string>>;
  /** Since when nothing more was proved, by the scanner's clock. */
  readonly sinceMs: TimestampMs;
};

/** The last moment that a date can name, ms. */
export const LAST_DATE_MS = 8_640_000_000_000_000n;

const CODE = /^[a-z][a-z0-9]{0,31}\/[a-z0-9-]{1,64}$/;
const FIELD = /^[A-Za-z]{1,32}$/;
/** Printable ASCII: data of this registry is codes, hashes and numbers. */
const TEXT = /^[\x20-\x7e]*$/;
const NOT_TEXT = /[^\x20-\x7e]/g;

/** Schema of a fault. */
export const nodeFault: v.GenericSchema<unknown, NodeFault> = v.object({
  code: v.pipe(v.string(), v.regex(CODE)),
  data: v.pipe(
    v.record(
      v.pipe(v.string(), v.regex(FIELD)),
      v.pipe(v.string(), v.maxLength(LIGHT_LIMITS.nodeFaultChars), v.regex(TEXT)),
    ),
    v.maxEntries(LIGHT_LIMITS.nodeFaultFields),
  ),
  sinceMs: v.pipe(
    fields.timestampMs,
    v.check((ms) => ms <= LAST_DATE_MS),
  ),
});

/** The fault of an error, cut to what a batch may hold. */
export function nodeFaultOf({ code, data }: ErrorJson, sinceMs: TimestampMs): NodeFault {
  const kept = Object.entries(data)
    .filter(([field]) => FIELD.test(field))
    .slice(0, LIGHT_LIMITS.nodeFaultFields)
    .map(([field, text]) => [field, printable(text)] as const);
  return { code, data: Object.fromEntries(kept), sinceMs };
}

/** What a person reads of the node in question: the registry's sentence, or that of a code which it lacks. */
export function faultSentenceOf({ code, data }: NodeFault): string {
  return isCode(code) ? sentenceOf({ code, data }) : "Its evidence does not hold.";
}

function printable(text: string): string {
  return text.slice(0, LIGHT_LIMITS.nodeFaultChars).replaceAll(NOT_TEXT, "?");
}
