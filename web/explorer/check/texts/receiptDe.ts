/** German texts of the check of receipts, a part of `de.ts`. */
import type { Message } from "../../../i18n/message.ts";
import type { receiptEn } from "./receiptEn.ts";

/** The messages. */
export const receiptDe: { readonly [K in keyof typeof receiptEn]: Message } = {
  "receipt.file": "Datei der Quittung",
  "receipt.chosen": "Abgelegt: {name}. Ein Text darunter würde stattdessen geprüft.",
  "receipt.text": "Oder ihr Text (ur:svc-receipt/…)",
  "receipt.asked": "Text, den Sie verlangt haben (kann fehlen)",
  "receipt.check": "Quittung prüfen",
  "receipt.anchor": "Mit der Kette dieses Knotens prüfen",
  "receipt.loading": "Was die Prüfung braucht, wird geladen.",
  "receipt.ready": "Alles ist geladen: Die Prüfung geht ohne Netz und fragt niemanden.",
  "receipt.anchorNote":
    "Die zweite Schaltfläche fragt den Knoten dieser Seite nach seinen neuesten Blöcken und nach dem Block, auf dem die Quittung steht. Er erfährt von diesem Block, den viele Quittungen teilen, und sonst nichts von der Quittung.",
  "receipt.holds": "Die Quittung stimmt für sich allein",
  "receipt.holdsOnChain": "Die Quittung stimmt und steht auf der Kette, die der Knoten gezeigt hat",
  "receipt.byWork":
    "Sie steht auf der Arbeit eines Blocks: Eine solche Quittung zu erfinden kostet im Mittel {hashes} Hashes.",
  "receipt.byChain":
    "Der Knoten zeigte mindestens {hashes} Hashes Arbeit über ihr, die Ihr Browser nachgerechnet hat. Wer das erfindet, muss diese Arbeit leisten.",
  "receipt.unmeasured":
    "Dieses Programm kennt keine Arbeit dieses Netzes und kann deshalb nicht sagen, wie lange das jemand braucht.",
  "receipt.chainTime": "Das ist die Arbeit des ganzen Netzes in {time}.",
  "receipt.workTime":
    "Das ganze Netz findet so einen Block im Mittel in {time}. Wer 5 % davon hat, braucht {longer} und hat mit einer Wahrscheinlichkeit von {chance} innerhalb eines Tages einen.",
  "receipt.noWork": "Dieses Netz beweist nichts: Seine Blöcke kosten keine Arbeit.",
  "receipt.near":
    "Die Zahlung liegt weniger als 100 Blöcke unter dem Block, auf dem die Quittung steht. Die Kette kann diesen Zweig verlassen haben: Prüfen Sie mit der Kette.",
  "receipt.recipient": "Gezahlt an",
  "receipt.amount": "Betrag",
  "receipt.block": "Gezahlt",
  "receipt.blockValue": "in Block {block} oder davor",
  "receipt.score": "Blue Score dieses Blocks",
  "receipt.time": "Zeit dieses Blocks",
  "receipt.timeValue": "{time}, nach Angabe seines Miners",
  "receipt.depth": "Kettenblöcke bis zum Block der Quittung",
  "receipt.challenge": "Ausgestellt für",
  "receipt.noChallenge": "niemanden im Besonderen: Wer sie hat, kann sie vorzeigen",
  "receipt.signedBy": "Unterschrieben von",
  "receipt.answered": "dem, der bezahlt wurde",
  "receipt.unanswered": "niemandem: Wer die Quittung hatte, kann den Text geschrieben haben",
  "receipt.payment": "Zahlung",
  "receipt.paymentValue": "{txid}, nach Angabe des Zahlers",
  "receipt.spent": "Damit ausgegeben",
  "receipt.notShown": "nicht gezeigt",
  "receipt.otherNetwork": "Diese Quittung gehört zu einem anderen Netz ({code}).",
  "receipt.otherChallenge":
    "Diese Quittung wurde nicht für den Text gemacht, den Sie verlangt haben ({code}).",
  "receipt.badAnswer":
    "Den Text in dieser Quittung hat nicht unterschrieben, wer bezahlt wurde, oder sie wurde verändert ({code}).",
  "receipt.misread": "Der Text wurde verändert oder nicht bis zum Ende kopiert ({code}).",
  "receipt.noReceipt": "Das ist keine Quittung, oder ein Teil von ihr fehlt ({code}).",
  "receipt.false":
    "Diese Quittung ist falsch: Sie passt nicht zu der Arbeit, die sie nennt ({code}).",
  "receipt.notOnChain":
    "Für sich allein stimmt sie, aber die Kette des Knotens hat den Block nicht, auf dem sie steht ({code}).",
  "receipt.tooYoung":
    "Für sich allein stimmt sie. Auf der Kette des Knotens stehen noch zu wenige Blöcke über ihr; versuchen Sie es später ({code}).",
  "receipt.noNode":
    "Für sich allein stimmt sie. Kein Knoten hat eine Kette gezeigt, die sich prüfen ließ ({code}).",
};
