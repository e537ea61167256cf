/** Form model of the payment form: validation, payment links, and the largest amount that can be paid. */
import { createSignal } from "solid-js";
import type { PayeeText } from "@svc/shared/wallet/plan/payee.ts";
import type { LinkFields, PaymentPreview } from "../../wallet-api/walletApi.ts";
import { numbers } from "../../i18n/language.ts";
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
  const { label, setLabel, filling, fill } = createFilling(draft);
  const [submitted, setSubmitted] = createSignal(false);
  const reviewing = createTask(async () => onReview(await wallet.preview(draft.payees())));
  const takingMax = createTask(async () => {
    const { amount } = await wallet.maxPayment();
    draft.set({ amount: typedCoins(amount, numbers()) });
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
    /** Puts a link that came from outside in place of what the form had. */
    fill: (link: LinkFields) => {
      reviewing.clearError();
      fill(link, { address: "", amount: "", memo: "" });
    },
    busy: reviewing.busy,
    takeMax: () => takingMax.run(),
  };
}

/** What puts the fields of a link into a draft, and the name by which the link calls the payee. */
function createFilling(draft: Draft) {
  const { wallet } = useWallet();
  const [label, setLabel] = createSignal<string | null>(null);
  const filling = createTask(async (text: string) =>
    fill(await wallet.readLink(text), draft.text()),
  );
  const fill = (link: LinkFields, before: PayeeText) => {
    filling.clearError();
    draft.set(fillFrom({ ...link, amount: shownAmount(link.amount, numbers()) }, before));
    setLabel(link.label);
  };
  return { label, setLabel, filling, fill };
}

/** What to write into the first field that was left empty; null for every other one. */
function emptyText(draft: Draft, field: SendField): string | null {
  if (draft.to().trim() === "") return field === "to" ? t("send.missingTo") : null;
  return field === "amount" && draft.amount().trim() === "" ? t("send.missingAmount") : null;
}
