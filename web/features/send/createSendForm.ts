/** Form model of the payment form: validation, payment links, and the largest amount that can be paid. */
import { createSignal } from "solid-js";
import type { PayeeText } from "@svc/shared/wallet/plan/payee.ts";
import type { PaymentPreview } from "../../wallet-api/walletApi.ts";
import { locale } from "../../i18n/language.ts";
import { sentenceOf, sentenceOrNull } from "../../i18n/sentence.ts";
import { typedCoins } from "../../i18n/typedCoins.ts";
import { createTask } from "../../state/createTask.ts";
import type { Draft } from "../../state/createDraft.ts";
import { shownAmount } from "../../state/plainPayee.ts";
import { useWallet } from "../../state/walletContext.ts";
import { fieldOfError, type SendField } from "./fieldOfError.ts";
import { fillFrom, isLink } from "./paymentLink.ts";

/** The form model, as the component uses it. */
export type SendFormModel = ReturnType<typeof createSendForm>;

/** Makes the form model over a draft: review, payment links, the largest amount, and the error of each field. */
export function createSendForm(draft: Draft, onReview: (preview: PaymentPreview) => void) {
  const { wallet } = useWallet();
  const [label, setLabel] = createSignal<string | null>(null);
  const reviewing = createTask(async () => onReview(await wallet.preview(draft.plain())));
  const filling = createTask(async (text: string) => {
    const link = await wallet.readLink(text);
    draft.set(fillFrom({ ...link, amount: shownAmount(link.amount, locale()) }, draft.text()));
    setLabel(link.label);
  });
  const takingMax = createTask(async () => {
    const { amount } = await wallet.maxPayment();
    draft.set({ amount: typedCoins(amount, locale()) });
  });

  const error = () => reviewing.error() ?? draft.error();
  const placed = (field: SendField | null) => {
    const found = error();
    return found !== null && fieldOfError(found) === field ? found : null;
  };
  const errorOf = (field: SendField): string | null => {
    const found = placed(field);
    if (found !== null) return sentenceOf(found);
    return field === "to" ? sentenceOrNull(filling.error()) : null;
  };
  const type = (change: Partial<PayeeText>) => {
    reviewing.clearError();
    draft.set(change);
  };
  /** A link pasted where the address belongs fills the whole form. */
  const typeTo = (text: string) => {
    type({ address: text });
    filling.clearError();
    setLabel(null);
    if (isLink(text)) void filling.run(text);
  };

  return {
    /** What a payment link calls the payee. */
    label,
    type,
    typeTo,
    errorOf,
    /** What is wrong with no field in particular. */
    otherError: () => placed(null),
    review: () => reviewing.run(),
    busy: reviewing.busy,
    takeMax: () => takingMax.run(),
  };
}
