/** Spanish message catalogue of payments to several payees, and of paying the rest of a stopped payment; a part of `es.ts`. */
import type { enPayees } from "../en/enPayees.ts";
import type { Message } from "../message.ts";

/** The messages. */
export const esPayees: { readonly [K in keyof typeof enPayees]: Message } = {
  "payees.title": "Destinatario {number} de {count}",
  "payees.add": "Añadir un destinatario",
  "payees.full": "Un pago tiene como máximo {max} destinatarios.",
  "payees.remove": "Quitar",
  "payees.removeOf": "Quitar el destinatario {number}",
  "payees.sum": "Todos los destinatarios juntos",
  "payees.total": {
    one: "a {count} destinatario",
    other: "a {count} destinatarios",
  },
  "payees.confirm": {
    one: "Enviar {amount} a {count} destinatario",
    other: "Enviar {amount} a {count} destinatarios",
  },
  "payees.own": "Una de sus propias direcciones",
  "payees.sentTo": {
    one: "A {count} destinatario",
    other: "A {count} destinatarios",
  },
  "payees.more": {
    one: "{address} y {count} más",
    other: "{address} y {count} más",
  },
  "payees.restTitle": "Sin pagar: {amount}",
  "payees.restText": {
    one: "{count} destinatario no lo recibió. El botón rellena el formulario de pago con exactamente lo que falta; usted lo revisa y lo confirma como un pago nuevo.",
    other:
      "{count} destinatarios no lo recibieron. El botón rellena el formulario de pago con exactamente lo que falta; usted lo revisa y lo confirma como un pago nuevo.",
  },
  "payees.rest": "Pagar el resto",
};
