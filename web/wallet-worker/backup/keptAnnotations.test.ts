import { describe, expect, test } from "vitest";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { PAGE_LIMITS } from "../../pageLimits.ts";
import { NO_ANNOTATIONS, type AnnotationRecord } from "../../wallet-api/backupAnnotations.ts";
import { keptAnnotations } from "./keptAnnotations.ts";

const CONTACTS = '{"contacts":[["svc:a","Ann",null]],"version":1}';
const NAMES = '{"labels":[[7,"shop"]],"version":1}';
const ROW = '["key","remark"]';

const from = (stored: Partial<Record<AnnotationRecord, string>>) =>
  keptAnnotations(async (name) => stored[name] ?? null);

/** Remarks of so many bytes. */
function remarksOf(bytes: number): string {
  const rows: string[] = [];
  for (let length = 0, at = 0; length < bytes; at += 1) {
    const row = ROW.replace("key", `key ${String(at).padStart(9, "0")}`);
    rows.push(row);
    length += row.length + 1;
  }
  return `{"labels":[${rows.join(",")}],"version":1}`;
}

describe("annotations for a backup", () => {
  test("are what is stored, and nothing where nobody wrote any", async () => {
    expect(await from({})).toEqual({ annotations: NO_ANNOTATIONS, leftOut: [] });
    const { annotations, leftOut } = await from({ contacts: CONTACTS, labels: NAMES });
    expect(annotations).toEqual({ ...NO_ANNOTATIONS, contacts: CONTACTS, labels: NAMES });
    expect(leftOut).toEqual([]);
  });

  test("go without a damaged record, which is named: the seed is saved all the same", async () => {
    const damaged = await from({ contacts: CONTACTS, labels: '{"labels":[[0,""]],"version":1}' });
    expect(damaged).toEqual({
      annotations: { ...NO_ANNOTATIONS, contacts: CONTACTS },
      leftOut: ["labels"],
    });
    const unread = await keptAnnotations(async (name) => {
      if (name === "labels") return NAMES;
      throw new SvcError("store/corrupt", { table: "wallet", reason: "does not open" });
    });
    expect(unread).toEqual({
      annotations: { ...NO_ANNOTATIONS, labels: NAMES },
      leftOut: ["contacts", "payment-labels"],
    });
  });

  test("flood: go without the record that has no room, which is named", async () => {
    const flood = remarksOf(PAGE_LIMITS.backupAnnotationsBytes);
    const stored = { contacts: CONTACTS, labels: NAMES, "payment-labels": flood };
    expect(await from(stored)).toEqual({
      annotations: { ...NO_ANNOTATIONS, contacts: CONTACTS, labels: NAMES },
      leftOut: ["payment-labels"],
    });
  });

  test("are not saved for a wallet that is locked meanwhile", async () => {
    const locked = keptAnnotations(async () => {
      throw new SvcError("wallet/locked", {});
    });
    await expect(locked).rejects.toMatchObject({ code: "wallet/locked" });
  });
});
