/** Draft of a payment: the contents of the payment form, checked by the wallet worker while they are typed. */
import type { Remote } from "comlink";
import { batch, createEffect, createSignal, on, onCleanup, type Accessor } from "solid-js";
import { SvcError, type ErrorJson } from "@svc/shared/base/svcError.ts";
import type { PayeeText } from "@svc/shared/wallet/plan/payee.ts";
import { WALLET_LIMITS } from "@svc/shared/wallet/walletLimits.ts";
import { numbers } from "../i18n/language.ts";
import type { LinkWords, PaymentPreview, WalletApi } from "../wallet-api/walletApi.ts";
import { createPayeeLine, EMPTY_PAYEE, type PayeeLine } from "./draft/createPayeeLine.ts";

/** Typing pauses of this length are long enough to look at what was typed. */
const LOOK_AFTER_MS = 250;

/** The payment form while it is filled in. It lives as long as the wallet is open, whatever screen is shown. */
export type Draft = {
  /** The payees, at least one and at most `WALLET_LIMITS.walletPayeesMax`. */
  readonly lines: Accessor<readonly PayeeLine[]>;
  /** One more empty payee, where there is room for one. */
  readonly add: () => void;
  /** The last one that is left is emptied instead. */
  readonly remove: (line: PayeeLine) => void;
  /** Puts payees in the place of one. Throws `wallet/too-many-payees`. */
  readonly put: (line: PayeeLine, payees: readonly PayeeText[], link: LinkWords | null) => void;
  /** Puts payees in the place of all. Throws `wallet/too-many-payees`. */
  readonly setPayees: (payees: readonly PayeeText[], link?: LinkWords | null) => void;
  readonly clear: () => void;
  readonly isEmpty: () => boolean;
  /** All payees, for the wallet worker. Throws `amount/…` where a typed amount is none. */
  readonly payees: () => readonly PayeeText[];
  /** What the payment would be, once the fields allow it. */
  readonly preview: Accessor<PaymentPreview | null>;
  /** What is wrong with the payment as a whole; what is wrong with a payee stands at its line. */
  readonly error: Accessor<ErrorJson | null>;
  /** Looks at the fields now. Gives what the payment would be; null where something is wrong, or changed meanwhile. */
  readonly check: () => Promise<PaymentPreview | null>;
  /** The payment as it was put up for review; null once a field has changed. */
  readonly reviewed: Accessor<PaymentPreview | null>;
  readonly setReviewed: (preview: PaymentPreview | null) => void;
};

/** A draft that is checked while it is typed; answers to old contents are dropped. */
export function createDraft(wallet: Remote<WalletApi>): Draft {
  const list = createLines();
  const { lines } = list;
  const [preview, setPreview] = createSignal<PaymentPreview | null>(null);
  const [error, setError] = createSignal<ErrorJson | null>(null);
  const [reviewed, setReviewed] = createSignal<PaymentPreview | null>(null);
  /** Grows with every change, and with nothing else: two looks at the same contents are both right. */
  let version = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const check = async (): Promise<PaymentPreview | null> => {
    clearTimeout(timer);
    const looked = version;
    const all = lines();
    const isOld = () => looked !== version;
    try {
      const plain = all.map((line) => line.plain());
      const found = await wallet.payeeFaults(plain.map(({ text }) => text));
      if (isOld()) return null;
      const faults = all.map((_, index) => found[index] ?? plain[index]?.fault ?? null);
      batch(() => all.forEach((line, index) => line.setFault(faults[index] ?? null)));
      const isReady = all.every((line) => line.isComplete()) && faults.every((one) => one === null);
      const next = isReady ? await wallet.preview(plain.map(({ text }) => text)) : null;
      if (isOld()) return null;
      setPreview(next);
      setError(null);
      return next;
    } catch (thrown) {
      if (isOld()) return null;
      setPreview(null);
      setError(SvcError.from(thrown).toJSON());
      return null;
    }
  };
  const hasContent = () => lines().some((line) => line.to().trim() !== "");
  createEffect(
    on(
      () => lines().map((line) => line.text()),
      () => {
        clearTimeout(timer);
        version += 1;
        setError(null);
        setReviewed(null);
        if (!lines().every((line) => line.isComplete())) setPreview(null);
        if (hasContent()) timer = setTimeout(() => void check(), LOOK_AFTER_MS);
      },
    ),
  );
  createEffect(
    on(numbers, (now, before) => {
      if (before !== undefined) for (const line of lines()) line.translate(before, now);
    }),
  );
  onCleanup(() => clearTimeout(timer));

  const payees = () => lines().map((line) => plainOf(line));
  return { ...list, payees, preview, error, check, reviewed, setReviewed };
}

/** A payee for the wallet worker. Throws `amount/…` where the typed amount is none. */
function plainOf(line: PayeeLine): PayeeText {
  const { text, fault } = line.plain();
  if (fault !== null) throw SvcError.fromJson(fault);
  return text;
}

/** The list of payees: how it grows, shrinks and is filled. */
function createLines() {
  const [lines, setLines] = createSignal<readonly PayeeLine[]>([createPayeeLine()]);
  const max = WALLET_LIMITS.walletPayeesMax;
  const withRoom = (next: readonly PayeeLine[]): readonly PayeeLine[] => {
    const count = next.length;
    if (count > max) throw new SvcError("wallet/too-many-payees", { count, max });
    return next;
  };
  const put = (line: PayeeLine, payees: readonly PayeeText[], link: LinkWords | null) => {
    const [first = EMPTY_PAYEE, ...others] = payees;
    const more = others.map((each) => createPayeeLine(each));
    const next = withRoom(lines().flatMap((each) => (each === line ? [line, ...more] : [each])));
    batch(() => {
      line.set(first, link);
      if (more.length > 0) setLines(next);
    });
  };
  const setPayees = (payees: readonly PayeeText[], link: LinkWords | null = null) => {
    const next = withRoom(payees.map((each) => createPayeeLine(each)));
    const [first = createPayeeLine()] = next;
    first.set({}, link);
    setLines([first, ...next.slice(1)]);
  };
  const add = () => {
    if (lines().length < max) setLines([...lines(), createPayeeLine()]);
  };
  const remove = (line: PayeeLine) => {
    const left = lines().filter((each) => each !== line);
    setLines(left.length === 0 ? [createPayeeLine()] : left);
  };
  const isEmpty = () => lines().every((line) => line.isEmpty());
  return { lines, add, remove, put, setPayees, clear: () => setPayees([]), isEmpty };
}
