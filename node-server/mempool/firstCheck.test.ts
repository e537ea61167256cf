import { describe, expect, it } from "vitest";
import { asTxId, type TxId } from "@svc/shared/base/brand.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { readTxCheck } from "../engine/calls/engineFacts.ts";
import { firstCheck } from "./firstCheck.ts";

const TXID = asTxId("aa".repeat(32));
const RAW = Uint8Array.of(1);
const SPENT = new SvcError("tx/nullifier-spent", { nullifier: "bb".repeat(32) });

const found = readTxCheck(
  JSON.stringify({
    txid: TXID,
    format: 1,
    verdict: "needed",
    fee: "1",
    size: 1,
    computeMass: "1",
    transientMass: "4",
    minimumFee: "1",
    nullifiers: [],
    anchor: "cc".repeat(32),
    anchorBlock: null,
    anchorBlueScore: null,
    lockTime: "0",
  }),
);

/** Parts of a check that ends so, and how often the bytes were decoded for their id. */
function parts(refusal: SvcError | null, wasApplied: boolean, identify: () => TxId = () => TXID) {
  const decoded: Uint8Array[] = [];
  const made = {
    check: () => (refusal === null ? Promise.resolve(found) : Promise.reject(refusal)),
    identify: (raw: Uint8Array) => {
      decoded.push(raw);
      return identify();
    },
    applied: { has: (txid: TxId) => wasApplied && txid === TXID },
  };
  return { made, decoded };
}

describe("the first check of a payment", () => {
  it("tells its id, for which nobody decodes it again", async () => {
    const { made, decoded } = parts(null, false);
    expect(await firstCheck(RAW, made)).toBe(found);
    expect(decoded).toEqual([]);
  });

  it("says that a block applied it lately before what is wrong with it since then", async () => {
    for (const refusal of [SPENT, null]) {
      const { made } = parts(refusal, true);
      await expect(firstCheck(RAW, made)).rejects.toMatchObject({
        code: "mempool/already-applied",
        data: { txid: TXID },
      });
    }
  });

  it("says else what is wrong with it, of bytes that do not decode too", async () => {
    await expect(firstCheck(RAW, parts(SPENT, false).made)).rejects.toBe(SPENT);
    const broken = new SvcError("codec/trailing-bytes", { remaining: 1 });
    const { made } = parts(broken, false, () => {
      throw broken;
    });
    await expect(firstCheck(RAW, made)).rejects.toBe(broken);
  });
});
