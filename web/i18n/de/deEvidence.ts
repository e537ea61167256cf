/** German message catalogue of what a node has shown of the chain's work, a part of `de.ts`. */
import type { enEvidence } from "../en/enEvidence.ts";
import type { Message } from "../message.ts";

/** The messages. */
export const deEvidence: { readonly [K in keyof typeof enEvidence]: Message } = {
  "work.seconds": { one: "etwa eine Sekunde", other: "etwa {count} Sekunden" },
  "work.minutes": { one: "etwa eine Minute", other: "etwa {count} Minuten" },
  "work.hours": { one: "etwa eine Stunde", other: "etwa {count} Stunden" },
  "work.days": { one: "etwa einen Tag", other: "etwa {count} Tage" },

  "row.confirmed": "Bestätigt",
  "row.confirmedWork": "Bestätigt: {time} Arbeit gezeigt",
  "row.confirmedNoWork": "Bestätigt; dieses Netz beweist nichts",
  "row.arrivingWork": "Kommt an: {time} Arbeit gezeigt",

  "backing.label": "Beleg",
  "backing.work": "Dieser Knoten zeigte {time} Arbeit darüber",
  "backing.noWork": "Geprüft, aber dieses Netz beweist nichts: Seine Blöcke kosten keine Arbeit",
  "backing.unmeasured": "Geprüft, aber dieses Programm kennt noch keine Arbeit dieses Netzes",
  "backing.claimed": "Das sagt dieser Knoten; noch ist keine Arbeit gezeigt",

  "shown.work": "Gezeigt: {time} Arbeit über Block {block}",
  "shown.noWork": "Geprüft bis Block {block}; dieses Netz beweist nichts",
  "shown.unmeasured":
    "Geprüft bis Block {block}; dieses Programm kennt noch keine Arbeit dieses Netzes",
  "shown.claimed": "Noch nicht geprüft: Diese Zahlen sagt dieser Knoten",

  "shown.title": "Was dieser Knoten gezeigt hat",
  "shown.text":
    "Jeder Block legt sich auf alle Notes, alle Ausgaben und alle Münzen fest, die es gibt. Die Wallet zählt sie selbst, vergleicht und rechnet die Arbeit darüber nach. Wer sie erfindet, muss diese Arbeit selbst leisten. Bevor Sie Ware von großem Wert übergeben, nehmen Sie einen eigenen Knoten.",
  "shown.far": "Über viele Minuten",
  "shown.near": "Über die letzten Blöcke",
  "shown.tip": "Neuester Block",
  "shown.fault": "Gefunden",
  "shown.none": "Noch nichts",
  "shown.blockWork": "{time} Arbeit gezeigt über Block {block}",
  "shown.blockNoWork": "Geprüft bis Block {block}; er kostete keine Arbeit",

  "doubt.notes": "Dieser Knoten hat Zahlungen weggelassen oder erfunden",
  "doubt.spends": "Dieser Knoten hat Ausgaben weggelassen oder erfunden",
  "doubt.coins": "Dieser Knoten nannte andere geminte Münzen, als es gibt",
  "doubt.scores": "Dieser Knoten nannte ein falsches Alter seiner Blöcke",
  "doubt.payload": "Dieser Knoten hat eine Zahlung verändert",
  "doubt.page": "Ein anderer Knoten erzählt anderes von denselben Blöcken",
  "doubt.behind": "Ein anderer Knoten kennt neuere Blöcke als dieser",
  "doubt.left": "Dieser Knoten hat eine Kette verlassen, deren Arbeit gezeigt war",
  "doubt.broken": "Dieser Knoten zeigt Arbeit, die nicht stimmt",
  "doubt.easy": "Dieser Knoten zeigt weniger Arbeit, als das Netz hat",
  "doubt.notShown": "Dieser Knoten zeigt seine Arbeit nicht",
  "doubt.stale": "Der neueste Block dieses Knotens ist von {time}",
  "doubt.unmeasured": "Dieses Programm kennt noch keine Arbeit dieses Netzes",
  "doubt.unmeasuredText":
    "Es kann nicht sagen, wie viel die Arbeit hinter diesen Blöcken wert ist; darum gilt nichts als bestätigt. Eine neuere Version kennt sie vielleicht, und wer diese Seiten baut, kann sie mit SVC_CHECKPOINTS nennen. Ihre Münzen sind sicher.",
  "doubt.contradictsText":
    "Die Blöcke, an denen das Netz gearbeitet hat, legen sich auf anderes fest. Ihre Münzen sind sicher, und nichts wird gelöscht.",
  "doubt.brokenText":
    "Zahlen ohne Arbeit dahinter lassen sich erfinden. Ihre Münzen sind sicher, und nichts wird gelöscht.",
  "doubt.elsewhereText": "Einer der beiden Knoten hat unrecht. Ihre Münzen sind sicher.",
  "doubt.notShownText":
    "Er kann beschäftigt sein oder ein zu altes Programm. Was über dem letzten geprüften Block liegt, sagt nur dieser Knoten.",
  "doubt.staleText":
    "In diesem Netz kommen ständig Blöcke. Was seitdem kam, ist in diesen Zahlen nicht enthalten.",
  "doubt.provedWork":
    "Geprüft bis {moment}; darüber wurden {time} Arbeit gezeigt. Neueres zählt nicht.",
  "doubt.provedNoWork": "Geprüft bis {moment}. Neueres zählt nicht.",
  "doubt.provedNothing": "Noch wurde nichts geprüft, deshalb zählt nichts.",
  "doubt.keptWork":
    "Was geprüft wurde, bleibt: bis {moment}; darüber wurden {time} Arbeit gezeigt.",
  "doubt.keptNoWork": "Was geprüft wurde, bleibt: bis {moment}.",
  "doubt.keptNothing": "Noch wurde nichts geprüft.",
  "doubt.block": "Block {number}",
  "doubt.noSum": "Von diesem Knoten nicht bekannt",
  "doubt.ask": "Einen anderen Knoten fragen",
};
