/** Contacts of the open wallet, as every screen shows them: loaded once, and again with every change. */
import { createContext, createEffect, createSignal, useContext, type Accessor } from "solid-js";
import type { Contact } from "@svc/shared/wallet/contacts/contacts.ts";
import { SvcError, type ErrorJson } from "@svc/shared/base/svcError.ts";
import type { ContactText, Snapshot, WalletApi } from "../../wallet-api/walletApi.ts";

/** The contacts, and their changes. */
export type ContactList = {
  readonly all: Accessor<readonly Contact[]>;
  /** Why they cannot be read; null for nothing. */
  readonly error: Accessor<ErrorJson | null>;
  /** The contact with this address. */
  readonly at: (address: string | null) => Contact | undefined;
  /** Rejects as `putContact` does. */
  readonly put: (contact: ContactText) => Promise<void>;
  readonly remove: (address: string) => Promise<void>;
};

/** The calls behind it. */
type Calls = {
  readonly [K in "contacts" | "putContact" | "removeContact"]: (
    ...args: Parameters<WalletApi[K]>
  ) => Promise<Awaited<ReturnType<WalletApi[K]>>>;
};

/** The parts of the wallet client that are used. */
type Client = {
  readonly wallet: Calls;
  readonly snapshot: { readonly tabs: Pick<Snapshot["tabs"], "following"> };
};

/** Loads the contacts of a wallet that is open. A tab that follows has none: only the one with the wallet asks for them. */
export function createContacts({ wallet, snapshot }: Client): ContactList {
  const [all, setAll] = createSignal<readonly Contact[]>([]);
  const [error, setError] = createSignal<ErrorJson | null>(null);
  const load = async () => {
    try {
      setAll(await wallet.contacts());
      setError(null);
    } catch (thrown) {
      setError(SvcError.from(thrown).toJSON());
    }
  };
  createEffect(() => {
    if (snapshot.tabs.following) setAll([]);
    else void load();
  });
  return {
    all,
    error,
    at: (address) => all().find((each) => each.address === address),
    put: async (contact) => {
      await wallet.putContact(contact);
      await load();
    },
    remove: async (address) => {
      await wallet.removeContact(address);
      await load();
    },
  };
}

/** Provides them to every screen of the open wallet. */
export const ContactsContext = createContext<ContactList>();

/** The contacts of the open wallet. */
export function useContacts(): ContactList {
  const contacts = useContext(ContactsContext);
  if (contacts === undefined) throw new TypeError("a screen was mounted outside the open wallet");
  return contacts;
}
