/** Spanish message catalogue of files of the history, a part of `es.ts`. */
import type { enHistoryFile } from "../en/enHistoryFile.ts";
import type { Message } from "../message.ts";

/** The messages. */
export const esHistoryFile: { readonly [K in keyof typeof enHistoryFile]: Message } = {
  "historyFile.title": "Guardar la lista como archivo",
  "historyFile.text": {
    one: "El archivo tiene la {count} entrada de esta lista, con importe, mensaje y hora. No está cifrado: quien lo tenga puede leerlo.",
    other:
      "El archivo tiene las {count} entradas de esta lista, con importes, mensajes y horas. No está cifrado: quien lo tenga puede leerlo.",
  },
  "historyFile.csv": "Para una hoja de cálculo (CSV)",
  "historyFile.json": "Para un programa (JSON)",
};
