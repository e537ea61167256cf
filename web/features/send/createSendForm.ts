/** Form model of the payment form: validation, payment links, and the largest amount that can be paid. */
import { createSignal, type Accessor } from "solid-js";
import type { ErrorJson } from "@svc/shared/base/svcError.ts";
import type { PayeeText } from "@svc/shared/wallet/plan/payee.ts";
import type { LinkFields, PaymentPreview } from "../../wallet-api/walletApi.ts";
import { numbers } from "../../i18n/language.ts";
import { sentenceOrNull } from "../../i18n/sentence.ts";
import { t } from "../../i18n/translate.ts";
import { typedCoins } from "../../i18n/amounts/typedCoins.ts";
import { createTask } from "../../state/createTask.ts";
import type { Draft } from "../../state/createDraft.ts";
import { EMPTY_PAYEE, type PayeeLine } from "../../state/draft/createPayeeLine.ts";
import { useWallet } from "../../state/walletContext.ts";
import { fieldOfError, type SendField } from "./fieldOfError.ts";
import { fillFrom, isLink } from "./paymentLink.ts";

/** The form model, as the component uses it. */
export type SendFormModel = ReturnType<typeof createSendForm>;
/** The part of the form model that is about one payee. */
export type PayeeFormModel = ReturnType<SendFormModel["payee"]>;

/** Makes the form model over a draft: review, payment links, the largest amount, and the errors. */
export function createSendForm(draft: Draft, onReview: (preview: PaymentPreview) => void) {
  const { wallet } = useWallet();
  const [submitted, setSubmitted] = createSignal(false);
  const reviewing = createTask(async () => {
    const preview = await draft.check();
    if (preview !== null) onReview(preview);
  });
  const takingMax = createTask(async () => {
    const { amount } = await wallet.maxPayment();
    draft.lines()[0]?.set({ amount: typedCoins(amount, numbers()) });
  });
  const several = () => draft.lines().length > 1;
  /** What is wrong with the payment of one payee stands at its field; with several it belongs to none of them. */
  const fieldOfWhole = (error: ErrorJson) => (several() ? null : fieldOfError(error));

  const review = async () => {
    setSubmitted(true);
    if (draft.lines().every((line) => line.isComplete())) await reviewing.run();
  };

  return {
    several,
    /** The part of the form that is about one payee. */
    payee: (line: PayeeLine) =>
      createPayeeForm(draft, line, {
        submitted,
        whole: () => {
          const error = draft.error();
          return error !== null && fieldOfWhole(error) !== null ? error : null;
        },
      }),
    /** One more payee. What is missing is said when the payment is to be reviewed. */
    add: () => {
      setSubmitted(false);
      draft.add();
    },
    /** What is wrong with no field in particular. */
    otherError: (): ErrorJson | null => {
      const error = draft.error();
      return error !== null && fieldOfWhole(error) === null ? error : null;
    },
    review,
    /** Puts a link that came from outside in place of what the form had. */
    fill: (link: LinkFields) => draft.setPayees(fillFrom(link, EMPTY_PAYEE), link),
    busy: reviewing.busy,
    takeMax: () => takingMax.run(),
  };
}

/** Changes of one payee, the links that are pasted there, and what is wrong with each field. */
function createPayeeForm(
  draft: Draft,
  line: PayeeLine,
  form: { readonly submitted: Accessor<boolean>; readonly whole: Accessor<ErrorJson | null> },
) {
  const { wallet } = useWallet();
  const filling = createTask(async (text: string) => {
    const link = await wallet.readLink(text);
    draft.put(line, fillFrom(link, line.text()), link);
  });
  const type = (change: Partial<PayeeText>) => line.set(change);
  /** A link pasted where the address belongs fills in its payees. */
  const typeTo = (text: string) => {
    line.set({ address: text }, null);
    filling.clearError();
    if (isLink(text)) void filling.run(text);
  };
  const errorOf = (field: SendField): string | null => {
    const empty = form.submitted() ? emptyText(line, field) : null;
    if (empty !== null) return empty;
    if (field === "to" && filling.error() !== null) return sentenceOrNull(filling.error());
    const found = line.fault() ?? form.whole();
    return found !== null && fieldOfError(found) === field ? sentenceOrNull(found) : null;
  };
  /** What is wrong with the payee and with none of its fields. */
  const otherError = (): ErrorJson | null => {
    const fault = line.fault();
    return fault !== null && fieldOfError(fault) === null ? fault : null;
  };
  return { type, typeTo, errorOf, otherError };
}

/** What to write into the first field that was left empty; null for every other one. */
function emptyText(line: PayeeLine, field: SendField): string | null {
  if (line.to().trim() === "") return field === "to" ? t("send.missingTo") : null;
  return field === "amount" && line.amount().trim() === "" ? t("send.missingAmount") : null;
}
