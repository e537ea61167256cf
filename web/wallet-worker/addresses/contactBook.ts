/** The contacts of an open wallet, and the check of what they prove. */
import { asAddressText, type AddressText } from "@svc/shared/base/brand.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { AddressRefusal, SignedMessage } from "@svc/shared/signer/addressControl.ts";
import { pastedMessage } from "@svc/shared/signer/messages/judgeSignedMessage.ts";
import { lowerCaseAddress } from "@svc/shared/wallet/plan/payee.ts";
import {
  decodeContacts,
  encodeContacts,
  withContact,
  withoutContact,
  type Contact,
  type ContactProof,
  type Contacts,
} from "@svc/shared/wallet/contacts/contacts.ts";
import { Mutex } from "@svc/shared/wallet/state/mutex.ts";
import type { ContactText } from "../../wallet-api/walletApi.ts";

/** What the book is made of. */
export type ContactParts = {
  /** Throws `address/…` for what is no address of the network. */
  readonly checkAddress: (address: string) => void;
  /** As `judgeSignedMessage`. */
  readonly judge: (signed: SignedMessage) => AddressRefusal | null;
  readonly nowMs: () => bigint;
  readonly text: { load(): Promise<string | null>; store(text: string): Promise<void> };
};

const CODES = {
  BadFvk: "keys/bad-viewing-key",
  AddressMismatch: "keys/address-mismatch",
  BadKey: "keys/bad-spend-key",
  BadSignature: "keys/bad-signature",
} as const satisfies { readonly [R in AddressRefusal]: string };

/** The book. A change is stored whole before it is shown. */
export class ContactBook {
  readonly #parts: ContactParts;
  readonly #changing = new Mutex();
  #contacts: Contacts | null = null;

  constructor(parts: ContactParts) {
    this.#parts = parts;
  }

  /** The contacts as far as they were read; none before. */
  get known(): Contacts {
    return this.#contacts ?? new Map();
  }

  /** All contacts, by their names. Rejects with `store/corrupt` and `store/version`. */
  async list(): Promise<readonly Contact[]> {
    const contacts = await this.#load();
    return [...contacts.values()].toSorted((a, b) => a.name.localeCompare(b.name));
  }

  /**
   * Adds a contact, or gives one another name. A signed message is checked first: `keys/*` where it does not show control of this very
   * address. Without one, what was proved before stays. Rejects with `address/*`, `codec/*` and as the store does; then nothing changed.
   */
  async put({ address: typed, name, signed }: ContactText): Promise<void> {
    const address = addressOf(typed);
    this.#parts.checkAddress(address);
    if (name.trim() === "") throw new SvcError("internal/unexpected", { message: "no name" });
    const proof = signed === null ? null : this.#proofOf(address, signed);
    await this.#change((contacts) => {
      const kept = contacts.get(address)?.proof ?? null;
      return withContact(contacts, { address, name, proof: proof ?? kept });
    });
  }

  /** Takes a contact out. Rejects as the store does. */
  async remove(address: string): Promise<void> {
    await this.#change((contacts) => withoutContact(contacts, addressOf(address)));
  }

  #proofOf(address: AddressText, signed: SignedMessage): ContactProof {
    if (addressOf(pastedMessage(signed).address) !== address) {
      throw new SvcError("keys/address-mismatch", {});
    }
    const refusal = this.#parts.judge(signed);
    if (refusal !== null) throw new SvcError(CODES[refusal], {});
    return { message: signed.message, checkedMs: this.#parts.nowMs() };
  }

  async #change(change: (contacts: Contacts) => Contacts): Promise<void> {
    await this.#changing.run(async () => {
      const contacts = change(await this.#load());
      await this.#parts.text.store(encodeContacts(contacts));
      this.#contacts = contacts;
    });
  }

  async #load(): Promise<Contacts> {
    if (this.#contacts === null) {
      const text = await this.#parts.text.load();
      this.#contacts ??= text === null ? new Map() : decodeContacts(text);
    }
    return this.#contacts;
  }
}

function addressOf(text: string): AddressText {
  return asAddressText(lowerCaseAddress(text.trim()));
}
