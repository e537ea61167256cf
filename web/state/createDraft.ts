/** Draft of a payment: the contents of the payment form, checked by the wallet worker while they are typed. */
import type { Remote } from "comlink";
import { createEffect, createSignal, on, onCleanup, type Accessor } from "solid-js";
import { SvcError, type ErrorJson } from "@svc/shared/base/svcError.ts";
import type { PayeeText } from "@svc/shared/wallet/plan/payee.ts";
import { numbers } from "../i18n/language.ts";
import type { WalletApi, PaymentPreview } from "../wallet-api/walletApi.ts";
import { amountIn, plainPayee } from "./language/plainPayee.ts";

/** Typing pauses of this length are long enough to look at what was typed. */
const LOOK_AFTER_MS = 250;

/** The payment form while it is filled in. It lives as long as the wallet is open, whatever screen is shown. */
export type Draft = {
  readonly to: Accessor<string>;
  /** As it is typed, in the language of the page. */
  readonly amount: Accessor<string>;
  readonly memo: Accessor<string>;
  readonly set: (change: Partial<PayeeText>) => void;
  /** The fields as they are typed. */
  readonly text: () => PayeeText;
  /** All payees, for the wallet worker. Throws `amount/…` where a typed amount is none. */
  readonly payees: () => readonly PayeeText[];
  readonly clear: () => void;
  /** What the payment would be, once the fields allow it. */
  readonly preview: Accessor<PaymentPreview | null>;
  /** What is wrong with the fields as they stand: with the address at once, with the rest once all that is needed is there. */
  readonly error: Accessor<ErrorJson | null>;
  /** The payment as it was put up for review; null once a field has changed. */
  readonly reviewed: Accessor<PaymentPreview | null>;
  readonly setReviewed: (preview: PaymentPreview | null) => void;
};

/** A draft that is checked while it is typed; answers to old contents are dropped. */
export function createDraft(wallet: Remote<WalletApi>): Draft {
  const [to, setTo] = createSignal("");
  const [amount, setAmount] = createSignal("");
  const [memo, setMemo] = createSignal("");
  const [preview, setPreview] = createSignal<PaymentPreview | null>(null);
  const [error, setError] = createSignal<ErrorJson | null>(null);
  const [reviewed, setReviewed] = createSignal<PaymentPreview | null>(null);
  const text = (): PayeeText => ({
    address: to(),
    amount: amount(),
    memo: memo(),
  });
  /** While no amount was typed, only what is wrong with the address. */
  const worthSaying = (error: SvcError): ErrorJson | null =>
    amount().trim() === "" && !error.code.startsWith("address/") ? null : error.toJSON();
  let asked = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  // Without an amount the address can be judged all the same.
  const payees = (): readonly PayeeText[] => [
    amount().trim() === "" ? text() : plainPayee(text(), numbers()),
  ];
  const previewed = async () => wallet.preview(payees());
  const look = () => {
    asked += 1;
    const number = asked;
    previewed().then(
      (found) => number === asked && (setPreview(found), setError(null)),
      (thrown: unknown) =>
        number === asked && (setPreview(null), setError(worthSaying(SvcError.from(thrown)))),
    );
  };
  createEffect(
    on([to, amount, memo], ([address, coins]) => {
      clearTimeout(timer);
      asked += 1;
      setError(null);
      setReviewed(null);
      if (address.trim() === "" || coins.trim() === "") setPreview(null);
      if (address.trim() !== "") timer = setTimeout(look, LOOK_AFTER_MS);
    }),
  );
  createEffect(
    on(numbers, (now, before) => {
      if (before !== undefined && amount() !== "") setAmount(amountIn(amount(), before, now));
    }),
  );
  onCleanup(() => clearTimeout(timer));

  const set = (change: Partial<PayeeText>) => {
    if (change.address !== undefined) setTo(change.address);
    if (change.amount !== undefined) setAmount(change.amount);
    if (change.memo !== undefined) setMemo(change.memo);
  };
  const clear = () => set({ address: "", amount: "", memo: "" });
  return { to, amount, memo, set, text, payees, clear, preview, error, reviewed, setReviewed };
}
