/** Mounts the block graph into a page that was rendered without it. The page loads this file when it is needed. */
import { createComponent, render } from "solid-js/web";
import type { MountPart } from "../mountPart.ts";
import type { DagOptions } from "./createDag.ts";
import { DagPlayer } from "./DagPlayer.tsx";

/** Fills the place with the graph. */
export const mountDag: MountPart<DagOptions> = (place, options) =>
  render(() => createComponent(DagPlayer, { options }), place);
