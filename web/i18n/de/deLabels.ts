/** German message catalogue of remarks on payments and of contacts; a part of `de.ts`. */
import type { enLabels } from "../en/enLabels.ts";
import type { Message } from "../message.ts";

/** The messages. */
export const deLabels: { readonly [K in keyof typeof enLabels]: Message } = {
  "remark.title": "Ihre Anmerkung",
  "remark.add": "Anmerkung hinzufügen",
  "remark.change": "Anmerkung ändern",
  "remark.hint":
    "Nur Sie sehen sie. Sie bleibt verschlüsselt in diesem Browser und steht in Dateien, die Sie speichern; der Seed allein bringt sie nicht zurück.",
  "contacts.title": "Kontakte",
  "contacts.text":
    "Namen für Adressen anderer. Sie bleiben verschlüsselt in diesem Browser; der Seed allein bringt sie nicht zurück.",
  "contacts.none": "Noch keine Kontakte.",
  "contacts.add": "Kontakt hinzufügen",
  "contacts.addOf": "Zu den Kontakten hinzufügen",
  "contacts.name": "Name",
  "contacts.address": "Adresse des Kontakts",
  "contacts.proof": "Signierte Nachricht des Kontakts, falls vorhanden",
  "contacts.proofHint":
    "Sie zeigt, dass ihr Verfasser den Schlüssel dieser Adresse hat, aber nicht, wer das ist. Da sie weitergegeben werden kann, geben Sie den Text am besten selbst vor. Sie wird jetzt geprüft und nicht aufbewahrt, denn eine Signatur enthält den Ansichtsschlüssel des Kontakts; nur Text und Tag bleiben.",
  "contacts.proofForm": "Das ist keine signierte Nachricht.",
  "contacts.proved": "Kontrolle über diese Adresse am {date} nachgewiesen",
  "contacts.provedText": "Signierter Text: {text}",
  "contacts.unproved": "Die Kontrolle über diese Adresse hat niemand nachgewiesen.",
  "contacts.remove": "Entfernen",
  "contacts.removeOf": "{name} entfernen",
  "contacts.choose": "Kontakt wählen",
  "contacts.chooseNone": "Kein Kontakt",
  "contacts.full": "Für weitere Kontakte ist kein Platz.",
};
