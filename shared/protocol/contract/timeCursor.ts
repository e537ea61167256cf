/** Cursors of lists that are ordered by time, then by id: `<milliseconds>-<id>`, opaque to callers. */
import { SvcError } from "../../base/svcError.ts";

/** How the cursors of one list are read. */
export type TimeCursorForm = {
  /** Of the ids, such as `ref`; 32 hexadecimal digits follow. */
  readonly prefix: string;
  /** Most digits of the time. */
  readonly digits: number;
  /** The field that an error names. */
  readonly field: string;
};

/** Makes the cursor of a place. */
export function timeCursor(ms: bigint | number, id: string): string {
  return `${ms}-${id}`;
}

/** Reads a cursor. Throws `api/bad-field`. */
export function readTimeCursor(
  text: string,
  { prefix, digits, field }: TimeCursorForm,
): { readonly ms: bigint; readonly id: string } {
  const form = new RegExp(`^([0-9]{1,${digits}})-(${prefix}_[0-9a-f]{32})$`);
  const [, time = "", id = ""] = form.exec(text) ?? [];
  if (id === "")
    throw new SvcError("api/bad-field", { field, expected: "one of an answer before" });
  return { ms: BigInt(time), id };
}
