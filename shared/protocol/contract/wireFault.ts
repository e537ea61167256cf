/** Turns the first issue of a schema into the error that names the field. */
import type * as v from "valibot";
import { SvcError } from "../../base/svcError.ts";

type Issue = v.BaseIssue<unknown>;

/** Characters of a foreign name in an error. */
const SHOWN = 80;

const NONE: ReadonlyMap<string, string> = new Map();

/**
 * The error of a request that a schema refused. `whole` names what has no field, such as `body`. A field of the wrong JSON type
 * or a missing one is `api/wrong-type` or `api/missing-field` (422); one of wrong content is `api/bad-field` (400).
 * `counted`: lists whose items are named by a word and their number, `payee 3: to` in place of `payees[3].to`.
 */
export function wireFault(
  issues: readonly Issue[],
  whole: string,
  counted: ReadonlyMap<string, string> = NONE,
): SvcError {
  const [issue] = issues;
  const field = fieldOf(issue, whole, counted);
  const expected = issue?.message ?? "well formed";
  if (issue?.kind !== "schema") return new SvcError("api/bad-field", { field, expected });
  if (issue.received === "undefined") return new SvcError("api/missing-field", { field });
  return new SvcError("api/wrong-type", { field, expected });
}

/** `to`, `sigs[2].sig`. */
function fieldOf(
  issue: Issue | undefined,
  whole: string,
  counted: ReadonlyMap<string, string>,
): string {
  const keys = issue?.path?.map(({ key }) => key) ?? [];
  const [first, index, ...rest] = keys;
  const item = counted.get(String(first));
  if (item !== undefined && typeof index === "number") {
    return `${item} ${index}: ${joined(rest) || "it"}`;
  }
  return (joined(keys) || whole).slice(0, SHOWN);
}

function joined(keys: readonly unknown[]): string {
  return keys
    .map((key) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`))
    .join("")
    .replace(/^\./, "");
}
