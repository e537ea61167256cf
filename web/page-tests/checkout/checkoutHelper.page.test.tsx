/** The embedded helper in a shop's page: which addresses it opens, and what it tells of the shop's server. */
import { describe, expect, test } from "vitest";
import { openSvcCheckout } from "../../checkout/helper/svcCheckout.ts";
import { showGatewayPage, type GatewayAnswer } from "../testkit/showGatewayPage.ts";

const SHOP = `<!doctype html><html lang="en"><title>Shop</title><h1>Shop</h1><div id="place"></div>`;
const ALLOWED = "https://pay.example";

/** The answers of a shop's server that open nothing, and what is said of each. */
const REFUSED: readonly (readonly [says: string, body: unknown])[] = [
  ["which is not allowed", { checkoutUrl: "https://evil.example/checkout/x" }],
  ["which is not allowed", { checkoutUrl: "https://pay.example.evil.example/checkout/x" }],
  ["is not https", { checkoutUrl: "http://127.0.0.1.evil.example/" }],
  ["is not https", { checkoutUrl: "http://pay.example/checkout/x" }],
  ["is not https", { checkoutUrl: "javascript:alert(1)" }],
  ["no checkoutUrl", { checkoutUrl: "/checkout/x" }],
  ["no checkoutUrl", { checkoutUrl: 7 }],
  ["no checkoutUrl", {}],
  ["no checkoutUrl", null],
];

const MODES = ["redirect", "modal", "inline"] as const;

/** Opens a checkout; resolves with the sentence of its error, or "opened". */
async function open(
  mode: (typeof MODES)[number],
  signal: AbortSignal = new AbortController().signal,
): Promise<string> {
  try {
    await openSvcCheckout({
      ...{ createInvoiceUrl: "/order", orderId: 4711, amount: "20.00" },
      ...{ metadata: { basket: "7" }, allowedOrigins: [ALLOWED], mode },
      ...{ container: "#place", signal },
    });
    return "opened";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const says =
  (body: unknown, status = 200): GatewayAnswer =>
  () =>
    Response.json(body, { status });

function expectNothingOpened(at: string): void {
  expect(document.querySelector("iframe, dialog")).toBeNull();
  expect(location.href).toBe(at);
}

describe.each(MODES)("%s", (mode) => {
  test.each(REFUSED)("%s: %j", async (text, body) => {
    const shown = showGatewayPage(SHOP, says(body));
    const at = location.href;
    expect(await open(mode)).toContain(text);
    expectNothingOpened(at);
    expect(shown.calls).toEqual([
      {
        ...{ method: "POST", path: "/order", key: "4711" },
        body: { orderId: 4711, amount: "20.00", metadata: { basket: "7" } },
      },
    ]);
  });

  test("tells what the shop's server said, and opens nothing for a signal that is over", async () => {
    const shown = showGatewayPage(SHOP, says({}, 503));
    const at = location.href;
    expect(await open(mode)).toBe("The shop made no invoice (503)");
    shown.answer = says({ checkoutUrl: `${ALLOWED}/checkout/x` });
    expect(await open(mode, AbortSignal.abort())).toMatch(/aborted/);
    expectNothingOpened(at);
  });
});
