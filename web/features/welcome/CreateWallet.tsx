/** Form that creates a wallet: choice of a passphrase. */
import { Gate, GateForm } from "../../ui/Gate.tsx";
import { t } from "../../i18n/translate.ts";
import { createTask } from "../../state/createTask.ts";
import { useWallet } from "../../state/walletContext.ts";
import { ErrorNotice } from "../../ui/Notice.tsx";
import { MakeActions } from "./MakeActions.tsx";
import { createNewPassphrase, NewPassphrase } from "./NewPassphrase.tsx";
import { readinessOf } from "./readiness.ts";

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
        <MakeActions text={t("create.submit")} busy={creating.busy()} onBack={props.onBack} />
      </GateForm>
    </Gate>
  );
}
