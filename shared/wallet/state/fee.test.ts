import { readFileSync } from "node:fs";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { bundleLength, nodeMinimumFee, walletFee } from "./fee.ts";

const vectors = v.parse(
  v.object({
    walletFees: v.array(v.object({ actions: v.number(), fee: v.string() })),
    nodeMinimums: v.array(
      v.object({
        actions: v.number(),
        fork: v.boolean(),
        payloadLength: v.number(),
        fee: v.string(),
      }),
    ),
    sums: v.array(
      v.object({ times: v.optional(v.number(), 1), actions: v.array(v.number()), fee: v.string() }),
    ),
  }),
  JSON.parse(readFileSync(new URL("../../../tests/vectors/fee.json", import.meta.url), "utf8")),
);

/** Bytes that the security fork adds to a payload: the hash of the anchor block. */
const ANCHOR_BLOCK = 32n;

describe("fees", () => {
  it.each(vectors.walletFees)("of $actions actions are $fee sompi", ({ actions, fee }) => {
    expect(String(walletFee(actions))).toBe(fee);
  });

  it.each(vectors.nodeMinimums)(
    "for relay of $payloadLength bytes are at least $fee sompi",
    ({ actions, fork, payloadLength, fee }) => {
      expect(bundleLength(actions) + (fork ? ANCHOR_BLOCK : 0n)).toBe(BigInt(payloadLength));
      expect(String(nodeMinimumFee(payloadLength))).toBe(fee);
      if (actions >= 2) expect(walletFee(actions)).toBeGreaterThanOrEqual(BigInt(fee));
    },
  );

  it.each(vectors.sums)(
    "of a payout in parts $actions add up to $fee",
    ({ times, actions, fee }) => {
      const once = actions.reduce((sum, count) => sum + walletFee(count), 0n);
      expect(String(once * BigInt(times))).toBe(fee);
    },
  );
});
