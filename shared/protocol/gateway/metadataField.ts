/** The schema of an invoice's metadata in a request: texts of the merchant by their names, which nobody else is shown. */
import * as v from "valibot";
import { formOf } from "../contract/fieldForm.ts";
import { NumberText } from "../contract/numberText.ts";
import { MERCHANT_LIMITS } from "../merchantLimits.ts";
import { hasAtMostChars } from "./hasAtMostChars.ts";

const { metadataKeys, metadataKeyChars, metadataValueChars, metadataBytes } = MERCHANT_LIMITS;
const OBJECT = "an object of texts";

/** Metadata that was read. */
export type Metadata = Readonly<Record<string, string>>;

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null) return false;
  return !Array.isArray(value) && !(value instanceof NumberText);
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** What is wrong with metadata: the name of the value where it is one, and what must be; null when nothing is. */
function faultOf(entries: readonly (readonly [string, unknown])[]): {
  readonly key: string | null;
  readonly must: string;
} | null {
  if (entries.length > metadataKeys) return { key: null, must: `at most ${metadataKeys} keys` };
  let bytes = 0;
  for (const [key, value] of entries) {
    if (key === "" || !hasAtMostChars(key, metadataKeyChars)) {
      return { key: null, must: `an object whose keys have 1 to ${metadataKeyChars} characters` };
    }
    const must = `a text of at most ${metadataValueChars} characters`;
    if (typeof value !== "string" || !hasAtMostChars(value, metadataValueChars))
      return { key, must };
    bytes += bytesOf(key) + bytesOf(value);
  }
  return bytes > metadataBytes
    ? { key: null, must: `at most ${metadataBytes} bytes in all` }
    : null;
}

/** The field. Its value has the merchant's keys as they are, `constructor` and `__proto__` among them. */
export const metadataField = v.pipe(
  v.custom<Metadata>(isObject, OBJECT),
  formOf({
    type: "object",
    additionalProperties: { type: "string", maxLength: metadataValueChars },
    maxProperties: metadataKeys,
    description: `Texts of the merchant; the keys have at most ${metadataKeyChars} characters. No payer is shown them.`,
  }),
  v.rawTransform(({ dataset, addIssue, NEVER }): Metadata => {
    const entries = Object.entries<unknown>(dataset.value);
    const fault = faultOf(entries);
    if (fault === null) return Object.fromEntries(Object.entries(dataset.value));
    const { key, must } = fault;
    if (key === null) addIssue({ message: must });
    else addIssue({ message: must, path: [pathItem(dataset.value, key)] });
    return NEVER;
  }),
);

function pathItem(input: Metadata, key: string): v.ObjectPathItem {
  return { type: "object", origin: "value", input: { ...input }, key, value: input[key] };
}
