/** Form that creates a wallet: choice of a passphrase. */
import { Gate, GateActions, GateForm } from "../../ui/Gate.tsx";
import { t } from "../../i18n/translate.ts";
import { createTask } from "../../state/createTask.ts";
import { useWallet } from "../../state/walletContext.ts";
import { Button } from "../../ui/Button.tsx";
import { ErrorNotice } from "../../ui/Notice.tsx";
import { createNewPassphrase, NewPassphrase } from "./NewPassphrase.tsx";
import { readinessOf } from "./readiness.ts";
import { StartNotice } from "./StartNotice.tsx";

/** Makes a wallet; the seed is shown on the next screen. */
export function CreateWallet(props: { onBack: () => void }) {
  const client = useWallet();
  const passphrase = createNewPassphrase();
  const creating = createTask((text: string) => client.create(text));
  const isReady = () => readinessOf(client.snapshot) === "ready";
  const submit = () => {
    if (!isReady()) return;
    const text = passphrase.agreed();
    if (text !== null) void creating.run(text);
  };
  return (
    <Gate title={t("passphrase.title")} text={t("passphrase.text")}>
      <GateForm onSubmit={submit}>
        <NewPassphrase passphrase={passphrase} autofocus />
        <ErrorNotice error={creating.error()} />
        <StartNotice />
        <GateActions>
          <Button
            kind="primary"
            type="submit"
            wide
            busy={creating.busy()}
            disabled={!isReady() && !creating.busy()}
          >
            {creating.busy() ? t("passphrase.working") : t("create.submit")}
          </Button>
          <Button kind="quiet" wide icon="back" onClick={() => props.onBack()}>
            {t("form.back")}
          </Button>
        </GateActions>
      </GateForm>
    </Gate>
  );
}
