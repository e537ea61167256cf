/** Spanish message catalogue of warnings before a payment and of passphrase strength; a part of `es.ts`. */
import type { enCautions } from "../en/enCautions.ts";
import type { Message } from "../message.ts";

/** The messages. */
export const esCautions: { readonly [K in keyof typeof enCautions]: Message } = {
  "lookAlike.title": "Esta dirección solo se parece a una que usted conoce",
  "lookAlike.paid":
    "Empieza y termina como una dirección a la que usted ya pagó, pero es otra. Es posible que alguien la haya cambiado. Compare todos los grupos con aquella:",
  "lookAlike.own":
    "Empieza y termina como una de sus propias direcciones, pero es otra. Es posible que alguien la haya cambiado. Compare todos los grupos con la suya:",
  "lookAlike.contact":
    "Empieza y termina como la dirección de un contacto, pero es otra. Es posible que alguien la haya cambiado. Compare todos los grupos con la del contacto:",
  "request.validity": "Válida",
  "request.validityHint":
    "Quien paga recibe un aviso cuando ha vencido. Un pago tardío le llega de todos modos.",
  "request.validityNone": "Sin vencimiento",
  "request.validityHour": "1 hora",
  "request.validityDay": "1 día",
  "request.until": "Hasta el {date}",
  "request.ended": "Venció el {date}. Elija de nuevo cuánto tiempo vale.",
  "expired.title": "Esta solicitud ha vencido",
  "expired.text":
    "El destinatario quería el pago hasta el {date}. Pida una nueva: un pago tardío quizá no cuente y no se puede recuperar.",
  "passphrase.weak": "Fácil de adivinar: se repite o es una serie como abc o 123.",
  "passphrase.fair": "Sirve. Otra palabra sin relación la hace mucho más difícil de adivinar.",
  "passphrase.strong":
    "Bastante larga para ser fuerte, si sus palabras no tienen relación entre sí.",
};
