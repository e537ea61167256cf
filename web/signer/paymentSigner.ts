/**
 * The signer behind the page: opens a prepared payment with the seed, tells what it does, and signs it. What it tells was checked
 * against the bundle; nothing of it is the preparer's word.
 */
import * as v from "valibot";
import { asSompi, type RawAddress, type Sompi } from "@svc/shared/base/brand.ts";
import { decodeHex, encodeHex } from "@svc/shared/base/hex.ts";
import type { Secret } from "@svc/shared/base/secret.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { callCore } from "@svc/shared/core/callCore.ts";
import type { CoreGlue } from "@svc/shared/core/generated/coreGlue.ts";
import type { PreparedPayment } from "@svc/shared/signer/preparedPayment.ts";
import type { SignedPayment } from "@svc/shared/signer/airgap/signedPaymentCbor.ts";
import { readMemo, type Memo } from "@svc/shared/wallet/state/memo.ts";

/** What a prepared payment does, checked. */
export type PaymentReview = {
  readonly networkName: string;
  readonly payees: readonly {
    readonly address: string;
    readonly value: Sompi;
    readonly memo: Memo;
    /** The address is one of this seed. */
    readonly own: boolean;
  }[];
  readonly fee: Sompi;
  /** What payees and fee come to. */
  readonly total: Sompi;
  /** What returns to this seed. */
  readonly change: Sompi;
};

/** An address of the seed, and the key with which a program prepares payments of it. */
export type SeedKeys = { readonly address: string; readonly viewingKey: string };

type Profile = {
  readonly json: unknown;
  readonly networkName: string;
  readonly hrp: string;
  readonly genesis: string;
};

/** Of a proof: its bytes without actions, and what each of them adds (specification shielded 3.2). */
const PROOF_BYTES = 2_720;
const PROOF_BYTES_PER_ACTION = 2_272;
const PROOF_LENGTH_OFFSET = 113;
const ACTION_BYTES = 884;

const profileForm = v.looseObject({ networkName: v.string(), hrp: v.string() });
const signatures = v.array(v.object({ index: v.number(), sig: v.string() }));

/** Signs payments of one seed, on the networks whose profiles it was given. */
export class PaymentSigner {
  readonly #core: CoreGlue;
  readonly #seed: Secret;
  readonly #fvk: Uint8Array;
  readonly #profiles: readonly Profile[];

  /** Takes ownership of the seed. Throws `keys/bad-seed`, `profile/…`. */
  constructor(core: CoreGlue, profiles: readonly string[], seed: Secret) {
    this.#core = core;
    this.#seed = seed;
    this.#profiles = profiles.map((text) => {
      const json: unknown = JSON.parse(text);
      const { networkName, hrp } = v.parse(profileForm, json);
      return { json, networkName, hrp, genesis: callCore(() => core.genesisHash(text)) };
    });
    this.#fvk = seed.reveal((bytes) => callCore(() => core.fullViewingKey(bytes)));
  }

  /** The networks that it knows; the main one, whose addresses have the shortest prefix, is the first. */
  get networkNames(): readonly string[] {
    const byPrefix = this.#profiles.toSorted((a, b) => a.hrp.length - b.hrp.length);
    return byPrefix.map(({ networkName }) => networkName);
  }

  /** The seed's first address on a network, and its viewing key. */
  keys(networkName: string): SeedKeys {
    const { hrp } = this.#profileWhere(
      (profile) => profile.networkName === networkName,
      networkName,
    );
    const raw = callCore(() => this.#core.addressAt(this.#fvk, 0));
    const address = callCore(() => this.#core.encodeAddress(hrp, raw));
    return { address, viewingKey: encodeHex(this.#fvk) };
  }

  /**
   * Checks a prepared payment as far as `sign` does, and tells what it does. Throws `airgap/unknown-network` and the refusals of the
   * core.
   */
  review(prepared: PreparedPayment): PaymentReview {
    const { networkName, hrp } = this.#networkOf(prepared);
    // The core checks everything before it signs, and these signatures go nowhere.
    this.sign(prepared);
    const payees = prepared.payments.map(({ recipient, value, memo }) => ({
      address: callCore(() => this.#core.encodeAddress(hrp, decodeHex(recipient))),
      value,
      memo: readMemo(memo),
      own: this.#isOwn(recipient),
    }));
    const spent = sumOf(prepared.disclosure.map(({ spendValue }) => spendValue));
    const total = asSompi(sumOf(payees.map(({ value }) => value)) + prepared.fee);
    return { networkName, payees, fee: prepared.fee, total, change: asSompi(spent - total) };
  }

  /** Checks a prepared payment and signs its spends. Throws as `review` does. */
  sign(prepared: PreparedPayment): SignedPayment {
    const { json } = this.#networkOf(prepared);
    const intent = {
      profile: json,
      daaScore: String(prepared.daaScore),
      payments: prepared.payments.map(({ recipient, value, memo }) => ({
        address: recipient,
        value: String(value),
        memo,
      })),
      fee: String(prepared.fee),
    };
    const disclosure = prepared.disclosure.map((entry) => ({
      ...entry,
      spendValue: String(entry.spendValue),
      outValue: String(entry.outValue),
    }));
    const [intentText, disclosureText, alphas] = [intent, disclosure, prepared.alphas].map(
      (value) => JSON.stringify(value),
    );
    const bundle = withEmptyProof(prepared.bundle, prepared.disclosure.length);
    const answer = this.#seed.reveal((seed) =>
      callCore(() =>
        this.#core.checkAndSign(seed, intentText ?? "", bundle, disclosureText ?? "", alphas ?? ""),
      ),
    );
    const { version, session } = prepared;
    return { version, session, signatures: v.parse(signatures, JSON.parse(answer)) };
  }

  /** Erases the seed. Harmless when repeated. */
  close(): void {
    this.#seed.erase();
    this.#fvk.fill(0);
  }

  #networkOf({ network }: PreparedPayment): Profile {
    return this.#profileWhere(({ genesis }) => genesis === network, network);
  }

  #profileWhere(fits: (profile: Profile) => boolean, network: string): Profile {
    const found = this.#profiles.find(fits);
    if (found === undefined) throw new SvcError("airgap/unknown-network", { network });
    return found;
  }

  #isOwn(recipient: RawAddress): boolean {
    const raw = decodeHex(recipient);
    return callCore(() => this.#core.addressIndexOf(this.#fvk, raw)) !== undefined;
  }
}

/** The core wants a proof of the right length and does not look at it: no signature covers it. */
function withEmptyProof(bundle: Uint8Array, actions: number): Uint8Array {
  const proofLengthAt = PROOF_LENGTH_OFFSET + ACTION_BYTES * actions;
  const proofBytes = PROOF_BYTES + PROOF_BYTES_PER_ACTION * actions;
  const head = proofLengthAt + 4;
  const whole = new Uint8Array(bundle.length + proofBytes);
  whole.set(bundle.subarray(0, head));
  new DataView(whole.buffer).setUint32(proofLengthAt, proofBytes);
  whole.set(bundle.subarray(head), head + proofBytes);
  return whole;
}

function sumOf(values: readonly bigint[]): bigint {
  return values.reduce((sum, value) => sum + value, 0n);
}
