/** German message catalogue of files of the history, a part of `de.ts`. */
import type { enHistoryFile } from "../en/enHistoryFile.ts";
import type { Message } from "../message.ts";

/** The messages. */
export const deHistoryFile: { readonly [K in keyof typeof enHistoryFile]: Message } = {
  "historyFile.title": "Die Liste als Datei speichern",
  "historyFile.text": {
    one: "Die Datei hat den {count} Eintrag dieser Liste, mit Betrag, Notiz und Zeit. Sie ist nicht verschlüsselt: Wer sie hat, kann sie lesen.",
    other:
      "Die Datei hat alle {count} Einträge dieser Liste, mit Beträgen, Notizen und Zeiten. Sie ist nicht verschlüsselt: Wer sie hat, kann sie lesen.",
  },
  "historyFile.csv": "Für eine Tabelle (CSV)",
  "historyFile.json": "Für ein Programm (JSON)",
};
