/** Spanish message catalogue of the consolidation of notes; a part of `es.ts`. */
import type { enMerging } from "../en/enMerging.ts";
import type { Message } from "../message.ts";

/** The messages. */
export const esMerging: { readonly [K in keyof typeof enMerging]: Message } = {
  "merge.title": "Muchas notas",
  "merge.text": {
    one: "Sus monedas están en {count} nota, y una transacción gasta 38 como máximo.",
    other:
      "Sus monedas están en {count} notas, y una transacción gasta 38 como máximo. Reunidas en unas pocas grandes pagan sumas grandes de una vez, y la comisión de reunirlas se paga una sola vez.",
  },
  "merge.look": "Ver qué supone reunirlas",
  "merge.notes": "Reúne",
  "merge.notesCount": { one: "{count} nota", other: "{count} notas" },
  "merge.takes": "Requiere",
  "merge.takesCount": {
    one: "{count} transacción, confirmada una vez",
    other: "{count} transacciones, confirmadas una vez",
  },
  "merge.fee": "Comisión",
  "merge.back": "Vuelve a usted",
  "merge.wait": "No se puede gastar durante",
  "merge.now": "Enviarlo todo requiere ahora",
  "merge.after": "Enviarlo todo requiere después",
  "merge.payment": {
    one: "{count} transacción, comisión {fee}",
    other: "{count} transacciones, comisión {fee}",
  },
  "merge.shows":
    "De su monedero solo sale la comisión. Cualquiera puede leer en la cadena que alguien gasta muchas notas a la vez, pero no quién ni cuánto.",
  "merge.none": "De momento no hay nada que merezca la pena reunir.",
  "merge.cancel": "Ahora no",
  "merge.confirm": { one: "Reunir {count} nota", other: "Reunir {count} notas" },
  "merge.row": "Consolidación",
  "merge.settings": "Notas",
  "merge.auto": "Reunir notas en segundo plano",
  "merge.autoText":
    "Mientras está abierto y al día, y se pueden gastar más de {above} notas, el monedero reúne de vez en cuando las más pequeñas: 38 como máximo, por {fee} como máximo, una transacción cada vez. No se le pregunta antes de cada una. Lo reunido se puede volver a gastar pasados unos minutos. Un pago suyo va primero.",
  "merge.autoPrivacy":
    "El azar decide cuándo mira el monedero. Aun así, que salga una transacción revela a su nodo, y a todo el que lea la cadena, que alguien con muchas notas tiene un monedero abierto. Solo puede pagarle a usted.",
};
