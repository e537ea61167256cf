/** The explorer in German. */
import type { Catalogue } from "./catalogue.ts";
import { deChain } from "./deChain.ts";
import { deFrame } from "./deFrame.ts";

/** The messages. */
export const de: Catalogue = { ...deFrame, ...deChain };
