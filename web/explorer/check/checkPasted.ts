/**
 * Checks of what somebody pastes: a disclosure, an address, a signed message. All of it stays in the browser; of a disclosure the server
 * is told the id of the public transaction that it is about, and nothing else.
 */
import { U64_MAX, asDaaScore } from "@svc/shared/base/brand.ts";
import { decodeHex, encodeHex } from "@svc/shared/base/hex.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { callCore } from "@svc/shared/core/callCore.ts";
import { decodeRawBlock } from "@svc/shared/protocol/raw/rawBlock.ts";
import { encodeRawTransaction } from "@svc/shared/protocol/raw/rawTransaction.ts";
import { addressRefusal, type SignedMessage } from "@svc/shared/signer/addressControl.ts";
import {
  checkPaymentProof,
  readPaymentProof,
  type PaymentProof,
} from "@svc/shared/signer/paymentProof.ts";
import { readMemo } from "@svc/shared/wallet/state/memo.ts";
import { PAGE_LIMITS } from "../../pageLimits.ts";
import type { CheckContext } from "./checkContext.ts";
import type { CheckReport, CheckStep } from "./checkReport.ts";
import { checkTransaction } from "./checkTransaction.ts";

/** What a disclosure shows of a payment. */
export type Disclosed = {
  readonly txid: string;
  readonly address: string;
  /** Decimal text of sompi. */
  readonly value: string;
  /** Null for none; bytes that are no text are hex. */
  readonly memo: string | null;
};

/** The report of a disclosure. */
export type DisclosureReport = CheckReport & {
  readonly disclosed: Disclosed | null;
  /** What is proven of its effect. Only an applied payment moved value. */
  readonly effect: "applied" | "dropped" | "open";
};

/** The report of an address. */
export type AddressReport = CheckReport & { readonly networkName: string };

/**
 * Checks a disclosure against the transaction that it names. `txid`: the one that it is said to be about, or empty. Rejects as the
 * source does.
 */
export async function checkDisclosure(
  context: CheckContext,
  text: string,
  txid: string,
): Promise<DisclosureReport> {
  const { isKnownNetwork } = context;
  const failed = (step: CheckStep): DisclosureReport => ({
    steps: [step],
    disclosed: null,
    effect: "open",
    isKnownNetwork,
  });
  const proof = orCode(() => readPaymentProof(short(text)));
  if (typeof proof === "string") return failed(refused("form", "a disclosure", proof));
  const asked = txid.trim().toLowerCase();
  if (asked !== "" && asked !== proof.txid) return failed(refused("txid", asked, proof.txid));
  const { steps, carrier, daaScore } = await checkTransaction(context, proof.txid);
  const raw = carrier === null ? null : rawOf(context, carrier, proof);
  if (raw === null) {
    const open: CheckStep = {
      subject: "disclosure",
      step: "payment",
      outcome: "notProvable",
      reason: "notServed",
    };
    return { ...failed(open), steps: [open, ...steps] };
  }
  const disclosed = orCode(() => disclosedBy(context, raw, daaScore, proof));
  if (typeof disclosed === "string") {
    return failed(refused("payment", proof.txid, disclosed));
  }
  const fits: CheckStep = {
    subject: "disclosure",
    step: "payment",
    outcome: "ok",
    found: proof.txid,
  };
  return { steps: [fits, ...steps], disclosed, effect: effectOf(steps), isKnownNetwork };
}

function effectOf(steps: readonly CheckStep[]): DisclosureReport["effect"] {
  const proven = steps.find(({ step, outcome }) => step === "outcome" && outcome === "ok");
  return proven?.found === "applied" || proven?.found === "dropped" ? proven.found : "open";
}

/** Whether a text is an address of the network. */
export function verifyAddress(
  { core, hrp, networkName, isKnownNetwork }: Omit<CheckContext, "source">,
  text: string,
): AddressReport {
  const raw = orCode(() => callCore(() => core.decodeAddress(hrp, short(text).trim())));
  const step: CheckStep =
    typeof raw === "string"
      ? { subject: "address", step: "address", outcome: "differs", expected: hrp, found: raw }
      : { subject: "address", step: "address", outcome: "ok", found: encodeHex(raw) };
  return { steps: [step], isKnownNetwork, networkName };
}

/** Whether a message was signed with the key of an address. */
export function verifyMessage(
  { core, profileJson, isKnownNetwork }: Omit<CheckContext, "source">,
  { address, message, signature }: SignedMessage,
): CheckReport {
  const signed = {
    address: short(address).trim(),
    message: short(message),
    signature: short(signature).trim().toLowerCase(),
  };
  const refusal = orCode(() => {
    decodeHex(signed.signature);
    return { word: addressRefusal(core, profileJson, signed) };
  });
  const word = typeof refusal === "string" ? refusal : refusal.word;
  const step: CheckStep =
    word === null
      ? { subject: "message", step: "signature", outcome: "ok", found: signed.address }
      : refusedOf("message", "signature", signed.address, word);
  return { steps: [step], isKnownNetwork };
}

function refusedOf(subject: string, step: string, expected: string, found: string): CheckStep {
  return { subject, step, outcome: "differs", expected, found };
}

function refused(step: string, expected: string, found: string): CheckStep {
  return refusedOf("disclosure", step, expected, found);
}

/** Longer text is none of these things; it is cut before anything looks at it. */
function short(text: string): string {
  return text.slice(0, PAGE_LIMITS.checkPasteChars);
}

/** The value, or the code of the error. */
function orCode<T extends object>(work: () => T): T | string {
  try {
    return work();
  } catch (error) {
    if (error instanceof SvcError) return error.code;
    throw error;
  }
}

/** The payment in its block; null where that does not carry it. */
function rawOf({ core }: CheckContext, carrier: Uint8Array, { txid }: PaymentProof) {
  const { transactions } = decodeRawBlock(carrier);
  for (const transaction of transactions) {
    const raw = encodeRawTransaction(transaction);
    if (callCore(() => core.transactionId(raw)) === txid) return raw;
  }
  return null;
}

function disclosedBy(
  { core, profileJson, hrp }: CheckContext,
  raw: Uint8Array,
  daaScore: string | null,
  proof: PaymentProof,
): Disclosed {
  const carried = { raw, daaScore: asDaaScore(daaScore === null ? U64_MAX : BigInt(daaScore)) };
  const { recipient, value, memo } = checkPaymentProof(core, profileJson, carried, proof);
  const read = readMemo(memo);
  return {
    txid: proof.txid,
    address: callCore(() => core.encodeAddress(hrp, decodeHex(recipient))),
    value: String(value),
    memo: read.kind === "empty" ? null : read.kind === "text" ? read.text : read.hex,
  };
}
