/** One payee of the payment form: its fields as they are typed, and their validation error. */
import { batch, createSignal, type Accessor } from "solid-js";
import { SvcError, type ErrorJson } from "@svc/shared/base/svcError.ts";
import type { PayeeText } from "@svc/shared/wallet/plan/payee.ts";
import { numbers } from "../../i18n/language.ts";
import type { LinkWords } from "../../wallet-api/walletApi.ts";
import { amountIn, plainPayee } from "../language/plainPayee.ts";

/** One payee of a form; its identity is that of the place in the form. */
export type PayeeLine = {
  readonly to: Accessor<string>;
  /** As it is typed, in the language of the page. */
  readonly amount: Accessor<string>;
  readonly memo: Accessor<string>;
  /** The payment link that filled it in: what it calls the payee, and until when it is to be paid. */
  readonly link: Accessor<LinkWords | null>;
  /** What is wrong with these fields; null for nothing, and after every change. */
  readonly fault: Accessor<ErrorJson | null>;
  readonly set: (change: Partial<PayeeText>, link?: LinkWords | null) => void;
  readonly setFault: (fault: ErrorJson | null) => void;
  /** The fields as they are typed. */
  readonly text: () => PayeeText;
  /** The fields for the wallet worker. A typed amount that is none is left out, and told. */
  readonly plain: () => { readonly text: PayeeText; readonly fault: ErrorJson | null };
  /** Address and amount are there. */
  readonly isComplete: () => boolean;
  readonly isEmpty: () => boolean;
  /** The page is in another language now: the form keeps the amount and not its letters. */
  readonly translate: (before: string, now: string) => void;
};

/** An empty one. */
export const EMPTY_PAYEE: PayeeText = { address: "", amount: "", memo: "" };

/** Makes a line with these fields. */
export function createPayeeLine(typed: PayeeText = EMPTY_PAYEE): PayeeLine {
  const [to, setTo] = createSignal(typed.address);
  const [amount, setAmount] = createSignal(typed.amount);
  const [memo, setMemo] = createSignal(typed.memo);
  const [link, setLink] = createSignal<LinkWords | null>(null);
  const [fault, setFault] = createSignal<ErrorJson | null>(null);
  const text = (): PayeeText => ({ address: to(), amount: amount(), memo: memo() });
  const set = (change: Partial<PayeeText>, words?: LinkWords | null) =>
    batch(() => {
      // Nobody looks again at text that stayed the same, so what is wrong with it stays, too.
      if (differs(text(), change)) setFault(null);
      if (change.address !== undefined) setTo(change.address);
      if (change.amount !== undefined) setAmount(change.amount);
      if (change.memo !== undefined) setMemo(change.memo);
      if (words !== undefined) setLink(words);
    });
  const plain = () => {
    try {
      const typedText = text();
      const isOpen = typedText.amount.trim() === "";
      return { text: isOpen ? typedText : plainPayee(typedText, numbers()), fault: null };
    } catch (error) {
      return { text: { ...text(), amount: "" }, fault: SvcError.from(error).toJSON() };
    }
  };
  return {
    to,
    amount,
    memo,
    link,
    fault,
    set,
    setFault,
    text,
    plain,
    isComplete: () => to().trim() !== "" && amount().trim() !== "",
    isEmpty: () => [to(), amount(), memo()].every((each) => each.trim() === ""),
    translate: (before, now) => {
      if (amount() !== "") set({ amount: amountIn(amount(), before, now) });
    },
  };
}

function differs(before: PayeeText, { address, amount, memo }: Partial<PayeeText>): boolean {
  const isNew = (typed: string | undefined, old: string) => typed !== undefined && typed !== old;
  return isNew(address, before.address) || isNew(amount, before.amount) || isNew(memo, before.memo);
}
