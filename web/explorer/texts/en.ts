/** The explorer in English. */
import { enChain } from "./enChain.ts";
import { enFrame } from "./enFrame.ts";

/** The messages. */
export const en = { ...enFrame, ...enChain } as const;
