/** Tells the page around a framed checkout what state the invoice is in: pages of origins that the merchant allowed, and no other. */

let told = "";

/** Tells it, once for each state. */
export function tellParent(part: HTMLElement): void {
  const { id = "", status = "", frames = "" } = part.dataset;
  if (window.parent === window || told === status) return;
  told = status;
  tell({ type: "svc-checkout", id, status, final: part.dataset["final"] === "true" }, frames);
}

/** Has the page around this one hear of the key that closes a dialog: keys of a frame are not its own. */
export function tellEscape({ dataset }: HTMLElement): void {
  if (window.parent !== window) tell({ type: "svc-checkout-escape" }, dataset["frames"] ?? "");
}

function tell(message: object, frames: string): void {
  for (const origin of frames.split(" ").filter((one) => isAround(one))) {
    window.parent.postMessage(message, origin);
  }
}

/** Whether a page of this origin is around this one, where the browser says; else the browser itself delivers to no other. */
function isAround(origin: string): boolean {
  if (origin === "") return false;
  const { ancestorOrigins } = location;
  return ancestorOrigins === undefined || ancestorOrigins.contains(new URL(origin).origin);
}
