/** View of the drawn DAG: which part of the layout is seen, and where its cells stand on the screen. Pure geometry in CSS pixels. */
import { DAG_LIMITS } from "@svc/shared/explorer/dagLimits.ts";
import type { DagLayout } from "@svc/shared/explorer/dag/dagLayout.ts";

/** Distances at zoom 1: between columns, between rows, the side of a block, and what is left free at the right edge. */
const CELL = { step: 46, row: 38, side: 20, least: 5, margin: 70 } as const;
/** Columns beside the seen part whose edges may reach into it. */
const EDGE_COLUMNS = 8;
/** How much a key or a button zooms. */
export const ZOOM_STEP = 1.25;
const ZOOM = { least: 0.3, most: 2.5 } as const;
/** ms in which most of the way to the newest column is made. */
const FOLLOW_MS = 120;

/** What is seen. */
export type DagView = {
  readonly width: number;
  readonly height: number;
  /** Column in the middle of the screen, fractions included. */
  readonly centre: number;
  readonly zoom: number;
  /** Distance of rows: smaller while a wide group is seen, so that all of it is. */
  readonly rowStep: number;
  readonly isFollowing: boolean;
};

/** The view that a player begins with. */
export const FIRST_VIEW: DagView = {
  width: 0,
  height: 0,
  centre: 0,
  zoom: 1,
  rowStep: CELL.row,
  isFollowing: true,
};

/** Where a column stands. */
export function columnX({ width, centre, zoom }: DagView, column: number): number {
  return width / 2 + (column - centre) * CELL.step * zoom;
}

/** Where a row stands. */
export function rowY({ height, rowStep }: DagView, row: number): number {
  return height / 2 + row * rowStep;
}

/** The side of a block beside the chain; those of the chain are a quarter larger. */
export function blockSide({ zoom, rowStep }: DagView): number {
  return Math.max(CELL.least, Math.min(CELL.side * zoom, rowStep * 0.72));
}

/** The first and the last column of which something may be seen, within the layout. */
export function seenColumns(view: DagView, layout: DagLayout): readonly [number, number] {
  const half = view.width / (2 * CELL.step * view.zoom);
  return [
    Math.max(layout.firstColumn, Math.floor(view.centre - half) - 1),
    Math.min(layout.lastColumn, Math.ceil(view.centre + half) + EDGE_COLUMNS),
  ];
}

/** The cell under a point. */
export function cellAt(view: DagView, x: number, y: number): readonly [number, number] {
  const column = Math.round(view.centre + (x - view.width / 2) / (CELL.step * view.zoom));
  return [column, Math.round((y - view.height / 2) / view.rowStep)];
}

/** The view after it was dragged by so many pixels: it stays where the reader puts it. */
export function draggedView(view: DagView, pixels: number, layout: DagLayout): DagView {
  const centre = view.centre - pixels / (CELL.step * view.zoom);
  return { ...view, centre: withinLayout(centre, layout), isFollowing: false };
}

/** The view zoomed by a factor; the column under `x` stays there. */
export function zoomedView(view: DagView, factor: number, x: number = view.width / 2): DagView {
  const zoom = Math.min(ZOOM.most, Math.max(ZOOM.least, view.zoom * factor));
  const under = view.centre + (x - view.width / 2) / (CELL.step * view.zoom);
  return { ...view, zoom, centre: under - (x - view.width / 2) / (CELL.step * zoom) };
}

/** The view with a column in sight: it moves only as far as it must. */
export function shownColumn(view: DagView, column: number): DagView {
  const half = Math.max(0, view.width / 2 - CELL.margin) / (CELL.step * view.zoom);
  const centre = Math.min(column + half, Math.max(column - half, view.centre));
  return centre === view.centre ? view : { ...view, centre, isFollowing: false };
}

/** The view after some time: nearer to the newest column if it follows, its rows as far apart as there is room for. */
export function movedView(
  view: DagView,
  layout: DagLayout,
  time: { readonly elapsedMs: number; readonly isStill: boolean },
): DagView {
  const part = time.isStill ? 1 : 1 - Math.exp(-time.elapsedMs / FOLLOW_MS);
  const target = view.isFollowing ? followedCentre(view, layout) : view.centre;
  const isFar = Math.abs(target - view.centre) * CELL.step * view.zoom > view.width / 2;
  const centre = isFar ? target : nearer(view.centre, target, part);
  const rowStep = nearer(view.rowStep, rowStepFor({ ...view, centre }, layout), part);
  return centre === view.centre && rowStep === view.rowStep ? view : { ...view, centre, rowStep };
}

/** The centre with which the newest column stands at the right edge. */
function followedCentre({ width, zoom }: DagView, layout: DagLayout): number {
  return layout.lastColumn - Math.max(0, width / 2 - CELL.margin) / (CELL.step * zoom);
}

function rowStepFor(view: DagView, layout: DagLayout): number {
  const [from, to] = seenColumns(view, layout);
  let most = 1;
  for (let column = from; column <= to; column += 1) {
    for (const { row } of layout.column(column)) most = Math.max(most, Math.abs(row));
  }
  const rows = Math.min(most, DAG_LIMITS.rowsPerSide) + 1;
  return Math.min(CELL.row * Math.max(1, view.zoom), view.height / (2 * rows));
}

function nearer(from: number, to: number, part: number): number {
  const next = from + (to - from) * part;
  return Math.abs(to - next) < 0.01 ? to : next;
}

function withinLayout(centre: number, layout: DagLayout): number {
  return Math.min(layout.lastColumn + 1, Math.max(layout.firstColumn - 1, centre));
}
