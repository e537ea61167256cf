import { expect, it } from "vitest";
import { signWebhook } from "./signature.ts";
import { signCall, verifyCall } from "./signedCall.ts";

const SECRET = "what the operator signs with";
const NOW = 1_700_000_000n;
const BODY = new TextEncoder().encode('{"merchant":"shop"}');
const message = { id: "call", sentAt: NOW, body: BODY };

it("is good for the method, the path and the body that were signed, and for no other", async () => {
  const place = { method: "POST", path: "/admin/v1/keys?dry=1" };
  const headers = new Headers(await signCall(SECRET, message, place));
  const check = (method: string, path: string, body = BODY) =>
    verifyCall(SECRET, { method, url: `https://pay.example${path}`, headers }, body, NOW);
  expect(await check("POST", "/admin/v1/keys?dry=1")).toBe("ok");
  expect(await check("PUT", "/admin/v1/keys?dry=1")).toBe("bad-signature");
  expect(await check("POST", "/admin/v1/keys")).toBe("bad-signature");
  expect(await check("POST", "/admin/v1/keys/list?dry=1")).toBe("bad-signature");
  expect(await check("POST", "/admin/v1/keys?dry=1", BODY.slice(1))).toBe("bad-signature");
});

it("is none for a webhook of the same body", async () => {
  const headers = new Headers(await signWebhook(SECRET, message));
  const request = { method: "POST", url: "https://pay.example/admin/v1/keys", headers };
  expect(await verifyCall(SECRET, request, BODY, NOW)).toBe("bad-signature");
});
