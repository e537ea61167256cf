/** German message catalogue of the consolidation of notes; a part of `de.ts`. */
import type { enMerging } from "../en/enMerging.ts";
import type { Message } from "../message.ts";

/** The messages. */
export const deMerging: { readonly [K in keyof typeof enMerging]: Message } = {
  "merge.title": "Viele Notes",
  "merge.text": {
    one: "Ihre Münzen liegen in {count} Note, und eine Transaktion gibt höchstens 38 aus.",
    other:
      "Ihre Münzen liegen in {count} Notes, und eine Transaktion gibt höchstens 38 aus. Zu wenigen großen zusammengelegt zahlen sie große Summen auf einmal, und die Gebühr fürs Zusammenlegen fällt nur einmal an.",
  },
  "merge.look": "Ansehen, was das Zusammenlegen braucht",
  "merge.notes": "Legt zusammen",
  "merge.notesCount": { one: "{count} Note", other: "{count} Notes" },
  "merge.takes": "Braucht",
  "merge.takesCount": {
    one: "{count} Transaktion, einmal bestätigt",
    other: "{count} Transaktionen, einmal bestätigt",
  },
  "merge.fee": "Gebühr",
  "merge.back": "Kommt zu Ihnen zurück",
  "merge.wait": "Lässt sich nicht ausgeben für",
  "merge.now": "Alles zu senden braucht jetzt",
  "merge.after": "Alles zu senden braucht danach",
  "merge.payment": {
    one: "{count} Transaktion, Gebühr {fee}",
    other: "{count} Transaktionen, Gebühr {fee}",
  },
  "merge.shows":
    "Nur die Gebühr verlässt Ihre Wallet. Jeder kann in der Kette lesen, dass jemand viele Notes auf einmal ausgibt, aber nicht wer, und nicht wie viel.",
  "merge.none": "Im Moment lohnt es sich nicht, etwas zusammenzulegen.",
  "merge.cancel": "Jetzt nicht",
  "merge.confirm": { one: "{count} Note zusammenlegen", other: "{count} Notes zusammenlegen" },
  "merge.row": "Zusammenlegung",
  "merge.settings": "Notes",
  "merge.auto": "Notes im Hintergrund zusammenlegen",
  "merge.autoText":
    "Solange sie offen und auf dem neuesten Stand ist und sich mehr als {above} Notes ausgeben lassen, legt die Wallet ab und zu die kleinsten zusammen: höchstens 38, für höchstens {fee}, eine Transaktion nach der anderen. Sie werden nicht jedes Mal gefragt. Was zusammengelegt wurde, lässt sich nach einigen Minuten wieder ausgeben. Eine Zahlung von Ihnen geht vor.",
  "merge.autoPrivacy":
    "Wann die Wallet nachsieht, bestimmt der Zufall. Dass dann eine Transaktion abgeht, verrät Ihrem Node und allen, die die Kette lesen, trotzdem, dass jemand mit vielen Notes eine Wallet offen hat. Zahlen kann sie damit nur an Sie selbst.",
};
