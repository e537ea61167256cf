/**
 * The signer behind the page: opens a prepared payment with the seed, tells what it does, and signs it. What it tells was checked
 * against the bundle; nothing of it is the preparer's word.
 */
import { asSompi, type Sompi } from "@svc/shared/base/brand.ts";
import { decodeHex } from "@svc/shared/base/hex.ts";
import { Secret } from "@svc/shared/base/secret.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { readProfile } from "@svc/shared/chain/profile.ts";
import { callCore } from "@svc/shared/core/callCore.ts";
import type { CoreGlue } from "@svc/shared/core/generated/coreGlue.ts";
import { DeviceSigner } from "@svc/shared/signer/deviceSigner.ts";
import type { PaymentIntent } from "@svc/shared/signer/paymentIntent.ts";
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

/** Signs payments of one seed, on the networks whose profiles it was given. */
export class PaymentSigner {
  readonly #core: CoreGlue;
  readonly #devices: readonly { readonly networkName: string; readonly device: DeviceSigner }[];

  /** Takes ownership of the seed. Throws `keys/bad-seed`, `profile/…`. */
  constructor(core: CoreGlue, profiles: readonly string[], seed: Secret) {
    this.#core = core;
    const read = profiles.map((json) => ({ json, ...readProfile(json) }));
    // The main network, whose addresses have the shortest prefix, is the first.
    const byPrefix = read.toSorted((a, b) => a.hrp.length - b.hrp.length);
    this.#devices = byPrefix.map(({ json, networkName }) => {
      const copy = new Secret(seed.reveal((bytes) => bytes.slice()));
      return { networkName, device: new DeviceSigner(core, json, copy) };
    });
    seed.erase();
  }

  /** The networks that it knows, the main one first. */
  get networkNames(): readonly string[] {
    return this.#devices.map(({ networkName }) => networkName);
  }

  /** The seed's first address on a network, and its viewing key. */
  keys(networkName: string): SeedKeys {
    const found = this.#devices.find((known) => known.networkName === networkName);
    if (found === undefined) throw unknownNetwork(networkName);
    const { address, fvk } = found.device.account;
    return { address, viewingKey: fvk };
  }

  /** Checks a prepared payment and tells what it does. Throws `airgap/unknown-network` and what `DeviceSigner` throws. */
  review(prepared: PreparedPayment): PaymentReview {
    const { networkName, device } = this.#deviceFor(prepared);
    const { fee, paid, change } = device.verifyPrepared(intentOf(prepared), prepared);
    const fvk = decodeHex(device.account.fvk);
    const payees = prepared.payments.map(({ recipient, value, memo }) => {
      const raw = decodeHex(recipient);
      return {
        address: device.textOf(recipient),
        value,
        memo: readMemo(memo),
        own: callCore(() => this.#core.addressIndexOf(fvk, raw)) !== undefined,
      };
    });
    return { networkName, payees, fee, total: asSompi(paid + fee), change };
  }

  /** Checks a prepared payment and signs its spends. Throws as `review` does. */
  sign(prepared: PreparedPayment): SignedPayment {
    const { device } = this.#deviceFor(prepared);
    const { session, signatures } = device.sign(intentOf(prepared), prepared);
    return { version: prepared.version, session, signatures };
  }

  /** Erases the seed. Harmless when repeated. */
  close(): void {
    for (const { device } of this.#devices) device.close();
  }

  #deviceFor({ network }: PreparedPayment) {
    const found = this.#devices.find(({ device }) => device.network === network);
    if (found === undefined) throw unknownNetwork(network);
    return found;
  }
}

/** What its owner is shown and confirms: all that the payment says of itself, which is then held against its bundle. */
function intentOf({ payments }: PreparedPayment): PaymentIntent {
  return { payments, maxFee: null };
}

function unknownNetwork(network: string): SvcError {
  return new SvcError("airgap/unknown-network", { network });
}
