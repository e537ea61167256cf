import { createSignal } from "solid-js";
import { Gate, GateActions, GateForm } from "../../app/Gate.tsx";
import type { RestoreFrom } from "../../engine/engineApi.ts";
import { t } from "../../i18n/translate.ts";
import { createTask } from "../../state/createTask.ts";
import { useWallet } from "../../state/walletContext.ts";
import { Button } from "../../ui/Button.tsx";
import { TextArea, TextField } from "../../ui/Field.tsx";
import { ErrorNotice } from "../../ui/Notice.tsx";
import { createNewPassphrase, NewPassphrase } from "./NewPassphrase.tsx";

/** Brings a wallet back from its seed. */
export function RestoreWallet(props: { onBack: () => void }) {
  const client = useWallet();
  const passphrase = createNewPassphrase();
  const [seed, setSeed] = createSignal("");
  const [day, setDay] = createSignal("");
  const restoring = createTask((text: string) => client.restore(text, seed(), restoreFrom(day())));
  const digits = () => seed().replaceAll(/\s/g, "").length;
  const submit = () => {
    const text = passphrase.agreed();
    if (text !== null) void restoring.run(text);
  };
  return (
    <Gate title={t("restore.title")}>
      <GateForm onSubmit={submit}>
        <TextArea
          label={t("restore.seed")}
          hint={t("restore.seedHint")}
          aside={t("restore.seedCount", { count: digits() })}
          rows={3}
          autofocus
          value={seed()}
          onInput={(event) => setSeed(event.currentTarget.value)}
        />
        <TextField
          label={t("restore.when")}
          hint={t("restore.whenHint")}
          type="date"
          value={day()}
          onInput={(event) => setDay(event.currentTarget.value)}
        />
        <NewPassphrase passphrase={passphrase} />
        <ErrorNotice error={restoring.error()} />
        <GateActions>
          <Button kind="primary" type="submit" wide busy={restoring.busy()}>
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

/** An empty or unreadable day means that everything is scanned. */
function restoreFrom(day: string): RestoreFrom {
  const ms = Date.parse(day);
  return Number.isNaN(ms) ? { kind: "genesis" } : { kind: "date", ms };
}
