/** Script of the checkout page: follows the invoice, copies, and goes on to the shop in the end. Without it the page reloads itself. */
import { PAGE_LIMITS } from "../pageLimits.ts";
import { watchCopyButtons } from "./copyButtons.ts";
import { checkoutPart, followCheckout, isFinalPart } from "./followCheckout.ts";
import { tellEscape, tellParent } from "./tellParent.ts";

function start(first: HTMLElement): void {
  const wasFinal = isFinalPart(first);
  let isLeaving = false;

  function shown(part: HTMLElement): void {
    for (const button of part.querySelectorAll<HTMLElement>(".copy, #print")) button.hidden = false;
    tellParent(part);
    if (isFinalPart(part) && !wasFinal) leave(part.dataset["redirect"] ?? "");
  }

  /** A page that was final when it came is a receipt, and stays. In a frame the page around it decides. */
  function leave(target: string): void {
    if (isLeaving || window.parent !== window || !/^https?:\/\//i.test(target)) return;
    isLeaving = true;
    setTimeout(() => location.assign(target), PAGE_LIMITS.checkoutRedirectMs);
  }

  document.addEventListener("click", ({ target }) => {
    if (target instanceof Element && target.closest("#print") !== null) window.print();
  });
  document.addEventListener("keydown", ({ key }) => {
    if (key === "Escape") tellEscape(first);
  });
  watchCopyButtons();
  followCheckout(first.dataset["id"] ?? "", shown);
}

const first = checkoutPart();
if (first !== null) start(first);
