import { expect, it } from "vitest";
import { SvcError } from "../base/svcError.ts";
import { coreError } from "./callCore.ts";

const thrown = (reason: string): Error =>
  new Error(JSON.stringify(new SvcError("store/read-failed", { reason })));

it("finds the error of the host's store in the one that the core made of it", () => {
  const own = new SvcError("store/damaged", { file: "f", folder: "d", reason: "it is missing" });
  expect(coreError(thrown(JSON.stringify(own)))).toMatchObject({ code: own.code, data: own.data });
});

it("leaves the core's error as it is where its reason is a text", () => {
  for (const reason of ["disk full", "{no error}", '{"code":"no/such"}']) {
    expect(coreError(thrown(reason))).toMatchObject({
      code: "store/read-failed",
      data: { reason },
    });
  }
});
