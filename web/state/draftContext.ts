/** Context that provides the payment draft to the screens. */
import { createContext, useContext } from "solid-js";
import type { Draft } from "./createDraft.ts";

/** Provides the payment form's contents to every screen of the open wallet. */
export const DraftContext = createContext<Draft>();

/** The payment that is being filled in. */
export function useDraft(): Draft {
  const draft = useContext(DraftContext);
  if (draft === undefined) throw new TypeError("a screen was mounted outside the open wallet");
  return draft;
}
