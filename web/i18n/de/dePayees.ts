/** German message catalogue of payments to several payees, and of paying the rest of a stopped payment; a part of `de.ts`. */
import type { enPayees } from "../en/enPayees.ts";
import type { Message } from "../message.ts";

/** The messages. */
export const dePayees: { readonly [K in keyof typeof enPayees]: Message } = {
  "payees.title": "Empfänger {number} von {count}",
  "payees.add": "Empfänger hinzufügen",
  "payees.full": "Eine Zahlung hat höchstens {max} Empfänger.",
  "payees.remove": "Entfernen",
  "payees.removeOf": "Empfänger {number} entfernen",
  "payees.sum": "Alle Empfänger zusammen",
  "payees.total": {
    one: "an {count} Empfänger",
    other: "an {count} Empfänger",
  },
  "payees.confirm": {
    one: "{amount} an {count} Empfänger senden",
    other: "{amount} an {count} Empfänger senden",
  },
  "payees.own": "Eine Ihrer eigenen Adressen",
  "payees.sentTo": {
    one: "An {count} Empfänger",
    other: "An {count} Empfänger",
  },
  "payees.more": {
    one: "{address} und {count} weiterer",
    other: "{address} und {count} weitere",
  },
  "payees.restTitle": "Nicht gezahlt: {amount}",
  "payees.restText": {
    one: "{count} Empfänger hat das nicht bekommen. Der Knopf füllt das Zahlungsformular mit genau dem, was fehlt; Sie prüfen und bestätigen es als neue Zahlung.",
    other:
      "{count} Empfänger haben das nicht bekommen. Der Knopf füllt das Zahlungsformular mit genau dem, was fehlt; Sie prüfen und bestätigen es als neue Zahlung.",
  },
  "payees.rest": "Rest zahlen",
};
