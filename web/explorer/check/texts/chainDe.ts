/** German texts of the step "on the chain", a part of `de.ts`. */
import type { Message } from "../../../i18n/message.ts";
import type { chainEn } from "./chainEn.ts";

/** The messages. */
export const chainDe: { readonly [K in keyof typeof chainEn]: Message } = {
  "subject.merging": "Kettenblock, der ihn aufgenommen hat",
  "step.onChain": "Er steht auf der Kette",
  "step.merged": "Ein Block der Kette hat ihn aufgenommen",
  "reason.inLog":
    "Durch seinen Platz im Verzeichnis der Kette, unter Köpfen, deren Arbeit hier nachgerechnet wurde.",
  "reason.linked": "Durch die Köpfe über ihm, deren Arbeit hier nachgerechnet wurde.",
  "reason.noWork": "Dieses Netz beweist nichts: Seine Blöcke kosten keine Arbeit.",
  "reason.firstBlock": "Er ist der erste Block; jede Kette dieses Netzes steht auf ihm.",
  "reason.unmerged": "Noch hat ihn kein Block der Kette aufgenommen.",
  "reason.youngBlock": "Noch steht kein Block der Kette auf ihm. Prüfen Sie gleich noch einmal.",
  "reason.noLog":
    "Dieses Netz führt kein Verzeichnis seiner Kette: Nur seine neuesten Blöcke lassen sich durch Arbeit zeigen.",
  "reason.beforeLog":
    "Er ist älter als das Verzeichnis der Kette, das mit der Sicherheitsgabelung beginnt, und zu alt, um durch die Köpfe über ihm gezeigt zu werden.",
  "reason.notInLog": "Der Server sagt, dass im Verzeichnis seiner Kette dieser Block fehlt.",
  "reason.leftChain": "Der Server sagt, dass seine Kette diesen Block nicht (mehr) hat.",
  "reason.evidencePruned": "Der Server hat nicht mehr, was es zeigt.",
  "reason.noEvidence":
    "Der Server gibt keine Belege seiner Kette. Knoten dieses Projekts geben sie, und der Explorer davor auch.",
  "reason.chainEasy":
    "Was der Server zeigt, hat weniger Arbeit, als die Blöcke dieses Netzes kosten.",
  "reason.chainOther": "Was der Server zeigt, ist der Platz eines anderen Blocks.",
  "reason.chainFalse": "Was der Server von seiner Kette zeigt, stimmt nicht.",
  "chain.block": "Auf der Kette dieses Netzes: {place}.",
  "chain.merging": "Von der Kette dieses Netzes aufgenommen, in {place}.",
  "chain.accepting": "In die Kette dieses Netzes aufgenommen, in {place}.",
  "chain.number": "Kettenblock Nummer {number}",
  "chain.numberSince": "Kettenblock Nummer {number} seit der Sicherheitsgabelung",
  "chain.noNumber": "einem Kettenblock",
  "chain.work": "Der Server zeigte etwa {time} Arbeit über ihm, die Ihr Browser nachgerechnet hat.",
  "chain.workYoung": "Zu wenige Blöcke stehen auf ihm, um etwas über ihre Arbeit zu sagen.",
  "chain.above": {
    one: "{count} Kettenblock steht auf ihm.",
    other: "{count} Kettenblöcke stehen auf ihm.",
  },
  "chain.limit":
    "Die Zeit folgt aus der Schwierigkeit, die diese Blöcke nennen. Wer das erfindet, muss diese Blöcke selbst minen. Nichts davon zeigt, dass keine andere Kette mehr Arbeit hat, oder dass dieser Server der mit der meisten folgt.",
  "chain.open": "Nicht gezeigt, dass er auf der Kette steht: {reason}",
  "chain.differs": "Der Server zeigt die Kette nicht, die er behauptet: {reason}",
};
