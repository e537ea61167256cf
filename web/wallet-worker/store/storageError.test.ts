/** Tests of the mapping of browser storage errors to error codes. */
import { expect, it } from "vitest";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { storageError } from "./storageError.ts";

it("tells a store without room from one that fails otherwise", () => {
  expect(storageError(new DOMException("", "QuotaExceededError")).code).toBe("wallet/storage-full");
  const closed = storageError(new DOMException("", "InvalidStateError"));
  expect([closed.code, closed.data["reason"]]).toEqual(["wallet/storage", "InvalidStateError"]);
  expect(storageError(new Error("disk")).data["reason"]).toBe("disk");
  const known = new SvcError("store/version", { expected: 1, found: 2 });
  expect(storageError(known)).toBe(known);
});
