/** Viewing keys of a wallet: what a daemon needs to scan, to show addresses and to prove, and nothing that spends. */
import {
  asAddressText,
  asRawAddress,
  type AddressText,
  type RawAddress,
} from "@svc/shared/base/brand.ts";
import { encodeHex } from "@svc/shared/base/hex.ts";
import type { Secret } from "@svc/shared/base/secret.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { callCore } from "@svc/shared/core/callCore.ts";
import type { CoreGlue } from "@svc/shared/core/generated/coreGlue.ts";

/** The calls of the core that derive keys and addresses. */
export type KeyCore = Pick<CoreGlue, "addressAt" | "encodeAddress" | "fullViewingKey">;

/** An address, as its bytes and as people write it. */
export type WalletAddress = { readonly raw: RawAddress; readonly text: AddressText };

const INDEX_MAX = 0xffff_ffff;

/** The full viewing key of a wallet and its addresses. */
export class ViewingKeys {
  /** ak ‖ nk ‖ rivk, 96 bytes. Whoever has them sees everything, so they are kept like a secret. */
  readonly fvk: Uint8Array;
  /** The address at index 0. */
  readonly address: WalletAddress;
  readonly #core: KeyCore;
  readonly #hrp: string;

  /** `hrp` is the prefix of the network's addresses. Takes ownership of the key. Throws `keys/bad-viewing-key`, `codec/wrong-length`. */
  constructor(core: KeyCore, hrp: string, fvk: Uint8Array) {
    this.#core = core;
    this.#hrp = hrp;
    this.fvk = fvk;
    this.address = this.addressAt(0);
  }

  /** The keys of a seed, which stays with the caller. Throws `wallet/bad-seed`. */
  static ofSeed(core: KeyCore, hrp: string, seed: Secret): ViewingKeys {
    try {
      return new ViewingKeys(
        core,
        hrp,
        seed.reveal((bytes) => callCore(() => core.fullViewingKey(bytes))),
      );
    } catch (error) {
      if (SvcError.is(error, "keys/bad-seed", "codec/wrong-length")) {
        throw new SvcError("wallet/bad-seed", {}, error);
      }
      throw error;
    }
  }

  /** The address at a diversifier index of 32 bits. Throws `codec/number-out-of-range`. */
  addressAt(index: number): WalletAddress {
    if (!Number.isInteger(index) || index < 0 || index > INDEX_MAX) {
      throw new SvcError("codec/number-out-of-range", { text: String(index), max: INDEX_MAX });
    }
    const raw = callCore(() => this.#core.addressAt(this.fvk, index));
    const text = callCore(() => this.#core.encodeAddress(this.#hrp, raw));
    return { raw: asRawAddress(encodeHex(raw)), text: asAddressText(text) };
  }

  /** Overwrites the key with zeros. Harmless when repeated. */
  erase(): void {
    this.fvk.fill(0);
  }

  /** `using keys = …` erases at the end of the block. */
  [Symbol.dispose](): void {
    this.erase();
  }
}
