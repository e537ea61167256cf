/** Form that makes a wallet which only watches, from a full viewing key. */
import { createSignal } from "solid-js";
import { t } from "../../i18n/translate.ts";
import { createTask } from "../../state/createTask.ts";
import { useWallet } from "../../state/walletContext.ts";
import { Button } from "../../ui/Button.tsx";
import { TextArea, TextField } from "../../ui/Field.tsx";
import { Gate, GateActions, GateForm } from "../../ui/Gate.tsx";
import { ErrorNotice } from "../../ui/Notice.tsx";
import { createNewPassphrase, NewPassphrase } from "../welcome/NewPassphrase.tsx";
import { dayText, isInFuture, restoreFrom } from "../welcome/restoreDay.ts";
import { readViewingKey } from "./viewingKeyText.ts";

/** Watches from the day that is given, or from the chain's first block. */
export function WatchWallet(props: { onBack: () => void }) {
  const client = useWallet();
  const passphrase = createNewPassphrase();
  const [text, setText] = createSignal("");
  const [day, setDay] = createSignal("");
  const [submitted, setSubmitted] = createSignal(false);
  const today = new Date();
  const watching = createTask((secret: string, key: Uint8Array<ArrayBuffer>) =>
    client.watch(secret, key, restoreFrom(day())),
  );
  const typed = () => readViewingKey(text());
  const fault = () => {
    const { kind } = typed();
    if (kind === "incoming") return t("watch.keyIncoming");
    return submitted() && kind === "malformed" ? t("watch.keyLength") : null;
  };
  const dayFault = () => (isInFuture(day(), today) ? t("restore.whenFuture") : null);
  const submit = () => {
    setSubmitted(true);
    const secret = passphrase.agreed();
    const found = typed();
    if (secret === null || found.kind !== "full" || dayFault() !== null) return;
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
        <TextField
          label={t("restore.when")}
          hint={t("restore.whenHint")}
          error={dayFault()}
          type="date"
          max={dayText(today)}
          value={day()}
          onInput={(event) => setDay(event.currentTarget.value)}
        />
        <NewPassphrase passphrase={passphrase} />
        <ErrorNotice error={watching.error()} />
        <GateActions>
          <Button kind="primary" type="submit" wide busy={watching.busy()}>
            {watching.busy() ? t("passphrase.working") : t("watch.submit")}
          </Button>
          <Button kind="quiet" wide icon="back" onClick={() => props.onBack()}>
            {t("form.back")}
          </Button>
        </GateActions>
      </GateForm>
    </Gate>
  );
}
