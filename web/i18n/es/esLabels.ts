/** Spanish message catalogue of remarks on payments; a part of `es.ts`. */
import type { enLabels } from "../en/enLabels.ts";
import type { Message } from "../message.ts";

/** The messages. */
export const esLabels: { readonly [K in keyof typeof enLabels]: Message } = {
  "remark.title": "Su comentario",
  "remark.add": "Añadir un comentario",
  "remark.change": "Cambiar el comentario",
  "remark.hint":
    "Solo lo ve usted. Queda cifrado en este navegador y aparece en los archivos que guarde; la semilla sola no lo recupera.",
};
