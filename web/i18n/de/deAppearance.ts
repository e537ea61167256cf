/** German message catalogue of language and colours, a part of `de.ts`. */
import type { enAppearance } from "../en/enAppearance.ts";
import type { Message } from "../message.ts";

/** The messages. */
export const deAppearance: { readonly [K in keyof typeof enAppearance]: Message } = {
  "language.label": "Sprache",
  "settings.themeContrast": "Hoher Kontrast",
};
