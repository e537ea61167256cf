/**
 * Painter of the block DAG on a canvas. What is alike is drawn as one path, so a frame costs a handful of strokes and fills
 * however many blocks are seen. Colour is never the only sign: the chain is square and tied by a thick line, blue blocks are
 * round, red ones stand on a corner, and what nothing has merged yet is hollow.
 */
import type { DagLayout } from "@svc/shared/explorer/dag/dagLayout.ts";
import type { PlacedBlock } from "@svc/shared/explorer/dag/dagBlock.ts";
import type { Mergeset } from "@svc/shared/explorer/dag/mergesets.ts";
import type { DagTheme } from "./dagTheme.ts";
import { blockSide, columnX, rowY, seenColumns, type DagView } from "./dagView.ts";

/** Everything that a frame shows. */
export type DagScene = {
  readonly layout: DagLayout;
  readonly view: DagView;
  readonly theme: DagTheme;
  /** The block that the keyboard or the pointer is on. */
  readonly focused: PlacedBlock | null;
  readonly mergeset: Mergeset | null;
  /** Writes a score beside a column. */
  readonly scoreText: (score: number) => string;
};

const LINES = { edge: 1.25, chain: 3, merge: 2.25, ring: 2.5 } as const;
/** Edges stand back behind blocks, with three parts of contrast to one. */
const EDGE_ALPHA = 0.65;
/** Least pixels between two scores below the columns. */
const LABEL_PIXELS = 110;
const TURN = 2 * Math.PI;

type Shapes = {
  readonly chain: Path2D;
  readonly blue: Path2D;
  readonly red: Path2D;
  readonly open: Path2D;
  readonly merged: Path2D;
  readonly payments: Path2D;
  readonly edges: Path2D;
  readonly line: Path2D;
};

/** Paints a frame. Returns how many blocks it drew. */
export function paintDag(context: CanvasRenderingContext2D, scene: DagScene): number {
  const { view, theme, layout } = scene;
  context.clearRect(0, 0, view.width, view.height);
  const shapes = newShapes();
  const columns = seenColumns(view, layout);
  let drawn = 0;
  for (let column = columns[0]; column <= columns[1]; column += 1) {
    for (const placed of layout.column(column)) {
      if (placed.isFolded) continue;
      addEdges(shapes, scene, placed);
      addBlock(shapes, view, placed);
      drawn += 1;
    }
  }
  context.globalAlpha = EDGE_ALPHA;
  stroke(context, shapes.edges, theme.edge, LINES.edge);
  context.globalAlpha = 1;
  stroke(context, shapes.line, theme.chain, LINES.chain);
  paintMergeset(context, scene);
  fill(context, shapes.chain, theme.chain);
  fill(context, shapes.blue, theme.blue);
  fill(context, shapes.red, theme.red);
  fill(context, shapes.open, theme.ground);
  stroke(context, shapes.open, theme.open, LINES.merge);
  stroke(context, shapes.merged, theme.ground, LINES.edge);
  fill(context, shapes.payments, theme.ground);
  paintLabels(context, scene, columns);
  paintRing(context, scene);
  return drawn;
}

function newShapes(): Shapes {
  return {
    chain: new Path2D(),
    blue: new Path2D(),
    red: new Path2D(),
    open: new Path2D(),
    merged: new Path2D(),
    payments: new Path2D(),
    edges: new Path2D(),
    line: new Path2D(),
  };
}

function addEdges(shapes: Shapes, { layout, view }: DagScene, placed: PlacedBlock): void {
  for (const hash of placed.block.parents) {
    const parent = layout.get(hash);
    if (parent === undefined || parent.isFolded) continue;
    const isChain = placed.block.isChainBlock && parent.block.isChainBlock;
    addEdge(isChain ? shapes.line : shapes.edges, view, parent, placed);
  }
}

/** A line between neighbours is straight; a longer one leaves level, so that it does not cross the blocks between. */
function addEdge(path: Path2D, view: DagView, parent: PlacedBlock, child: PlacedBlock): void {
  const [fromX, fromY] = [columnX(view, parent.column), rowY(view, parent.row)];
  const [toX, toY] = [columnX(view, child.column), rowY(view, child.row)];
  path.moveTo(fromX, fromY);
  if (fromY === toY || child.column - parent.column <= 1) path.lineTo(toX, toY);
  else path.bezierCurveTo((fromX + toX) / 2, fromY, (fromX + toX) / 2, toY, toX, toY);
}

function addBlock(shapes: Shapes, view: DagView, placed: PlacedBlock): void {
  const { block } = placed;
  const [x, y] = [columnX(view, placed.column), rowY(view, placed.row)];
  const radius = blockSide(view) / 2;
  if (block.isChainBlock) addSquare(shapes.chain, x, y, radius * 1.25);
  else if (block.color === "none") addCircle(shapes.open, x, y, radius);
  else if (block.color === "red") addDiamond(shapes.red, x, y, radius * 1.2);
  else addCircle(shapes.blue, x, y, radius);
  if (block.work === "merge-mined") addCircle(shapes.merged, x, y, radius * 0.75);
  if (block.txCount > 1 && block.color !== "none") addCircle(shapes.payments, x, y, radius * 0.3);
}

function addSquare(path: Path2D, x: number, y: number, half: number): void {
  path.roundRect(x - half, y - half, half * 2, half * 2, half * 0.5);
}

function addCircle(path: Path2D, x: number, y: number, radius: number): void {
  path.moveTo(x + radius, y);
  path.arc(x, y, radius, 0, TURN);
}

function addDiamond(path: Path2D, x: number, y: number, half: number): void {
  path.moveTo(x, y - half);
  path.lineTo(x + half, y);
  path.lineTo(x, y + half);
  path.lineTo(x - half, y);
  path.closePath();
}

/** The edges of a mergeset: from each block that was merged to the chain block that did it. */
function paintMergeset(context: CanvasRenderingContext2D, scene: DagScene): void {
  const { mergeset, view, theme } = scene;
  if (mergeset === null) return;
  const path = new Path2D();
  for (const merged of mergeset.merged) addEdge(path, view, merged, mergeset.merger);
  const half = blockSide(view) * 0.8;
  for (const { column, row } of [mergeset.merger, ...mergeset.merged]) {
    addSquare(path, columnX(view, column), rowY(view, row), half);
  }
  context.setLineDash([5, 3]);
  stroke(context, path, theme.marked, LINES.merge);
  context.setLineDash([]);
}

/** Blue scores below the columns as far as there is room, and how many blocks a wide column folds. */
function paintLabels(
  context: CanvasRenderingContext2D,
  { layout, view, theme, scoreText }: DagScene,
  [from, to]: readonly [number, number],
): void {
  context.fillStyle = theme.quiet;
  context.font = `11px ${theme.font}`;
  context.textAlign = "center";
  let lastX = Number.NEGATIVE_INFINITY;
  for (let column = from; column <= to; column += 1) {
    const blocks = layout.column(column);
    const x = columnX(view, column);
    const folded = blocks.filter(({ isFolded }) => isFolded).length;
    if (folded > 0) context.fillText(`+${folded}`, x, 12);
    const first = blocks.find(({ block }) => block.isChainBlock);
    if (first === undefined || x - lastX < LABEL_PIXELS) continue;
    context.fillText(scoreText(first.block.blueScore), x, view.height - 6);
    lastX = x;
  }
}

function paintRing(context: CanvasRenderingContext2D, { focused, view, theme }: DagScene): void {
  if (focused === null) return;
  const ring = new Path2D();
  const [x, y] = [columnX(view, focused.column), rowY(view, focused.row)];
  addSquare(ring, x, y, blockSide(view) * 0.95);
  stroke(context, ring, theme.ink, LINES.ring);
}

function stroke(
  context: CanvasRenderingContext2D,
  path: Path2D,
  color: string,
  width: number,
): void {
  context.strokeStyle = color;
  context.lineWidth = width;
  context.stroke(path);
}

function fill(context: CanvasRenderingContext2D, path: Path2D, color: string): void {
  context.fillStyle = color;
  context.fill(path);
}
