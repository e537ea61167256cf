/** The explorer in Spanish. */
import type { Catalogue } from "./catalogue.ts";
import { esChain } from "./esChain.ts";
import { esFrame } from "./esFrame.ts";

/** The messages. */
export const es: Catalogue = { ...esFrame, ...esChain };
