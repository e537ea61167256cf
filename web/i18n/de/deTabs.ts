/** German message catalogue of a wallet in several tabs; a part of `de.ts`. */
import type { enTabs } from "../en/enTabs.ts";
import type { Message } from "../message.ts";

/** The messages. */
export const deTabs: { readonly [K in keyof typeof enTabs]: Message } = {
  "tabs.followText":
    "Dieser Tab zeigt, was der andere hat, und bleibt auf dessen Stand. Um zu bezahlen, zu empfangen oder etwas zu ändern, benutzen Sie die Wallet hier: Der andere Tab sperrt sich dann.",
  "tabs.endedTitle": "Der andere Tab wurde geschlossen",
  "tabs.endedText":
    "Dort war die Wallet geöffnet. Geben Sie die Passphrase ein, um hier weiterzumachen.",
};
