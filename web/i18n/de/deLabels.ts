/** German message catalogue of remarks on payments; a part of `de.ts`. */
import type { enLabels } from "../en/enLabels.ts";
import type { Message } from "../message.ts";

/** The messages. */
export const deLabels: { readonly [K in keyof typeof enLabels]: Message } = {
  "remark.title": "Ihre Anmerkung",
  "remark.add": "Anmerkung hinzufügen",
  "remark.change": "Anmerkung ändern",
  "remark.hint":
    "Nur Sie sehen sie. Sie bleibt verschlüsselt in diesem Browser und steht in Dateien, die Sie speichern; der Seed allein bringt sie nicht zurück.",
};
