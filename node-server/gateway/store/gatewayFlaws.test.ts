/** What an audit of the gateway's database finds of x402. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  asHash32,
  asInvoiceId,
  asMerchantId,
  asSompi,
  asTimestampMs,
} from "@svc/shared/base/brand.ts";
import { KEY_SCOPES } from "@svc/shared/protocol/gateway/route.ts";
import { numberKey } from "../../storage/rows/storeKeys.ts";
import { concatBytes } from "@svc/shared/base/bytes.ts";
import { DeskHost } from "../testkit/deskHost.ts";
import { payloadOf, paymentOf, X402Shop } from "../testkit/x402Shop.ts";
import { invoiceKey } from "./gatewayKeys.ts";
import { GATEWAY_TABLES } from "./gatewayLayout.ts";

let host: DeskHost;
let open: string;
let settled: string;
beforeEach(async () => {
  host = await DeskHost.open(null, { poolLimit: 1_000_000n });
  const shop = new X402Shop(host, await host.issueKey("shop", KEY_SCOPES));
  open = (await shop.challenge("1000")).extra.challenge;
  const asked = await shop.challenge("1000");
  settled = asked.extra.challenge;
  await shop.settle(asked, payloadOf(paymentOf(asked, "note")));
  host.store.commit((batch) =>
    host.store.sessions.put(batch, {
      merchant: asMerchantId("shop"),
      hash: asHash32("ab".repeat(32)),
      balance: asSompi(1n),
      expiresMs: asTimestampMs(1n),
    }),
  );
});
afterEach(() => host.close());

/** The tables that an audit names once these rows are as they are written here. */
function flawsAfter(table: number, key: Uint8Array, value: Uint8Array | null): readonly string[] {
  host.store.commit((batch) => batch.put(table, key, value));
  return host.store.flaws().map((flaw) => flaw.table);
}

describe("an audit of what x402 keeps", () => {
  it("finds nothing where nothing is wrong", () => {
    expect(host.store.flaws()).toEqual([]);
  });

  it("finds a challenge that is gone, a payment without its index rows, and notes bound to nothing", () => {
    const key = invoiceKey(asInvoiceId(settled));
    expect(flawsAfter(GATEWAY_TABLES.challengesSending, key, null)).toEqual(["challenges_sending"]);
    const names = flawsAfter(GATEWAY_TABLES.challenges, key, null);
    expect([...new Set(names)].toSorted()).toEqual([
      "challenge_payments",
      "challenge_payments_end",
      "challenge_spends",
      "challenges_end",
    ]);
  });

  it("finds damaged rows of challenges, sessions and old addresses", () => {
    const damaged = Uint8Array.of(1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9);
    const challenge = invoiceKey(asInvoiceId(open));
    expect(flawsAfter(GATEWAY_TABLES.challenges, challenge, damaged)).toContain("challenges");
    const place = concatBytes(numberKey(1n), Uint8Array.of(1));
    expect(flawsAfter(GATEWAY_TABLES.sessions, place, damaged)).toContain("sessions");
    expect(flawsAfter(GATEWAY_TABLES.oldAddresses, place, damaged)).toContain("old_addresses");
  });
});
