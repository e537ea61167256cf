/**
 * Contract of a lazily loaded part of a page (an island): it fills a place with what only a browser can draw, and returns how to end it. The page around it says
 * the same in words or in a table. `web/explorer/dag`, `web/explorer/charts` and `web/explorer/check` export functions of this form.
 */
export type MountPart<Options> = (place: HTMLElement, options: Options) => () => void;
