/**
 * Follows an invoice in a page that shows its checkout. The server renders that part, and renders it again whenever something of it changes;
 * this puts the new part in place, counts down and listens until the invoice is final.
 */
import { checkoutMark } from "@svc/shared/gateway/page/checkoutMark.ts";
import { Countdown } from "./countdown.ts";
import { InvoiceWatch } from "./invoiceWatch.ts";
import { PageRefresh } from "./pageRefresh.ts";
import { readRecord } from "./readRecord.ts";

/** The part of the page that its script replaces, with what it says in attributes. */
export function checkoutPart(): HTMLElement | null {
  return document.querySelector<HTMLElement>("main#checkout");
}

/** Whether nothing is expected to change any more. */
export function isFinalPart(part: HTMLElement): boolean {
  return part.dataset["final"] === "true";
}

/** Begins; returns what ends it. `onShown` is called for what is there now, and after each renewal. */
export function followCheckout(
  id: string,
  onShown: (part: HTMLElement) => void,
): { readonly stop: () => void } {
  const refresh = new PageRefresh(`/checkout/${id}`, () => show());
  const countdown = new Countdown(() => refresh.wish());
  const hasSocket = checkoutPart()?.dataset["live"] === "socket";
  const path = `/api/v1/checkout/${id}`;
  const watch = new InvoiceWatch({ path, hasSocket }, (text) => heard(text));

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
    countdown.show(part);
    onShown(part);
    if (isFinalPart(part)) rest();
  }

  function rest(): void {
    watch.stop();
    countdown.stop();
  }

  // A page that is final has nothing to hear.
  show();
  watch.start();
  return {
    stop() {
      rest();
      refresh.stop();
    },
  };
}

function showCount(confirmations: number): void {
  const count = document.querySelector("#count");
  const progress = document.querySelector("progress");
  if (count === null || progress === null || progress.value === confirmations) return;
  count.textContent = new Intl.NumberFormat(document.documentElement.lang).format(confirmations);
  progress.value = confirmations;
}
