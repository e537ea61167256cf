/** German message catalogue of the first seconds of the page, before its core is there, a part of `de.ts`. */
import type { enStart } from "../en/enStart.ts";
import type { Message } from "../message.ts";

/** The messages. */
export const deStart: { readonly [K in keyof typeof enStart]: Message } = {
  "start.loading": "Das Programm lädt noch. Sie können hier inzwischen weitermachen.",
  "start.slow":
    "Das Programm ist noch nicht da: Die Verbindung ist langsam, oder der Server schickt es nicht. Warten schadet nicht.",
  "start.failed": "Das Programm ließ sich nicht laden. Nichts wurde angelegt oder geändert.",
  "start.again": "Noch einmal versuchen",
  "start.asOf": "Zuletzt bekannt, Stand {time}, vor {age}",
  "start.newer": "Eine neuere Version dieser Seite ist bereit",
  "start.newerText":
    "Sie wird benutzt, sobald keine Seite dieser Wallet mehr offen ist, oder gleich:",
  "start.newerLoad": "Jetzt laden",
};
