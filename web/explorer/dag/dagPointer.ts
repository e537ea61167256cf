/** Pointer of the drawn DAG: hovering, choosing, dragging and zooming, by mouse, finger or pen, in CSS pixels of the canvas. */

/** What the pointer asks for. */
export type PointerCalls = {
  readonly hovered: (x: number, y: number) => void;
  readonly chosen: (x: number, y: number, isTouch: boolean) => void;
  readonly dragged: (pixels: number) => void;
  readonly zoomed: (factor: number, x: number) => void;
};

/** Pixels that a press may move and still choose. */
const STEADY = 4;
/** How much a notch of the wheel zooms. */
const WHEEL = 0.0015;

/** Watches a canvas. Returns how to end it. */
export function watchPointer(canvas: HTMLCanvasElement, calls: PointerCalls): () => void {
  const ended = new AbortController();
  const on = <K extends keyof HTMLElementEventMap>(
    name: K,
    heard: (event: HTMLElementEventMap[K]) => void,
  ) => canvas.addEventListener(name, heard, { signal: ended.signal, passive: name !== "wheel" });
  /** Where each finger is. */
  const down = new Map<number, number>();
  let moved = 0;
  on("pointerdown", ({ pointerId, offsetX }) => {
    moved = down.size === 0 ? 0 : Number.POSITIVE_INFINITY;
    down.set(pointerId, offsetX);
    canvas.setPointerCapture(pointerId);
  });
  on("pointermove", ({ pointerId, pointerType, offsetX, offsetY }) => {
    const from = down.get(pointerId);
    if (from === undefined) {
      if (pointerType !== "touch") calls.hovered(offsetX, offsetY);
      return;
    }
    const before = spread(down);
    down.set(pointerId, offsetX);
    const after = spread(down);
    moved += Math.abs(offsetX - from);
    if (before !== null && after !== null) calls.zoomed(after.apart / before.apart, after.middle);
    else if (moved > STEADY) calls.dragged(offsetX - from);
  });
  on("pointerup", ({ pointerId, pointerType, offsetX, offsetY }) => {
    if (!down.delete(pointerId)) return;
    if (moved <= STEADY) calls.chosen(offsetX, offsetY, pointerType === "touch");
  });
  on("pointercancel", ({ pointerId }) => down.delete(pointerId));
  on("wheel", (event) => {
    if (event.ctrlKey) calls.zoomed(Math.exp(-event.deltaY * WHEEL * 4), event.offsetX);
    else if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
      calls.dragged(-(event.deltaX || event.deltaY));
    } else return;
    event.preventDefault();
  });
  return () => ended.abort();
}

/** How far apart two fingers are, and where their middle is; null unless there are two. */
function spread(
  down: ReadonlyMap<number, number>,
): { readonly apart: number; readonly middle: number } | null {
  const [one, other, ...more] = down.values();
  if (one === undefined || other === undefined || more.length > 0) return null;
  return { apart: Math.max(1, Math.abs(one - other)), middle: (one + other) / 2 };
}
