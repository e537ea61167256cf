/** Vectors of code that runs in Node, in browsers and here: the same results in workerd. */
import { describe, expect, it } from "vitest";
import { decodeHex } from "@svc/shared/base/hex.ts";
import { apiKeyMode, hashApiKey, makeApiKey } from "@svc/shared/gateway/apiKey.ts";
import { signWebhook } from "@svc/shared/protocol/webhook/signature.ts";
import apiKeys from "../../tests/vectors/api-key.json" with { type: "json" };
import webhooks from "../../tests/vectors/webhook.json" with { type: "json" };

describe("in workerd", () => {
  it.each(apiKeys.keys)("the API key of $random is that of the vector", async (vector) => {
    const { random, key, hash } = vector;
    const mode = vector.mode === "live" ? "live" : "test";
    expect(makeApiKey(mode, decodeHex(random))).toBe(key);
    expect(apiKeyMode(key)).toBe(mode);
    expect(await hashApiKey(key)).toBe(hash);
  });

  it.each(webhooks.signatures)("the signature of $id is that of the vector", async (vector) => {
    const { secret, id, sentAt, body, svc, standard } = vector;
    const message = { id, sentAt: BigInt(sentAt), body: decodeHex(body) };
    expect(await signWebhook(secret, message)).toMatchObject({
      "svc-signature": `t=${sentAt},v1=${svc}`,
      "webhook-signature": `v1,${standard}`,
    });
  });
});
