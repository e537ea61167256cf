/** The parts of pages that only a browser can draw, each loaded when a page has its place. */
import { CHECK_MOUNTS } from "./checkMounts.ts";
import type { PageFrame } from "../frame/pageFrame.ts";

/** What each part is told. */
export type PartTable = {
  /** A block whose header, work, transactions and place are recomputed here. */
  readonly "check-block": { readonly hash: string };
  /** A transaction whose acceptance is recomputed here. */
  readonly "check-transaction": { readonly txid: string };
  readonly "supply-audit": Record<string, never>;
  readonly "check-disclosure": Record<string, never>;
  readonly "check-receipt": Record<string, never>;
  readonly "check-address": Record<string, never>;
  readonly "check-message": Record<string, never>;
  /**
   * `query`: of the address, which may name a moment of the past that is played. `moved`: tells which minute is played from now on; null
   * for the present.
   */
  readonly dag: { readonly query: string; readonly moved: (minute: number | null) => void };
};
export type PartName = keyof PartTable;
export type PartOptions<Name extends PartName> = PartTable[Name];

type Mounts = {
  readonly [Name in PartName]: (
    place: HTMLElement,
    options: PartTable[Name],
    frame: PageFrame,
  ) => Promise<() => void>;
};

const MOUNTS: Mounts = {
  dag: async (place, options, frame) => {
    const { mountGraph } = await import("./mountGraph.ts");
    return mountGraph(place, options, frame);
  },
  ...CHECK_MOUNTS,
};

/** Loads a part and draws it. Resolves with how to end it, rejects when it cannot be loaded. */
export function mountPart<Name extends PartName>(
  name: Name,
  place: HTMLElement,
  options: PartOptions<Name>,
  frame: PageFrame,
): Promise<() => void> {
  // A server renders what stands around the part, and its module holds none of this.
  if (import.meta.env.SSR) return Promise.resolve(() => undefined);
  return MOUNTS[name](place, options, frame);
}
