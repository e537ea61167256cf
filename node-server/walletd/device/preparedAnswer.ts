/** Prepared answer: a proved payment as `POST /api/wallet/prepare` gives it, in the form of each generation of devices. */
import * as v from "valibot";
import { asDaaScore, asSompi, type Sompi } from "@svc/shared/base/brand.ts";
import { fields } from "@svc/shared/base/fields.ts";
import { encodeHex } from "@svc/shared/base/hex.ts";
import { callCore } from "@svc/shared/core/callCore.ts";
import type { CoreGlue } from "@svc/shared/core/generated/coreGlue.ts";
import { NumberText } from "@svc/shared/protocol/contract/numberText.ts";
import type { RouteAnswer } from "@svc/shared/protocol/wallet/walletRoutes.ts";
import { writeEnvelopeV2 } from "@svc/shared/signer/envelopeV2.ts";
import { PREPARED_VERSION, type PreparedPayment } from "@svc/shared/signer/preparedPayment.ts";
import { sessionOf } from "@svc/shared/signer/preparedSession.ts";
import type { ProvedPayment } from "@svc/shared/wallet/state/ports.ts";
import { signIntent, type ProvePlan } from "@svc/shared/wallet/state/provePlan.ts";
import type { PrepareOrder } from "./prepareOrder.ts";

/** What the answer is made from. */
export type PreparedParts = {
  readonly core: Pick<CoreGlue, "checkPrepared">;
  /** Genesis hash, hex. */
  readonly network: string;
};

/** A payment that was planned for an order, and its proof. */
export type ProvedOrder = {
  readonly order: PrepareOrder;
  /** What this transaction pays of it. */
  readonly amount: Sompi;
  readonly plan: ProvePlan;
  readonly proved: ProvedPayment;
};

/** The answer, and the actions that need a signature. */
export type PreparedAnswer = {
  readonly body: RouteAnswer<"prepare">;
  readonly indices: readonly number[];
};

const disclosed = v.array(
  v.object({
    spendValue: fields.sompi,
    outValue: fields.sompi,
    outRecipient: fields.rawAddress,
    outRseed: fields.hex,
    rcv: fields.hex,
  }),
);
const randomizers = v.array(v.object({ index: fields.u32, alpha: fields.hex }));
const checked = v.object({ sighash: fields.hash32 });

/**
 * Checks the proved payment with the viewing key as the device will, and writes the answer. A payment that is not what was asked for
 * throws `signer/*`: it is given to nobody.
 */
export function preparedAnswer(
  parts: PreparedParts,
  fvk: Uint8Array,
  made: ProvedOrder,
): PreparedAnswer {
  const { order, amount, plan, proved } = made;
  const disclosure = v.parse(disclosed, JSON.parse(proved.disclosure));
  const alphas = v.parse(randomizers, JSON.parse(proved.alphas));
  const fee = asSompi(BigInt(plan.fee));
  const { bundle } = proved;
  const prepared: Omit<PreparedPayment, "session"> = {
    version: PREPARED_VERSION,
    network: parts.network,
    daaScore: asDaaScore(BigInt(plan.daaScore)),
    payments: [{ ...order.payee, value: amount }],
    fee,
    bundle,
    disclosure,
    alphas,
  };
  const envelope = {
    networkDomain: parts.network,
    recipient: order.to,
    amount,
    fee,
    bundle,
    disclosure,
    spendAuth: alphas.map(({ index, alpha }) => ({ actionIndex: index, alpha })),
  };
  const body = {
    session: sessionOf(prepared),
    sighash: sighashOf(parts, fvk, made),
    value_balance: exact(fee),
    ...amounts(amount, fee, asSompi(order.payee.value - amount)),
    spend_auth: alphas,
    bundle_hex: encodeHex(bundle),
    disclosure: disclosure.map((entry) => ({
      spend_value: exact(entry.spendValue),
      out_value: exact(entry.outValue),
      out_recipient: entry.outRecipient,
      out_rseed: entry.outRseed,
      rcv: entry.rcv,
    })),
    preparedPayment: writeEnvelopeV2(envelope),
    fast_path: true,
  };
  return { body, indices: alphas.map(({ index }) => index) };
}

function amounts(amount: Sompi, fee: Sompi, remaining: Sompi) {
  return {
    amount_sompi: amount,
    fee_sompi: fee,
    remaining_sompi: remaining,
    amount_sompi_exact: amount,
    fee_sompi_exact: fee,
    remaining_sompi_exact: remaining,
  };
}

function exact(value: bigint): NumberText {
  return new NumberText(String(value));
}

function sighashOf(
  { core }: PreparedParts,
  fvk: Uint8Array,
  { plan, proved }: ProvedOrder,
): string {
  const { fee } = plan;
  const intent = { ...signIntent(plan), maxFee: fee, sighash: null, mayLackProof: false };
  const { bundle, disclosure, alphas } = proved;
  const text = callCore(() =>
    core.checkPrepared(fvk, JSON.stringify(intent), bundle, disclosure, alphas),
  );
  return v.parse(checked, JSON.parse(text)).sighash;
}
