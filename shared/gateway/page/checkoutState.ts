/** What a checkout page says of the state of its invoice, and what a payer can do in it. */
import type { checkoutRecordOf } from "../checkoutRecordOf.ts";
import { filled, markup, type Markup } from "./markup.ts";
import type { PageLanguage } from "./pageLanguage.ts";
import { coinsText } from "./pageNumbers.ts";

/** The record that the page shows. */
export type Checkout = ReturnType<typeof checkoutRecordOf>;

/** What is said of a state. */
export type CheckoutState = {
  readonly title: string;
  readonly text: Markup;
  /** How it looks: `open` asks for a payment, `busy` waits for the chain, `done` is good, `over` is not. */
  readonly tone: "open" | "busy" | "done" | "over";
  /** Whether the payer is asked to pay: only then is an address shown. */
  readonly isPayable: boolean;
};

/** Says it. */
export function checkoutState(checkout: Checkout, language: PageLanguage): CheckoutState {
  const { messages } = language;
  const coins = (text: string): string => coinsText(BigInt(text), language);
  const [paid, due, seen] = [
    coins(checkout.paidSompi),
    coins(checkout.dueSompi),
    coins(checkout.seenSompi),
  ];
  const over = coins(checkout.overpaidSompi);
  const isSeen = checkout.seenSompi !== "0";
  const seenState = closedState("busy", messages.seenTitle, filled(messages.seenText, { seen }));
  switch (checkout.status) {
    case "new":
      // What was seen can be too little: code and address stay.
      if (isSeen) return { ...seenState, isPayable: true };
      return openState(
        messages.newTitle,
        markup`${messages.newText} <span class="by-copy">${messages.newCopy}</span>`,
      );
    case "partial":
      if (checkout.expired) return partialOver(checkout, language, { paid, due });
      return openState(messages.partialTitle, filled(messages.partialText, { paid, due }));
    case "paid":
      return closedState("busy", messages.paidTitle, markup`${messages.paidText}`);
    case "confirmed":
      return closedState("done", messages.confirmedTitle, markup`${messages.confirmedText}`);
    case "overpaid":
      return closedState("done", messages.overpaidTitle, filled(messages.overpaidText, { over }));
    case "expired":
      if (isSeen) return seenState;
      return closedState("over", messages.expiredTitle, markup`${messages.expiredText}`);
    case "paidLate":
      return closedState("over", messages.lateTitle, filled(messages.lateText, { paid }));
  }
}

/** Whether nothing is expected to change any more. */
export function isFinal({ status }: Pick<Checkout, "status">): boolean {
  return status === "confirmed" || status === "overpaid";
}

function openState(title: string, text: Markup): CheckoutState {
  return { title, text, tone: "open", isPayable: true };
}

function closedState(tone: CheckoutState["tone"], title: string, text: Markup): CheckoutState {
  return { title, text, tone, isPayable: false };
}

function partialOver(
  { canTopUp }: Checkout,
  { messages }: PageLanguage,
  sums: Readonly<Record<"paid" | "due", string>>,
): CheckoutState {
  const asks = filled(messages.partialOverText, sums);
  const told = markup`${filled(messages.partialText, sums)} ${messages.partialOverShop}`;
  return closedState("over", messages.partialOverTitle, canTopUp ? asks : told);
}
