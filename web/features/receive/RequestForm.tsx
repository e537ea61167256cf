/** Component: the form of a payment request. */
import { sentenceOrNull } from "../../i18n/sentence.ts";
import { t, type PlainKey } from "../../i18n/translate.ts";
import { Button } from "../../ui/Button.tsx";
import { Card } from "../../ui/Card.tsx";
import { SelectField, TextField } from "../../ui/Field.tsx";
import {
  lasting,
  NO_REQUEST,
  VALIDITIES,
  type PaymentRequest,
  type RequestText,
  type Validity,
} from "./requestUri.ts";
import styles from "./Receive.module.css";

const VALIDITY_TEXTS: { readonly [V in Validity]: PlainKey } = {
  none: "request.validityNone",
  hour: "request.validityHour",
  day: "request.validityDay",
};

/** What to ask for; the code above changes while it is typed. */
export function RequestForm(props: {
  text: RequestText;
  request: PaymentRequest;
  onChange: (text: RequestText) => void;
  onClose: () => void;
}) {
  const type = (change: Partial<RequestText>) => props.onChange({ ...props.text, ...change });
  return (
    <Card title={t("request.title")}>
      <p class={styles.small}>{t("request.text")}</p>
      <TextField
        label={t("request.amount")}
        hint={t("request.amountHint")}
        error={sentenceOrNull(props.request.faults.amount)}
        inputmode="decimal"
        autofocus
        value={props.text.amount}
        onInput={(event) => type({ amount: event.currentTarget.value })}
      />
      <TextField
        label={t("request.memo")}
        hint={t("request.memoHint")}
        error={sentenceOrNull(props.request.faults.memo)}
        value={props.text.memo}
        onInput={(event) => type({ memo: event.currentTarget.value })}
      />
      <TextField
        label={t("request.label")}
        hint={t("request.labelHint")}
        maxlength={80}
        value={props.text.label}
        onInput={(event) => type({ label: event.currentTarget.value })}
      />
      <SelectField
        label={t("request.validity")}
        hint={t("request.validityHint")}
        value={props.text.validity}
        options={VALIDITIES.map((value) => ({ value, text: t(VALIDITY_TEXTS[value]) }))}
        onChange={(chosen) => {
          const validity = VALIDITIES.find((value) => value === chosen) ?? "none";
          type(lasting(validity, Date.now()));
        }}
      />
      <div class={styles.actions}>
        <Button
          onClick={() => {
            props.onChange(NO_REQUEST);
            props.onClose();
          }}
        >
          {t("request.clear")}
        </Button>
      </div>
    </Card>
  );
}
