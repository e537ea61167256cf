import { describe, expect, it } from "vitest";
import { asMerchantId, asViewingKeyId } from "@svc/shared/base/brand.ts";
import { Secret } from "@svc/shared/base/secret.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { hashApiKey } from "@svc/shared/gateway/apiKey.ts";
import { TEST_POLICY } from "@svc/shared/invoice/testkit/invoices.ts";
import { verifyCall } from "@svc/shared/protocol/webhook/signedCall.ts";
import { ManualClock } from "../../platform/time/clock.ts";
import { HostedAdmin, type HostedMerchant } from "./hostedAdmin.ts";

const SECRET = "what the operator signs with";
const SHOP = asMerchantId("shop");
const clock = new ManualClock(1_700_000_000_000n);
const { signal } = new AbortController();
const row: HostedMerchant = {
  ...{ id: SHOP, name: "The shop", key: asViewingKeyId(`key_${"1".repeat(16)}`) },
  ...{ policy: TEST_POLICY, expiresInS: 900, frameOrigins: [], language: null },
};

/** An administration whose gateway answers with this, and what it heard. */
function told(answer: () => Response) {
  const heard: { readonly url: string; readonly body: string; readonly verdict: string }[] = [];
  const request: typeof fetch = async (input, init) => {
    const asked = new Request(input, init);
    const body = new Uint8Array(await asked.arrayBuffer());
    const now = clock.nowMs() / 1_000n;
    const verdict = await verifyCall(SECRET, asked, body, now);
    heard.push({ url: asked.url, body: Buffer.from(body).toString(), verdict });
    return answer();
  };
  const secret = new Secret(new TextEncoder().encode(SECRET));
  const parts = { url: "https://pay.example", secret, clock, request };
  return { admin: new HostedAdmin(parts), heard };
}

describe("the administration of a hosted gateway", () => {
  it("is signed, and tells the hash of an API key alone", async () => {
    const { admin, heard } = told(() => Response.json({ id: "0123456789abcdef" }));
    await admin.addMerchant(row, signal);
    const wish = {
      merchant: SHOP,
      label: "till",
      scopes: ["invoices:read"],
      mode: "test",
    } as const;
    const { text, id } = await admin.issueKey(wish, (length) => new Uint8Array(length), signal);
    await admin.revokeKey(SHOP, id, signal);
    expect(heard.map(({ url, verdict }) => `${url} ${verdict}`)).toEqual([
      "https://pay.example/admin/v1/merchants ok",
      "https://pay.example/admin/v1/keys ok",
      "https://pay.example/admin/v1/keys/revoke ok",
    ]);
    expect(heard[1]?.body).toContain(await hashApiKey(text));
    expect(JSON.stringify(heard)).not.toContain(text);
    expect(JSON.stringify(heard)).not.toContain(SECRET);
  });

  it.each([
    [409, { code: "gateway/merchant-exists", merchant: "<b>" }, "gateway/merchant-exists"],
    [401, { code: "gateway/bad-key" }, "gateway/refused"],
    [500, { code: "no code", error: SECRET }, "gateway/refused"],
    [404, "<html>", "gateway/refused"],
    [302, { id: "x" }, "gateway/refused"],
    [200, { id: 5 }, "gateway/bad-answer"],
    [200, { id: "x".repeat(1_025) }, "gateway/bad-answer"],
  ])("takes no word of a refusal with %i %j", async (status, body, code) => {
    const { admin } = told(() => Response.json(body, { status }));
    const error = await admin.addMerchant(row, signal).catch(SvcError.from);
    expect(error).toMatchObject({ code });
    expect(JSON.stringify(error)).not.toMatch(/<b>|html|operator signs/);
  });

  it("says what the gateway was told by its scanner, its fault among it", async () => {
    const fault = { code: "evidence/other-notes", sentence: "This node lies.", sinceMs: "5" };
    const times = { blockMs: "1", toldMs: "2" };
    const said = { blueScore: "7", ...times, proves: true, fault };
    const body = { scanner: "scanner", reasons: ["it lies"], told: said };
    const { admin, heard } = told(() => Response.json(body));
    const { told: answered, reasons } = await admin.scanner(signal);
    expect(reasons).toEqual(["it lies"]);
    expect(answered).toMatchObject({ blueScore: 7n, toldMs: 2n, fault: { ...fault, sinceMs: 5n } });
    expect(heard).toMatchObject([{ url: "https://pay.example/admin/v1/scanner", verdict: "ok" }]);
  });

  it("takes an answer that is no JSON, and one that is cut off, for none", async () => {
    const { admin } = told(() => new Response("{"));
    await expect(admin.listKeys(SHOP, signal)).rejects.toMatchObject({
      code: "gateway/bad-answer",
    });
    const { admin: away } = told(() => {
      throw new TypeError("fetch failed");
    });
    await expect(away.listMerchants(null, signal)).rejects.toMatchObject({
      code: "gateway/unreachable",
    });
  });
});
