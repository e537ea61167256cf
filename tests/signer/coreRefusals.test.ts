/** The refusals of `signer-refusals.json`, as the core's binding gives them. */
import { describe, expect, it } from "vitest";
import { ERRORS } from "@svc/shared/base/errors.ts";
import { callCore } from "@svc/shared/core/callCore.ts";
import { codeOf } from "@svc/shared/base/testkit/codeOf.ts";
import { core, profileJson, REFUSED, TAKEN, type SignerCase } from "./signerCases.ts";

const decimal = (_key: string, value: unknown) =>
  typeof value === "bigint" ? String(value) : value;

/** What the core says to the parts of a case, as they stand in the file. */
function askCore({ intent, bundle, disclosure, alphas }: SignerCase): string {
  const asked = JSON.stringify({ profile: JSON.parse(profileJson), ...intent }, decimal);
  const shown = JSON.stringify(disclosure, decimal);
  const seed = new Uint8Array(32).fill(7);
  return callCore(() => core.checkAndSign(seed, asked, bundle, shown, JSON.stringify(alphas)));
}

describe("the core", () => {
  it.each(REFUSED)("refuses $name with $code", (entry) => {
    expect(codeOf(() => askCore(entry))).toBe(entry.code);
    expect(entry.sentence).toBe(Reflect.get(ERRORS, entry.code).sentence);
  });

  it.each(TAKEN)("signs $name", (entry) => {
    expect(JSON.parse(askCore(entry))).toHaveLength(entry.alphas.length);
  });
});
