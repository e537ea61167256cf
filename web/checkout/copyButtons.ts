/** Copy buttons of the checkout page: what they hold goes to the clipboard, and they say so. */
import { copyText } from "../clipboard/copyText.ts";
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
  const isCopied = await copyText(text);
  const said =
    document.querySelector<HTMLElement>("main")?.dataset[isCopied ? "copied" : "refused"];
  const label = button.dataset["label"] ?? button.textContent;
  button.dataset["label"] = label;
  button.textContent = said ?? label;
  announce(said ?? "");
  setTimeout(() => {
    button.textContent = label;
    announce("");
  }, PAGE_LIMITS.copiedMs);
}

/** A live region of its own: the state of the invoice is not read out again. */
function announce(text: string): void {
  const region = document.querySelector("#said");
  if (region !== null) region.textContent = text;
}
