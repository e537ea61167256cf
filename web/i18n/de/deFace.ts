/** German texts of the wallet's face, a part of `de.ts`. */
import type { enFace } from "../en/enFace.ts";
import type { Message } from "../message.ts";

/** The messages. */
export const deFace: { readonly [K in keyof typeof enFace]: Message } = {
  "amount.readAs": "Gelesen als {amount}",
  "send.missingTo": "An wen? Fügen Sie eine Adresse oder einen Zahlungslink ein.",
  "send.missingAmount": "Wie viel? Schreiben Sie es wie 12,5.",
  "send.pasteRefused":
    "Der Browser zeigt dieser Seite die Zwischenablage nicht. Setzen Sie den Cursor in das Feld und fügen Sie mit der Tastatur ein.",
  "send.sentTo": "An {address}",
  "send.copyTxid": "Kennung der Transaktion kopieren",

  "detail.copyTxid": "Kennung der Transaktion kopieren",
  "detail.lookUp": "Im Explorer nachsehen",
  "detail.lookUpNote":
    "Der Explorer findet sie unter anderen, sodass sein Server nicht erfährt, welche Sie suchen. Wer dort ihre Seite öffnet, sagt es ihm.",

  "status.timeLeft": "noch etwa {time}",

  "day.today": "Heute",
  "day.yesterday": "Gestern",
  "day.now": "Unterwegs",
  "ago.now": "gerade eben",
  "ago.minutes": { one: "vor {count} Minute", other: "vor {count} Minuten" },
  "row.minedBlocks": { one: "{count} Block", other: "{count} Blöcke" },
  "row.minedEach": "Einzeln zeigen",

  "home.firstText":
    "Zeigen Sie dem, der Sie bezahlt, Ihre Adresse. Die Zahlung ist hier in Sekunden zu sehen und kann ausgegeben werden, sobald ihr Block tief genug liegt.",
  "home.firstMine":
    "Dieser Knoten betreibt ein eigenes Testnetz: Auf der Seite mit Ihrer Adresse können Sie ihn für sich minen lassen.",
};
