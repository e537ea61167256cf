/** English message catalogue of remarks on payments; a part of `en.ts`. */

/** The messages. */
export const enLabels = {
  "remark.title": "Your remark",
  "remark.add": "Add a remark",
  "remark.change": "Change the remark",
  "remark.hint":
    "Only you see it. It stays in this browser, encrypted, and goes into the files you save; the seed alone does not bring it back.",
} as const;
