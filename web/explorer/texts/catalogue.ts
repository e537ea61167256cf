/** The shape of the explorer's catalogues: English names the keys, another language has a message for each. */
import type { Message } from "../../i18n/message.ts";
import type { enChain } from "./enChain.ts";
import type { enFrame } from "./enFrame.ts";

/** Messages of the frame of the pages, and of the pages that are not about the chain. */
export type FrameTexts = { readonly [K in keyof typeof enFrame]: Message };
/** Messages of the pages about the chain. */
export type ChainTexts = { readonly [K in keyof typeof enChain]: Message };

/** The messages of a language. A key that is missing or that English does not have is an error of the types. */
export type Catalogue = FrameTexts & ChainTexts;

/** A key of the catalogues. */
export type TextKey = keyof Catalogue;
