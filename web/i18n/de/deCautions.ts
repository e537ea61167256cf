/** German message catalogue of warnings before a payment and of passphrase strength; a part of `de.ts`. */
import type { enCautions } from "../en/enCautions.ts";
import type { Message } from "../message.ts";

/** The messages. */
export const deCautions: { readonly [K in keyof typeof enCautions]: Message } = {
  "lookAlike.title": "Diese Adresse sieht einer bekannten nur ähnlich",
  "lookAlike.paid":
    "Sie beginnt und endet wie eine Adresse, an die Sie schon gezahlt haben, ist aber eine andere. Vielleicht hat sie Ihnen jemand untergeschoben. Vergleichen Sie alle Gruppen mit der damaligen:",
  "lookAlike.own":
    "Sie beginnt und endet wie eine Ihrer eigenen Adressen, ist aber eine andere. Vielleicht hat sie Ihnen jemand untergeschoben. Vergleichen Sie alle Gruppen mit Ihrer eigenen:",
  "lookAlike.contact":
    "Sie beginnt und endet wie die Adresse eines Kontakts, ist aber eine andere. Vielleicht hat sie Ihnen jemand untergeschoben. Vergleichen Sie alle Gruppen mit der des Kontakts:",
  "request.validity": "Gültig",
  "request.validityHint":
    "Wer zahlt, wird nach dem Ende gewarnt. Eine verspätete Zahlung erreicht Sie trotzdem.",
  "request.validityNone": "Ohne Ende",
  "request.validityHour": "1 Stunde",
  "request.validityDay": "1 Tag",
  "request.until": "Bis {date}",
  "request.ended": "Sie endete am {date}. Wählen Sie neu, wie lange sie gilt.",
  "expired.title": "Diese Anforderung ist abgelaufen",
  "expired.text":
    "Der Empfänger wollte die Zahlung bis {date}. Bitten Sie um eine neue: Eine späte Zahlung zählt vielleicht nicht und lässt sich nicht zurückholen.",
  "passphrase.weak": "Leicht zu erraten: Sie wiederholt sich oder ist eine Reihe wie abc oder 123.",
  "passphrase.fair":
    "Das geht. Ein weiteres Wort ohne Zusammenhang macht sie viel schwerer zu erraten.",
  "passphrase.strong":
    "Lang genug, um stark zu sein, wenn ihre Wörter nichts miteinander zu tun haben.",
};
