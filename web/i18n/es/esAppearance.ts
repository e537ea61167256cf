/** Spanish message catalogue of language and colours, a part of `es.ts`. */
import type { enAppearance } from "../en/enAppearance.ts";
import type { Message } from "../message.ts";

/** The messages. */
export const esAppearance: { readonly [K in keyof typeof enAppearance]: Message } = {
  "language.label": "Idioma",
  "settings.themeContrast": "Alto contraste",
};
