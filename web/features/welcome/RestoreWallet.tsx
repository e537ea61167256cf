/** Form that restores a wallet from its seed. */
import { createSignal } from "solid-js";
import { Gate, GateActions, GateForm } from "../../ui/Gate.tsx";
import { readSeedText, SEED_DIGITS } from "@svc/shared/wallet/state/seedText.ts";
import { t } from "../../i18n/translate.ts";
import { createTask } from "../../state/createTask.ts";
import { useWallet } from "../../state/walletContext.ts";
import { Button } from "../../ui/Button.tsx";
import { TextArea, TextField } from "../../ui/Field.tsx";
import { ErrorNotice } from "../../ui/Notice.tsx";
import { createNewPassphrase, NewPassphrase } from "./NewPassphrase.tsx";
import { readinessOf } from "./readiness.ts";
import { StartNotice } from "./StartNotice.tsx";
import { dayText, isInFuture, restoreFrom } from "./restoreDay.ts";
import { digitsOf, seedFault, seedHint } from "../../i18n/seedTexts.ts";

/** Brings a wallet back from its seed. */
export function RestoreWallet(props: { onBack: () => void }) {
  const client = useWallet();
  const passphrase = createNewPassphrase();
  const [seed, setSeed] = createSignal("");
  const [day, setDay] = createSignal("");
  const [submitted, setSubmitted] = createSignal(false);
  const today = new Date();
  const restoring = createTask((text: string) => client.restore(text, seed(), restoreFrom(day())));
  const typed = () => readSeedText(seed());
  const dayFault = () => (isInFuture(day(), today) ? t("restore.whenFuture") : null);
  const isReady = () => readinessOf(client.snapshot) === "ready";
  const submit = () => {
    if (!isReady()) return;
    setSubmitted(true);
    const text = passphrase.agreed();
    if (text === null || typed().kind !== "seed" || dayFault() !== null) return;
    void restoring.run(text);
  };
  return (
    <Gate title={t("restore.title")}>
      <GateForm onSubmit={submit}>
        <TextArea
          label={t("restore.seed")}
          hint={seedHint(typed())}
          error={seedFault(typed(), submitted())}
          aside={t("restore.seedCount", { count: digitsOf(seed()), max: SEED_DIGITS })}
          rows={3}
          autofocus
          value={seed()}
          onInput={(event) => {
            restoring.clearError();
            setSeed(event.currentTarget.value);
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
        <ErrorNotice error={restoring.error()} />
        <StartNotice />
        <GateActions>
          <Button
            kind="primary"
            type="submit"
            wide
            busy={restoring.busy()}
            disabled={!isReady() && !restoring.busy()}
          >
            {restoring.busy() ? t("passphrase.working") : t("restore.submit")}
          </Button>
          <Button kind="quiet" wide icon="back" onClick={() => props.onBack()}>
            {t("form.back")}
          </Button>
        </GateActions>
      </GateForm>
    </Gate>
  );
}
