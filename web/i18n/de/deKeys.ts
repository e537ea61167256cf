/** German message catalogue of the wallet's keys: passphrase, automatic lock, backups, a part of `de.ts`. */
import type { enKeys } from "../en/enKeys.ts";
import type { Message } from "../message.ts";

/** The messages. */
export const deKeys: { readonly [K in keyof typeof enKeys]: Message } = {
  "keys.passphraseText":
    "Eine andere Passphrase für diese Wallet in diesem Browser. Frühere Kopien ihrer Daten öffnet weiterhin die alte.",
  "keys.passphraseChange": "Passphrase ändern",
  "keys.passphraseNow": "Jetzige Passphrase",
  "keys.passphraseNew": "Neue Passphrase",
  "keys.passphraseDone": "Die Passphrase ist geändert.",
  "keys.close": "Schließen",
  "keys.lockAfter": "Sperrt sich ohne Eingabe nach",

  "readBack.title": "Empfänger nach einer Wiederherstellung",
  "readBack.choice": "Künftige Zahlungen sind nach einer Wiederherstellung lesbar",
  "readBack.text":
    "Eine wiederhergestellte Wallet findet, was sie empfangen hat, und von dem, was sie gezahlt hat, nur die Summe. Ist dies eingeschaltet, trägt jede Zahlung auf der Kette eine Kopie für Sie: Nach einer Wiederherstellung sind Empfänger, Betrag und Notiz wieder da. Frühere Zahlungen bleiben, wie sie sind.",
  "readBack.cost":
    "Was es kostet: Wer je Ihren Seed oder Ihren vollen Ansichtsschlüssel bekommt, sieht auch, wen Sie bezahlt und was Sie geschrieben haben. Eine Gebühr fällt nicht an, und sonst sieht niemand einen Unterschied. Wer es später ausschaltet, nimmt keine Kopie zurück.",
  "readBack.yes": "Einschalten",
  "readBack.no": "Ausgeschaltet lassen",

  "backups.brings": "Eine Sicherungsdatei schon.",
  "backups.title": "Sicherungen",
  "backups.paperText":
    "Eine Seite zum Drucken oder Abschreiben: der Seed mit seinen Prüfziffern, ein QR-Code, und wann die Wallet angelegt wurde.",
  "backups.paper": "Sicherung auf Papier",
  "backups.fileText":
    "Eine Datei mit dem Seed sowie Ihren Kontakten, Namen von Adressen und Anmerkungen, versiegelt unter der Passphrase dieser Wallet. Wer beides hat, kann alles nehmen; ohne die Passphrase von heute ist sie nichts wert.",
  "backups.file": "Sicherungsdatei",
  "backups.fileSubmit": "Datei speichern",
  "backups.fileDone":
    "Die Datei ist gespeichert. Sie öffnet sich mit der Passphrase, die diese Wallet jetzt hat, auch wenn Sie sie hier später ändern.",
  "backups.without.contacts":
    "Die Kontakte sind nicht darin: Sie sind beschädigt oder zu viele für eine Datei.",
  "backups.without.names":
    "Die Namen von Adressen sind nicht darin: Sie sind beschädigt oder zu viele für eine Datei.",
  "backups.without.remarks":
    "Die Anmerkungen zu Zahlungen sind nicht darin: Sie sind beschädigt oder zu viele für eine Datei.",

  "paper.title": "Papiersicherung einer Wallet",
  "paper.warning":
    "Wer diese Seite sieht, kann alles nehmen. Drucker können behalten, was sie drucken; am sichersten ist Abschreiben von Hand.",
  "paper.ask": "Die Seite zeigt den Seed. Achten Sie darauf, dass niemand zusieht.",
  "paper.askSubmit": "Seite zeigen",
  "paper.qr": "Der Seed und seine Prüfziffern als QR-Code",
  "paper.network": "Netz",
  "paper.birthday": "Zuerst benutzt",
  "paper.birthdayGenesis": "Unbekannt: von Anfang an durchsuchen",
  "paper.made": "Seite erstellt",
  "paper.how":
    "Wiederherstellen: Öffnen Sie eine Wallet dieses Netzes, wählen Sie „Wallet wiederherstellen“ und tippen Sie die Gruppen der Reihe nach, die Prüfziffern zuletzt. Eine falsche Ziffer fällt auf.",
  "paper.print": "Drucken",

  "restoreFile.choice": "Aus einer Datei wiederherstellen",
  "restoreFile.choiceText": "Aus einer Sicherungsdatei und ihrer Passphrase.",
  "restoreFile.file": "Sicherungsdatei",
  "restoreFile.fileHint":
    "Eine Datei, die diese Wallet unter Einstellungen, Sicherungen gespeichert hat.",
  "restoreFile.fileMissing": "Wählen Sie zuerst die Datei.",
  "restoreFile.passphrase": "Passphrase der Datei",
  "restoreFile.passphraseHint": "Sie bleibt die Passphrase der Wallet in diesem Browser.",

  "viewing.title": "Ansichtsschlüssel",
  "viewing.text":
    "Für die Buchhaltung, ein Gateway oder ein Programm, das zusieht. Ein Ansichtsschlüssel kann nichts ausgeben, und er lässt sich nicht zurücknehmen.",
  "viewing.export": "Ansichtsschlüssel zeigen",
  "viewing.which": "Welcher Schlüssel",
  "viewing.incoming": "Eingänge",
  "viewing.full": "Voll",
  "viewing.incomingWarning":
    "Wer ihn hat, sieht jede Zahlung, die dieser Seed je empfängt, mit Beträgen und Notizen, für immer. Was ausgegeben wird, zeigt er nicht.",
  "viewing.fullWarning":
    "Wer ihn hat, sieht alles, was dieser Seed je empfängt und ausgibt, für immer: Beträge, Notizen, Guthaben. Von Zahlungen, die nach einer Wiederherstellung lesbar sind, auch die Empfänger.",
  "viewing.agree": "Ich will ihn zeigen und weiß, dass ihn keine neue Passphrase zurücknimmt.",
  "viewing.submit": "Schlüssel zeigen",
  "viewing.key": "Ansichtsschlüssel",
  "viewing.save": "Als Datei speichern",
  "viewing.qr": "Der Ansichtsschlüssel als QR-Code",

  "watch.choice": "Eine Wallet beobachten",
  "watch.choiceText":
    "Mit einem Ansichtsschlüssel: zeigt, was kommt und geht, und kann nicht zahlen.",
  "watch.key": "Voller Ansichtsschlüssel",
  "watch.keyHint": "192 hexadezimale Ziffern. Leerzeichen und Zeilenumbrüche sind gleich.",
  "watch.keyIncoming":
    "Das ist ein Schlüssel für Eingänge. Ohne den vollen könnte diese Wallet nicht sagen, was ausgegeben wurde.",
  "watch.keyLength": "Ein voller Ansichtsschlüssel hat 192 hexadezimale Ziffern.",
  "watch.submit": "Beobachten",
  "watch.deleteConfirm": "Ich habe den Ansichtsschlüssel anderswo oder brauche ihn nicht mehr.",
  "watch.badge": "Nur beobachtet",
  "watch.title": "Diese Wallet beobachtet nur",
  "watch.text":
    "Sie hat einen Ansichtsschlüssel und keinen Seed: Sie zeigt, was kommt und geht, und kann nicht zahlen. Der Seed ist anderswo.",
  "wallets.title": "Wallets",
  "wallets.text":
    "Dieser Browser kann mehrere Wallets aufbewahren, jede mit eigenem Seed und eigener Passphrase. Eine ist jeweils geöffnet; beim Wechseln wird sie gesperrt.",
  "wallets.number": "Wallet {number}",
  "wallets.choice": "Wallet",
  "wallets.open": "Jetzt geöffnet",
  "wallets.locked": "Gesperrt",
  "wallets.rename": "Umbenennen",
  "wallets.renameOf": "{name} umbenennen",
  "wallets.nameOf": "Name von {name}",
  "wallets.nameHint":
    "Er wird schon vor der Passphrase gezeigt: Jeder, der diesen Browser benutzt, kann ihn lesen. Ohne Namen wird die Wallet mit ihrer Nummer gezeigt.",
  "wallets.switch": "Wechseln",
  "wallets.switchTo": "Zu {name} wechseln",
  "wallets.add": "Wallet hinzufügen",
  "wallets.full": "Dieser Browser hat {max} Wallets und nimmt keine weitere auf.",
  "wallets.paying":
    "Es wird gerade eine Zahlung ausgeführt: Ihre Wallet bleibt geöffnet, bis das erledigt ist.",
  "wallets.newTitle": "Eine weitere Wallet",
  "wallets.newText":
    "Sie bekommt einen eigenen Seed und eine eigene Passphrase. Die vorhandenen Wallets bleiben unverändert und gesperrt.",
  "wallets.back": "Zurück zu Ihren Wallets",
  "wallets.deleteName":
    "Entfernt wird {name}. Die anderen Wallets dieses Browsers bleiben erhalten.",
};
