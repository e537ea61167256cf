/** Cases of `signer-refusals.json`, each as the core takes it and as a device gets it. */
import { readFileSync } from "node:fs";
import * as v from "valibot";
import { loadCoreFile } from "@svc/node-server/platform/files/wasmFiles.ts";
import { fields } from "@svc/shared/base/fields.ts";
import { decodeHex } from "@svc/shared/base/hex.ts";
import { Secret } from "@svc/shared/base/secret.ts";
import { DeviceSigner } from "@svc/shared/signer/deviceSigner.ts";
import type { PaymentIntent } from "@svc/shared/signer/paymentIntent.ts";
import { PREPARED_VERSION, type PreparedPayment } from "@svc/shared/signer/preparedPayment.ts";
import { sessionOf } from "@svc/shared/signer/preparedSession.ts";

const intent = v.looseObject({
  daaScore: fields.daaScore,
  payments: v.array(
    v.object({ address: fields.rawAddress, value: fields.sompi, memo: fields.hex }),
  ),
  fee: fields.sompi,
  maxFee: fields.sompi,
  recoverable: v.nullish(v.boolean(), null),
  sighash: v.nullable(fields.hash32),
  mayLackProof: v.boolean(),
});
const parts = {
  intent,
  bundle: v.pipe(
    v.string(),
    v.transform((text) => decodeHex(text)),
  ),
  disclosure: v.array(
    v.object({
      spendValue: fields.sompi,
      outValue: fields.sompi,
      outRecipient: fields.rawAddress,
      outRseed: fields.hex,
      rcv: fields.hex,
    }),
  ),
  alphas: v.array(v.object({ index: fields.u32, alpha: fields.hex })),
};
const difference = v.partial(v.object(parts));
const named = { name: v.string(), ...difference.entries };
const schema = v.object({
  origin: v.string(),
  profile: v.string(),
  genesis: v.string(),
  seed: v.string(),
  base: v.object(parts),
  taken: v.array(v.object(named)),
  refused: v.array(v.object({ code: v.string(), sentence: v.string(), ...named })),
});
const file = new URL("../vectors/signer-refusals.json", import.meta.url);
const vector = v.parse(schema, JSON.parse(readFileSync(file, "utf8")));

/** A payment as somebody prepared it, and what its owner confirmed. */
export type SignerCase = v.InferOutput<typeof schema>["base"] & { readonly name: string };
/** One that must not be signed. */
export type RefusedCase = SignerCase & { readonly code: string; readonly sentence: string };

/** Payments that are signed; the first is the honest one, from which most others differ in one place. */
export const TAKEN: readonly SignerCase[] = vector.taken.map(whole);
/** Payments that are refused. */
export const REFUSED: readonly RefusedCase[] = vector.refused.map((entry) => {
  const { code, sentence } = entry;
  return { ...whole(entry), code, sentence };
});

/** The case with the parts of the base that it does not change. */
function whole(entry: v.InferOutput<typeof schema>["taken"][number]): SignerCase {
  const { base } = vector;
  return {
    name: entry.name,
    intent: entry.intent ?? base.intent,
    bundle: entry.bundle ?? base.bundle,
    disclosure: entry.disclosure ?? base.disclosure,
    alphas: entry.alphas ?? base.alphas,
  };
}

/** The core of this process. */
export const core = await loadCoreFile();
/** The network of the cases. */
export const profileJson = core.builtInProfile(vector.profile);

/** The honest payment. */
export const HONEST: SignerCase = { name: "the payment as asked for", ...vector.base };

/** The seed of the cases, hex; it is public. */
export const CASE_SEED = vector.seed;

/** A device with the seed of the cases, which is public. */
export function caseSigner(): DeviceSigner {
  return new DeviceSigner(core, profileJson, new Secret(decodeHex(vector.seed, 32)));
}

/** The payment as a device gets it: with the session that an honest or a consistently lying preparer would name. */
export function preparedOf(entry: SignerCase): PreparedPayment {
  const { intent: said, bundle, disclosure, alphas } = entry;
  const payment = {
    version: PREPARED_VERSION,
    network: vector.genesis,
    daaScore: said.daaScore,
    payments: plannedOf(entry),
    fee: said.fee,
    bundle,
    disclosure,
    alphas,
  } as const;
  return { ...payment, session: sessionOf(payment) };
}

/** What the owner confirmed. */
export function intentOf(entry: SignerCase): PaymentIntent {
  const { maxFee, sighash } = entry.intent;
  const claimed = sighash === null ? {} : { claimedSighash: sighash };
  return { payments: plannedOf(entry), maxFee, ...toldOf(entry), ...claimed };
}

/** What the device was told of the sender's copies, if anything. */
export function toldOf({
  intent: { recoverable },
}: SignerCase): Pick<PaymentIntent, "recoverable"> {
  return recoverable === null ? {} : { recoverable };
}

function plannedOf({ intent: said }: SignerCase): PaymentIntent["payments"] {
  return said.payments.map(({ address, value, memo }) => ({ recipient: address, value, memo }));
}
