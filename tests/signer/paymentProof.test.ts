/** What others read in a payment: an indexer with a viewing key, and a third party with a payment proof. */
import { describe, expect, it } from "vitest";
import { asDaaScore, asSompi, asTxId, type TxId } from "@svc/shared/base/brand.ts";
import { codeOf } from "@svc/shared/base/testkit/codeOf.ts";
import { withFlippedBit } from "@svc/shared/base/testkit/flipBits.ts";
import { decodeHex, encodeHex } from "@svc/shared/base/hex.ts";
import { encodeRawTransaction } from "@svc/shared/protocol/raw/rawTransaction.ts";
import {
  checkPaymentProof,
  paymentProofOf,
  readPaymentProof,
  writePaymentProof,
  type PaymentProof,
} from "@svc/shared/signer/paymentProof.ts";
import { scanBundle } from "@svc/shared/signer/scanBundle.ts";
import { caseSigner, core, HONEST, profileJson, TAKEN } from "./signerCases.ts";

const daaScore = asDaaScore(50n);
const ivkOf = (byte: number) =>
  encodeHex(core.incomingViewingKey(core.fullViewingKey(new Uint8Array(32).fill(byte))));
const [PAYEE, OWNER] = [ivkOf(9), ivkOf(7)];
const payee = HONEST.disclosure.findIndex(({ outValue }) => outValue === 500_000_000n);

/** The payment as the chain would carry it; that it is not signed matters to none of the readers. */
const raw = encodeRawTransaction({
  version: 2,
  inputs: [],
  outputs: [],
  lockTime: 0n,
  subnetworkId: new Uint8Array(20),
  gas: 0n,
  payload: HONEST.bundle,
  storageMass: 0n,
});
const txid: TxId = asTxId(core.transactionId(raw));

describe("an indexer", () => {
  it("reads with a viewing key what it pays, and nothing else", () => {
    expect(scanBundle(core, PAYEE, HONEST.bundle, 1)).toEqual([
      {
        index: payee,
        recipient: HONEST.intent.payments[0]?.address,
        value: 500_000_000n,
        memo: encodeHex(new TextEncoder().encode("order 7")),
      },
    ]);
    expect(scanBundle(core, OWNER, HONEST.bundle, 1)).toMatchObject([
      { index: 1 - payee, memo: "" },
    ]);
    expect(scanBundle(core, ivkOf(5), HONEST.bundle, 1)).toEqual([]);
  });

  it("reads announcements of value 0", () => {
    const announcement = TAKEN.find(({ name }) => name.startsWith("an announcement")) ?? HONEST;
    expect(scanBundle(core, PAYEE, announcement.bundle, 1)).toMatchObject([
      { value: 0n, memo: encodeHex(new TextEncoder().encode("announcement")) },
    ]);
  });

  it("refuses what is no bundle or no key", () => {
    expect(codeOf(() => scanBundle(core, PAYEE, HONEST.bundle, 0))).toBe(
      "tx/anchor-block-unexpected",
    );
    expect(codeOf(() => scanBundle(core, PAYEE, HONEST.bundle.subarray(1), 1))).not.toBe("none");
    expect(codeOf(() => scanBundle(core, PAYEE, new Uint8Array(), 1))).toBe("codec/unexpected-end");
    expect(codeOf(() => scanBundle(core, "ff".repeat(64), HONEST.bundle, 1))).toBe(
      "keys/bad-viewing-key",
    );
    expect(codeOf(() => scanBundle(core, "ff", HONEST.bundle, 1))).toBe("codec/wrong-length");
  });
});

describe("a payment proof", () => {
  const proof = paymentProofOf(txid, HONEST.disclosure, payee);
  const check =
    (changed: Partial<PaymentProof> = {}, carried = raw) =>
    () =>
      checkPaymentProof(core, profileJson, { raw: carried, daaScore }, { ...proof, ...changed });
  const entry = HONEST.disclosure[payee];
  if (entry === undefined) throw new Error("the case pays nobody");

  it("shows payee, value and memo", () => {
    const shown = check()();
    expect(shown).toEqual({
      recipient: HONEST.intent.payments[0]?.address,
      value: 500_000_000n,
      memo: encodeHex(new TextEncoder().encode("order 7")),
    });
    const spent = { value: entry.spendValue, rcv: entry.rcv };
    expect(check({ spent })()).toEqual(shown);
  });

  it("is written and read", () => {
    expect(readPaymentProof(writePaymentProof(proof))).toEqual(proof);
    const { rseed: _, ...lacking } = JSON.parse(writePaymentProof(proof));
    expect(codeOf(() => readPaymentProof(JSON.stringify(lacking)))).toBe("signer/bad-prepared");
    expect(codeOf(() => readPaymentProof("{"))).toBe("signer/bad-prepared");
  });

  it("is refused for anything else than it shows", () => {
    expect(codeOf(check({ txid: asTxId("00".repeat(32)) }))).toBe("signer/other-transaction");
    expect(codeOf(check({ index: 2 }))).toBe("signer/unknown-action");
    expect(codeOf(check({ index: 1 - payee }))).toBe("signer/note-differs");
    expect(codeOf(check({ value: asSompi(1n) }))).toBe("signer/note-differs");
    const recipient = caseSigner().account.recipient;
    expect(codeOf(check({ recipient }))).toBe("signer/note-differs");
    const spent = { value: asSompi(entry.spendValue + 1n), rcv: entry.rcv };
    expect(codeOf(check({ spent }))).toBe("signer/value-differs");
    const other = () => paymentProofOf(txid, HONEST.disclosure, 2);
    expect(codeOf(other)).toBe("signer/unknown-action");
  });

  it("is refused for a payment that its payee cannot read", () => {
    const at = 113 + payee * 884 + 160 + 579;
    const payload = withFlippedBit(HONEST.bundle, at);
    const damaged = encodeRawTransaction({
      version: 2,
      inputs: [],
      outputs: [],
      lockTime: 0n,
      subnetworkId: new Uint8Array(20),
      gas: 0n,
      payload,
      storageMass: 0n,
    });
    const id = asTxId(core.transactionId(damaged));
    expect(codeOf(check({ txid: id }, damaged))).toBe("signer/output-unreadable");
    expect(codeOf(check({}, decodeHex("00")))).toMatch(/^codec\//);
  });
});
