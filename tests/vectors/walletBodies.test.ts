/** The examples of the wallet API's table, and so of its OpenAPI document, against the bodies written down from the specification. */
import { describe, expect, it } from "vitest";
import { jsonText } from "@svc/shared/base/jsonText.ts";
import { WALLET_ROUTES, type RouteName } from "@svc/shared/protocol/wallet/walletRoutes.ts";
import { BODIES, unlikeBody } from "../testkit/walletBodies.ts";

const NAMES: readonly RouteName[] = Object.keys(WALLET_ROUTES).filter(
  (name): name is RouteName => name in WALLET_ROUTES,
);
const JSON_NAMES = NAMES.filter((name) => !("isCsv" in WALLET_ROUTES[name]));

describe("bodies", () => {
  it("are written down for every call", () => {
    expect(Object.keys(BODIES).toSorted()).toEqual(JSON_NAMES.toSorted());
  });

  it.each(JSON_NAMES)("%s: its example has every key, and no other", (name) => {
    expect(unlikeBody(name, exampleOf(name))).toEqual([]);
  });

  it("are not taken with a key more or less, or in another form", () => {
    const status: Readonly<Record<string, unknown>> = { ...WALLET_ROUTES.status.example.answer };
    const { note_count: _, ...less } = status;
    expect(unlikeBody("status", less)).toEqual(["status.note_count is missing"]);
    expect(unlikeBody("status", { ...status, later: 1 })).toEqual(["status.later is unknown"]);
    for (const [key, value, form] of [
      ["balance_fc", "12.5", "fc"],
      ["balance_fc", 12.5, "fc"],
      ["balance_sompi", 1, "sompi"],
      ["balance_sompi", "01", "sompi"],
      ["daa_score", "7", "int"],
      ["error", 0, "text?"],
      ["address", "svc:x", "address?"],
    ] as const) {
      expect(unlikeBody("status", { ...status, [key]: value })).toEqual([
        `status.${key} is no ${form}`,
      ]);
    }
    expect(unlikeBody("send", { ...WALLET_ROUTES.send.example.answer, txids: ["ab"] })).toEqual([
      "send.txids[0] is no hex32",
    ]);
  });
});

/** As it stands on the wire: numbers that are written digit for digit are numbers there. */
function exampleOf(name: RouteName): unknown {
  return JSON.parse(jsonText(WALLET_ROUTES[name].example.answer));
}
