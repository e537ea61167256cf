/**
 * Canvas of the drawn DAG: draws a session whenever something changed, and turns pointer and keys into moves of the view and of
 * the focused block. Between changes it does nothing.
 */
import type { PlacedBlock } from "@svc/shared/explorer/dag/dagBlock.ts";
import { stepFrom, type DagStep } from "@svc/shared/explorer/dag/dagNeighbours.ts";
import { mergesetOf, type Mergeset } from "@svc/shared/explorer/dag/mergesets.ts";
import type { DagSession } from "./dagSession.ts";
import { paintDag } from "./dagPainter.ts";
import { watchPointer } from "./dagPointer.ts";
import { watchTheme } from "../../state/watchTheme.ts";
import { readDagTheme, type DagTheme } from "./dagTheme.ts";
import {
  cellAt,
  draggedView,
  FIRST_VIEW,
  movedView,
  shownColumn,
  ZOOM_STEP,
  zoomedView,
  type DagView,
} from "./dagView.ts";

/** What the canvas is made from. */
export type DagCanvasParts = {
  readonly canvas: HTMLCanvasElement;
  readonly session: DagSession;
  readonly scoreText: (score: number) => string;
  /** The block under the keyboard or the pointer is another one. */
  readonly focused: (placed: PlacedBlock | null) => void;
  /** A block was chosen. */
  readonly opened: (hash: string) => void;
  /** A frame was drawn, with so many blocks. */
  readonly drawn: (blocks: number) => void;
};

const KEYS: Readonly<Record<string, DagStep>> = {
  ArrowLeft: "parent",
  ArrowRight: "child",
  ArrowUp: "above",
  ArrowDown: "below",
  Home: "oldest",
  End: "newest",
};

/** The canvas. It draws until `stop`. */
export class DagCanvas {
  readonly #parts: DagCanvasParts;
  readonly #context: CanvasRenderingContext2D;
  readonly #still = matchMedia("(prefers-reduced-motion: reduce)");
  readonly #undo: (() => void)[] = [];
  #view: DagView = FIRST_VIEW;
  #theme: DagTheme;
  #focus: PlacedBlock | null = null;
  /** The layout has changed since the mergeset was found. */
  #isChanged = false;
  #mergeset: Mergeset | null = null;
  #frame: number | null = null;
  #lastMs: number | null = null;
  #ratio = 0;

  /** Throws when the browser gives no canvas to draw on. */
  constructor(parts: DagCanvasParts) {
    const context = parts.canvas.getContext("2d");
    if (context === null) throw new TypeError("the canvas cannot be drawn on");
    this.#parts = parts;
    this.#context = context;
    this.#theme = readDagTheme(parts.canvas);
    const sizes = new ResizeObserver(() => this.#resize());
    sizes.observe(parts.canvas);
    this.#undo.push(
      () => sizes.disconnect(),
      watchTheme(() => {
        this.#theme = readDagTheme(parts.canvas);
        this.requestFrame();
      }),
      watchPointer(parts.canvas, {
        hovered: (x, y) => this.#hover(x, y),
        chosen: (x, y, isTouch) => this.#choose(x, y, isTouch),
        dragged: (pixels) => this.#look((view) => draggedView(view, pixels, parts.session.layout)),
        zoomed: (factor, x) => this.zoom(factor, x),
      }),
    );
    this.#resize();
  }

  /** Whether it keeps the newest block in sight. */
  get isFollowing(): boolean {
    return this.#view.isFollowing;
  }

  /** Blocks have come or changed: draws them soon. */
  layoutChanged(): void {
    this.#isChanged = true;
    this.requestFrame();
  }

  /** Draws once more soon. */
  requestFrame(): void {
    this.#frame ??= requestAnimationFrame((nowMs) => this.#draw(nowMs));
  }

  /** Keeps the newest block in sight from now on. */
  follow(): void {
    this.#look((view) => ({ ...view, isFollowing: true }));
  }

  /** Zooms by a factor, around a place of the screen or its middle. */
  zoom(factor: number, x?: number): void {
    this.#look((view) => zoomedView(view, factor, x));
  }

  /** Focuses a block and brings it into sight. Whether it is there. */
  show(hash: string): boolean {
    const placed = this.#parts.session.layout.get(hash);
    if (placed === undefined) return false;
    this.#setFocus(placed);
    this.#look((view) => shownColumn(view, placed.column));
    return true;
  }

  /** Does what a key asks for. Whether it asked for something. */
  press(key: string): boolean {
    const { layout } = this.#parts.session;
    const step = Object.hasOwn(KEYS, key) ? KEYS[key] : undefined;
    if (step !== undefined) {
      const to = stepFrom(layout, this.#focus, step);
      if (to !== null) this.show(to.block.hash);
      return true;
    }
    if (key === "Enter" && this.#focus !== null) this.#parts.opened(this.#focus.block.hash);
    else if (key === "Escape") this.#setFocus(null);
    else if (key === "f") this.follow();
    else if (key === "+") this.zoom(ZOOM_STEP);
    else if (key === "-") this.zoom(1 / ZOOM_STEP);
    else return false;
    return true;
  }

  /** Ends it. */
  stop(): void {
    if (this.#frame !== null) cancelAnimationFrame(this.#frame);
    for (const undo of this.#undo) undo();
  }

  #draw(nowMs: number): void {
    this.#frame = null;
    // A window that is moved to another screen keeps its size.
    if (this.#ratio !== devicePixelRatio) this.#resize();
    const { session, scoreText, drawn } = this.#parts;
    const elapsedMs = this.#lastMs === null ? 0 : Math.max(0, nowMs - this.#lastMs);
    session.tick(elapsedMs);
    const before = this.#view;
    this.#view = movedView(before, session.layout, { elapsedMs, isStill: this.#still.matches });
    this.#refreshFocus();
    const blocks = paintDag(this.#context, {
      layout: session.layout,
      view: this.#view,
      theme: this.#theme,
      focused: this.#focus,
      mergeset: this.#mergeset,
      scoreText,
    });
    drawn(blocks);
    const goesOn = session.status.isPlaying || this.#view !== before;
    this.#lastMs = goesOn ? nowMs : null;
    if (goesOn) this.requestFrame();
  }

  #resize(): void {
    const { canvas } = this.#parts;
    const { clientWidth: width, clientHeight: height } = canvas;
    const ratio = devicePixelRatio;
    this.#ratio = ratio;
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    this.#context.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.#look((view) => ({ ...view, width, height }));
  }

  #look(change: (view: DagView) => DagView): void {
    this.#view = change(this.#view);
    this.requestFrame();
  }

  #at(x: number, y: number): PlacedBlock | null {
    const [column, row] = cellAt(this.#view, x, y);
    const found = this.#parts.session.layout.column(column).find((placed) => placed.row === row);
    return found === undefined || found.isFolded ? null : found;
  }

  #hover(x: number, y: number): void {
    const placed = this.#at(x, y);
    this.#parts.canvas.classList.toggle("dag-over-block", placed !== null);
    if (placed !== null) this.#setFocus(placed);
  }

  /** A finger cannot hover: its first touch shows the mergeset, the second one opens the block. */
  #choose(x: number, y: number, isTouch: boolean): void {
    const placed = this.#at(x, y);
    if (placed === null) return;
    const { hash } = placed.block;
    const wasFocused = this.#focus?.block.hash === hash;
    this.#setFocus(placed);
    if (!isTouch || wasFocused) this.#parts.opened(hash);
  }

  #setFocus(placed: PlacedBlock | null): void {
    if (placed === this.#focus) return;
    this.#focus = placed;
    this.#findMergeset();
    this.#parts.focused(placed);
    this.requestFrame();
  }

  /** The focused block may have another colour by now, or other blocks in its mergeset, or be forgotten. */
  #refreshFocus(): void {
    if (!this.#isChanged || this.#focus === null) return;
    this.#isChanged = false;
    const placed = this.#parts.session.layout.get(this.#focus.block.hash) ?? null;
    if (placed === this.#focus) this.#findMergeset();
    else this.#setFocus(placed);
  }

  #findMergeset(): void {
    const { layout } = this.#parts.session;
    this.#mergeset = this.#focus === null ? null : mergesetOf(layout, this.#focus.block.hash);
  }
}
