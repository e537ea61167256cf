/** Programs that use the npm package of the signer. */

/** Asks a signer for each payment of the package's own list. Gives what must be the same wherever it runs. */
export const SIGNER_USE = `
import { openCore } from "svc-core";
import { DeviceSigner } from "svc-signer";
import { Secret } from "svc-signer/secret";
import { sentenceOf } from "svc-signer/errors";
import { sessionOf } from "svc-signer/preparedSession";
import { maxPayeesPerTx } from "svc-signer/paymentSize";
import refusals from "svc-signer/refusals.json" with { type: "json" };

const bytes = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (byte) => parseInt(byte, 16));

function prepared(entry) {
  const { intent, bundle, disclosure, alphas } = { ...refusals.base, ...entry };
  const payments = intent.payments.map(({ address, value, memo }) => ({
    recipient: address,
    value: BigInt(value),
    memo,
  }));
  const payment = {
    version: 3,
    network: refusals.genesis,
    daaScore: BigInt(intent.daaScore),
    payments,
    fee: BigInt(intent.fee),
    bundle: bytes(bundle),
    disclosure: disclosure.map((action) => ({
      ...action,
      spendValue: BigInt(action.spendValue),
      outValue: BigInt(action.outValue),
    })),
    alphas,
  };
  const maxFee = BigInt(intent.maxFee);
  const claimed = intent.sighash === null ? {} : { claimedSighash: intent.sighash };
  const told = intent.recoverable === null ? {} : { recoverable: intent.recoverable };
  return [{ payments, maxFee, ...told, ...claimed }, { ...payment, session: "" }];
}

export async function use() {
  const core = await openCore();
  const profile = core.builtInProfile(refusals.profile);
  const signer = new DeviceSigner(core, profile, new Secret(bytes(refusals.seed)));
  const verdict = (entry) => {
    const [intent, payment] = prepared(entry);
    try {
      const session = sessionOf(payment);
      return String(signer.sign(intent, { ...payment, session }).signatures.length);
    } catch (error) {
      return sentenceOf(error) === "" ? "" : error.code;
    }
  };
  const ours = refusals.refused.filter(({ intent }) => intent?.mayLackProof !== false);
  return {
    wrong: ours.filter((entry) => verdict(entry) !== entry.code).map(({ name }) => name),
    taken: refusals.taken.map(verdict),
    payees: maxPayeesPerTx(),
  };
}
`;
/** What it must give. */
export const SIGNER_EXPECTED = {
  wrong: [],
  taken: ["1", "1", "1", "1", "1", "1", "1"],
  payees: 37,
};

/** A program that a strict project takes. */
export const SIGNER_TYPED = `
import { openCore } from "svc-core";
import { DeviceSigner } from "svc-signer";
import { Secret } from "svc-signer/secret";
import type { PreparedPayment } from "svc-signer/preparedPayment";
export async function sign(prepared: PreparedPayment, seed: Uint8Array, profile: string) {
  const signer = new DeviceSigner(await openCore(), profile, new Secret(seed));
  return signer.sign({ payments: prepared.payments, maxFee: null }, prepared).signatures;
}
`;
