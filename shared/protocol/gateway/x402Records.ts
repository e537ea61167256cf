/**
 * Records of x402 version 2, scheme `exact`: what a resource asks for, what a client hands over, what a facilitator answers. The names
 * are those of the public specification; `extra` and `payload` are this chain's own.
 */
import * as v from "valibot";
import { flagOf, integerOf, sompiOf, textOf } from "../contract/answerFields.ts";
import { formOf } from "../contract/fieldForm.ts";
import { hexField, requestObject, textField } from "../contract/requestFields.ts";
import { MERCHANT_LIMITS } from "../merchantLimits.ts";
import { patternField, wholeField } from "./gatewayFields.ts";

/** Version of the protocol. */
export const X402_VERSION = 2;
/** The one scheme. */
export const X402_SCHEME = "exact";
/** The extension by which a payment opens a prepaid session. */
export const SESSION_EXTENSION = "prepaid-session";

/** Characters of the genesis hash in the name of a network: as many as CAIP-2 allows. */
const REFERENCE_CHARS = 32;

/** Name of the network with this genesis block (CAIP-2). */
export function x402Network(genesis: string): `svc:${string}` {
  return `svc:${genesis.slice(0, REFERENCE_CHARS)}`;
}

/** Name of the network's one coin (CAIP-19). */
export function x402Asset(network: string): string {
  return `${network}/coin:native`;
}

/** A challenge: the id of its invoice. */
export const challengeField = patternField(
  /^inv_[0-9a-f]{32}$/,
  "the id of a challenge",
  "The challenge, which is the id of its invoice.",
);

const decimal = patternField(/^(?:0|[1-9][0-9]{0,18})$/, "decimal text of sompi");

/** A payment as base64 of its RawTransaction. */
export const transactionField = v.pipe(
  v.string("base64"),
  formOf({
    type: "string",
    pattern: "^[A-Za-z0-9+/]+={0,2}$",
    maxLength: MERCHANT_LIMITS.paymentChars,
    description: "The signed payment, which nobody has broadcast: base64 of its RawTransaction.",
  }),
  v.check(
    (text) => text.length <= MERCHANT_LIMITS.paymentChars && /^[A-Za-z0-9+/]+={0,2}$/.test(text),
    `base64 of at most ${MERCHANT_LIMITS.paymentChars} characters`,
  ),
);

/** What a resource asks for, as a caller of the facilitator repeats it. */
export const requirementsAsked = requestObject({
  scheme: textField,
  network: textField,
  amount: decimal,
  asset: textField,
  payTo: textField,
  maxTimeoutSeconds: wholeField(0, Number.MAX_SAFE_INTEGER, "Seconds that a client has to pay."),
  extra: requestObject({ challenge: challengeField }),
});

/** What a client hands over in `PAYMENT-SIGNATURE`. */
export const payloadAsked = requestObject({
  x402Version: wholeField(0, Number.MAX_SAFE_INTEGER, "2."),
  accepted: requirementsAsked,
  payload: requestObject({
    transaction: v.nullish(transactionField),
    transactionId: v.nullish(hexField(32)),
    sessionHash: v.nullish(hexField(32)),
  }),
});

/** A payload that was read. */
export type X402Payload = v.InferOutput<typeof payloadAsked>;
/** Requirements that were read. */
export type X402Requirements = v.InferOutput<typeof requirementsAsked>;

/** What a resource asks for, as a client reads it. */
export const requirements = v.object({
  scheme: textOf("`exact`."),
  network: textOf("The network by its genesis block (CAIP-2)."),
  amount: textOf("Sompi as decimal text, which the payment has exactly."),
  asset: textOf("The network's coin (CAIP-19)."),
  payTo: textOf("An address that no other challenge has."),
  maxTimeoutSeconds: integerOf("Seconds that a client has to pay."),
  extra: v.object({
    challenge: textOf("The challenge, which is the id of its invoice."),
    upload: textOf("Where a client hands over a payment that is too long for a header."),
    requiredBlueScore: v.nullable(
      integerOf("Depth at which the payment is answered as settled. Null: when a pool has it."),
    ),
    sessionSeconds: v.nullable(
      integerOf("Life of the prepaid session that the payment opens. Null for none."),
    ),
  }),
});

/** Requirements as they are written. */
export type WrittenRequirements = v.InferInput<typeof requirements>;

const reason = (what: string) => v.optional(textOf(what));

/** The answer of `/verify`. */
export const verifyAnswer = v.object({
  isValid: flagOf("The payment may be settled."),
  invalidReason: reason("Why it may not."),
});

/** The answer of `/settle`. */
export const settleAnswer = v.object({
  success: flagOf("The payment is in a pool, or as deep in the chain as was asked for."),
  errorReason: reason("Why it is not."),
  transaction: textOf("Id of the transaction; empty where nothing was settled."),
  network: textOf("The network."),
  amount: reason("Sompi that were paid."),
  extra: v.optional(
    v.object({
      replayed: flagOf("An earlier call had this answer: the resource was served for it."),
    }),
  ),
});

/** The answer of `/supported`. */
export const supportedAnswer = v.object({
  kinds: v.array(
    v.object({
      x402Version: integerOf("2."),
      scheme: textOf("`exact`."),
      network: textOf("The network."),
      extra: v.object({ asset: textOf("The network's coin.") }),
    }),
  ),
  extensions: v.array(textOf("An extension.")),
  signers: v.record(v.string(), v.array(textOf("None: a payment is signed by its payer alone."))),
});

/** What came of spending from a session. */
export const spendAnswer = v.object({
  isValid: flagOf("The amount was taken."),
  invalidReason: reason("Why it was not."),
  balanceSompi: v.optional(sompiOf("What is left."), "0"),
  expiresAt: v.optional(integerOf("When the session ends, in Unix seconds."), 0),
});
