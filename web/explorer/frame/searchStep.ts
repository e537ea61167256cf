/** What the search field does with what somebody typed. A server is told of numbers alone. */
import { searchTermOf, type ExplorerPage } from "@svc/shared/explorer/explorerPaths.ts";

/** What to do. */
export type SearchStep =
  /** The form goes to the server, which looks for a score. */
  | { readonly kind: "ask" }
  /** The page that is open looks for the hash behind the `#` of its address. */
  | { readonly kind: "look-here"; readonly hash: string }
  /** The page of the private search is to be opened with this hash behind its `#`. */
  | { readonly kind: "open"; readonly hash: string }
  /** It is no hash and no number: it may be a secret, and stays in the page. */
  | { readonly kind: "no-form"; readonly text: string }
  | { readonly kind: "nothing" };

/** Decides. `page`: the one that the field stands on. */
export function searchStep(typed: string, page: ExplorerPage): SearchStep {
  const term = searchTermOf(typed);
  switch (term.kind) {
    case "number":
      return { kind: "ask" };
    case "hash": {
      const isHere = page.kind === "search" && page.term.kind === "empty";
      return { kind: isHere ? "look-here" : "open", hash: term.hash };
    }
    case "other":
      return { kind: "no-form", text: term.text };
    case "empty":
      return { kind: "nothing" };
  }
}
