/** Addresses and contacts of an open wallet, and the labels of addresses and payments, each in an encrypted record. */
import { callCore } from "@svc/shared/core/callCore.ts";
import type { CoreGlue } from "@svc/shared/core/generated/coreGlue.ts";
import type { Secret } from "@svc/shared/base/secret.ts";
import { judgeSignedMessage } from "@svc/shared/signer/messages/judgeSignedMessage.ts";
import { addressLabels } from "@svc/shared/wallet/labels/addressLabels.ts";
import { paymentLabels } from "@svc/shared/wallet/labels/paymentLabels.ts";
import type { KeptAnnotations } from "../../wallet-api/backupAnnotations.ts";
import type { Network } from "../../node/networks.ts";
import { keptAnnotations } from "../backup/keptAnnotations.ts";
import { browserClock } from "../browserClock.ts";
import type { Database } from "../store/database.ts";
import { SealedText } from "../store/sealedText.ts";
import { ContactBook } from "./contactBook.ts";
import { KnownAddresses, type KnownParts } from "./knownAddresses.ts";
import { LabelBook } from "./labelBook.ts";
import { LabelStore } from "./labelStore.ts";
import { OwnAddresses, type AddressParts } from "./ownAddresses.ts";
import { OwnLabels, type LabelParts } from "./ownLabels.ts";

/** The addresses, the contacts, all addresses that the owner knows, and the labels of addresses and of payments. */
export type OwnAnnotations = {
  readonly addresses: OwnAddresses;
  readonly contacts: ContactBook;
  readonly known: KnownAddresses;
  readonly labels: OwnLabels;
  /** What a backup holds of them, as it is stored. */
  readonly backup: () => Promise<KeptAnnotations>;
};

/** What they are made of. `onChange` is called when a label was read or changed. */
export type AnnotationParts = Pick<AddressParts & KnownParts, "state" | "text"> &
  Pick<LabelParts, "rows"> & {
    readonly core: CoreGlue;
    readonly network: Network;
    readonly database: Database;
    readonly dataKey: Secret;
    readonly onChange: () => void;
  };

/** Opens them; nothing is read yet. */
export function ownAnnotations(parts: AnnotationParts): OwnAnnotations {
  const { database, dataKey, onChange, state, text, rows } = parts;
  const named = new LabelStore(database, dataKey, "labels", addressLabels);
  const remarked = new LabelStore(database, dataKey, "payment-labels", paymentLabels);
  const names = new LabelBook(named, onChange);
  const contacts = contactBook(parts);
  return {
    addresses: new OwnAddresses({ state, text, labels: names }),
    contacts,
    known: new KnownAddresses({ state, text, contacts: () => contacts.known.keys() }),
    labels: new OwnLabels({ payments: new LabelBook(remarked, onChange), addresses: names, rows }),
    backup: () => keptAnnotations((name) => new SealedText(database, dataKey, name).load()),
  };
}

function contactBook({ core, network, database, dataKey }: AnnotationParts): ContactBook {
  return new ContactBook({
    checkAddress: (address) => void callCore(() => core.decodeAddress(network.view.hrp, address)),
    judge: (signed) => judgeSignedMessage(core, network.profileJson, signed),
    nowMs: () => BigInt(browserClock.nowMs()),
    text: new SealedText(database, dataKey, "contacts"),
  });
}
