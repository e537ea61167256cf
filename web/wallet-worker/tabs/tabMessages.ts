/**
 * Messages between tabs of one build about the open wallet (specification wallet 4.7). No key and no passphrase is in any of
 * them. What is not of this form, or longer than its bound, is no message.
 */
import * as v from "valibot";
import { PAGE_LIMITS } from "../../pageLimits.ts";
import { errorForm } from "./shownForms.ts";

const askText = v.pipe(v.string(), v.maxLength(PAGE_LIMITS.tabAskChars));
const tab = v.pipe(v.string(), v.regex(/^[0-9a-f-]{36}$/));
const number = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const found = {
  kind: v.picklist(["all", "received", "sent", "mined"]),
  text: askText,
  amount: askText,
};

/** A question: one of the calls that only read. */
const askForm = v.variant("call", [
  v.object({ call: v.literal("history"), query: v.object({ ...found, limit: number }) }),
  v.object({
    call: v.literal("historyFile"),
    query: v.object(found),
    form: v.picklist(["csv", "json"]),
  }),
  v.object({ call: v.literal("receipts"), rowId: askText, challenge: askText }),
]);

/** What a call asks. */
export type Ask = v.InferOutput<typeof askForm>;

const form = v.variant("kind", [
  /** The tab `from` follows, and would like to be shown the wallet. */
  v.object({ kind: v.literal("hello"), from: tab }),
  /** Lock the wallet. */
  v.object({ kind: v.literal("lock") }),
  /** There was input in a tab that follows. */
  v.object({ kind: v.literal("active") }),
  v.object({ kind: v.literal("ask"), from: tab, number, ask: askForm }),
  /** The wallet is open now: whoever follows may say so. */
  v.object({ kind: v.literal("open") }),
  /** It is not open any more. */
  v.object({ kind: v.literal("closed") }),
  /** What the tab with the wallet shows, as JSON. */
  v.object({
    kind: v.literal("shown"),
    body: v.pipe(v.string(), v.maxLength(PAGE_LIMITS.tabShownChars)),
  }),
  /** The answer to question `number` of tab `to`, as JSON; or why there is none. */
  v.object({
    kind: v.literal("answer"),
    to: tab,
    number,
    body: v.pipe(v.string(), v.maxLength(PAGE_LIMITS.tabAnswerChars)),
    error: v.nullable(errorForm),
  }),
]);

/** A message. */
export type TabMessage = v.InferOutput<typeof form>;

/** The message that these data are; null for none. */
export function readTabMessage(data: unknown): TabMessage | null {
  const read = v.safeParse(form, data);
  return read.success ? read.output : null;
}

/** The value that a JSON text of another tab is, by its schema; null for none. */
export function readTabJson<Form extends v.GenericSchema>(
  schema: Form,
  text: string,
): v.InferOutput<Form> | null {
  try {
    const read = v.safeParse(schema, JSON.parse(text));
    return read.success ? read.output : null;
  } catch {
    // No JSON, or a number that does not fit.
    return null;
  }
}
