/** German, as the wallet page loads it. */
import type { Language } from "../language.ts";
import { de } from "./de.ts";
import { deErrors } from "../sentences/deErrors.ts";

/** Its texts and its sentences of errors. */
export const german: Language = { locale: "de", texts: de, sentences: deErrors };
