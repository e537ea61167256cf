/** English message catalogue of language and colours, a part of `en.ts`. */

/** The messages. */
export const enAppearance = {
  "language.label": "Language",
  "settings.themeContrast": "High contrast",
} as const;
