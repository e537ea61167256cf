/** Form that makes a wallet which only watches, from a full viewing key. */
import { createSignal } from "solid-js";
import { t } from "../../i18n/translate.ts";
import { createTask } from "../../state/createTask.ts";
import { useWallet } from "../../state/walletContext.ts";
import { TextArea } from "../../ui/Field.tsx";
import { Gate, GateForm } from "../../ui/Gate.tsx";
import { ErrorNotice } from "../../ui/Notice.tsx";
import { BirthdayField, createBirthday } from "../welcome/BirthdayField.tsx";
import { MakeActions } from "../welcome/MakeActions.tsx";
import { createNewPassphrase, NewPassphrase } from "../welcome/NewPassphrase.tsx";
import { readinessOf } from "../welcome/readiness.ts";
import { readViewingKey } from "./viewingKeyText.ts";

/** Watches from the day that is given, or from the chain's first block. */
export function WatchWallet(props: { onBack: () => void }) {
  const client = useWallet();
  const passphrase = createNewPassphrase();
  const [text, setText] = createSignal("");
  const birthday = createBirthday();
  const [submitted, setSubmitted] = createSignal(false);
  const watching = createTask((secret: string, key: Uint8Array<ArrayBuffer>) =>
    client.watch(secret, key, birthday.from()),
  );
  const typed = () => readViewingKey(text());
  const fault = () => {
    const { kind } = typed();
    if (kind === "incoming") return t("watch.keyIncoming");
    return submitted() && kind === "malformed" ? t("watch.keyLength") : null;
  };
  const submit = () => {
    if (readinessOf(client.snapshot) !== "ready") return;
    setSubmitted(true);
    const secret = passphrase.agreed();
    const found = typed();
    if (secret === null || found.kind !== "full" || birthday.isWrong()) return;
    void watching.run(secret, found.key);
  };
  return (
    <Gate title={t("watch.choice")} text={t("watch.choiceText")}>
      <GateForm onSubmit={submit}>
        <TextArea
          label={t("watch.key")}
          hint={t("watch.keyHint")}
          error={fault()}
          rows={5}
          autofocus
          value={text()}
          onInput={(event) => {
            watching.clearError();
            setText(event.currentTarget.value);
          }}
        />
        <BirthdayField birthday={birthday} />
        <NewPassphrase passphrase={passphrase} />
        <ErrorNotice error={watching.error()} />
        <MakeActions text={t("watch.submit")} busy={watching.busy()} onBack={props.onBack} />
      </GateForm>
    </Gate>
  );
}
