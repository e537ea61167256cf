/** Addresses of an open wallet, and the labels of addresses and payments, each in an encrypted record. */
import type { Secret } from "@svc/shared/base/secret.ts";
import { addressLabels } from "@svc/shared/wallet/labels/addressLabels.ts";
import { paymentLabels } from "@svc/shared/wallet/labels/paymentLabels.ts";
import type { Database } from "../store/database.ts";
import { KnownAddresses, type KnownParts } from "./knownAddresses.ts";
import { LabelBook } from "./labelBook.ts";
import { LabelStore } from "./labelStore.ts";
import { OwnAddresses, type AddressParts } from "./ownAddresses.ts";
import { OwnLabels, type LabelParts } from "./ownLabels.ts";

/** The addresses, those that the owner knows, and the labels of addresses and of payments. */
export type OwnWords = {
  readonly addresses: OwnAddresses;
  readonly known: KnownAddresses;
  readonly labels: OwnLabels;
};

/** What they are made of. `onChange` is called when a label was read or changed. */
export type WordParts = Pick<AddressParts & KnownParts, "state" | "text"> &
  Pick<LabelParts, "rows"> & {
    readonly database: Database;
    readonly dataKey: Secret;
    readonly onChange: () => void;
  };

/** Opens them; nothing is read yet. */
export function ownWords(parts: WordParts): OwnWords {
  const { database, dataKey, onChange, state, text, rows } = parts;
  const named = new LabelStore(database, dataKey, "labels", addressLabels);
  const remarked = new LabelStore(database, dataKey, "payment-labels", paymentLabels);
  const names = new LabelBook(named, onChange);
  return {
    addresses: new OwnAddresses({ state, text, labels: names }),
    known: new KnownAddresses({ state, text }),
    labels: new OwnLabels({ payments: new LabelBook(remarked, onChange), addresses: names, rows }),
  };
}
