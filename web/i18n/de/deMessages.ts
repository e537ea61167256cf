/** German message catalogue of signed messages, a part of `de.ts`. */
import type { enMessages } from "../en/enMessages.ts";
import type { Message } from "../message.ts";

/** The messages. */
export const deMessages: { readonly [K in keyof typeof enMessages]: Message } = {
  "messages.title": "Signierte Nachrichten",
  "messages.text":
    "Eine Signatur zeigt ohne Zahlung, dass jemand den Schlüssel einer Adresse hat. Hier signieren Sie einen Text und prüfen, was andere signiert haben.",
  "messages.open": "Signierte Nachrichten",
  "messages.back": "Zurück zu den Einstellungen",

  "sign.title": "Nachricht signieren",
  "sign.address": "Adresse",
  "sign.addressOf": "Adresse {number}: {address}",
  "sign.named": "{name}: {address}",
  "sign.message": "Text",
  "sign.messageHint":
    "Nehmen Sie die Worte dessen, der fragt, und den Tag: Ein Text ohne Tag lässt sich später noch einmal vorzeigen.",
  "sign.tooLong": "Höchstens {max} Zeichen.",
  "sign.warningTitle": "Eine Signatur gibt den vollen Ansichtsschlüssel preis",
  "sign.warning":
    "Wer sie bekommt, sieht alles, was dieser Seed je empfängt und ausgibt, für immer: Beträge, Notizen, Guthaben. Ausgeben kann damit niemand, und nichts nimmt sie zurück. Nehmen Sie zum Nachweis einer Adresse eine eigene Wallet.",
  "sign.agree":
    "Ich will signieren und weiß, dass alle Zahlungen dieser Wallet sieht, wer die Signatur bekommt.",
  "sign.submit": "Signieren",
  "sign.done": "Die Nachricht ist signiert. Geben Sie sie nur dem, der danach gefragt hat.",
  "sign.copy": "Signierte Nachricht kopieren",
  "sign.file": "Als Datei speichern",
  "sign.signature": "Signatur",
  "sign.another": "Noch eine signieren",

  "verify.title": "Nachricht prüfen",
  "verify.text":
    "Fügen Sie die drei Teile ein, oder eine ganze signierte Nachricht in irgendein Feld. Geprüft wird in diesem Browser, und niemand erfährt davon.",
  "verify.file": "Datei einer signierten Nachricht",
  "verify.fileWrong": "In dieser Datei steht keine signierte Nachricht.",
  "verify.address": "Adresse, für die signiert wurde",
  "verify.message": "Signierter Text",
  "verify.messageHint": "Jedes Zeichen zählt, auch Leerzeichen und Zeilenumbrüche.",
  "verify.signature": "Signatur",
  "verify.signatureWrong": "Eine Signatur hat 320 hexadezimale Ziffern.",
  "verify.submit": "Prüfen",
  "verify.good": "Die Signatur passt",
  "verify.goodText":
    "Wer sie gemacht hat, hat den Schlüssel dieser Adresse und hat diesen Text signiert.",
  "verify.limits":
    "Sie beweist nicht, wer das ist, wann signiert wurde, und nicht, dass die Signatur von dem stammt, der sie Ihnen zeigt: Sie lässt sich weitergeben. Verlangen Sie einen Text, den Sie selbst gewählt haben.",
  "verify.bad": "Das beweist nichts",
  "verify.BadFvk": "Der erste Teil der Signatur ist kein Ansichtsschlüssel.",
  "verify.AddressMismatch": "Die Signatur ist von einem anderen Schlüssel als dem der Adresse.",
  "verify.BadKey": "Der Schlüssel in der Signatur ist nicht brauchbar.",
  "verify.BadSignature":
    "Die Signatur gehört nicht zu diesem Text und dieser Adresse: Eines davon wurde geändert.",
};
