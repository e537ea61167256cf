/** Spanish message catalogue of receipts that the wallet makes, a part of `es.ts`. */
import type { enReceipt } from "../en/enReceipt.ts";
import type { Message } from "../message.ts";

/** The messages. */
export const esReceipt: { readonly [K in keyof typeof enReceipt]: Message } = {
  "receipt.open": "Hacer un recibo",
  "receipt.title": "Recibo",
  "receipt.text":
    "Un recibo muestra a quién se pagó y cuánto, y que el pago está en la cadena. Cualquiera puede comprobarlo, también sin conexión. Quien lo tiene conoce su dirección y el importe.",
  "receipt.challenge": "Para quién (puede faltar)",
  "receipt.challengeHint":
    "Un texto que alguien le dio, como «para Hacienda, 7 de marzo». Su monedero lo firma.",
  "receipt.textSent":
    "Un recibo muestra a quién se pagó y cuánto, y que el pago está en la cadena. Cualquiera puede comprobarlo, también sin conexión. Quien lo tiene conoce la dirección de quien cobró y el importe. No dice quién pagó.",
  "receipt.challengeSent":
    "Un texto que alguien le dio, como «pedido 7». El recibo lo lleva sin firmar: solo el monedero de quien cobró puede firmar un texto.",
  "receipt.challengeLong": "Este texto es demasiado largo para un recibo.",
  "receipt.make": "Hacer el recibo",
  "receipt.made": {
    one: "El recibo está hecho, y es válido.",
    other: "El pago llegó en {count} partes. Cada una tiene un recibo, y cada uno es válido.",
  },
  "receipt.madeSent": {
    one: "El recibo está hecho, y es válido.",
    other: "El pago fue a {count} destinatarios. Cada uno tiene un recibo, y todos son válidos.",
  },
  "receipt.payee": "{amount} a {address}",
  "receipt.file": "Guardar el archivo",
  "receipt.filePart": "Guardar el archivo {part}",
  "receipt.copy": "Copiar como texto",
  "receipt.copyPart": "Copiar el texto {part}",
  "receipt.before":
    "El recibo nombra un bloque que nombran muchos monederos, el que pagó o uno posterior: así este nodo no sabe qué bloque fue.",
  "receipt.young": {
    one: "Este pago es demasiado reciente. Se puede hacer un recibo después de un bloque más.",
    other:
      "Este pago es demasiado reciente. Se puede hacer un recibo después de {count} bloques más.",
  },
  "receipt.forgotten":
    "Estas monedas se gastaron hace tanto que este monedero ya no tiene lo que un recibo necesita. Haga un recibo antes de que se gasten las monedas.",
  "receipt.undisclosed":
    "Este monedero no tiene lo que muestra a quién se pagó. El pago se hizo desde otro dispositivo, antes de que el monedero se restaurara con su semilla, o con una versión anterior de esta página. Quien cobró puede hacer un recibo.",
};
