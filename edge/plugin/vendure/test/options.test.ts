import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { inspect } from "node:util";
import { checkOptions, type SvcGatewayOptions } from "../src/base/pluginOptions.ts";

const RIGHT: SvcGatewayOptions = {
  gatewayUrl: "https://pay.example/",
  apiKey: "svc_test_hidden_key",
  webhookSecret: "whsec_hidden",
  conversion: { EUR: "0.25" },
};

describe("options", () => {
  it("have defaults", () => {
    const { base, checkoutOrigin, requiredBlueScore, expiresInS, latePayments } =
      checkOptions(RIGHT);
    assert.deepEqual(
      { base, checkoutOrigin, requiredBlueScore, expiresInS, latePayments },
      {
        base: "https://pay.example",
        checkoutOrigin: "https://pay.example",
        requiredBlueScore: 10,
        expiresInS: 900,
        latePayments: "hold",
      },
    );
    assert.equal(
      checkOptions({ ...RIGHT, gatewayUrl: "http://127.0.0.1:8510" }).base,
      "http://127.0.0.1:8510",
    );
  });

  it("that are wrong are named, each of them, without the secrets", () => {
    const wrong: readonly (readonly [Partial<SvcGatewayOptions>, string])[] = [
      [{ gatewayUrl: "http://pay.example" }, "gatewayUrl"],
      [{ gatewayUrl: "https://user:pass@pay.example" }, "gatewayUrl"],
      [{ gatewayUrl: "https://pay.example?a=b" }, "gatewayUrl"],
      [{ gatewayUrl: "http://127.0.0.1.evil.example" }, "gatewayUrl"],
      [{ gatewayUrl: "https://pay.example\\@evil.example" }, "gatewayUrl"],
      [{ apiKey: "" }, "apiKey"],
      [{ apiKey: "a b" }, "apiKey"],
      [{ webhookSecret: " " }, "webhookSecret"],
      [{ conversion: {} }, "conversion"],
      [{ conversion: { EUR: "0" } }, "conversion"],
      [{ conversion: { euro: "1" } }, "conversion"],
      [{ requiredBlueScore: 0 }, "requiredBlueScore"],
      [{ requiredBlueScore: 1.5 }, "requiredBlueScore"],
      [{ requiredBlueScore: 10_001 }, "requiredBlueScore"],
      [{ expiresInS: 59 }, "expiresInS"],
      [{ redirectUrl: "javascript:alert(1)" }, "redirectUrl"],
      [{ checkoutOrigin: "ftp://pay.example" }, "checkoutOrigin"],
    ];
    for (const [change, name] of wrong) {
      assert.throws(
        () => checkOptions({ ...RIGHT, ...change }),
        (error: Error) => error.message.includes(`${name}: `) && !error.message.includes("hidden"),
        JSON.stringify(change),
      );
    }
  });

  it("show no secret, however they are printed", () => {
    const options = checkOptions(RIGHT);
    const printed = [
      inspect(options, { depth: 9, showHidden: true }),
      JSON.stringify(options),
      `${options.apiKey}`,
    ];
    for (const text of printed) assert.ok(!text.includes("hidden"), text);
    assert.equal(options.apiKey.reveal(), RIGHT.apiKey);
  });
});
