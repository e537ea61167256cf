/** Spanish message catalogue of what warns before a payment and of a passphrase; a part of `es.ts`. */
import type { enCautions } from "../en/enCautions.ts";
import type { Message } from "../message.ts";

/** The messages. */
export const esCautions: { readonly [K in keyof typeof enCautions]: Message } = {
  "lookAlike.title": "Esta dirección solo se parece a una que usted conoce",
  "lookAlike.paid":
    "Empieza y termina como una dirección a la que usted ya pagó, pero es otra. Es posible que alguien la haya cambiado. Compare todos los grupos con aquella:",
  "lookAlike.own":
    "Empieza y termina como una de sus propias direcciones, pero es otra. Es posible que alguien la haya cambiado. Compare todos los grupos con la suya:",
};
