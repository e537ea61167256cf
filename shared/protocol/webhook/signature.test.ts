import { readFileSync } from "node:fs";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { fields } from "../../base/fields.ts";
import { decodeHex } from "../../base/hex.ts";
import { PROTOCOL_LIMITS } from "../protocolLimits.ts";
import {
  signWebhook,
  verifyStandardWebhook,
  verifySvcSignature,
  type HeaderSource,
} from "./signature.ts";

const form = v.object({
  signatures: v.array(
    v.object({
      secret: v.string(),
      id: v.string(),
      sentAt: fields.u64,
      body: fields.hex,
      svc: v.string(),
      standard: v.string(),
    }),
  ),
});
const { signatures } = v.parse(
  form,
  JSON.parse(readFileSync(new URL("../../../tests/vectors/webhook.json", import.meta.url), "utf8")),
);

const SECRET = "whsec_plJ3nmyCDGBKInavdOK15jsl";
const NOW = 1_700_000_000n;
const body = new TextEncoder().encode('{"a":1}');
const source = (headers: Readonly<Record<string, string>>): HeaderSource => ({
  get: (name) => headers[name],
});
const signed = (secret = SECRET) => signWebhook(secret, { id: "evt_1", sentAt: NOW, body });

describe("the signature of a webhook", () => {
  it.each(signatures)("is that of the vector $id", async ({ secret, id, sentAt, ...vector }) => {
    const bytes = decodeHex(vector.body);
    const headers = await signWebhook(secret, { id, sentAt, body: bytes });
    expect(headers).toEqual({
      "svc-signature": `t=${sentAt},v1=${vector.svc}`,
      "webhook-id": id,
      "webhook-timestamp": String(sentAt),
      "webhook-signature": `v1,${vector.standard}`,
    });
    const given = source(headers);
    expect(await verifySvcSignature(secret, given, bytes, sentAt)).toBe("ok");
    expect(await verifyStandardWebhook(secret, given, bytes, sentAt)).toBe("ok");
    expect(await verifySvcSignature(`${secret}x`, given, bytes, sentAt)).toBe("bad-signature");
    expect(await verifyStandardWebhook(`${secret}x`, given, bytes, sentAt)).toBe("bad-signature");
  });

  it("is refused when its time is more than five minutes off, either way", async () => {
    const headers = source(await signed());
    const most = PROTOCOL_LIMITS.webhookToleranceS;
    for (const [off, verdict] of [
      [most, "ok"],
      [-most, "ok"],
      [most + 1n, "bad-time"],
      [-most - 1n, "bad-time"],
    ] as const) {
      expect(await verifySvcSignature(SECRET, headers, body, NOW + off)).toBe(verdict);
      expect(await verifyStandardWebhook(SECRET, headers, body, NOW + off)).toBe(verdict);
    }
  });

  it("covers every byte of the body, the time and the id", async () => {
    const headers = await signed();
    for (const [place] of body.entries()) {
      const other = body.slice();
      other[place] = (other[place] ?? 0) ^ 1;
      expect(await verifySvcSignature(SECRET, source(headers), other, NOW)).toBe("bad-signature");
      expect(await verifyStandardWebhook(SECRET, source(headers), other, NOW)).toBe(
        "bad-signature",
      );
    }
    const later = {
      ...headers,
      "svc-signature": headers["svc-signature"]?.replace(`t=${NOW}`, `t=${NOW + 1n}`) ?? "",
      "webhook-timestamp": String(NOW + 1n),
    };
    expect(await verifySvcSignature(SECRET, source(later), body, NOW)).toBe("bad-signature");
    expect(await verifyStandardWebhook(SECRET, source(later), body, NOW)).toBe("bad-signature");
    const renamed = source({ ...headers, "webhook-id": "evt_2" });
    expect(await verifyStandardWebhook(SECRET, renamed, body, NOW)).toBe("bad-signature");
  });

  it("may be one of several while a secret is replaced", async () => {
    const [old, fresh] = [await signed("whsec_AA=="), await signed()];
    const both = source({
      ...fresh,
      "svc-signature": `${old["svc-signature"]},${fresh["svc-signature"]?.split(",")[1]}`,
      "webhook-signature": `v1a,xyz ${old["webhook-signature"]} ${fresh["webhook-signature"]}`,
    });
    expect(await verifySvcSignature(SECRET, both, body, NOW)).toBe("ok");
    expect(await verifyStandardWebhook(SECRET, both, body, NOW)).toBe("ok");
  });

  it.each([
    ["nothing", {}],
    ["no time", { "svc-signature": `v1=${"0".repeat(64)}`, "webhook-timestamp": "" }],
    ["a time that is no number", { "svc-signature": "t=x,v1=0", "webhook-timestamp": "1e3" }],
    ["a short signature", { "svc-signature": `t=${NOW},v1=00`, "webhook-signature": "v1,AA==" }],
    ["an id of other characters", { "webhook-id": "a b" }],
    ["a flood", { "svc-signature": `t=${NOW}${`,v1=${"0".repeat(64)}`.repeat(5_000)}` }],
    ["a flood of others", { "webhook-signature": "v1,x ".repeat(100_000) }],
    ["another version", { "svc-signature": `t=${NOW},v2=${"0".repeat(64)}` }],
  ])("that is %s is refused", async (_, change) => {
    const given = source({ "webhook-id": "a", "webhook-timestamp": String(NOW), ...change });
    expect(await verifySvcSignature(SECRET, given, body, NOW)).toBe("bad-signature");
    expect(await verifyStandardWebhook(SECRET, given, body, NOW)).toBe("bad-signature");
  });
});
