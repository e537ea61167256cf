/** Spanish message catalogue of the list of nodes and their roles, a part of `es.ts`. */
import type { enNodes } from "../en/enNodes.ts";
import type { Message } from "../message.ts";

/** The messages. */
export const esNodes: { readonly [K in keyof typeof enNodes]: Message } = {
  "nodes.title": "Nodos",
  "nodes.text":
    "El monedero sigue a un nodo. Otro se compara con él y recibe sus pagos, de modo que ningún nodo ve a la vez lo que usted mira y lo que paga. Mientras esta lista está abierta, se pide a cada uno su bloque más nuevo.",
  "nodes.roleFollowed": "Se le sigue",
  "nodes.roleSecond": "Segunda opinión",
  "nodes.roleReplaced": "Segunda opinión: otro nodo lo sustituye",
  "nodes.roleSpare": "En reserva",
  "nodes.rolePays": "Los pagos van aquí",
  "nodes.roleNone": "Sin usar",
  "nodes.state": "Estado",
  "nodes.refused": "Rechazado: otra red",
  "nodes.unasked": "Aún sin preguntar",
  "nodes.asked": "Última pregunta",
  "nodes.answer": "Respondió en",
  "nodes.answerMs": "{time} ms",
  "nodes.network": "Red",
  "nodes.tip": "Bloque más nuevo",
  "nodes.tipAt": "{block}, de {time}",
  "nodes.tipAhead": {
    one: "{tip}: {count} bloque por encima del nodo que se sigue",
    other: "{tip}: {count} bloques por encima del nodo que se sigue",
  },
  "nodes.tipBehind": {
    one: "{tip}: {count} bloque por debajo del nodo que se sigue",
    other: "{tip}: {count} bloques por debajo del nodo que se sigue",
  },
  "nodes.agrees": "Lo que se demostró",
  "nodes.agreesFollowed": "Mostrado por este nodo",
  "nodes.agreesYes": "Tiene el último bloque demostrado",
  "nodes.agreesNo": "No tiene el último bloque demostrado",
  "nodes.agreesSame": "Contó lo mismo de los últimos bloques comparados",
  "nodes.agreesOther": "Contó otra cosa de algunos de los últimos bloques comparados",
  "nodes.agreesUnknown": "Aún sin comparar",
  "nodes.fault": "Último fallo",
  "nodes.follow": "Seguir a",
  "nodes.followHint": "Lo que se demostró se conserva: el monedero sigue desde donde está.",
  "nodes.second": "Segundo nodo",
  "nodes.secondHint": "Cuando no responde, lo sustituye el siguiente de la lista.",
  "nodes.secondNone": "Ninguno: los pagos van al nodo que se sigue",
  "nodes.listed":
    "Estas páginas se construyeron para hablar solo con {nodes}, y el navegador detendría cualquier otra petición. Una construcción para otros nodos se hace con SVC_NODE_ORIGINS.",
  "nodes.any":
    "Esta variante de las páginas habla con cualquier nodo. Su promesa es más débil: un script que entrara podría enviar datos a cualquier sitio.",
  "nodes.add": "Dirección de otro nodo",
  "nodes.addSubmit": "Añadir",
  "nodes.remove": "Quitar",
  "nodes.removeOf": "Quitar {url}",
  "nodes.changed":
    "Se usa cuando la página se haya vuelto a cargar, para lo que se pide la frase de contraseña.",
  "nodes.use": "Usar estos nodos",
  "nodes.malformed":
    "La dirección de un nodo es como https://node.example o https://node.example:8443.",
  "nodes.insecure":
    "Por la red solo se usa HTTPS: cualquiera en el camino podría leer y cambiar el HTTP simple.",
  "nodes.known": "Este nodo está en la lista.",
  "nodes.tooMany": "La lista admite {count} nodos como máximo. Quite uno primero.",
};
