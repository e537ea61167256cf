import { expect, it } from "vitest";
import { SvcError } from "../../base/svcError.ts";
import { gatewayRefusalOf } from "./gatewayRefusal.ts";

it("a refusal is a sentence, a code, the field at fault and the id of the request", () => {
  const error = new SvcError("api/bad-field", { field: "expiresIn", expected: "a number" });
  expect(gatewayRefusalOf(error, "req_1")).toEqual({
    status: 400,
    headers: {},
    body: {
      error: "expiresIn must be a number.",
      code: "api/bad-field",
      field: "expiresIn",
      expected: "a number",
      requestId: "req_1",
    },
  });
});

it("a refusal that passes says when to try again", () => {
  const error = new SvcError("gateway/in-flight", { retryAfter: 1 });
  expect(gatewayRefusalOf(error, "req_1")).toMatchObject({
    status: 409,
    headers: { "Retry-After": "1" },
  });
});

it("a refusal tells nothing of the machine", () => {
  const error = new SvcError("node/bad-folder", { path: "/home/alice", reason: "a file" });
  expect(JSON.stringify(gatewayRefusalOf(error, "req_1"))).not.toContain("alice");
});
