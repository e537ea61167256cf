/** Form that restores a wallet from its seed. */
import { createSignal } from "solid-js";
import { Gate, GateForm } from "../../ui/Gate.tsx";
import { readSeedText, SEED_DIGITS } from "@svc/shared/wallet/state/seedText.ts";
import { t } from "../../i18n/translate.ts";
import { createTask } from "../../state/createTask.ts";
import { useWallet } from "../../state/walletContext.ts";
import { TextArea } from "../../ui/Field.tsx";
import { ErrorNotice } from "../../ui/Notice.tsx";
import { BirthdayField, createBirthday } from "./BirthdayField.tsx";
import { MakeActions } from "./MakeActions.tsx";
import { createNewPassphrase, NewPassphrase } from "./NewPassphrase.tsx";
import { readinessOf } from "./readiness.ts";
import { digitsOf, seedFault, seedHint } from "../../i18n/seedTexts.ts";

/** Brings a wallet back from its seed. */
export function RestoreWallet(props: { onBack: () => void }) {
  const client = useWallet();
  const passphrase = createNewPassphrase();
  const [seed, setSeed] = createSignal("");
  const birthday = createBirthday();
  const [submitted, setSubmitted] = createSignal(false);
  const restoring = createTask((text: string) => client.restore(text, seed(), birthday.from()));
  const typed = () => readSeedText(seed());
  const isReady = () => readinessOf(client.snapshot) === "ready";
  const submit = () => {
    if (!isReady()) return;
    setSubmitted(true);
    const text = passphrase.agreed();
    if (text === null || typed().kind !== "seed" || birthday.isWrong()) return;
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
        <BirthdayField birthday={birthday} />
        <NewPassphrase passphrase={passphrase} />
        <ErrorNotice error={restoring.error()} />
        <MakeActions text={t("restore.submit")} busy={restoring.busy()} onBack={props.onBack} />
      </GateForm>
    </Gate>
  );
}
