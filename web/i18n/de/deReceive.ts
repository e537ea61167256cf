/** German message catalogue of receiving: payment requests, own addresses, links and the camera; a part of `de.ts`. */
import type { enReceive } from "../en/enReceive.ts";
import type { Message } from "../message.ts";

/** The messages. */
export const deReceive: { readonly [K in keyof typeof enReceive]: Message } = {
  "receive.copy": "Adresse kopieren",
  "request.title": "Um eine Zahlung bitten",
  "request.text":
    "Was Sie hier eintragen, wird Teil des Codes oben und eines Links. Wer ihn öffnet, findet die Zahlung ausgefüllt und bestätigt sie noch.",
  "request.amount": "Betrag",
  "request.amountHint": "Leer lassen, damit der Zahler wählt.",
  "request.memo": "Notiz zur Zahlung",
  "request.memoHint":
    "Die Zahlung bringt sie Ihnen verschlüsselt zurück: zum Beispiel eine Bestellnummer.",
  "request.label": "Ihr Name",
  "request.labelHint": "Der Zahler sieht ihn. Jeder kann hier alles schreiben.",
  "request.qr": "Die Zahlungsbitte als QR-Code",
  "request.copy": "Link kopieren",
  "request.share": "Teilen",
  "request.clear": "Ohne Zahlungsbitte",
  "request.open": "Um einen Betrag bitten",
  "request.shown": "Bittet um {amount}",
  "request.shownOpen": "Bittet um einen beliebigen Betrag",

  "addresses.title": "Ihre Adressen",
  "addresses.text":
    "Alle führen zu dieser Wallet. Namen bleiben verschlüsselt in diesem Browser; ein neuer Suchlauf behält sie, der Seed allein bringt sie nicht zurück.",
  "addresses.number": "Adresse {number}",
  "addresses.received": {
    one: "{amount} in {count} Zahlung",
    other: "{amount} in {count} Zahlungen",
  },
  "addresses.nothing": "Noch nichts empfangen",
  "addresses.show": "Zeigen",
  "addresses.showOf": "Adresse {number} zeigen",
  "addresses.name": "Name",
  "addresses.nameOf": "Name der Adresse {number}",
  "addresses.nameHint": "Nur Sie sehen ihn.",
  "addresses.more": "Mehr zeigen",

  "link.filled": "Ein Zahlungslink hat dieses Formular ausgefüllt",
  "link.from": "Er kam von {origin}.",
  "link.fromOutside":
    "Er kam von außerhalb dieser Wallet: von einer Seite, einem Programm oder einem Code.",
  "link.check":
    "Noch ist nichts bezahlt. Vergleichen Sie Adresse und Betrag mit dem, was Sie erwarten; bestätigt wird die Zahlung auf dem nächsten Bildschirm.",
  "link.asks": "Ein Zahlungslink will dieses Formular ausfüllen",
  "link.replaces": "Er würde ersetzen, was Sie eingegeben haben.",
  "link.take": "Formular ausfüllen",
  "link.keep": "Meine Eingabe behalten",
  "link.refused": "Ein Zahlungslink ließ sich nicht lesen",
  "link.refusedText": "Das Formular ist, wie es war.",

  "links.title": "Zahlungslinks",
  "links.text":
    "Lässt diesen Browser Links, die mit {scheme}: beginnen, mit dieser Wallet öffnen. Ein Link füllt nur das Zahlungsformular aus; Sie bestätigen, was bezahlt wird.",
  "links.set": "Zahlungslinks hier öffnen",
  "links.asked":
    "Der Browser fragt Sie, oder er hat es sich gemerkt. Er führt solche Links in seinen Einstellungen zu Webseiten auf.",

  "camera.label": "Was die Kamera sieht",
  "scan.open": "Scannen",
  "scan.title": "Einen Zahlungscode scannen",
  "scan.text": "Halten Sie den Code vor die Kamera. Das Bild bleibt in diesem Browser.",
  "scan.image": "Ein Bild wählen",
  "scan.imageLabel": "Bild des Codes",
};
