/** The shape of the catalogues of the checks: English names the keys. */
import type { Message } from "../../../i18n/message.ts";
import type { en } from "./en.ts";

/** The messages of a language. */
export type CheckCatalogue = { readonly [K in keyof typeof en]: Message };
