/** German sentences of the errors that the wallet page can show. Their data are the registry's. */
import type { Language } from "../language.ts";

/** The sentences, by code and with the slots of the English ones. */
export const deErrors: Language["sentences"] = {
  "amount/malformed": "„{text}“ ist kein Betrag. Schreiben Sie ihn so: 12,5.",
  "amount/zero": "Der Betrag muss größer als null sein.",
  "amount/negative": "Der Betrag darf nicht negativ sein.",
  "amount/too-many-decimals": "Ein Betrag hat höchstens {max} Nachkommastellen.",
  "amount/too-large": "Das ist mehr als alle Münzen, die es je geben wird.",

  "address/missing-prefix": "Der Adresse fehlt vor dem Doppelpunkt der Name ihres Netzes.",
  "address/wrong-network": "Die Adresse gehört zu {found}; diese Wallet ist auf {expected}.",
  "address/bad-character": "Zeichen {position} der Adresse kann in keiner Adresse vorkommen.",
  "address/bad-checksum": "Die Adresse ist vertippt: Ihre Prüfziffern passen nicht.",
  "address/bad-version": "Die Adresse ist von einer Art, die dieses Programm nicht kennt.",
  "address/bad-length": "Die Adresse ist zu kurz oder zu lang.",
  "address/bad-padding": "Die Adresse ist an ihrem Ende beschädigt.",
  "address/bad-key":
    "Die Adresse ist richtig geschrieben, aber niemand könnte mit ihr etwas empfangen.",

  "uri/duplicate-key": "Der Zahlungslink nennt „{key}“ zweimal.",
  "uri/malformed": "Das ist kein Zahlungslink: {reason}.",
  "uri/too-long": "Der Zahlungslink hat {length} Zeichen; gelesen werden höchstens {max}.",
  "uri/unsupported": "Der Zahlungslink verlangt „{key}“, was diese Wallet nicht kennt.",

  "keys/bad-seed": "Der Seed ist kein brauchbarer Schlüssel.",
  "keys/bad-spend-key": "Der Ausgabeschlüssel ist nicht brauchbar.",
  "keys/bad-viewing-key": "Der Ansichtsschlüssel ist nicht brauchbar.",
  "keys/bad-signature": "Die Signatur gehört nicht zu dieser Adresse und Nachricht.",
  "keys/address-mismatch": "Der Ansichtsschlüssel gehört nicht zu dieser Adresse.",
  "keys/random-unavailable":
    "Das System gab keine Zufallszahlen, deshalb wurde kein Schlüssel erzeugt.",

  "codec/bad-checksum": "Die Daten wurden unterwegs beschädigt.",
  "codec/bad-hex": "„{text}“ ist nicht hexadezimal oder hat die falsche Länge.",
  "codec/bad-json": "Die Antwort ist nicht, was erwartet wurde: {reason}.",
  "codec/unexpected-end": "Die Daten enden zu früh.",
  "codec/version": "Die Daten haben das Format {found}; dieses Programm kennt {expected}.",

  "wallet/bad-backup": "Die Sicherungsdatei ist nicht lesbar: {reason}.",
  "wallet/bad-page": "Der Knoten sandte Blöcke, die nicht zu den vorigen passen: {reason}.",
  "wallet/bad-payee": "Empfänger {index}: {reason}",
  "wallet/bad-payout-file": "Zeile {line} der Auszahlungen: {reason}.",
  "wallet/bad-seed":
    "Ein Seed hat 64 hexadezimale Ziffern. Vergleichen Sie ihn mit Ihrer Abschrift.",
  "wallet/bad-signature": "Die Signatur der Aktion {index} gehört nicht zu dieser Zahlung.",
  "wallet/cancelled": "Abgebrochen. Es wurde nichts gesendet.",
  "wallet/exists": "Hier gibt es schon eine Wallet.",
  "wallet/false-record":
    "Der Knoten gab falsche Daten zu Block {index}: {reason}. Was diese Wallet zeigt, kann falsch sein. Wählen Sie einen anderen Knoten und lassen Sie die Kette noch einmal lesen.",
  "wallet/fee-too-high": "Die Gebühr wäre {fee}, mehr als Ihre Grenze von {max}.",
  "wallet/funds-maturing":
    "Nötig sind {needed}, jetzt verfügbar {spendable}; weitere {maturing} reifen noch.",
  "wallet/insufficient-funds": "Nötig sind {needed} mit Gebühr; verfügbar sind {spendable}.",
  "wallet/locked": "Die Wallet ist gesperrt. Entsperren Sie sie mit Ihrer Passphrase.",
  "wallet/memo-too-long": "Die Notiz hat {length} Bytes; es passen höchstens {max}.",
  "wallet/no-anchor":
    "Die Kette ist zu jung, um daraus etwas auszugeben; warten Sie auf weitere Blöcke.",
  "wallet/no-wallet": "Hier gibt es noch keine Wallet.",
  "wallet/node-history-incomplete":
    "Was dieser Knoten aufbewahrt, beginnt bei {from}, nach dem ersten Tag der Wallet, {birthday}: Das Guthaben wäre zu niedrig.",
  "wallet/node-unreachable": "Der Knoten {url} antwortet nicht.",
  "wallet/node-wrong-network": "Der Knoten ist im Netz {found}; diese Wallet ist in {expected}.",
  "wallet/not-synced": "Die Wallet liegt noch {behind} Blöcke hinter der Kette.",
  "wallet/opening": "Die Wallet wird geöffnet; noch ist nichts von ihr bekannt.",
  "wallet/nothing-to-consolidate":
    "Es gibt nichts zusammenzulegen: {notes} Notes von zusammen {sum}, und es würde {fee} kosten.",
  "wallet/page-changed":
    "Der Server hat eine neuere Fassung dieser Seite, und dieser Tab kann die Teile der seinen nicht mehr laden. Es wurde nichts gesendet. Laden Sie die Seite neu.",
  "wallet/partly-sent":
    "Die Zahlung wurde zum Teil gesendet: {sent} von {total} Transaktionen sind unterwegs, dann {reason}",
  "wallet/payment-pending":
    "Eine frühere Zahlung gibt dieselben Notes aus; warten Sie, bis sie in der Kette ist.",
  "wallet/payment-rejected":
    "Dieser Knoten hat die Zahlung abgelehnt: {reason} Er hat die signierten Bytes, die Zahlung kann also noch wirksam werden. Ein neuer Versuch benutzt dieselben Notes: Höchstens eine der beiden kann gezahlt werden.",
  "wallet/payout-twice": "Die Kennung dieser Auszahlung steht schon in Zeile {line}.",
  "wallet/reorg-too-deep":
    "Die Kette hat sich {depth} Blöcke zurück geändert; mehr als {max} lassen sich nicht rückgängig machen. Stellen Sie die Wallet aus ihrem Seed wieder her.",
  "wallet/retry-unsafe":
    "Eine frühere Zahlung an diese Adresse kann noch wirksam werden, und ihre Notes sind jetzt nicht benutzbar. Wer noch einmal aus anderen Notes zahlt, zahlt vielleicht zweimal. Warten Sie, oder fragen Sie einen anderen Knoten.",
  "wallet/storage": "Die Wallet konnte nicht gespeichert oder gelesen werden: {reason}.",
  "wallet/storage-closed":
    "Der Browser speichert diese Wallet nicht mehr, meist weil der Datenträger voll ist. Schaffen Sie auf diesem Gerät Platz und laden Sie die Seite neu. Was bestätigt war, ist sicher, und solange wird nichts gezahlt.",
  "wallet/storage-full":
    "Dieser Browser hat keinen Platz mehr für die Wallet. Schaffen Sie auf diesem Gerät Platz, oder entfernen Sie Daten anderer Websites. Was bestätigt war, ist sicher, und solange wird nichts gezahlt.",
  "wallet/storage-removed":
    "Der Browser hat die Daten dieser Wallet entfernt, oder sie wurden von Hand gelöscht. Ihre Münzen sind in der Kette sicher: Stellen Sie die Wallet aus ihrem Seed wieder her.",
  "wallet/too-few-notes":
    "Das Geld reicht, aber es steckt in zu wenigen Notes: {payable} von {payees} Empfängern können jetzt bezahlt werden, die anderen, wenn das Wechselgeld gereift ist.",
  "wallet/too-many-notes":
    "Die Zahlung braucht {count} Notes; eine Transaktion nimmt {max}. Senden Sie zuerst einen kleineren Betrag.",
  "wallet/too-many-payees": "Die Zahlung hat {count} Empfänger; eine Transaktion nimmt {max}.",
  "wallet/tree-mismatch":
    "Der Notenbaum der Wallet weicht von dem des Knotens ab; die Kette muss noch einmal gelesen werden.",
  "wallet/watch-only":
    "Diese Wallet hat nur einen Ansichtsschlüssel: Ihr Seed ist an einem anderen Ort.",
  "wallet/weak-passphrase": "Die Passphrase braucht mindestens {min} Zeichen.",
  "wallet/worker-failed": "Ein Hintergrundprozess der Wallet hat angehalten: {reason}.",
  "wallet/wrong-passphrase": "Diese Passphrase öffnet die Wallet nicht.",

  "tx/anchor-not-final":
    "Die Zahlung wurde gegen einen Stand bewiesen, der hier nicht endgültig ist; machen Sie sie neu.",
  "tx/anchor-too-old": "Die Zahlung wurde vor zu langer Zeit bewiesen; machen Sie sie neu.",
  "tx/invalid-proof": "Der Beweis der Zahlung oder eine ihrer Signaturen ist ungültig: {reason}.",
  "tx/nullifier-spent": "Eine Note dieser Zahlung ist schon ausgegeben.",

  "mempool/already-applied": "Die Zahlung ist schon in der Kette.",
  "mempool/duplicate": "Die Zahlung wartet schon.",
  "mempool/fee-too-low": "Die Gebühr von {fee} liegt unter dem Mindestbetrag von {minimum}.",
  "mempool/full": "Der Knoten hat keinen Platz für weitere wartende Zahlungen.",
  "mempool/mass-too-high": "Die Masse der Zahlung ist {mass}; Knoten geben höchstens {max} weiter.",
  "mempool/nullifier-conflict": "Eine andere wartende Zahlung gibt dieselbe Note aus.",
  "mempool/verification-queue-full":
    "Der Knoten prüft gerade andere Zahlungen; versuchen Sie es gleich noch einmal.",

  "prove/assets-damaged": "Die Daten des Beweissystems sind nicht brauchbar: {reason}.",
  "prove/bad-plan": "Die Zahlung lässt sich so nicht beweisen: {reason}.",
  "prove/check-failed":
    "Der gemachte Beweis stimmt nicht ({reason}), deshalb wurde nichts gesendet: Dieses Programm oder dieser Rechner rechnet falsch.",
  "prove/failed": "Das Beweisen ist fehlgeschlagen: {reason}.",
  "prove/missing-signature": "Ausgabe {index} der Zahlung hat keine Signatur.",
  "prove/unbalanced":
    "Eingänge von {inputs} decken Ausgänge von {outputs} und die Gebühr von {fee} nicht.",

  "evidence/behind-other":
    "Ein anderer Knoten zeigt Arbeit bis zum Blue Score {other}, dieser nur bis {found}.",
  "evidence/below-level":
    "Der Kopf {hash} erreicht die Blockstufe {level}; seine Reihe behauptet {min}.",
  "evidence/contradicted":
    "Dieser Knoten hat Block {block} verlassen, über dem die Arbeit des Netzes gezeigt war.",
  "evidence/foreign-coinbase": "Die gezeigte Transaktion ist nicht die Coinbase des Blocks {hash}.",
  "evidence/no-log": "Der Stand des Blocks {block} enthält kein Verzeichnis der Kette.",
  "evidence/no-parent": "Block {hash} hat keinen Vorgänger, dessen Stand er zeigen könnte.",
  "evidence/not-in-tree": "Die gezeigte Note steht nicht im Baum {root}.",
  "evidence/not-linked": "Der Kopf {hash} folgt nicht aus dem davor.",
  "evidence/not-member":
    "Der Pfad des Eintrags {index} führt nicht zum Verzeichnis der Kette von {count} Blöcken.",
  "evidence/not-shown": "Dieser Knoten zeigt die Arbeit über seinen Blöcken nicht: {reason}.",
  "evidence/other-challenge": "Die Quittung wurde nicht für den verlangten Text gemacht.",
  "evidence/other-coins":
    "Dieser Knoten nannte andere geminte Münzen, als die, auf die sich die Kette bei Block {block} festlegt.",
  "evidence/other-header": "Die Belege handeln von verschiedenen Köpfen: {found} statt {expected}.",
  "evidence/other-network": "Die Quittung gehört zum Netz {found}; dieses ist {expected}.",
  "evidence/other-notes":
    "Dieser Knoten hat Zahlungen weggelassen oder erfunden: Bei Block {block} legt sich die Kette auf andere Notes fest.",
  "evidence/other-nullifiers":
    "Dieser Knoten hat Ausgaben weggelassen oder erfunden: Bei Block {block} legt sich die Kette auf andere Nullifier fest.",
  "evidence/other-page": "Ein anderer Knoten erzählt anderes von den Daten nach Block {block}.",
  "evidence/other-payload": "Zahlung {txid} ist nicht die, die dieser Knoten genannt hat.",
  "evidence/other-scores":
    "Dieser Knoten nannte einen anderen Score oder eine andere Zeit von Block {block}: {found} statt {expected}.",
  "evidence/other-state":
    "Die gezeigten Teile sind nicht der Stand, auf den sich die Coinbase festlegt: {found} statt {expected}.",
  "evidence/stale-tip":
    "Der neueste Block, den dieser Knoten zeigt, ist älter, als die Uhr erlaubt.",
  "evidence/too-easy":
    "Ein Kopf hat die Schwierigkeit {bits}; das ist leichter als die Untergrenze {floor}.",
  "evidence/too-few-headers":
    "Die Reihe zeigt {count} Köpfe ihrer Blockstufe; nötig sind mindestens {min}.",
  "evidence/unknown-work": "Dieses Programm kennt noch keine Arbeit dieses Netzes.",

  "chain/no-common-block": "Keiner der genannten Blöcke ist auf der gewählten Kette.",
  "chain/not-on-chain":
    "Der Block hat die gewählte Kette verlassen; der letzte gemeinsame ist {commonHash}.",
  "chain/pruned": "Block {hash} ist zu alt; so alte Blöcke werden nicht mehr aufbewahrt.",
  "chain/unknown-block": "Block {hash} ist unbekannt.",
  "chain/unknown-transaction": "Transaktion {txid} ist unbekannt.",

  "engine/abi-mismatch":
    "Der Kern hat die Version {found}, das Programm braucht {expected}; bauen Sie beide neu.",
  "engine/bad-call": "Der Kern wurde falsch aufgerufen: {reason}.",
  "engine/not-imported": "Der Knoten holt noch den Stand, von dem er ausgeht.",
  "engine/out-of-memory":
    "Dafür reicht der Speicher nicht; schließen Sie andere Programme oder nehmen Sie ein Gerät mit mehr.",
  "engine/overflow": "Der Stand der Kette passt nicht in seinen Typ: {what}.",
  "engine/panic": "Der Kern hat wegen eines Fehlers angehalten: {message}.",
  "engine/restarted": "Der Kern wurde neu gestartet; versuchen Sie es noch einmal.",

  "http/bad-request": "Die Anfrage ist fehlerhaft: {reason}.",
  "http/body-too-large": "Die Anfrage hat {length} Bytes; angenommen werden höchstens {max}.",
  "http/forbidden": "Dieser Aufruf ist nur auf diesem Rechner möglich.",
  "http/foreign-host":
    "Dieser Server heißt nicht {host}; sein Betreiber kann den Namen hinzufügen.",
  "http/foreign-origin":
    "Seiten von {origin} dürfen diesen Server nicht benutzen; sein Betreiber kann es erlauben.",
  "http/not-found": "Unter {path} gibt es nichts.",
  "http/timeout": "Die Anfrage dauerte länger als {ms} ms.",
  "http/tls-only": "Dieser Port spricht TLS: Schreiben Sie https:// statt http://.",
  "http/too-many-connections":
    "Mehr als {max} Verbindungen sind offen; versuchen Sie es später noch einmal.",
  "http/too-many-requests": "Zu viele Anfragen; versuchen Sie es in {retryAfter} s noch einmal.",
  "http/unavailable": "Der Server kann gerade nicht antworten: {reason}.",

  "internal/erased-secret": "Ein Geheimnis wurde benutzt, nachdem es gelöscht war.",
  "internal/unexpected": "Etwas ging schief, das nicht schiefgehen sollte: {message}.",

  "live/bad-frame": "Über die Live-Verbindung kam etwas, das sie nicht kennt: {reason}.",
  "live/closed": "Die Live-Verbindung wurde geschlossen: {reason}.",
  "live/too-slow": "Die Live-Verbindung fiel um mehr als {window} Blöcke zurück.",

  "queue/closed": "Das Programm hält an ({queue}).",
  "queue/full": "Zu viel auf einmal: {queue} fasst schon {limit}.",
  "queue/too-fast": "Zu viele {kind} in kurzer Zeit; versuchen Sie es in {retryMs} ms noch einmal.",

  "run/aborted": "Abgebrochen.",
  "run/timeout": "{what} dauerte länger als {limitMs} ms.",

  "store/version":
    "Die gespeicherten Daten haben das Format {found}; dieses Programm liest {expected}. Ein höheres ist von einem neueren Programm: Nehmen Sie dieses. Ein niedrigeres wird auf den neuen Stand gebracht, wenn ein Knoten oder eine Wallet dieses Programms damit startet.",
};
