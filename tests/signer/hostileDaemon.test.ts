/** A hostile daemon: whatever it prepares in place of what was asked for is refused with a code of its own, and not signed. */
import { describe, expect, it } from "vitest";
import { asSompi } from "@svc/shared/base/brand.ts";
import { withFlippedBit } from "@svc/shared/base/testkit/flipBits.ts";
import { rejectionCode } from "@svc/shared/base/testkit/rejectionCode.ts";
import { decodeHex, encodeHex } from "@svc/shared/base/hex.ts";
import type { PayStage } from "@svc/shared/signer/payOnDevice.ts";
import { answerOf, DaemonModel, TXID, withChecksum } from "./daemonModel.ts";
import { payScene } from "./payScene.ts";
import { HONEST, intentOf, preparedOf, REFUSED, TAKEN, toldOf } from "./signerCases.ts";

const { signer, to, request, answered, changed, outcome } = payScene();
const { signal } = new AbortController();

describe("an honest daemon", () => {
  it("is asked, signed for and told to broadcast", async () => {
    const daemon = new DaemonModel([answered(HONEST)]);
    const stages: PayStage[] = [];
    const paid = await signer.pay(daemon, request, (stage) => stages.push(stage), signal);
    expect(paid).toEqual({
      parts: [{ txid: TXID, amount: request.amount, fee: HONEST.intent.fee }],
      amount: request.amount,
      fee: HONEST.intent.fee,
    });
    expect(stages.map(({ stage, part, parts }) => [stage, part, parts])).toEqual([
      ["proving", 1, 1],
      ["signing", 1, 1],
      ["broadcasting", 1, 1],
    ]);
    const { fvk } = signer.account;
    expect(daemon.prepares).toEqual([
      { fvk_hex: fvk, to, amount_sompi: "500000000", memo: "order 7", allow_partial: false },
    ]);
    expect(daemon.submits[0]?.session).toBe(preparedOf(HONEST).session);
    expect(daemon.submits[0]?.sigs).toHaveLength(HONEST.alphas.length);
  });

  it("may leave the older envelope out, and may say more than is known", async () => {
    expect(await outcome(changed((answer) => (answer.preparedPayment = null)))).toBe("none");
    const more = changed((answer) => Object.assign(answer, { daa_score: "50", new_field: [1] }));
    expect(await outcome(more)).toBe("none");
  });

  it("may ask for twice the usual fee where no maximum was named, and not for more", async () => {
    const dear = REFUSED.find(({ name }) => name === "a fee above the maximum") ?? HONEST;
    expect(await outcome(answered(HONEST), { maxFee: null })).toBe("none");
    expect(await outcome(answered(dear), { maxFee: null })).toBe("signer/fee-above-maximum");
    // A floor that the owner names raises the maximum, and the payment is refused for what the answer claims of its hash.
    const raised = { maxFee: null, fee: dear.intent.fee };
    expect(await outcome(answered(dear), raised)).toBe("signer/sighash-differs");
  });

  it("makes an announcement of value 0", async () => {
    const entry = TAKEN.find(({ name }) => name.startsWith("an announcement")) ?? HONEST;
    const announced = signer.verifyPrepared(intentOf(entry), preparedOf(entry));
    const answer = answerOf(preparedOf(entry), {
      to,
      sighash: announced.sighash,
      remaining: 0n,
    });
    const asked = { amount: asSompi(0n), memo: "announcement" };
    expect(await outcome(answer, asked)).toBe("none");
  });
});

describe("sender's copies", () => {
  const copied = TAKEN.find(({ name }) => name === "a payment its sender can read back") ?? HONEST;
  const checked = signer.verifyPrepared(intentOf(copied), preparedOf(copied));
  const answer = () => changed((one) => (one.sighash = checked.sighash), copied);

  it("are judged as the request says, and not where it says nothing", async () => {
    expect(copied).not.toBe(HONEST);
    expect(await outcome(answer())).toBe("none");
    expect(await outcome(answer(), { recoverable: true })).toBe("none");
    expect(await outcome(answer(), { recoverable: false })).toBe("signer/output-recoverable");
    expect(await outcome(answered(HONEST))).toBe("none");
    expect(await outcome(answered(HONEST), { recoverable: false })).toBe("none");
    const asked = { recoverable: true };
    expect(await outcome(answered(HONEST), asked)).toBe("signer/output-unrecoverable");
  });
});

describe("a daemon that prepares another payment", () => {
  // The claimed sighash is that of the honest payment, and is compared before the keys of a bundle that was changed.
  const seenBySighash = ["a randomised key that is none", "another randomised key"];
  const cases = REFUSED.filter(
    ({ intent, name }) => intent.mayLackProof && name !== "a proof of another length",
  );

  it.each(cases)("is refused: $name", async (entry) => {
    const isSeenBefore = seenBySighash.includes(entry.name);
    const expected = isSeenBefore ? "signer/sighash-differs" : entry.code;
    expect(await outcome(answered(entry), toldOf(entry))).toBe(expected);
  });

  it("is refused for an answer to another question", async () => {
    const other = { amount: asSompi(request.amount + 1n) };
    expect(await outcome(answered(HONEST), other)).toBe("signer/claim-differs");
    expect(await outcome(answered(HONEST), { memo: "order 8" })).toBe("signer/memo-differs");
    expect(await outcome(answered(HONEST), { to: signer.addressAt(1) })).toBe(
      "signer/claim-differs",
    );
    const unchecked = changed((answer) => (answer.preparedPayment = null));
    expect(await outcome(unchecked, { to: signer.addressAt(1) })).toBe("signer/payee-missing");
  });

  it("is refused for an anchor, a key or a ciphertext that the sighash does not cover", async () => {
    for (const at of [9, 113 + 32, 113 + 884 + 32, 113 + 740, 113 + 884 + 819]) {
      const spoilt = changed((answer) => {
        answer.bundle_hex = flippedHex(answer.bundle_hex, at);
        answer.preparedPayment = null;
      });
      expect(await outcome(spoilt), `byte ${at}`).toBe("signer/sighash-differs");
    }
  });
});

describe("a daemon that swaps sessions", () => {
  it("is refused for the session of another payment", async () => {
    const other = TAKEN.find(({ name }) => name === "a payment to oneself") ?? HONEST;
    const { session } = preparedOf(other);
    const swapped = changed((answer) => (answer.session = session));
    expect(await outcome(swapped)).toBe("signer/wrong-session");
  });

  it("is refused for the payment of another session", async () => {
    const other = TAKEN.find(({ name }) => name.startsWith("change to another")) ?? HONEST;
    const checked = signer.verifyPrepared(intentOf(other), preparedOf(other));
    const swapped = changed((answer) => {
      answer.session = preparedOf(HONEST).session;
      answer.sighash = checked.sighash;
    }, other);
    expect(await outcome(swapped)).toBe("signer/wrong-session");
  });
});

describe("a daemon that contradicts itself", () => {
  const claim = "signer/claim-differs";
  const envelope = (fields: Record<string, unknown>) =>
    changed((answer) => {
      const { checksum: _, ...rest } = answer.preparedPayment ?? {};
      answer.preparedPayment = withChecksum({ ...rest, ...fields });
    });

  it("is refused for amounts that do not add up", async () => {
    expect(await outcome(changed((answer) => (answer.value_balance = 1)))).toBe(claim);
    const more = changed((answer) => (answer.remaining_sompi_exact = "1"));
    expect(await outcome(more)).toBe(claim);
  });

  it("is refused for an envelope of another payment", async () => {
    for (const fields of [
      { recipient: signer.account.address },
      { amount: "1" },
      { fee: "1" },
      { bundle: "00" },
      { disclosure: [] },
      { spendAuth: [] },
      { txContext: `03${"00".repeat(37)}` },
    ]) {
      expect(await outcome(envelope(fields)), Object.keys(fields).join()).toBe(claim);
    }
    const networkDomain = "11".repeat(32);
    expect(await outcome(envelope({ networkDomain }))).toBe("signer/wrong-network");
    expect(await outcome(envelope({ version: 1 }))).toBe("signer/unsupported-version");
    expect(await outcome(envelope({ more: 1 }))).toBe("signer/bad-prepared");
    const damaged = changed((answer) => {
      answer.preparedPayment = { ...answer.preparedPayment, fee: "2" };
    });
    expect(await outcome(damaged)).toBe("signer/bad-checksum");
  });

  it("is refused for what is not an answer", async () => {
    for (const field of ["session", "sighash", "bundle_hex", "disclosure", "spend_auth"]) {
      const lacking = changed((answer) => void Reflect.deleteProperty(answer, field));
      expect(await outcome(lacking), field).toBe("signer/bad-prepared");
      const mistyped = changed((answer) => void Reflect.set(answer, field, 7));
      expect(await outcome(mistyped), field).toBe("signer/bad-prepared");
    }
    const long = changed((answer) => (answer.session = "0".repeat(2_000_000)));
    expect(await outcome(long)).toBe("signer/bad-prepared");
  });
});

describe("a person who cancels", () => {
  it("is not followed by a signature", async () => {
    const cancel = new AbortController();
    const daemon = new DaemonModel([answered(HONEST)]);
    const onStage = () => cancel.abort();
    const paid = signer.pay(daemon, request, onStage, cancel.signal);
    expect(await rejectionCode(paid)).toBe("run/aborted");
    expect(daemon.submits).toEqual([]);
  });
});

describe("a memo that is too long", () => {
  it("is refused before anything is asked", async () => {
    const daemon = new DaemonModel([]);
    const long = { ...request, memo: "ü".repeat(257) };
    const paid = signer.pay(daemon, long, () => undefined, signal);
    expect(await rejectionCode(paid)).toBe("wallet/memo-too-long");
    expect(daemon.prepares).toEqual([]);
  });
});

function flippedHex(text: string, at: number): string {
  return encodeHex(withFlippedBit(decodeHex(text), at));
}
