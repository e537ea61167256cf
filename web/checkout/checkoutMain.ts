/**
 * Script of the checkout page. The server renders the page, and renders it again whenever something of it changes; the script puts the
 * new part in place, counts down, copies, listens, and goes on to the shop in the end. Without it the page reloads itself.
 */
import { checkoutMark } from "@svc/shared/gateway/page/checkoutMark.ts";
import { PAGE_LIMITS } from "../pageLimits.ts";
import { watchCopyButtons } from "./copyButtons.ts";
import { Countdown } from "./countdown.ts";
import { InvoiceWatch } from "./invoiceWatch.ts";
import { PageRefresh } from "./pageRefresh.ts";
import { readRecord } from "./readRecord.ts";
import { tellEscape, tellParent } from "./tellParent.ts";

/** The part of the page that its script replaces, with what it says in attributes. */
function checkoutPart(): HTMLElement | null {
  return document.querySelector<HTMLElement>("main#checkout");
}

function start(first: HTMLElement): void {
  const id = first.dataset["id"] ?? "";
  const refresh = new PageRefresh(() => show());
  const countdown = new Countdown(() => refresh.wish());
  const watch = new InvoiceWatch(`/api/v1/checkout/${id}`, (text) => heard(text));
  const wasFinal = first.dataset["final"] === "true";
  let isLeaving = false;

  function heard(text: string): void {
    const record = readRecord(text);
    const part = checkoutPart();
    if (record === null || part === null) return;
    if (checkoutMark(record) !== part.dataset["mark"]) refresh.wish();
    else showCount(record.confirmations);
  }

  function show(): void {
    const part = checkoutPart();
    if (part === null) return;
    for (const button of part.querySelectorAll<HTMLElement>(".copy, #print")) button.hidden = false;
    countdown.show(part);
    tellParent(part);
    if (part.dataset["final"] !== "true") return;
    watch.stop();
    countdown.stop();
    if (!wasFinal) leave(part.dataset["redirect"] ?? "");
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
  watch.start();
  show();
}

function showCount(confirmations: number): void {
  const count = document.querySelector("#count");
  const progress = document.querySelector("progress");
  if (count === null || progress === null || progress.value === confirmations) return;
  count.textContent = new Intl.NumberFormat(document.documentElement.lang).format(confirmations);
  progress.value = confirmations;
}

const first = checkoutPart();
if (first !== null) start(first);
