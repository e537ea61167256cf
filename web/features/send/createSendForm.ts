/** Form model of the payment form: validation, payment links, and the largest amount that can be paid. */
import { createSignal } from "solid-js";
import type { PayeeText } from "@svc/shared/wallet/plan/payee.ts";
import type { PaymentPreview } from "../../wallet-api/walletApi.ts";
import { locale } from "../../i18n/language.ts";
import { sentenceOrNull } from "../../i18n/sentence.ts";
import { t } from "../../i18n/translate.ts";
import { typedCoins } from "../../i18n/amounts/typedCoins.ts";
import { createTask } from "../../state/createTask.ts";
import type { Draft } from "../../state/createDraft.ts";
import { shownAmount } from "../../state/language/plainPayee.ts";
import { useWallet } from "../../state/walletContext.ts";
import { fieldOfError, type SendField } from "./fieldOfError.ts";
import { fillFrom, isLink } from "./paymentLink.ts";

/** The form model, as the component uses it. */
export type SendFormModel = ReturnType<typeof createSendForm>;

/** Makes the form model over a draft: review, payment links, the largest amount, and the error of each field. */
export function createSendForm(draft: Draft, onReview: (preview: PaymentPreview) => void) {
  const { wallet } = useWallet();
  const [label, setLabel] = createSignal<string | null>(null);
  const [submitted, setSubmitted] = createSignal(false);
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
    const empty = submitted() ? emptyText(draft, field) : null;
    if (empty !== null) return empty;
    const refusedLink = field === "to" ? filling.error() : null;
    return sentenceOrNull(refusedLink ?? placed(field));
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

  const review = async () => {
    setSubmitted(true);
    const isEmpty = draft.to().trim() === "" || draft.amount().trim() === "";
    if (!isEmpty) await reviewing.run();
  };

  return {
    /** What a payment link calls the payee. */
    label,
    type,
    typeTo,
    errorOf,
    /** What is wrong with no field in particular. */
    otherError: () => placed(null),
    review,
    busy: reviewing.busy,
    takeMax: () => takingMax.run(),
  };
}

/** What to write into the first field that was left empty; null for every other one. */
function emptyText(draft: Draft, field: SendField): string | null {
  if (draft.to().trim() === "") return field === "to" ? t("send.missingTo") : null;
  return field === "amount" && draft.amount().trim() === "" ? t("send.missingAmount") : null;
}
