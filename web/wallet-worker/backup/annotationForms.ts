/** Forms of the stored annotations, by their record. */
import { decodeContacts, type Contacts } from "@svc/shared/wallet/contacts/contacts.ts";
import { addressLabels } from "@svc/shared/wallet/labels/addressLabels.ts";
import { paymentLabels } from "@svc/shared/wallet/labels/paymentLabels.ts";
import type { Labels } from "@svc/shared/wallet/labels/labelForm.ts";

/** Reads each record's text whole. Throw `store/corrupt` and `store/version`. */
export const annotationForms = {
  contacts: decodeContacts,
  labels: (text) => addressLabels.decode(text),
  "payment-labels": (text) => paymentLabels.decode(text),
} as const satisfies {
  readonly contacts: (text: string) => Contacts;
  readonly labels: (text: string) => Labels<number>;
  readonly "payment-labels": (text: string) => Labels<string>;
};
