/** Form that restores a wallet from a backup file. */
import { createSignal, onCleanup } from "solid-js";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { sentenceOrNull } from "../../i18n/sentence.ts";
import { t } from "../../i18n/translate.ts";
import { PAGE_LIMITS } from "../../pageLimits.ts";
import { createTask } from "../../state/createTask.ts";
import { useWallet } from "../../state/walletContext.ts";
import { TextField } from "../../ui/Field.tsx";
import { Gate, GateForm } from "../../ui/Gate.tsx";
import { PassphraseField } from "../../ui/PassphraseField.tsx";
import { createPause } from "../unlock/createPause.ts";
import { MakeActions } from "../welcome/MakeActions.tsx";
import { readinessOf } from "../welcome/readiness.ts";

/** Brings a wallet back from its file. */
export function RestoreFile(props: { onBack: () => void }) {
  const client = useWallet();
  const [file, setFile] = createSignal<File | null>(null);
  const [text, setText] = createSignal("");
  const [submitted, setSubmitted] = createSignal(false);
  const pause = createPause(() => client.pauseMs());
  const restoring = createTask(async (chosen: File) => {
    try {
      await client.restoreFile(text(), await readBounded(chosen));
    } finally {
      await pause.look();
    }
  });
  onCleanup(() => setText(""));
  const submit = () => {
    if (readinessOf(client.snapshot) !== "ready") return;
    setSubmitted(true);
    const chosen = file();
    if (chosen !== null && text() !== "" && pause.seconds() === 0) void restoring.run(chosen);
  };
  const isPassphrase = () => restoring.error()?.code === "wallet/wrong-passphrase";
  const fileFault = () => {
    if (submitted() && file() === null) return t("restoreFile.fileMissing");
    return isPassphrase() ? null : sentenceOrNull(restoring.error());
  };
  const label = () =>
    pause.seconds() > 0 ? t("unlock.pause", { count: pause.seconds() }) : t("restore.submit");
  return (
    <Gate title={t("restoreFile.choice")}>
      <GateForm onSubmit={submit}>
        <TextField
          label={t("restoreFile.file")}
          hint={t("restoreFile.fileHint")}
          error={fileFault()}
          type="file"
          accept=".json,application/json"
          onChange={(event) => {
            restoring.clearError();
            setFile(event.currentTarget.files?.item(0) ?? null);
          }}
        />
        <PassphraseField
          label={t("restoreFile.passphrase")}
          purpose="current-password"
          value={text()}
          onChange={(value) => {
            restoring.clearError();
            setText(value);
          }}
          hint={t("restoreFile.passphraseHint")}
          error={isPassphrase() ? sentenceOrNull(restoring.error()) : null}
        />
        <MakeActions
          text={label()}
          busy={restoring.busy()}
          disabled={pause.seconds() > 0 || text() === ""}
          onBack={props.onBack}
        />
      </GateForm>
    </Gate>
  );
}

/** The bytes of a file that is not too large to be a backup. Rejects with `wallet/bad-backup`. */
async function readBounded(file: File): Promise<Uint8Array<ArrayBuffer>> {
  if (file.size > PAGE_LIMITS.backupFileBytes) {
    throw new SvcError("wallet/bad-backup", { reason: "it is too large" });
  }
  try {
    return new Uint8Array(await file.arrayBuffer());
  } catch (error) {
    throw new SvcError("wallet/bad-backup", { reason: "the browser cannot read it" }, error);
  }
}
