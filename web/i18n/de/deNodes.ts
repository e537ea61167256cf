/** German message catalogue of the list of nodes and their roles, a part of `de.ts`. */
import type { enNodes } from "../en/enNodes.ts";
import type { Message } from "../message.ts";

/** The messages. */
export const deNodes: { readonly [K in keyof typeof enNodes]: Message } = {
  "nodes.title": "Knoten",
  "nodes.text":
    "Die Wallet folgt einem Knoten. Ein anderer wird mit ihm verglichen und bekommt Ihre Zahlungen, sodass kein Knoten beides sieht, was Sie ansehen und was Sie zahlen. Solange diese Liste offen ist, wird jeder nach seinem neuesten Block gefragt.",
  "nodes.roleFollowed": "Ihm wird gefolgt",
  "nodes.roleSecond": "Zweite Meinung",
  "nodes.roleReplaced": "Zweite Meinung: ein anderer Knoten vertritt ihn",
  "nodes.roleSpare": "In Reserve",
  "nodes.rolePays": "Zahlungen gehen hierhin",
  "nodes.roleNone": "Nicht benutzt",
  "nodes.state": "Zustand",
  "nodes.refused": "Abgelehnt: ein anderes Netz",
  "nodes.unasked": "Noch nicht gefragt",
  "nodes.asked": "Zuletzt gefragt",
  "nodes.answer": "Geantwortet in",
  "nodes.answerMs": "{time} ms",
  "nodes.network": "Netz",
  "nodes.tip": "Neuester Block",
  "nodes.tipAt": "{block}, von {time}",
  "nodes.tipAhead": {
    one: "{tip}: {count} Block über dem Knoten, dem gefolgt wird",
    other: "{tip}: {count} Blöcke über dem Knoten, dem gefolgt wird",
  },
  "nodes.tipBehind": {
    one: "{tip}: {count} Block unter dem Knoten, dem gefolgt wird",
    other: "{tip}: {count} Blöcke unter dem Knoten, dem gefolgt wird",
  },
  "nodes.agrees": "Was nachgewiesen wurde",
  "nodes.agreesFollowed": "Von diesem Knoten gezeigt",
  "nodes.agreesYes": "Er hat den letzten nachgewiesenen Block",
  "nodes.agreesNo": "Er hat den letzten nachgewiesenen Block nicht",
  "nodes.agreesSame": "Er erzählte dasselbe von den zuletzt verglichenen Blöcken",
  "nodes.agreesOther": "Er erzählte anderes von einigen der zuletzt verglichenen Blöcke",
  "nodes.agreesUnknown": "Noch nicht verglichen",
  "nodes.fault": "Letzter Fehler",
  "nodes.follow": "Diesem Knoten folgen",
  "nodes.followHint": "Was nachgewiesen wurde, bleibt: Die Wallet macht dort weiter, wo sie ist.",
  "nodes.second": "Zweiter Knoten",
  "nodes.secondHint": "Wo er nicht antwortet, vertritt ihn der nächste der Liste.",
  "nodes.secondNone": "Keiner: Zahlungen gehen an den Knoten, dem gefolgt wird",
  "nodes.listed":
    "Diese Seiten wurden so gebaut, dass sie nur mit {nodes} sprechen; jede andere Anfrage würde der Browser aufhalten. Einen Bau für andere Knoten macht man mit SVC_NODE_ORIGINS.",
  "nodes.any":
    "Diese Variante der Seiten spricht mit jedem Knoten. Ihr Versprechen ist schwächer: Ein eingedrungenes Skript könnte Daten überallhin senden.",
  "nodes.add": "Adresse eines weiteren Knotens",
  "nodes.addSubmit": "Hinzufügen",
  "nodes.remove": "Entfernen",
  "nodes.removeOf": "{url} entfernen",
  "nodes.changed":
    "Gilt, sobald die Seite neu geladen ist; dabei wird nach der Passphrase gefragt.",
  "nodes.use": "Diese Knoten benutzen",
  "nodes.malformed":
    "Die Adresse eines Knotens sieht so aus: https://node.example oder https://node.example:8443.",
  "nodes.insecure":
    "Über das Netz geht nur HTTPS: Einfaches HTTP könnte jeder auf dem Weg lesen und ändern.",
  "nodes.known": "Dieser Knoten steht in der Liste.",
  "nodes.tooMany": "Die Liste fasst höchstens {count} Knoten. Entfernen Sie zuerst einen.",
};
