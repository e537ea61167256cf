/** German message catalogue of payments over several transactions, and of how notes are chosen; a part of `de.ts`. */
import type { enMoney } from "../en/enMoney.ts";
import type { Message } from "../message.ts";

/** The messages. */
export const deMoney: { readonly [K in keyof typeof enMoney]: Message } = {
  "pay.availableMany": {
    one: "{amount} können gesendet werden, in einer Zahlung aus {count} Transaktion",
    other: "{amount} können gesendet werden, in einer Zahlung aus {count} Transaktionen",
  },
  "pay.howTitle": "Wie gezahlt wird",
  "pay.exact":
    "Ihre Münzen liegen in Notes, und eine Note wird ganz ausgegeben. Eine davon hat genau die Summe, die nötig ist.",
  "pay.one":
    "Ihre Münzen liegen in Notes, und eine Note wird ganz ausgegeben. Ausgegeben wird die kleinste, die reicht.",
  "pay.many": {
    one: "Ihre Münzen liegen in Notes, und eine Note wird ganz ausgegeben. {count} Note wird ausgegeben.",
    other:
      "Ihre Münzen liegen in Notes, und eine Note wird ganz ausgegeben. Keine allein reicht: {count} werden ausgegeben, die größten zuerst.",
  },
  "pay.shared": {
    one: "{count} Note wird ausgegeben, dieselbe wie von der früheren Zahlung: Nur eine von beiden kann durchgehen.",
    other:
      "{count} Notes werden ausgegeben, einige davon auch von der früheren Zahlung: Nur eine von beiden kann durchgehen.",
  },
  "pay.noChange": "Es kommt kein Wechselgeld zurück.",
  "pay.change":
    "{amount} kommen als Wechselgeld zu Ihnen zurück. Nach {time} lassen sie sich wieder ausgeben.",
  "pay.transactions": {
    one: "Alles geht in {count} Transaktion.",
    other:
      "Eine Transaktion fasst höchstens 38 Notes, darum braucht diese Zahlung {count}, die nacheinander gesendet werden. Sie bestätigen einmal; die Gebühr ist die von allen. Schließt sich diese Seite inzwischen, macht die Wallet weiter, sobald sie wieder offen ist.",
  },
  "pay.part": "Transaktion {part} von {parts}",
  "pay.outSoFar": {
    one: "{count} Transaktion ist gesendet. Anhalten belässt sie und sendet nichts mehr.",
    other: "{count} Transaktionen sind gesendet. Anhalten belässt sie und sendet nichts mehr.",
  },
  "pay.stop": "Hier anhalten",
  "pay.pausedTitle": "Ein Teil der Zahlung ist gesendet",
  "pay.pausedText": {
    one: "{count} Transaktion ist gesendet. Den Rest sendet die Wallet von selbst, sobald sie kann; nichts wird doppelt bezahlt.",
    other:
      "{count} Transaktionen sind gesendet. Den Rest sendet die Wallet von selbst, sobald sie kann; nichts wird doppelt bezahlt.",
  },
  "pay.allSent": {
    one: "{count} Transaktion ist unterwegs. In Sekunden steht sie in einem Block.",
    other: "Alle {count} Transaktionen sind unterwegs. In Sekunden stehen sie in einem Block.",
  },
  "pay.partlyTitle": "Teilweise gezahlt",
  "pay.partlyText": {
    one: "{count} Transaktion ist gesendet und bleibt es. Mehr wird nicht gesendet. Der Verlauf sagt, was gezahlt wurde.",
    other:
      "{count} Transaktionen sind gesendet und bleiben es. Mehr wird nicht gesendet. Der Verlauf sagt, was gezahlt wurde.",
  },
  "pay.rowPartly": "Teilweise gezahlt",
  "pay.rowUnderWay": "Unterwegs",
  "pay.confirmed": "Von Ihnen bestätigt",
  "pay.rowParts": "Transaktionen",
  "pay.openPart": "Transaktion {part}",
  "pay.rowStopped": "Von dieser Zahlung wird nichts mehr gesendet.",
};
