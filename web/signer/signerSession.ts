/** The state of the signer page: from the seed over codes and review to the signatures. */
import { createSignal } from "solid-js";
import { Secret } from "@svc/shared/base/secret.ts";
import { SvcError, type ErrorJson } from "@svc/shared/base/svcError.ts";
import { callCore } from "@svc/shared/core/callCore.ts";
import type { CoreGlue } from "@svc/shared/core/generated/coreGlue.ts";
import { decodePreparedPayment } from "@svc/shared/signer/airgap/preparedPaymentCbor.ts";
import { encodeSignedPayment } from "@svc/shared/signer/airgap/signedPaymentCbor.ts";
import { UrDecoder } from "@svc/shared/signer/airgap/urDecoder.ts";
import { UrEncoder } from "@svc/shared/signer/airgap/urEncoder.ts";
import { UR_TYPES } from "@svc/shared/signer/airgap/urFrame.ts";
import type { PreparedPayment } from "@svc/shared/signer/preparedPayment.ts";
import { PaymentSigner, type PaymentReview, type SeedKeys } from "./paymentSigner.ts";

/** Where the person is. */
export type Step =
  | { readonly kind: "seed" }
  | { readonly kind: "scan" }
  | { readonly kind: "review"; readonly prepared: PreparedPayment; readonly review: PaymentReview }
  | { readonly kind: "refused"; readonly error: ErrorJson }
  | { readonly kind: "answer"; readonly frames: UrEncoder };

/** How much of the codes was read. */
export type ScanProgress = { readonly known: number; readonly count: number };

const NOTHING: ScanProgress = { known: 0, count: 0 };

/** A session. It holds at most one seed, and one payment. */
export class SignerSession {
  readonly #core: CoreGlue;
  readonly #profiles: readonly string[];
  readonly #decoder = new UrDecoder(UR_TYPES.payment);
  readonly #step = createSignal<Step>({ kind: "seed" });
  readonly #progress = createSignal(NOTHING);
  readonly #error = createSignal<ErrorJson | null>(null);
  #signer: PaymentSigner | null = null;

  /** Takes the profiles of the networks on which it signs. */
  constructor(core: CoreGlue, profiles: readonly string[]) {
    this.#core = core;
    this.#profiles = profiles;
  }

  /** Where the person is. */
  get step(): Step {
    return this.#step[0]();
  }

  /** Progress of the scan. */
  get progress(): ScanProgress {
    return this.#progress[0]();
  }

  /** What was wrong with the last code, or with the seed. */
  get error(): ErrorJson | null {
    return this.#error[0]();
  }

  /** The networks on which the seed signs; none without a seed. */
  get networkNames(): readonly string[] {
    return this.#signer?.networkNames ?? [];
  }

  /** Address and viewing key of the seed on a network; null without a seed. */
  keys(networkName: string): SeedKeys | null {
    return this.#signer?.keys(networkName) ?? null;
  }

  /** A fresh seed, which belongs to the caller. */
  newSeed(): Uint8Array {
    return callCore(() => this.#core.generateSeed());
  }

  /** Takes ownership of a seed; one that is none is told as an error. */
  open(seed: Uint8Array): void {
    this.close();
    const secret = new Secret(seed);
    try {
      this.#signer = new PaymentSigner(this.#core, this.#profiles, secret);
      this.scan();
    } catch (thrown) {
      secret.erase();
      this.#error[1](SvcError.from(thrown).toJSON());
    }
  }

  /** Takes the text of one code. What is wrong with it is told as an error. */
  take(text: string): void {
    if (this.step.kind !== "scan") return;
    try {
      this.#decoder.receive(text);
      this.#error[1](null);
    } catch (thrown) {
      this.#error[1](SvcError.from(thrown).toJSON());
    }
    const { count, share, result } = this.#decoder;
    this.#progress[1]({ known: Math.round(share * count), count });
    if (result !== null) this.#go((signer) => reviewOf(signer, result));
  }

  /** Signs what is under review. */
  confirm(): void {
    const { step } = this;
    if (step.kind !== "review") return;
    this.#go((signer) => {
      const answer = encodeSignedPayment(signer.sign(step.prepared));
      return { kind: "answer", frames: new UrEncoder(UR_TYPES.signatures, answer) };
    });
  }

  /** Forgets the payment, for the next one. */
  scan(): void {
    this.#forgetPayment();
    this.#step[1]({ kind: "scan" });
  }

  /** Forgets the seed and everything else. */
  close(): void {
    this.#signer?.close();
    this.#signer = null;
    this.#forgetPayment();
    this.#step[1]({ kind: "seed" });
  }

  #forgetPayment(): void {
    this.#decoder.reset();
    this.#progress[1](NOTHING);
    this.#error[1](null);
  }

  /** Goes to the step that the signer's answer leads to; what it throws is shown as a refusal. */
  #go(answer: (signer: PaymentSigner) => Step): void {
    try {
      if (this.#signer === null) throw new SvcError("wallet/locked", {});
      this.#step[1](answer(this.#signer));
    } catch (thrown) {
      this.#step[1]({ kind: "refused", error: SvcError.from(thrown).toJSON() });
    }
  }
}

function reviewOf(signer: PaymentSigner, message: Uint8Array): Step {
  const prepared = decodePreparedPayment(message);
  return { kind: "review", prepared, review: signer.review(prepared) };
}
