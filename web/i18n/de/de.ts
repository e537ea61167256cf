/** German message catalogue of the pages. */
import type { Catalogue } from "../catalogue.ts";
import { deAppearance } from "./deAppearance.ts";
import { deCautions } from "./deCautions.ts";
import { deDevice } from "./deDevice.ts";
import { deEvidence } from "./deEvidence.ts";
import { deFace } from "./deFace.ts";
import { deHistoryFile } from "./deHistoryFile.ts";
import { deStart } from "./deStart.ts";
import { deKeys } from "./deKeys.ts";
import { deLabels } from "./deLabels.ts";
import { deReceive } from "./deReceive.ts";
import { deMerging } from "./deMerging.ts";
import { deMessages } from "./deMessages.ts";
import { deMoney } from "./deMoney.ts";
import { dePayees } from "./dePayees.ts";
import { deNodes } from "./deNodes.ts";
import { deReceipt } from "./deReceipt.ts";
import { deSigner } from "./deSigner.ts";
import { deTabs } from "./deTabs.ts";

/** The messages. */
export const de: Catalogue = {
  "amount.unit": "Münzen",
  "amount.unitOne": "Münze",
  "amount.withUnit": "{amount} {unit}",

  "time.seconds": { one: "{count} Sekunde", other: "{count} Sekunden" },
  "time.minutes": { one: "{count} Minute", other: "{count} Minuten" },
  "time.minutesSeconds": "{minutes} min {seconds} s",
  "time.hours": { one: "{count} Stunde", other: "{count} Stunden" },
  "time.days": { one: "{count} Tag", other: "{count} Tage" },

  "copy.copy": "Kopieren",
  "copy.done": "Kopiert",
  "copy.refused": "Nicht erlaubt",
  "dialog.close": "Schließen",
  "form.back": "Zurück",
  "form.cancel": "Abbrechen",
  "form.save": "Speichern",

  "app.title": "Wallet",
  "app.skip": "Zum Inhalt springen",
  "app.navigation": "Hauptmenü",
  "app.starting": "Die Wallet startet …",
  "app.elsewhereTitle": "Die Wallet ist in einem anderen Tab geöffnet",
  "app.elsewhereText":
    "Nur ein Tab kann sie benutzen, damit keine Münze zweimal ausgegeben wird. Schließen Sie sie dort, dann öffnet sie sich hier von selbst.",
  "app.elsewhereTake": "Hier benutzen",
  "app.movedTitle": "Die Wallet ist in einen anderen Tab gewechselt",
  "app.movedText": "Dieser Tab hat sich gesperrt und hat keine Schlüssel mehr.",
  "app.insecureTitle": "Diese Verbindung ist für eine Wallet nicht sicher genug",
  "app.insecureText":
    "Öffnen Sie die Seite über HTTPS oder auf dem Rechner, der sie ausliefert. Sonst könnte jeder auf dem Weg ändern, was sie tut. Wer sie ausliefert, kann das in jedem Fall: Öffnen Sie eine Wallet nur von einem Server, der Ihnen gehört oder dem Sie vertrauen.",
  "app.otherPaysTitle": "Der andere Tab macht gerade eine Zahlung",
  "app.otherPaysText":
    "Davon wurde noch nichts gesendet. Wenn Sie die Wallet hier benutzen, wird diese Zahlung abgebrochen.",
  "app.otherPaysTake": "Zahlung abbrechen und hier benutzen",

  "lock.title": "Zahlung abbrechen und sperren?",
  "lock.text":
    "Eine Zahlung wird vorbereitet, und noch wurde nichts davon gesendet. Das Sperren entfernt die Schlüssel, die Zahlung würde also abgebrochen.",
  "lock.confirm": "Abbrechen und sperren",
  "lock.stay": "Weiter bezahlen",
  "app.brokenTitle": "Die Wallet musste anhalten",
  "app.reload": "Seite neu laden",
  "app.crashTitle": "Diese Ansicht funktioniert nicht mehr",
  "app.crashText": "Ihre Münzen sind sicher: Beim Neuladen der Seite geht nichts verloren.",

  "nav.home": "Start",
  "nav.receive": "Empfangen",
  "nav.send": "Senden",
  "nav.history": "Verlauf",
  "nav.settings": "Optionen",
  "nav.lock": "Sperren",
  "nav.explorer": "Explorer",

  "network.privateTitle": "Dieser Knoten gehört zu einem privaten Netz",
  "network.privateText":
    "Das Programm kennt dieses Netz nicht. Fahren Sie nur fort, wenn sein Betreiber Ihnen denselben Namen und denselben Digest genannt hat.",
  "network.name": "Name",
  "network.digest": "Digest des Profils",
  "network.accept": "Ich habe beides geprüft: dieses Netz benutzen",
  "network.builtIn": "Eingebaut",
  "network.private": "Privat",
  "network.waiting": "Warten auf den Knoten {url} …",
  "network.refusedTitle": "Dieser Knoten kann nicht benutzt werden",
  "network.refusedText":
    "Er benutzt den Namen eines Netzes, das dieses Programm kennt, mit anderen Regeln. Es wurde ihm nichts gesendet.",

  "welcome.title": "Ihre eigene private Wallet",
  "welcome.text":
    "Beträge, Zahler und Empfänger bleiben auf der Kette verborgen. Schlüssel entstehen in diesem Browser, Beweise werden hier berechnet, und weder die einen noch die anderen verlassen ihn.",
  "welcome.create": "Wallet erstellen",
  "welcome.createText": "Ein neuer Seed, den Sie aufschreiben.",
  "welcome.restore": "Wallet wiederherstellen",
  "welcome.restoreText": "Aus einem Seed von 64 hexadezimalen Ziffern.",
  "welcome.trust":
    "Diese Seite kommt von {origin}, ebenso die Antworten über die Kette. Wer diesen Server betreibt, könnte die Seite ändern und die Schlüssel nehmen: Benutzen Sie Ihren eigenen Knoten oder einen, dem Sie vertrauen.",
  "welcome.trustTwo":
    "Diese Seite kommt von {origin}: Wer diesen Server betreibt, könnte sie ändern und die Schlüssel nehmen. Der Knoten {node} sieht Ihre Anfragen, nie die Schlüssel.",

  "passphrase.title": "Passphrase wählen",
  "passphrase.text":
    "Sie verschlüsselt den Seed in diesem Browser. Niemand kann sie zurücksetzen; mit dem aufgeschriebenen Seed können Sie die Wallet immer wiederherstellen.",
  "passphrase.label": "Passphrase",
  "passphrase.again": "Passphrase wiederholen",
  "passphrase.hint": "Mindestens {min} Zeichen. Mehrere Wörter ohne Zusammenhang sind gut.",
  "passphrase.differs": "Die beiden Passphrasen sind verschieden.",
  "passphrase.show": "Passphrase zeigen",
  "passphrase.hide": "Passphrase verbergen",
  "passphrase.working": "Wird verschlüsselt …",

  "create.submit": "Wallet erstellen",
  "restore.title": "Wallet wiederherstellen",
  "restore.seed": "Seed",
  "restore.seedHint":
    "64 hexadezimale Ziffern und, wenn Sie sie haben, die 8 Prüfziffern. Leerzeichen sind egal.",
  "restore.seedChecked": "Die Prüfziffern passen.",
  "restore.seedUnchecked":
    "Ohne Prüfziffern fällt eine falsche Ziffer nicht auf; es würde eine andere, leere Wallet wiederhergestellt.",
  "restore.seedCharacter":
    "„{character}“, Zeichen {position}, kann nicht zu einem Seed gehören: Er hat die Ziffern 0 bis 9 und die Buchstaben a bis f.",
  "restore.seedCheckFails": "Die Prüfziffern passen nicht: Mindestens eine Ziffer ist falsch.",
  "restore.seedLength": {
    one: "Es ist {count} Ziffer; ein Seed hat 64, mit seinen Prüfziffern 72.",
    other: "Es sind {count} Ziffern; ein Seed hat 64, mit seinen Prüfziffern 72.",
  },
  "restore.seedCount": "{count} / {max}",
  "restore.when": "Wann wurde diese Wallet zuerst benutzt?",
  "restore.whenHint":
    "Kann fehlen. Zahlungen vor diesem Tag würden nicht gefunden: Lassen Sie es im Zweifel leer.",
  "restore.whenFuture": "Dieser Tag liegt in der Zukunft.",
  "restore.submit": "Wallet wiederherstellen",

  "backup.title": "Schreiben Sie Ihren Seed auf",
  "backup.text":
    "Diese 64 Zeichen sind Ihr Geld. Wer sie hat, kann es ausgeben, und ohne sie bringt es niemand zurück. Die 8 Prüfziffern danach zeigen Fehler beim Abschreiben.",
  "backup.show": "Seed zeigen",
  "backup.group": "Gruppe {number}",
  "backup.check": "Prüfziffern",
  "backup.date":
    "Wallet erstellt am {date}. Schreiben Sie auch den Tag auf: Das Wiederherstellen geht damit schneller.",
  "backup.written": "Ich habe ihn aufgeschrieben",
  "backup.checkTitle": "Prüfen Sie Ihre Abschrift",
  "backup.checkText": "Geben Sie diese Gruppen von Ihrer Abschrift ein.",
  "backup.wrong": "Das wurde nicht gezeigt. Sehen Sie noch einmal auf Ihre Abschrift.",
  "backup.again": "Seed noch einmal zeigen",
  "backup.confirm": "Abschrift bestätigen",
  "backup.later": "Später erledigen",
  "backup.missingTitle": "Der Seed ist nicht gesichert",
  "backup.missingText":
    "Gehen die Daten dieses Browsers verloren, sind die Münzen verloren. Schreiben Sie den Seed auf und prüfen Sie ihn.",
  "backup.missingAction": "Jetzt sichern",

  "unlock.title": "Wallet entsperren",
  "unlock.submit": "Entsperren",
  "unlock.working": "Wird entsperrt …",
  "unlock.pause": { one: "{count} Sekunde warten", other: "{count} Sekunden warten" },
  "unlock.forgot": "Passphrase vergessen?",
  "unlock.forgotText":
    "Sie lässt sich nicht zurückholen. Entfernen Sie die Wallet aus diesem Browser und stellen Sie sie aus dem aufgeschriebenen Seed wieder her.",
  "unlock.remove": "Wallet entfernen …",

  "status.opening": "Verbindung zum Knoten …",
  "status.offline": "Der Knoten antwortet nicht",
  "status.scanning": "Die Kette wird gelesen",
  "status.catchingUp": "Holt auf",
  "status.ready": "Aktuell",
  "status.degraded": "Bitte beachten",
  "status.behind": { one: "noch {count} Block", other: "noch {count} Blöcke" },
  "status.asOf": "Stand: {time}",
  "status.progress": "Fortschritt beim Lesen der Kette",

  "home.total": "Guthaben",
  "home.atLeast":
    "Mindestens: Was dieser Knoten aufbewahrt, beginnt nach dem ersten Tag Ihrer Wallet.",
  "home.olderSince":
    "Mindestens: Das ist seit dem {date} eingegangen. Zum Zahlen müssen Sie den Rest nicht abwarten.",
  "home.olderFailed":
    "Mindestens: Das ist seit dem {date} eingegangen. Ältere Blöcke lassen sich gerade nicht lesen; die Wallet versucht es wieder.",
  "home.olderReading": "Ältere Blöcke werden gelesen",
  "home.olderProgress": "Fortschritt bei den älteren Blöcken",
  "home.unknown": "Ihre Münzen werden gesucht …",
  "home.spendable": "Verfügbar",
  "home.spendableHint": { one: "In 1 Note", other: "In {count} Notes" },
  "home.maturing": "Bald verfügbar",
  "home.maturingNone": "Nichts wartet",
  "home.maturingNext": "Die nächste: noch etwa {time}",
  "home.maturingStopped": "Wartet auf den Knoten",
  "home.pending": "Unterwegs",
  "home.pendingNone": "Nichts unterwegs",
  "home.pendingIn": "Eingehend: {amount}",
  "home.pendingOut": "Ausgehend: {amount}",
  "home.returning": "Wechselgeld: {amount}",
  "home.maturingTitle": "Was bald verfügbar ist",
  "home.maturingText":
    "Eine Note lässt sich ausgeben, sobald ihr Block so tief liegt, dass die Kette es sich nicht mehr anders überlegt.",
  "home.maturingIn": "noch etwa {time}",
  "home.maturingBlocks": { one: "{count} Block", other: "{count} Blöcke" },
  "home.recent": "Neueste",
  "home.all": "Ganzer Verlauf",
  "home.searching": "Zahlungen erscheinen hier, während die Kette gelesen wird.",
  "home.guessedTitle": "Fehlt etwas?",
  "home.guessedText":
    "Diese Wallet wurde ab zwei Tage vor dem Tag gelesen, den Sie angegeben haben. Ältere Zahlungen sind in diesen Zahlen nicht enthalten.",
  "home.emptyTitle": "Noch nichts da",

  "problem.title": "Wallet und Knoten passen nicht zusammen",
  "problem.scanHelps":
    "Der Knoten kennt die Blöcke nicht mehr, an die sich diese Wallet erinnert, oder erzählt anderes von ihnen, zum Beispiel weil seine Kette neu begann. Wird von Anfang an gelesen, gilt die Kette, wie der Knoten sie jetzt hat; Zahlungen in Vorbereitung bleiben erhalten.",
  "problem.scan": "Von Anfang an lesen",

  "receive.title": "Empfangen",
  "receive.text":
    "Geben Sie diese Adresse dem, der Sie bezahlt. Jede Ihrer Adressen führt zu derselben Wallet, und niemand kann erkennen, dass sie zusammengehören.",
  "receive.qr": "Die Adresse als QR-Code",
  "receive.address": "Ihre Adresse",
  "receive.number": "Adresse {number}",
  "receive.new": "Neue Adresse",
  "receive.mine": "Für diese Wallet minen",
  "receive.mineStop": "Nicht mehr dafür minen",
  "receive.mining":
    "Der lokale Knoten mint für diese Wallet, an ihre erste Adresse, gleich welche oben steht. Angehalten macht er weiter, ohne jemanden zu bezahlen.",
  "receive.mineTitle": "Lokales Netz",
  "receive.mineText":
    "Dieser Knoten betreibt ein eigenes Testnetz. Lassen Sie ihn für diese Wallet minen, und in Sekunden kommen Münzen an.",

  "send.title": "Senden",
  "send.linkAction": "Einfügen",
  "send.linkLabel":
    "Darin heißt der Empfänger „{label}“. Das kann jeder schreiben; prüfen Sie die Adresse.",
  "send.to": "An",
  "send.toHint": "Eine Adresse dieses Netzes; sie beginnt mit {hrp}:",
  "send.amount": "Betrag",
  "send.available": "Sie können {amount} senden",
  "send.max": "Alles",
  "send.memo": "Notiz",
  "send.memoHint": "Wird verschlüsselt mitgeschickt; nur der Empfänger kann sie lesen.",
  "send.memoCount": "{count} / {max} Bytes",
  "send.fee": "Gebühr",
  "send.review": "Prüfen",
  "send.reviewTitle": "Prüfen Sie die Zahlung",
  "send.total": "Zusammen",
  "send.self": "Das ist eine Ihrer eigenen Adressen: Nur die Gebühr verlässt die Wallet.",
  "send.confirm": "{amount} senden",
  "send.nothingYet": "Noch wurde nichts gesendet.",
  "send.edit": "Ändern",
  "send.notReady": "Die Wallet muss auf dem neuesten Stand sein, bevor sie zahlen kann.",
  "send.proofNote":
    "Der Beweis wird in diesem Browser berechnet und braucht einen Moment; die Seite bleibt benutzbar.",
  "send.progress": "Fortschritt der Zahlung",
  "send.stageBuilding": "Vorbereiten",
  "send.stageProving": "Beweisen",
  "send.stageSigning": "Signieren",
  "send.stageBroadcasting": "Übergeben",
  "send.buildingText": "Notes werden gewählt, und der Beweiser wird vorbereitet",
  "send.provingText": "Der Zero-Knowledge-Beweis wird berechnet",
  "send.signingText":
    "Der Beweis wird mit dem verglichen, was Sie bestätigt haben, und dann signiert",
  "send.broadcastingText": "Die Zahlung wird dem Knoten übergeben",
  "send.elapsed": "bisher {time}",
  "send.cancel": "Zahlung abbrechen",
  "send.sentTitle": "Zahlung gesendet",
  "send.sentText":
    "Der Knoten hat sie angenommen. Sie ist noch in keinem Block; der Verlauf zeigt, wie tief sie in der Kette dieses Knotens liegt.",
  "send.queuedTitle": "Zahlung signiert",
  "send.queuedText":
    "Noch hat sie kein Knoten angenommen. Sie ist in diesem Browser sicher, und die Wallet bietet sie weiter an.",
  "send.rivalTitle": "Eine andere Zahlung mit denselben Münzen ist bekannt",
  "send.replacedTitle": "Nicht gezahlt: Eine andere Zahlung hat dieselben Münzen ausgegeben",
  "send.failedTitle": "Die Zahlung wurde nicht gesendet",
  "send.refusedTitle": "Von diesem Knoten abgelehnt: Sie kann noch wirksam werden",
  "send.repeatsTitle": "Eine frühere Zahlung kann noch wirksam werden",
  "send.repeats":
    "Sie haben schon an diese Adresse gezahlt, und was daraus wurde, steht noch nicht fest. Diese Zahlung benutzt dieselben Notes: Höchstens eine der beiden kann gezahlt werden.",
  "send.repeatsApart":
    "Sie haben schon an diese Adresse gezahlt, und was daraus wurde, steht noch nicht fest. Die Notes jener Zahlung sind jetzt nicht benutzbar: Es könnten beide gezahlt werden. Warten Sie, fragen Sie einen anderen Knoten, oder zahlen Sie noch einmal, wenn beide gewollt sind.",
  "send.repeatsReplaced":
    "Eine frühere Zahlung an diese Adresse wurde nicht gezahlt: Nach den Blöcken dieses Knotens hat eine andere Zahlung ihre Münzen ausgegeben. Stimmt das nicht, so könnten beide gezahlt werden. Fragen Sie im Zweifel einen anderen Knoten, oder zahlen Sie noch einmal.",
  "send.separate": "Noch einmal zahlen, aus anderen Notes",
  "send.cancelledTitle": "Zahlung abgebrochen",
  "send.another": "Noch eine senden",
  "send.retry": "Zurück zur Zahlung",
  "send.done": "Fertig",

  "rival.ownWaits":
    "Dieser Knoten kennt eine frühere Zahlung dieser Wallet mit denselben Münzen. Höchstens eine der beiden kann gezahlt werden; die nächsten Blöcke entscheiden, welche.",
  "rival.elsewhereWaits":
    "Dieser Knoten kennt eine andere Zahlung mit denselben Münzen. Diese Wallet hat sie nicht gemacht: Wenn der Knoten recht hat, war es eine andere Wallet mit demselben Seed. Höchstens eine der beiden kann gezahlt werden; die nächsten Blöcke entscheiden, welche.",
  "rival.ownPaid":
    "Nach den Blöcken dieses Knotens hat eine andere Zahlung dieser Wallet dieselben Münzen ausgegeben. Diese wurde nicht gezahlt.",
  "rival.elsewherePaid":
    "Nach den Blöcken dieses Knotens hat eine andere Zahlung dieselben Münzen zuerst ausgegeben. Diese Wallet hat sie nicht gemacht: Wenn der Knoten recht hat, war es eine andere Wallet mit demselben Seed. Diese Zahlung wurde nicht gezahlt. Münzen, die die andere übrig ließ, sind wieder frei.",

  "history.title": "Verlauf",
  "history.search": "Suchen",
  "history.searchHint": "Betrag, Notiz, Anmerkung, Adresse oder Transaktion",
  "history.filter": "Zeigen",
  "history.all": "Alle",
  "history.received": "Empfangen",
  "history.sent": "Gesendet",
  "history.mined": "Gemint",
  "history.count": { one: "{count} Eintrag", other: "{count} Einträge" },
  "history.more": "Mehr zeigen",
  "history.none": "Kein Eintrag passt.",
  "history.empty": "Noch keine Zahlungen.",

  "row.received": "Empfangen",
  "row.sent": "Gesendet",
  "row.mined": "Gemint",
  "row.self": "An Sie selbst",
  "row.working": "In Vorbereitung",
  "row.payment": "Zahlung",
  "row.waiting": "Wartet auf einen Block",
  "row.untaken": "Wartet auf einen Knoten",
  "row.arriving": "Kommt an",
  "row.settled": "Von diesem Knoten bestätigt",
  "row.refused": "Von diesem Knoten abgelehnt",
  "row.failed": "Fehlgeschlagen",
  "row.cancelled": "Abgebrochen",
  "row.draft": "Nicht gesendet",
  "row.conflicted": "Ersetzt",
  "row.expired": "Zu alt, sagt dieser Knoten",

  "detail.amount": "Betrag",
  "detail.fee": "Gebühr",
  "detail.to": "An",
  "detail.at": "Empfangen an",
  "detail.address": "Ihre Adresse {number}",
  "detail.memo": "Notiz",
  "detail.memoBytes": "Notiz (Bytes)",
  "detail.date": "Datum",
  "detail.state": "Zustand",
  "detail.confirmations": {
    one: "{state}, {count} Block tief",
    other: "{state}, {count} Blöcke tief",
  },
  "detail.block": "Kettenblock",
  "detail.transaction": "Transaktion",
  "detail.forget": "Aus der Liste entfernen",
  "detail.again": "Noch einmal ausfüllen",
  "detail.open": "Einzelheiten dieses Eintrags",

  "settings.title": "Optionen",
  "settings.appearance": "Darstellung",
  "settings.themeSystem": "Wie das System",
  "settings.themeLight": "Hell",
  "settings.themeDark": "Dunkel",
  "settings.theme": "Farben",
  "settings.network": "Netz",
  "settings.nodeOnline": "Antwortet",
  "settings.nodeOffline": "Antwortet nicht",
  "settings.nodeConnecting": "Verbindet sich",
  "settings.nodeRefused": "Abgelehnt",
  "settings.nodeLive": "Live-Verbindung",
  "settings.nodeLiveYes": "Ja",
  "settings.nodeLiveNo": "Nein, es wird alle paar Sekunden gefragt",
  "settings.nodePool": "Wartende Zahlungen",
  "settings.retry": "Jetzt erneut versuchen",
  "settings.security": "Sicherheit",
  "settings.lockText": "Entfernt alle Schlüssel aus dem Speicher.",
  "settings.lock": "Jetzt sperren",
  "settings.seedText":
    "Zeigt den Seed und seine Prüfziffern, nachdem nach der Passphrase gefragt wurde.",
  "settings.seed": "Seed zeigen",
  "settings.rescanText":
    "Liest die Kette noch einmal, vom ersten Block der Wallet oder von dem der Kette an. Zahlungen in Vorbereitung bleiben erhalten.",
  "settings.rescan": "Noch einmal lesen",
  "settings.rescanAll": "Von Anfang an",
  "settings.rescanBegun": "Das Lesen hat neu begonnen.",
  "settings.kept":
    "Dieser Browser hat zugesagt, die Daten der Wallet zu behalten, bis Sie sie entfernen.",
  "settings.notKept":
    "Dieser Browser hat nicht zugesagt, die Daten der Wallet zu behalten: Er kann sie löschen, wenn der Platz knapp wird, und ein privates Fenster vergisst sie beim Schließen. Der aufgeschriebene Seed bringt die Wallet zurück.",
  "settings.danger": "Entfernen",
  "settings.deleteText":
    "Entfernt Wallet und Verlauf aus diesem Browser. Nur der aufgeschriebene Seed oder eine Sicherungsdatei bringt sie zurück; Kontakte, Namen und Anmerkungen kommen nur mit der Datei wieder.",
  "settings.delete": "Wallet entfernen …",

  "about.title": "Über dieses Programm",
  "about.text":
    "Wer {origin} betreibt, könnte ein anderes Programm ausliefern, und das könnte hier jeden Hash zeigen. Vergleichen Sie von außen: npm run hashes baut in Ihrer eigenen Kopie des Quelltexts dieselben Dateien und prüft die eines Servers.",
  "about.servedBy": "Ausgeliefert von",
  "about.variant": "Variante",
  "about.variantListed": "Für aufgezählte Knoten",
  "about.variantAny": "Für jeden Knoten",
  "about.hash": "Hash aller Dateien",
  "about.reading": "Wird gelesen …",
  "about.none": "Vom Server nicht genannt",
  "about.files": {
    one: "{count} Datei mit ihrem SHA-256",
    other: "{count} Dateien mit ihrem SHA-256",
  },

  "reveal.title": "Seed zeigen",
  "reveal.text": "Wer ihn sieht, kann alles nehmen. Er steht nur auf diesem Bildschirm.",
  "reveal.submit": "Zeigen",

  "delete.title": "Diese Wallet entfernen?",
  "delete.text":
    "Schlüssel, Adressen, Verlauf, Kontakte und Anmerkungen werden aus diesem Browser gelöscht. Die Münzen bleiben auf der Kette, und nur der Seed erreicht sie.",
  "delete.backupMissing": "Sie haben keine Abschrift dieses Seeds bestätigt.",
  "delete.confirm": "Ich habe den Seed aufgeschrieben, oder ich will diese Münzen aufgeben.",
  "delete.submit": "Wallet entfernen",

  ...deAppearance,
  ...deCautions,
  ...deDevice,
  ...deEvidence,
  ...deFace,
  ...deHistoryFile,
  ...deStart,
  ...deKeys,
  ...deLabels,
  ...deReceive,
  ...deMerging,
  ...deMessages,
  ...deMoney,
  ...dePayees,
  ...deTabs,
  ...deNodes,
  ...deReceipt,
  ...deSigner,
};
