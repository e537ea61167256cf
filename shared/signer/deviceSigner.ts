/**
 * Device signer: holds a seed, checks prepared payments and signs them (specification shielded 18). It needs no network, no
 * proof and no scan, and believes nothing that a daemon says.
 */
import * as v from "valibot";
import {
  asAddressText,
  asHash32,
  asRawAddress,
  type AddressText,
  type Hash32,
  type RawAddress,
  type Sompi,
} from "../base/brand.ts";
import { fields } from "../base/fields.ts";
import { decodeHex, encodeHex } from "../base/hex.ts";
import { Secret } from "../base/secret.ts";
import { SvcError } from "../base/svcError.ts";
import { readProfile, type NetworkProfile } from "../chain/profile.ts";
import { callCore } from "../core/callCore.ts";
import type { CoreGlue } from "../core/generated/coreGlue.ts";
import { signAddressMessage } from "./addressControl.ts";
import { payOnDevice, type PayOutcome, type PayRequest, type PayStage } from "./payOnDevice.ts";
import type { PaymentIntent } from "./paymentIntent.ts";
import { maxActionsPerTx, maxFeeOf } from "./paymentSize.ts";
import {
  PREPARED_VERSION,
  type PlannedOutput,
  type PreparedPayment,
  type SignatureList,
} from "./preparedPayment.ts";
import { sessionOf } from "./preparedSession.ts";
import { SIGNER_LIMITS } from "./signerLimits.ts";
import type { WalletDaemon } from "./walletDaemon.ts";

/** The calls of the core that a signer needs. */
export type SignerCore = Pick<
  CoreGlue,
  | "addressAt"
  | "checkAndSign"
  | "checkPrepared"
  | "decodeAddress"
  | "encodeAddress"
  | "fullViewingKey"
  | "genesisHash"
  | "incomingViewingKey"
  | "signMessage"
>;

/** Where the value of a payment that was found right goes: spent = paid + change + fee. */
export type VerifiedPayment = {
  readonly sighash: Hash32;
  readonly spent: Sompi;
  readonly paid: Sompi;
  readonly change: Sompi;
  readonly fee: Sompi;
};

/** What a seed is known by. */
export type DeviceAccount = {
  readonly address: AddressText;
  readonly recipient: RawAddress;
  /** Full viewing key, hex of 96 bytes. Who has it sees every payment. */
  readonly fvk: string;
  /** Incoming viewing key, hex of 64 bytes. Who has it sees every receipt. */
  readonly ivk: string;
};

const verified = v.object({
  sighash: fields.hash32,
  spent: fields.sompi,
  paid: fields.sompi,
  change: fields.sompi,
  fee: fields.sompi,
});
const signatures = v.array(v.object({ index: fields.u32, sig: fields.hex }));

/** A seed on a network, ready to sign. */
export class DeviceSigner {
  readonly account: DeviceAccount;
  /** Genesis hash of the network, hex. */
  readonly network: Hash32;
  readonly #core: SignerCore;
  readonly #profile: NetworkProfile;
  readonly #profileJson: string;
  readonly #seed: Secret;
  readonly #fvk: Secret;

  /** Takes ownership of the seed. `profileJson` is the device's own profile of the network. Throws `keys/bad-seed`, `profile/*`. */
  constructor(core: SignerCore, profileJson: string, seed: Secret) {
    this.#core = core;
    this.#profile = readProfile(profileJson);
    this.#profileJson = profileJson;
    this.#seed = seed;
    const fvk = seed.reveal((bytes) => callCore(() => core.fullViewingKey(bytes)));
    this.#fvk = new Secret(fvk);
    this.network = asHash32(callCore(() => core.genesisHash(profileJson)));
    const raw = callCore(() => core.addressAt(fvk, 0));
    this.account = {
      address: asAddressText(callCore(() => core.encodeAddress(this.#profile.hrp, raw))),
      recipient: asRawAddress(encodeHex(raw)),
      fvk: encodeHex(fvk),
      ivk: encodeHex(callCore(() => core.incomingViewingKey(fvk))),
    };
  }

  /** The address of a diversifier index. Throws `engine/bad-call` for an index of more than 32 bits. */
  addressAt(index: number): AddressText {
    const raw = this.#rawAt(index);
    return asAddressText(callCore(() => this.#core.encodeAddress(this.#profile.hrp, raw)));
  }

  /** The raw bytes of an address of this network, as hex. Throws `address/*`. */
  recipientOf(address: string): RawAddress {
    const raw = callCore(() => this.#core.decodeAddress(this.#profile.hrp, address));
    return asRawAddress(encodeHex(raw));
  }

  /** The text of a raw address on this network. */
  textOf(recipient: RawAddress): AddressText {
    const raw = decodeHex(recipient);
    return asAddressText(callCore(() => this.#core.encodeAddress(this.#profile.hrp, raw)));
  }

  /**
   * Checks a prepared payment against what the owner confirmed, and signs nothing. Throws `signer/*`, and the codes of a bundle that
   * does not decode; each refusal has a code of its own.
   */
  verifyPrepared(intent: PaymentIntent, prepared: PreparedPayment): VerifiedPayment {
    const call = this.#callOf(intent, prepared);
    const text = this.#fvk.reveal((fvk) =>
      callCore(() =>
        this.#core.checkPrepared(fvk, call.intent, prepared.bundle, call.disclosure, call.alphas),
      ),
    );
    checkClaims(intent, prepared);
    return v.parse(verified, JSON.parse(text));
  }

  /** Checks a prepared payment as `verifyPrepared` does and signs its spends. Throws what that throws. */
  sign(intent: PaymentIntent, prepared: PreparedPayment): SignatureList {
    this.verifyPrepared(intent, prepared);
    const call = this.#callOf(intent, prepared);
    const text = this.#seed.reveal((seed) =>
      callCore(() =>
        this.#core.checkAndSign(seed, call.intent, prepared.bundle, call.disclosure, call.alphas),
      ),
    );
    return { session: prepared.session, signatures: v.parse(signatures, JSON.parse(text)) };
  }

  /**
   * Pays over a daemon that holds no keys: it prepares and proves, this signs, it broadcasts. Throws what `payOnDevice` throws:
   * `OutcomeUnknown` where signatures were handed in and no answer came, `PartlyPaid` after the first transaction of several.
   */
  pay(
    daemon: WalletDaemon,
    request: PayRequest,
    onStage: (stage: PayStage) => void,
    signal: AbortSignal,
  ): Promise<PayOutcome> {
    return payOnDevice({ signer: this, daemon, onStage }, request, signal);
  }

  /** Signs a message with the key of an own address, as text of 320 hex digits. It shows the full viewing key. */
  signMessage(message: string, index = 0): string {
    return signAddressMessage(
      { core: this.#core, profileJson: this.#profileJson, seed: this.#seed },
      this.#rawAt(index),
      message,
    );
  }

  /** Erases the seed and the viewing key; the texts of `account` are left. Harmless when repeated. */
  close(): void {
    this.#seed.erase();
    this.#fvk.erase();
  }

  #rawAt(index: number): Uint8Array {
    return this.#fvk.reveal((fvk) => callCore(() => this.#core.addressAt(fvk, index)));
  }

  #callOf(intent: PaymentIntent, prepared: PreparedPayment) {
    const version: number = prepared.version;
    if (version !== PREPARED_VERSION) throw new SvcError("signer/unsupported-version", { version });
    if (prepared.network !== this.network) {
      throw new SvcError("signer/wrong-network", {
        expected: this.network,
        found: prepared.network,
      });
    }
    const max = maxActionsPerTx();
    if (Math.max(prepared.disclosure.length, prepared.alphas.length) > max) {
      throw new SvcError("signer/bad-prepared", { reason: `more than ${max} actions` });
    }
    if (prepared.bundle.length > SIGNER_LIMITS.preparedBundleBytes) {
      throw new SvcError("signer/bad-prepared", { reason: "bundle too long" });
    }
    const { payments, claimedSighash, recoverable } = intent;
    const maxFee = intent.maxFee ?? maxFeeOf(prepared.alphas.length, payments.length);
    return {
      intent: JSON.stringify({
        profile: JSON.parse(this.#profileJson),
        daaScore: String(prepared.daaScore),
        payments: payments.map(({ recipient, value, memo }) => ({
          address: recipient,
          value: String(value),
          memo,
        })),
        fee: String(prepared.fee),
        maxFee: String(maxFee),
        recoverable: recoverable ?? null,
        sighash: claimedSighash ?? null,
        mayLackProof: true,
      }),
      disclosure: JSON.stringify(prepared.disclosure, decimal),
      alphas: JSON.stringify(prepared.alphas),
    };
  }
}

/** What stands beside the bundle must say what the bundle does: a screen may have shown it. */
function checkClaims(intent: PaymentIntent, prepared: PreparedPayment): void {
  const text = (payments: readonly PlannedOutput[]) =>
    payments.map(({ recipient, value, memo }) => `${recipient} ${value} ${memo}`).join("\n");
  if (text(intent.payments) !== text(prepared.payments)) {
    throw new SvcError("signer/claim-differs", { field: "payments" });
  }
  const expected = sessionOf(prepared);
  if (prepared.session !== expected) {
    throw new SvcError("signer/wrong-session", { expected, found: prepared.session });
  }
}

function decimal(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? String(value) : value;
}
