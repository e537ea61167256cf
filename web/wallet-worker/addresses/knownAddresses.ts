/** Known addresses of an open wallet: its own, those of contacts, and the payees of its payments. No node is asked. */
import { asAddressText, type AddressText } from "@svc/shared/base/brand.ts";
import { lookAlike, paidAddresses, type KnownAddress } from "@svc/shared/wallet/plan/lookAlike.ts";
import type { WalletState } from "@svc/shared/wallet/state/walletState.ts";

/** Where they come from. */
export type KnownParts = {
  readonly state: () => Pick<WalletState, "account" | "history" | "outbox">;
  /** Text form of the own address with this index. */
  readonly text: (index: number) => string;
  /** Addresses of the contacts, as far as they were read. */
  readonly contacts: () => Iterable<AddressText>;
};

/** The known addresses of an open wallet. */
export class KnownAddresses {
  readonly #parts: KnownParts;
  /** By index; they never change. */
  readonly #own: AddressText[] = [];

  constructor(parts: KnownParts) {
    this.#parts = parts;
  }

  /** The known address that this one only looks like; null for none. */
  lookAlike(address: string): KnownAddress | null {
    return lookAlike(address, this.#all());
  }

  *#all(): Generator<KnownAddress> {
    const state = this.#parts.state();
    for (let index = 0; index < state.account.nextAddressIndex; index += 1) {
      const text = (this.#own[index] ??= asAddressText(this.#parts.text(index)));
      yield { address: text, kind: "own" };
    }
    for (const address of this.#parts.contacts()) yield { address, kind: "contact" };
    yield* paidAddresses(state);
  }
}
