/** German message catalogue of what warns before a payment and of a passphrase; a part of `de.ts`. */
import type { enCautions } from "../en/enCautions.ts";
import type { Message } from "../message.ts";

/** The messages. */
export const deCautions: { readonly [K in keyof typeof enCautions]: Message } = {
  "lookAlike.title": "Diese Adresse sieht einer bekannten nur ähnlich",
  "lookAlike.paid":
    "Sie beginnt und endet wie eine Adresse, an die Sie schon gezahlt haben, ist aber eine andere. Vielleicht hat sie Ihnen jemand untergeschoben. Vergleichen Sie alle Gruppen mit der damaligen:",
  "lookAlike.own":
    "Sie beginnt und endet wie eine Ihrer eigenen Adressen, ist aber eine andere. Vielleicht hat sie Ihnen jemand untergeschoben. Vergleichen Sie alle Gruppen mit Ihrer eigenen:",
};
