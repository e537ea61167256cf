/** German message catalogue of the offline signer page, a part of `de.ts`. */
import type { enSigner } from "../en/enSigner.ts";
import type { Message } from "../message.ts";

/** The messages. */
export const deSigner: { readonly [K in keyof typeof enSigner]: Message } = {
  "signer.title": "Offline-Signierer",
  "signer.steps": "Schritte",
  "signer.stepSeed": "Seed",
  "signer.stepScan": "Einlesen",
  "signer.stepReview": "Prüfen",
  "signer.stepAnswer": "Zeigen",
  "signer.loading": "Wird geöffnet …",
  "signer.brokenTitle": "Die Seite kann nicht starten",
  "signer.end": "Sitzung beenden",
  "signer.online":
    "Dieses Gerät scheint online zu sein. Diese Seite sendet nichts, aber andere Programme könnten es. Für wirklichen Schutz nehmen Sie ein Gerät, das nie online ist.",
  "signer.seedTitle": "Wessen Zahlungen signieren Sie?",
  "signer.seedText":
    "Der Seed bleibt allein im Speicher dieser Seite. Er wird vergessen, wenn Sie die Sitzung beenden oder die Seite schließen.",
  "signer.seedOpen": "Weiter",
  "signer.seedShow": "Seed zeigen",
  "signer.seedHide": "Seed verbergen",
  "signer.seedMake": "Neuen Seed erzeugen",
  "signer.newTitle": "Ihr neuer Seed",
  "signer.newText":
    "Schreiben Sie ihn vollständig auf Papier und verwahren Sie das Papier gut. Wer es hat, hat Ihre Münzen; ohne es sind sie verloren.",
  "signer.newWritten": "Ich habe ihn aufgeschrieben",
  "signer.scanTitle": "Zahlung einlesen",
  "signer.scanText":
    "Zeigen Sie auf dem anderen Gerät die Codes der vorbereiteten Zahlung. Die Reihenfolge ist egal, und einige dürfen fehlen.",
  "signer.scanWays": "Wie die Codes eingelesen werden",
  "signer.scanCamera": "Kamera",
  "signer.scanImages": "Bilder",
  "signer.scanPaste": "Text",
  "signer.imagesLabel": "Bilder der Codes",
  "signer.imagesChoose": "Bilder wählen",
  "signer.imagesHint":
    "Fotos oder Bildschirmfotos mit je einem Code. Mehrere auf einmal sind möglich.",
  "signer.imagesNone": {
    one: "In {count} Bild war kein lesbarer Code.",
    other: "In {count} Bildern war kein lesbarer Code.",
  },
  "signer.pasteLabel": "Text der Codes",
  "signer.pasteHint": "Ein Code je Zeile. Jeder beginnt mit „ur:“.",
  "signer.pasteTake": "Text einlesen",
  "signer.progressLabel": "Eingelesene Teile der Zahlung",
  "signer.progressNone": "Warten auf den ersten Code",
  "signer.progress": {
    one: "{known} von {count} Teil eingelesen",
    other: "{known} von {count} Teilen eingelesen",
  },
  "signer.again": "Von vorn beginnen",
  "signer.keysTitle": "Adresse und Ansichtsschlüssel",
  "signer.keysText":
    "Ein Programm, das Ihre Zahlungen vorbereitet, braucht den Ansichtsschlüssel. Er zeigt jedem, der ihn hat, alles, was Sie empfangen und zahlen, kann aber nichts ausgeben.",
  "signer.keysNetwork": "Netz",
  "signer.keysAddress": "Adresse",
  "signer.keysViewing": "Ansichtsschlüssel",
  "signer.keysQr": "QR-Code des Ansichtsschlüssels",
  "signer.reviewTitle": "Wollen Sie das zahlen?",
  "signer.reviewChecked":
    "Das wurde an der Zahlung selbst geprüft. Nichts anderes kann geschehen, wenn Sie sie signieren.",
  "signer.payment": "Zahlung {number} von {count}",
  "signer.to": "An",
  "signer.memo": "Notiz",
  "signer.memoNone": "Keine",
  "signer.memoBytes": "Kein Text: {hex}",
  "signer.own": "Diese Adresse gehört Ihnen.",
  "signer.fee": "Gebühr",
  "signer.change": "Kommt zu Ihnen zurück",
  "signer.total": "Sie zahlen zusammen",
  "signer.network": "Netz",
  "signer.compare":
    "Vergleichen Sie die Adresse mit der, die der Empfänger Ihnen gegeben hat, am besten auf einem anderen Weg als über das Gerät, das die Zahlung vorbereitet hat.",
  "signer.reject": "Nicht signieren",
  "signer.sign": "{amount} signieren",
  "signer.refusedTitle": "Nichts wurde signiert",
  "signer.refusedText":
    "Die Zahlung gehört zu einem anderen Seed, oder das Gerät, das sie vorbereitet hat, ist fehlerhaft oder lügt. Versuchen Sie es nicht noch einmal, bevor Sie wissen, was zutrifft.",
  "signer.answerTitle": "Zeigen Sie das dem anderen Gerät",
  "signer.answerText":
    "Die Zahlung ist signiert. Sie wird gesendet, wenn das andere Gerät diesen Code gelesen hat. Für eine andere Zahlung lässt sich der Code nicht benutzen.",
  "signer.answerQr": "QR-Code der Signaturen",
  "signer.answerCopy": "Als Text kopieren",
  "signer.next": "Nächste Zahlung",
};
