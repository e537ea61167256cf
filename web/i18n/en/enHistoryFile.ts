/** English message catalogue of files of the history, a part of `en.ts`. */

/** The messages. */
export const enHistoryFile = {
  "historyFile.title": "Save the list as a file",
  "historyFile.text": {
    one: "The file has the {count} entry of this list, with its amount, memo and time. It is not encrypted: whoever has it can read it.",
    other:
      "The file has all {count} entries of this list, with amounts, memos and times. It is not encrypted: whoever has it can read it.",
  },
  "historyFile.csv": "For a spreadsheet (CSV)",
  "historyFile.json": "For a program (JSON)",
} as const;
