/**
 * Contacts: names that an owner gives to addresses of others, and their stored form: JSON with a version. They are a record of their own,
 * which no scan touches.
 */
import * as v from "valibot";
import type { AddressText } from "../../base/brand.ts";
import { asAddressText } from "../../base/brand.ts";
import { fields } from "../../base/fields.ts";
import { stableJson } from "../../base/stableJson.ts";
import { SvcError } from "../../base/svcError.ts";
import { cutText } from "../labels/cutText.ts";
import { readAnnotations, requireAnnotations } from "../labels/storedAnnotations.ts";
import { WALLET_LIMITS } from "../walletLimits.ts";

/** What was signed with the key of an address, and when this wallet checked it. The signature is not kept: it holds the signer's viewing key. */
export type ContactProof = { readonly message: string; readonly checkedMs: bigint };

/** A name for an address, and what was proved of the address. */
export type Contact = {
  readonly address: AddressText;
  readonly name: string;
  /** Null where nobody proved anything. */
  readonly proof: ContactProof | null;
};

/** Contact by address. */
export type Contacts = ReadonlyMap<AddressText, Contact>;

const VERSION = 1;

const name = v.pipe(
  v.string(),
  v.check((text) => text !== "" && cutName(text) === text),
);
/** The last millisecond that is a date: a later one could not be shown. */
const LAST_MS = 8_640_000_000_000_000n;
const proof = v.strictTuple([
  v.pipe(v.string(), v.maxLength(WALLET_LIMITS.signedMessageChars)),
  v.pipe(
    fields.u64,
    v.check((ms) => ms <= LAST_MS),
  ),
]);
const stored = v.strictObject({
  version: v.literal(VERSION),
  contacts: v.pipe(
    v.array(v.strictTuple([v.pipe(v.string(), v.nonEmpty()), name, v.nullable(proof)])),
    v.maxLength(WALLET_LIMITS.contactsMax),
  ),
});

/** A name as it is kept: without blanks around it, cut to its limit. */
export function cutName(text: string): string {
  return cutText(text, WALLET_LIMITS.contactNameChars);
}

/**
 * The contacts with this one, in the place of one with the same address. Throws `codec/count-too-large` where that is one more than are
 * kept.
 */
export function withContact(contacts: Contacts, contact: Contact): Contacts {
  const changed = new Map(contacts);
  changed.set(contact.address, { ...contact, name: cutName(contact.name) });
  const max = WALLET_LIMITS.contactsMax;
  if (changed.size > max) {
    throw new SvcError("codec/count-too-large", { count: String(changed.size), max: String(max) });
  }
  return changed;
}

/** The contacts without the one at this address. */
export function withoutContact(contacts: Contacts, address: AddressText): Contacts {
  const changed = new Map(contacts);
  changed.delete(address);
  return changed;
}

/** The stored form, the same for the same contacts. */
export function encodeContacts(contacts: Contacts): string {
  const rows = [...contacts.values()]
    .toSorted((a, b) => (a.address < b.address ? -1 : 1))
    .map((each) => [each.address, each.name, tupleOf(each.proof)]);
  return stableJson({ version: VERSION, contacts: rows });
}

function tupleOf(found: ContactProof | null) {
  return found === null ? null : [found.message, found.checkedMs];
}

/** Reads the stored form. Throws `store/version` and `store/corrupt`. */
export function decodeContacts(text: string): Contacts {
  const read = readAnnotations({ what: "contacts", version: VERSION, schema: stored }, text);
  const contacts = new Map(
    read.contacts.map(([address, shown, found]) => {
      const key = asAddressText(address);
      const [message, checkedMs] = found ?? [];
      const kept = message === undefined || checkedMs === undefined ? null : { message, checkedMs };
      return [key, { address: key, name: shown, proof: kept }];
    }),
  );
  requireAnnotations("contacts", text, encodeContacts(contacts));
  return contacts;
}
