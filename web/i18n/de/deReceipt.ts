/** German message catalogue of receipts that the wallet makes, a part of `de.ts`. */
import type { enReceipt } from "../en/enReceipt.ts";
import type { Message } from "../message.ts";

/** The messages. */
export const deReceipt: { readonly [K in keyof typeof enReceipt]: Message } = {
  "receipt.open": "Quittung machen",
  "receipt.title": "Quittung",
  "receipt.text":
    "Eine Quittung zeigt, wem wie viel gezahlt wurde und dass die Zahlung in der Kette steht. Jeder kann sie prüfen, auch ohne Verbindung. Wer sie hat, erfährt Ihre Adresse und den Betrag.",
  "receipt.challenge": "Für wen (kann fehlen)",
  "receipt.challengeHint":
    "Ein Text, den Ihnen jemand gegeben hat, etwa „für das Finanzamt, 7. März“. Ihre Wallet unterschreibt ihn.",
  "receipt.textSent":
    "Eine Quittung zeigt, wem wie viel gezahlt wurde und dass die Zahlung in der Kette steht. Jeder kann sie prüfen, auch ohne Verbindung. Wer sie hat, erfährt die Adresse des Empfängers und den Betrag. Sie sagt nicht, wer gezahlt hat.",
  "receipt.challengeSent":
    "Ein Text, den Ihnen jemand gegeben hat, etwa „Bestellung 7“. Die Quittung trägt ihn ohne Unterschrift: Nur die Wallet des Empfängers kann einen Text unterschreiben.",
  "receipt.challengeLong": "Dieser Text ist für eine Quittung zu lang.",
  "receipt.make": "Die Quittung machen",
  "receipt.made": {
    one: "Die Quittung ist gemacht, und sie stimmt.",
    other: "Die Zahlung kam in {count} Teilen. Jeder hat eine Quittung, und jede stimmt.",
  },
  "receipt.madeSent": {
    one: "Die Quittung ist gemacht, und sie stimmt.",
    other: "Die Zahlung ging an {count} Empfänger. Jeder hat eine Quittung, und jede stimmt.",
  },
  "receipt.payee": "{amount} an {address}",
  "receipt.file": "Datei speichern",
  "receipt.filePart": "Datei {part} speichern",
  "receipt.copy": "Als Text kopieren",
  "receipt.copyPart": "Text {part} kopieren",
  "receipt.before":
    "Die Quittung nennt einen Block, den viele Wallets nennen, und zwar den, der gezahlt hat, oder einen danach: So erfährt dieser Knoten nicht, welcher es war.",
  "receipt.young": {
    one: "Diese Zahlung ist zu jung. Eine Quittung ist nach einem weiteren Block möglich.",
    other: "Diese Zahlung ist zu jung. Eine Quittung ist nach {count} weiteren Blöcken möglich.",
  },
  "receipt.forgotten":
    "Diese Münzen wurden vor so langer Zeit ausgegeben, dass diese Wallet nicht mehr hat, was eine Quittung braucht. Machen Sie eine Quittung, bevor die Münzen ausgegeben werden.",
  "receipt.undisclosed":
    "Diese Wallet hat nicht, was den Empfänger zeigt. Die Zahlung wurde von einem anderen Gerät gemacht, bevor die Wallet aus ihrem Seed wiederhergestellt wurde, oder mit einer älteren Fassung dieser Seite. Der Empfänger kann eine Quittung machen.",
};
