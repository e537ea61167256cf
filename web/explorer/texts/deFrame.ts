/** Messages of the explorer in German: the frame of its pages, and the pages that are not about the chain. */
import type { FrameTexts } from "./catalogue.ts";

/** The messages. */
export const deFrame: FrameTexts = {
  "frame.title": "Chain-Explorer",
  "frame.skip": "Zum Inhalt springen",
  "frame.pages": "Seiten",
  "frame.live": "Live",
  "frame.away": "Keine Antwort: letzter Stand",
  "frame.honest":
    "Diese Seiten zeigen, was ein Knoten sagt. Auf den Seiten zu Blöcken, Transaktionen und Geldmenge kann Ihr Browser es nachrechnen. Von anderen Websites wird nichts geladen.",
  "frame.languages": "Sprachen",
  "frame.theme": "Farben",
  "frame.wallet": "Wallet",
  "theme.system": "Wie das System",
  "theme.light": "Hell",
  "theme.dark": "Dunkel",
  "nav.overview": "Übersicht",
  "nav.blocks": "Blöcke",
  "nav.transactions": "Transaktionen",
  "nav.dag": "Graph",
  "nav.charts": "Diagramme",
  "nav.miners": "Miner",
  "nav.network": "Netzwerk",
  "nav.supply": "Geldmenge",
  "nav.check": "Prüfen",
  "nav.data": "Daten",
  "nav.widget": "Widget",
  "find.label":
    "Nach dem Hash eines Blocks oder einer Transaktion, einem Blue Score oder DAA-Score suchen",
  "find.placeholder": "Hash oder Score",
  "find.go": "Suchen",
  "copy.copy": "Kopieren",
  "copy.done": "Kopiert",
  "copy.refused": "Nicht erlaubt",
  "part.failed": "Dieser Teil konnte nicht geladen werden. Die Seite sagt dasselbe in Worten.",
  "pager.label": "Ältere und neuere",
  "pager.newest": "Neueste",
  "pager.older": "Ältere",
  "coverage.nothing": "Der Index des Knotens ist noch leer: Was er zählt, folgt.",
  "coverage.from":
    "Der Index beginnt beim DAA-Score {score} ({time}). Über das, was davor war, sagen diese Seiten nichts.",
  "coverage.rebuilding": "Er wird neu aufgebaut: {percent}.",
  "time.now": "jetzt",
  "time.ago": "vor {time}",
  "time.seconds": "{count} s",
  "time.minutes": "{count} min",
  "time.hours": "{count} h",
  "time.days": { one: "{count} Tag", other: "{count} Tagen" },
  "coins.amount": "{amount} Münzen",
  "count.blocksLeft": { one: "noch {count} Block", other: "noch {count} Blöcke" },
  "data.unreadable": "Diese Antwort ist nicht lesbar.",
  "data.none": "Zurzeit gibt es keine Daten.",
  "data.noIndex": "Dieser Knoten führt keinen Index, deshalb kann er es nicht sagen.",
  "data.stale": "Der Knoten antwortet nicht. Dies war der Stand {age}, um {time}.",
  "data.json": "als JSON",
  "data.csv": "als CSV",
  "data.title": "Öffentliche Daten",
  "data.lead":
    "Alles auf diesen Seiten stammt aus diesen Aufrufen. Sie brauchen keinen Schlüssel, lesen nur und antworten auf einem Knoten und am Edge gleich.",
  "data.rules": "Gut zu wissen",
  "data.ruleCache":
    "Jede Antwort hat ein ETag und sagt, wie lange sie frisch ist. Ist der Knoten weg, kommt 503 mit Retry-After.",
  "data.ruleAmounts": "Beträge in Sompi sind Dezimaltext: In die Zahlen von JSON passen sie nicht.",
  "data.ruleApplied":
    "Eine Transaktion zählt, wenn ihr Status „applied“ ist. Dass ein Block sie trägt oder dass sie bekannt ist, sagt nichts über ihre Wirkung.",
  "data.rulePages":
    "Listen werden mit dem Cursor ihrer letzten Zeile weitergeblättert, sodass neue Blöcke nichts verschieben.",
  "data.openApi": "Die ganze Beschreibung als OpenAPI 3.1",
  "data.calls": "Aufrufe",
  "data.example": "Beispiel einer Antwort",
  "data.try": "Jetzt abfragen",
  "check.here": "Hier geprüft",
  "check.blockNote":
    "Ihr Browser nimmt die Bytes des Blocks und rechnet Hash, Arbeit, Wurzel der Transaktionen und Platz in der Kette nach. Dafür braucht er ein Skript.",
  "check.transactionNote":
    "Ihr Browser rechnet nach, welche ID die Transaktion hat und ob der genannte Block der Kette sie angewendet hat. Dafür braucht er ein Skript.",
  "check.title": "Selbst prüfen",
  "check.lead": "Prüfungen, die der Kern des Knotens in Ihrem Browser macht.",
  "check.local":
    "Was Sie eingeben, bleibt in Ihrem Browser. Nur bei einer Offenlegung erfährt der Server die Transaktionskennung, die öffentlich ist; und bei einer Quittung, wenn Sie nach der Kette fragen, den Block, auf dem sie steht.",
  "check.noScript": "Diese Prüfungen macht ein Skript in Ihrem Browser; es ist abgeschaltet.",
  "check.disclosure": "Offenlegung einer Zahlung",
  "check.disclosureNote":
    "Wer gezahlt hat oder bezahlt wurde, kann eine Offenlegung herausgeben. Sie zeigt Betrag und Empfänger einer Ausgabe jedem, der sie hat, und lässt sich ohne Schlüssel prüfen.",
  "check.receipt": "Quittung einer Zahlung",
  "check.receiptNote":
    "Eine Quittung zeigt, wem wie viel gezahlt wurde und dass die Zahlung in der Kette steht. Sie wird hier ohne eine Anfrage geprüft, auch wenn Ihr Gerät kein Netz hat.",
  "check.address": "Adresse",
  "check.addressNote":
    "Ob eine Adresse vollständig ist und zu welchem Netz sie gehört. Wem sie gehört und was sie hat, sieht niemand.",
  "check.message": "Signierte Nachricht",
  "check.messageNote":
    "Ob eine Nachricht von jemandem signiert wurde, der über eine Adresse verfügt.",
  "widget.title": "Widget für Ihre Website",
  "widget.lead": "Eine kleine Ansicht der Kette in einem Rahmen. Sie folgt den Farben des Systems.",
  "widget.preview": "Vorschau",
  "widget.frameTitle": "Die Kette auf einen Blick",
  "widget.snippet": "In Ihre Seite einfügen",
  "widget.address": "Setzen Sie statt des Beispiels die öffentliche Adresse dieses Servers ein.",
  "widget.privacy":
    "Der Rahmen setzt kein Cookie und lädt nichts von anderen Websites. Sein Server sieht die Adresse jedes Lesers, wie jeder Server.",
  "widget.reward": "Geprägt je Block",
  "widget.estimates": "Die Hashrate ist eine Schätzung.",
  "notFound.title": "Diese Seite gibt es nicht",
  "notFound.lead": "Die Adresse nennt keine Seite dieses Explorers.",
  "notFound.ways": "Weiter von hier",
  "refused.title": "Diese Seite wird gerade nicht gezeigt",
  "refused.tooMany":
    "Von Ihrer Adresse wurde in kurzer Zeit zu viel abgefragt. Teilen Sie die Adresse mit anderen, so zählen auch deren Anfragen.",
  "refused.late": "Der Knoten war nicht rechtzeitig damit fertig.",
  "refused.nothing":
    "Die Seite wurde nicht erstellt und sagt nichts über die Kette: Es fehlen keine Daten.",
  "refused.wait": {
    one: "Fragen Sie in {count} Sekunde noch einmal.",
    other: "Fragen Sie in {count} Sekunden noch einmal.",
  },
  "refused.again": "Diese Seite noch einmal laden",
  "unknown.blockTitle": "Hier gibt es keinen solchen Block",
  "unknown.transactionTitle": "Hier gibt es keine solche Transaktion",
  "unknown.why": "Woran das liegen kann",
  "unknown.never-seen":
    "Der Knoten hat diesen Hash nie gesehen: Kein Block und keine wartende Transaktion hat ihn. Er kann vertippt sein, zu einem anderen Netz gehören oder noch unterwegs sein.",
  "unknown.pruned":
    "Er ist älter als das, was dieser Knoten aufbewahrt: Der Knoten hat ihn entfernt. Ein Archivknoten kann ihn noch haben.",
  "unknown.not-covered":
    "Er liegt außerhalb dessen, was der Index dieses Knotens abdeckt. Deshalb kann der Knoten nicht sagen, ob es diesen Hash gab.",
  "unknown.header-only":
    "Der Knoten hat den Header dieses Blocks und wartet auf seine Transaktionen.",
  "unknown.oneNode":
    "Dies ist die Antwort eines Knotens. Eine Transaktion, die bei einem anderen Knoten wartet, ist hier erst bekannt, wenn sie weitergegeben wurde.",
  "unknown.toOverview": "Zur Übersicht",
  "unknown.tryBlock": "Nach einem Block mit diesem Hash sehen",
  "unknown.tryTransaction": "Nach einer Transaktion mit diesem Hash sehen",
  "search.title": "Suche",
  "search.lead": "Nach dem Hash eines Blocks oder einer Transaktion oder nach einem Score.",
  "search.nothing": "Danach lässt sich nicht suchen",
  "search.noForm": "Das ist weder ein Hash aus 64 hexadezimalen Ziffern noch eine Zahl:",
  "search.how": "Wie die Suche Ihren Hash für sich behält",
  "search.howBucket":
    "Die Seite fragt nach allen Hashes, die mit denselben wenigen Bits beginnen, mindestens 256, und findet Ihren in Ihrem Browser darunter. Der Server erfährt nicht, welchen Sie suchen.",
  "search.howOpen":
    "Wer die Seite eines Blocks oder einer Transaktion öffnet, zeigt dem Server deren Hash. Ohne Skript muss die Suche den Hash selbst senden.",
  "search.empty": "Geben Sie oben einen Hash oder Score ein.",
  "search.result": "Ergebnis",
  "search.looking": "Suche im Bucket …",
  "search.unanswered":
    "Dieser Knoten führt keinen Index, oder er antwortet nicht. Die private Suche braucht einen.",
  "search.notFound": "Der Index enthält diesen Hash nicht.",
  "search.openAnyway": "Den Knoten nach genau diesem Hash fragen, was ihn dem Server zeigt:",
  "search.atScore": "bei DAA-Score {score}",
  "search.isBlock": "Das ist ein Block:",
  "search.isTransaction": "Das ist eine Transaktion:",
  "search.wasTold":
    "Die Adresse dieser Seite enthält den Hash, der Server hat ihn also erfahren. Mit Skript wäre das nicht so.",
  "search.blueScore": "Blue Score {score}",
  "search.daaScore": "DAA-Score {score}",
  "search.noBlocks": "Kein Block hat diesen Score.",
  "search.inGraph": "Diese Minute im Graphen ansehen",
  "bucket.block-chain": "auf der gewählten Kette",
  "bucket.block-blue": "als blau aufgenommen",
  "bucket.block-red": "als rot aufgenommen",
  "bucket.block-other": "nicht aufgenommen",
  "bucket.applied": "von der Kette angewendet",
  "bucket.dropped": "ohne Wirkung",
  "bucket.included": "in einem Block, noch nicht beurteilt",
  "bucket.waiting": "wartet",
};
