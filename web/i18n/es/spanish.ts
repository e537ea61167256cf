/** Spanish, as the wallet page loads it. */
import type { Language } from "../language.ts";
import { es } from "./es.ts";
import { esErrors } from "../sentences/esErrors.ts";

/** Its texts and its sentences of errors. */
export const spanish: Language = { locale: "es", texts: es, sentences: esErrors };
