import { describe, expect, it } from "vitest";
import { ERRORS, grpcTextOf, httpErrorOf, infoOf, publicSentenceOf, sentenceOf } from "./errors.ts";
import { CODE_FIELDS } from "./generated/codes.ts";
import { isCode, SvcError } from "./svcError.ts";

const codes = Object.keys(CODE_FIELDS).filter(isCode);

describe("error registry", () => {
  it("has exactly one row for every code", () => {
    expect(Object.keys(ERRORS).toSorted()).toEqual(codes.toSorted());
  });

  it.each(codes)("%s reads as a sentence made of its own fields", (code) => {
    const info = ERRORS[code];
    const fields: readonly string[] = CODE_FIELDS[code];
    for (const [, slot] of `${info.sentence}${info.grpc ?? ""}`.matchAll(/\{(\w+)\}/g)) {
      expect(fields, `slot {${slot}}`).toContain(slot);
    }
    expect(info.sentence).toMatch(/^[\p{Lu}“{1-9].*[.}]$/u);
    expect(info.http).toBeGreaterThanOrEqual(400);
    expect(info.http).toBeLessThan(600);
    expect(fields).not.toContain("error");
    expect(fields).not.toContain("code");
  });

  it("fills sentences for every surface from one row", () => {
    const error = new SvcError("amount/too-many-decimals", { text: "0.123456789", max: 8 });
    expect(sentenceOf(error)).toBe("An amount has at most 8 decimals.");
    expect(grpcTextOf(error)).toBe("amount/too-many-decimals: An amount has at most 8 decimals.");
    expect(httpErrorOf(error)).toEqual({
      status: 400,
      body: {
        error: "An amount has at most 8 decimals.",
        code: "amount/too-many-decimals",
        text: "0.123456789",
        max: "8",
      },
    });
    expect(infoOf(error).penalty).toBe("none");
  });

  it("tells strangers nothing of where a node keeps its data", () => {
    const data = { file: "/home/alice/.svc/data.mdb", folder: "/home/alice/.svc", reason: "cut" };
    const error = new SvcError("store/damaged", data);
    expect(sentenceOf(error)).toContain("/home/alice");
    const told = [grpcTextOf(error), publicSentenceOf(error), JSON.stringify(httpErrorOf(error))];
    for (const text of told) expect(text).toContain("cannot use its database");
    expect(told.join()).not.toContain("alice");
    const folder = new SvcError("node/bad-folder", { path: "/home/alice", reason: "a file" });
    expect(JSON.stringify(httpErrorOf(folder))).not.toContain("alice");
  });

  it("shows a question mark for a field the sender left out", () => {
    expect(sentenceOf({ code: "amount/too-many-decimals", data: {} })).toContain("at most ?");
  });
});
