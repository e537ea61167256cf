/** The shape of the pages' catalogues: English names the keys, another language has a message for each. */
import type { en } from "./en/en.ts";
import type { Message } from "./message.ts";

/** The messages of a language. A key that is missing or that English does not have is an error of the types. */
export type Catalogue = { readonly [K in keyof typeof en]: Message };

/** A key of the catalogues. */
export type TextKey = keyof typeof en;
