/** Names of the reasons of the step "on the chain": one without a sentence does not compile. */
import type { chainEn } from "../texts/chainEn.ts";

/** Why a block's place on the chain is not shown, or in which way it is. */
export type ChainReason = keyof typeof chainEn extends infer Key
  ? Key extends `reason.${infer Reason}`
    ? Reason
    : never
  : never;
