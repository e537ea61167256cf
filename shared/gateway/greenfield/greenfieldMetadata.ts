/**
 * Metadata of an invoice in the BTCPay interface: any JSON object. The gateway keeps texts by names, so the object lies as JSON under
 * one name of its own, and an invoice of the gateway's own API shows its texts.
 */
import * as v from "valibot";
import { SvcError } from "../../base/svcError.ts";
import { NumberText, parseExactJson } from "../../protocol/contract/numberText.ts";
import { GREENFIELD_LIMITS } from "./greenfieldLimits.ts";

/** A JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>;

const NAME = "greenfield";
const object = v.record(v.string(), v.unknown());

/** Whether a JSON value is an object. */
export function isJsonObject(value: unknown): value is JsonObject {
  if (typeof value !== "object" || value === null) return false;
  return !Array.isArray(value) && !(value instanceof NumberText);
}

/** The form that is kept. Throws `api/bad-field` for metadata that is too large. */
export function keptMetadata(metadata: JsonObject): Readonly<Record<string, string>> {
  const text = JSON.stringify(metadata);
  const max = GREENFIELD_LIMITS.greenfieldMetadataBytes;
  if (new TextEncoder().encode(text).length <= max) return { [NAME]: text };
  throw new SvcError("api/bad-field", { field: "metadata", expected: `at most ${max} bytes` });
}

/** The object of an invoice, its order number in it. Numbers are as they were written. */
export function greenfieldMetadata(
  kept: Readonly<Record<string, string>>,
  orderId: string,
): JsonObject {
  const { [NAME]: text, ...texts } = kept;
  const order = orderId === "" ? {} : { orderId };
  return { ...order, ...texts, ...(text === undefined ? {} : read(text)) };
}

/** What is kept may have been written over by the gateway's own API: then it is a text like the others. */
function read(text: string): JsonObject {
  try {
    const value = parseExactJson(text);
    return isJsonObject(value) ? v.parse(object, value) : { [NAME]: text };
  } catch {
    return { [NAME]: text };
  }
}
