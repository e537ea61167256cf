/** The addresses that a wallet has handed out, with their names and what each received. */
import { asAddressText, asSompi } from "@svc/shared/base/brand.ts";
import { addressLabels } from "@svc/shared/wallet/labels/addressLabels.ts";
import type { WalletState } from "@svc/shared/wallet/state/walletState.ts";
import { receivedAt } from "@svc/shared/wallet/view/receivedAt.ts";
import type { AddressPage } from "../../wallet-api/walletApi.ts";
import type { LabelBook } from "./labelBook.ts";

/** What the list is made of. */
export type AddressParts = {
  readonly state: () => Pick<WalletState, "account" | "history">;
  /** Text form of the address with this index. */
  readonly text: (index: number) => string;
  readonly labels: LabelBook<number>;
};

/** The addresses of an open wallet. */
export class OwnAddresses {
  readonly #parts: AddressParts;

  constructor(parts: AddressParts) {
    this.#parts = parts;
  }

  /** The newest `limit` addresses, newest first, and how many were handed out. Rejects as the store of the names does. */
  async list(limit: number): Promise<AddressPage> {
    const labels = await this.#parts.labels.load();
    const { account, history } = this.#parts.state();
    const received = receivedAt({ history });
    const total = account.nextAddressIndex;
    const length = Math.max(0, Math.min(total, limit));
    const rows = Array.from({ length }, (_, at) => {
      const index = total - 1 - at;
      return {
        index,
        text: asAddressText(this.#parts.text(index)),
        label: labels.get(index) ?? "",
        received: received.get(index)?.amount ?? asSompi(0n),
        payments: received.get(index)?.payments ?? 0,
      };
    });
    return { rows, total };
  }

  /** Names an address that was handed out; an empty text takes its name away. Rejects as the store does; then nothing changed. */
  async label(index: number, text: string): Promise<void> {
    await this.#parts.labels.change((labels) => {
      if (index < 0 || index >= this.#parts.state().account.nextAddressIndex) return null;
      return addressLabels.changed(labels, index, text);
    });
  }
}
