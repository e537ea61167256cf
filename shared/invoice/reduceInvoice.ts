/**
 * The state machine of an invoice (gateway sheet 4.2): what happens goes in, the invoice after it and what is to be told come out.
 *
 * It is pure. The order in which facts of one payment come is that of the chain; facts of different payments may come in any
 * order, and each may come again.
 */
import { isProved } from "../light/workLadder.ts";
import type { InvoicePayment, Invoice, InvoiceTold } from "./invoice.ts";
import { assessInvoice, countsAsPaid } from "./assessInvoice.ts";
import { applyReceipt, applyToPayments } from "./applyToPayments.ts";
import { foldPayments } from "./foldPayments.ts";
import type { InvoiceEventType } from "../protocol/gateway/webhookEvent.ts";
import { eventIdOf, STATUS_EVENTS, type InvoiceEvent } from "./invoiceEvent.ts";
import type { InvoiceInput, InvoiceMoment } from "./invoiceInput.ts";

/** An invoice after something happened, and what to tell, in this order. */
export type Reduced = {
  readonly invoice: Invoice;
  readonly events: readonly InvoiceEvent[];
};

/** Applies what happened. An input that changes nothing gives the same object and no event. */
export function reduceInvoice(
  before: Invoice,
  inputs: readonly InvoiceInput[],
  moment: InvoiceMoment,
): Reduced {
  let after = before;
  for (const input of inputs) after = applied(after, input, moment);
  after = archivedWhenOver(settled(after, moment), moment);
  return told(before, foldPayments(after, moment), moment);
}

function applied(invoice: Invoice, input: InvoiceInput, moment: InvoiceMoment): Invoice {
  switch (input.kind) {
    case "mined":
    case "orphaned":
    case "waiting":
    case "gone":
      return applyToPayments(invoice, input, moment);
    case "receipt":
      return applyReceipt(invoice, input);
    case "look":
      return invoice;
    case "mark":
      return { ...invoice, mark: input.mark };
    case "archive":
      return input.archived === invoice.archived
        ? invoice
        : { ...invoice, archived: input.archived };
    case "extend": {
      const { expiresMs, amount, quote } = input;
      return { ...invoice, archived: false, terms: { ...invoice.terms, expiresMs, amount, quote } };
    }
    case "metadata":
      return { ...invoice, terms: { ...invoice.terms, metadata: input.metadata } };
  }
}

/** Marks payments that are deep enough now. What was deep enough once stays so while its block is on the chain. */
function settled(invoice: Invoice, { tip, ladder = null }: InvoiceMoment): Invoice {
  if (tip === null) return invoice;
  const { requiredBlueScore: required } = invoice.terms.policy;
  const isDeep = ({ place, settled: already }: InvoicePayment): boolean => {
    if (already || place.kind !== "mined") return false;
    const { blueScore } = place.block;
    const hasDepth = tip - blueScore >= required;
    return hasDepth && (ladder === null || isProved(ladder, blueScore, required));
  };
  if (!invoice.payments.some(isDeep)) return invoice;
  const payments = invoice.payments.map((payment) =>
    isDeep(payment) ? { ...payment, settled: true } : payment,
  );
  return { ...invoice, payments };
}

/** An invoice leaves the list of open ones when its time is over and nothing of it is on its way. */
function archivedWhenOver(invoice: Invoice, { nowMs }: InvoiceMoment): Invoice {
  const { expiresMs, policy } = invoice.terms;
  const isOver = nowMs >= expiresMs + policy.monitorMs && !watchesTip(invoice);
  return isOver && !invoice.archived ? { ...invoice, archived: true } : invoice;
}

/** Whether a change of the tip may change the invoice: a payment waits, or is not settled. */
export function watchesTip({ payments }: Invoice): boolean {
  return payments.some(({ place, settled: isDeep }) => place.kind !== "lost" && !isDeep);
}

/** Blue score of the sink at which the next payment of the invoice is settled; null where none waits for that. */
export function settlesAt({ payments, terms }: Invoice): bigint | null {
  const scores = payments.flatMap(({ place, settled: isDeep }) =>
    place.kind === "mined" && !isDeep
      ? [place.block.blueScore + terms.policy.requiredBlueScore]
      : [],
  );
  return scores.reduce<bigint | null>(
    (least, score) => (least === null || score < least ? score : least),
    null,
  );
}

/** When time alone changes the invoice next, in ms; null for never. Where a payment is on its way the tip decides instead. */
export function nextLookMs(invoice: Invoice): bigint | null {
  const { expiresMs, policy } = invoice.terms;
  const { status, expired } = invoice.told;
  const isWaiting = status === "new" || status === "partial";
  if (isWaiting && !expired && invoice.mark === null) return expiresMs;
  return invoice.archived || watchesTip(invoice) ? null : expiresMs + policy.monitorMs;
}

/** Compares with what was told last, and tells each difference with a version of its own. */
function told(before: Invoice, after: Invoice, { nowMs }: InvoiceMoment): Reduced {
  const due = nextLookMs(before);
  if (after === before && (due === null || nowMs < due)) return { invoice: before, events: [] };
  const now = assessInvoice(after, nowMs);
  const isBack = isFinal(before.told.status) && !isFinal(now.status);
  const next: InvoiceTold = {
    status: now.status,
    expired: now.expired,
    reorged: !isFinal(now.status) && (before.told.reorged || isBack),
    paid: now.paid,
    seen: now.seen,
    settled: now.settled,
  };
  const fresh = after.payments.filter((payment) => isNews(after, payment));
  const types = typesOf(before, after, next, { fresh, isBack });
  if (types.length === 0) return { invoice: after, events: [] };
  let invoice: Invoice = {
    ...after,
    payments: after.payments.map((payment) =>
      isNews(after, payment) ? { ...payment, told: true } : payment,
    ),
    told: next,
    updatedMs: nowMs,
  };
  const settledNow = newlySettled(before, after);
  const last = types.length - 1;
  const events = types.map((type, place): InvoiceEvent => {
    invoice = { ...invoice, version: invoice.version + 1 };
    const id = eventIdOf(invoice.terms.id, invoice.version);
    return {
      ...{ id, type, invoice, previousStatus: before.told.status, createdMs: nowMs },
      received: fresh[place] ?? null,
      settled: place === Math.min(fresh.length, last) ? settledNow : [],
      marking: place === last && after.mark !== before.mark,
    };
  });
  return { invoice, events };
}

function newlySettled(before: Invoice, after: Invoice): readonly InvoicePayment[] {
  if (before.payments === after.payments) return [];
  const known = before.payments.filter(({ settled: isDeep }) => isDeep);
  const deep = new Set(known.map(({ output }) => output.cmx));
  return after.payments.filter(({ settled: isDeep, output }) => isDeep && !deep.has(output.cmx));
}

function isFinal(status: InvoiceTold["status"]): boolean {
  return status === "confirmed" || status === "overpaid";
}

function typesOf(
  before: Invoice,
  after: Invoice,
  next: InvoiceTold,
  { fresh, isBack }: { readonly fresh: readonly InvoicePayment[]; readonly isBack: boolean },
): readonly InvoiceEventType[] {
  const types: InvoiceEventType[] = fresh.map(() => "invoice.payment_received");
  if (isBack) types.push("invoice.invalid");
  const hasStatus = next.status !== before.told.status;
  if (hasStatus) types.push(STATUS_EVENTS[next.status]);
  const isNewlyExpired = next.expired && !before.told.expired;
  if (isNewlyExpired && next.status !== "expired") types.push("invoice.expired");
  if (types.length === 0 && isDifferent(before, after, next)) types.push("invoice.updated");
  return types;
}

/** A payment is told of once, when it counts for the first time. */
function isNews(invoice: Invoice, payment: InvoicePayment): boolean {
  return !payment.told && countsAsPaid(invoice, payment);
}

function isDifferent(before: Invoice, after: Invoice, next: InvoiceTold): boolean {
  const { told: last } = before;
  const sums = ["expired", "reorged", "paid", "seen", "settled"] as const;
  return (
    sums.some((name) => next[name] !== last[name]) ||
    before.mark !== after.mark ||
    before.archived !== after.archived ||
    before.terms !== after.terms ||
    hasOtherPayments(before, after)
  );
}

/** A receipt is told of when its payment is settled: before that nobody is given it. */
function hasOtherPayments({ payments: before }: Invoice, { payments: after }: Invoice): boolean {
  if (before === after) return false;
  return (
    before.length !== after.length ||
    after.some((payment, place) => payment !== before[place] && !isSame(payment, before[place]))
  );
}

function isSame(now: InvoicePayment, before: InvoicePayment | undefined): boolean {
  const { output, place, settled: isDeep } = now;
  return before?.output === output && before.place === place && !isDeep && !before.settled;
}
