/** Spanish message catalogue of what a node has shown of the chain's work, a part of `es.ts`. */
import type { enEvidence } from "../en/enEvidence.ts";
import type { Message } from "../message.ts";

/** The messages. */
export const esEvidence: { readonly [K in keyof typeof enEvidence]: Message } = {
  "work.seconds": { one: "alrededor de un segundo", other: "unos {count} segundos" },
  "work.minutes": { one: "alrededor de un minuto", other: "unos {count} minutos" },
  "work.hours": { one: "alrededor de una hora", other: "unas {count} horas" },
  "work.days": { one: "alrededor de un día", other: "unos {count} días" },

  "row.confirmed": "Confirmado",
  "row.confirmedWork": "Confirmado: {time} de trabajo mostrado",
  "row.confirmedNoWork": "Confirmado; esta red no demuestra nada",
  "row.arrivingWork": "Llegando: {time} de trabajo mostrado",

  "backing.label": "Pruebas mostradas",
  "backing.work": "Este nodo mostró {time} de trabajo por encima",
  "backing.noWork": "Comprobado, pero esta red no demuestra nada: sus bloques no cuestan trabajo",
  "backing.unmeasured": "Comprobado, pero este programa aún no conoce ningún trabajo de esta red",
  "backing.claimed": "Lo dice este nodo; aún no se ha mostrado trabajo",

  "shown.work": "Mostrado: {time} de trabajo sobre el bloque {block}",
  "shown.noWork": "Comprobado hasta el bloque {block}; esta red no demuestra nada",
  "shown.unmeasured":
    "Comprobado hasta el bloque {block}; este programa aún no conoce ningún trabajo de esta red",
  "shown.claimed": "Aún sin comprobar: estas cifras son lo que dice este nodo",

  "shown.title": "Lo que ha mostrado este nodo",
  "shown.text":
    "Cada bloque se compromete con todas las notas, con todos los gastos y con las monedas que existen. El monedero los cuenta por sí mismo, compara y recalcula el trabajo de encima. Quien se lo invente tiene que hacer él mismo ese trabajo. Antes de entregar bienes de gran valor, use un nodo propio.",
  "shown.far": "A lo largo de muchos minutos",
  "shown.near": "Sobre los últimos bloques",
  "shown.tip": "Bloque más nuevo",
  "shown.fault": "Hallado",
  "shown.none": "Nada todavía",
  "shown.blockWork": "{time} de trabajo mostrado sobre el bloque {block}",
  "shown.blockNoWork": "Comprobado hasta el bloque {block}, que no costó trabajo",

  "doubt.notes": "Este nodo omitió o inventó pagos",
  "doubt.spends": "Este nodo omitió o inventó gastos",
  "doubt.coins": "Este nodo dijo otras monedas minadas que las que hay",
  "doubt.scores": "Este nodo dijo edades falsas de sus bloques",
  "doubt.payload": "Este nodo alteró un pago",
  "doubt.page": "Otro nodo cuenta otra cosa de los mismos bloques",
  "doubt.behind": "Otro nodo conoce bloques posteriores a los de este",
  "doubt.left": "Este nodo dejó una cadena cuyo trabajo se había mostrado",
  "doubt.broken": "Este nodo muestra trabajo que no es válido",
  "doubt.easy": "Este nodo muestra menos trabajo que el que tiene la red",
  "doubt.notShown": "Este nodo no muestra su trabajo",
  "doubt.stale": "El bloque más nuevo de este nodo es de {time}",
  "doubt.unmeasured": "Este programa aún no conoce ningún trabajo de esta red",
  "doubt.unmeasuredText":
    "No puede decir cuánto vale el trabajo detrás de estos bloques, así que nada cuenta como confirmado. Una versión más nueva quizá lo conozca, y quien construye estas páginas puede indicarlo con SVC_CHECKPOINTS. Sus monedas están a salvo.",
  "doubt.contradictsText":
    "Los bloques en los que trabajó la red se comprometen con otra cosa. Sus monedas están a salvo, y no se borra nada.",
  "doubt.brokenText":
    "Las cifras sin trabajo detrás se pueden inventar. Sus monedas están a salvo, y no se borra nada.",
  "doubt.elsewhereText": "Uno de los dos nodos se equivoca. Sus monedas están a salvo.",
  "doubt.notShownText":
    "Puede estar ocupado, o ser un programa demasiado antiguo. Lo que está sobre el último bloque comprobado es lo que dice este nodo.",
  "doubt.staleText":
    "En esta red llegan bloques sin cesar. Lo que vino desde entonces no está en estas cifras.",
  "doubt.provedWork":
    "Comprobado hasta {moment}, con {time} de trabajo mostrado encima. Nada más nuevo cuenta.",
  "doubt.provedNoWork": "Comprobado hasta {moment}. Nada más nuevo cuenta.",
  "doubt.provedNothing": "Aún no se ha comprobado nada, así que nada cuenta.",
  "doubt.keptWork":
    "Lo que se comprobó se conserva: hasta {moment}, con {time} de trabajo mostrado encima.",
  "doubt.keptNoWork": "Lo que se comprobó se conserva: hasta {moment}.",
  "doubt.keptNothing": "Aún no se ha comprobado nada.",
  "doubt.block": "el bloque {number}",
  "doubt.noSum": "Este nodo no lo sabe",
  "doubt.ask": "Preguntar a otro nodo",
};
