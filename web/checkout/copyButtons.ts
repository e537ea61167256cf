/** Copy buttons of the checkout page: what they hold goes to the clipboard, and they say so. */
import { PAGE_LIMITS } from "../pageLimits.ts";

/** Heeds all buttons of the page, those that come later too. */
export function watchCopyButtons(): void {
  document.addEventListener("click", ({ target }) => {
    const button = target instanceof Element ? target.closest<HTMLElement>("button.copy") : null;
    if (button !== null) void copy(button);
  });
}

async function copy(button: HTMLElement): Promise<void> {
  const text = button.dataset["copy"] ?? "";
  const isCopied = await copied(text);
  const said =
    document.querySelector<HTMLElement>("main")?.dataset[isCopied ? "copied" : "refused"];
  const label = button.dataset["label"] ?? button.textContent;
  button.dataset["label"] = label;
  button.textContent = said ?? label;
  announce(said ?? "");
  setTimeout(() => {
    button.textContent = label;
    announce("");
  }, PAGE_LIMITS.checkoutCopiedMs);
}

/** The clipboard of the browser; in a frame or over http it can be missing, and an old way is tried. */
async function copied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copiedBySelection(text);
  }
}

function copiedBySelection(text: string): boolean {
  const field = document.createElement("textarea");
  const focused = document.activeElement;
  field.value = text;
  field.readOnly = true;
  field.className = "unseen";
  document.body.append(field);
  field.select();
  const isCopied = document.execCommand("copy");
  field.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return isCopied;
}

/** A live region of its own: the state of the invoice is not read out again. */
function announce(text: string): void {
  const region = document.querySelector("#said");
  if (region !== null) region.textContent = text;
}
