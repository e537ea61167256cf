/** Form that asks for the wallet's passphrase once more, before something is shown or done. */
import { createSignal } from "solid-js";
import { sentenceOrNull } from "../../i18n/sentence.ts";
import { t } from "../../i18n/translate.ts";
import { createTask } from "../../state/createTask.ts";
import { useWallet } from "../../state/walletContext.ts";
import { Button } from "../../ui/Button.tsx";
import { PassphraseField } from "../../ui/PassphraseField.tsx";
import { createPause } from "../unlock/createPause.ts";
import styles from "../settings/Settings.module.css";

/** Asks for the passphrase and does `work` with it; what `work` rejects with stands below the field. */
export function AskPassphrase(props: {
  submit: string;
  work: (passphrase: string) => Promise<void>;
  onCancel: () => void;
}) {
  const client = useWallet();
  const [text, setText] = createSignal("");
  const pause = createPause(() => client.pauseMs());
  const asking = createTask(async () => {
    try {
      await props.work(text());
    } finally {
      setText("");
      await pause.look();
    }
  });
  const submitText = () =>
    pause.seconds() > 0 ? t("unlock.pause", { count: pause.seconds() }) : props.submit;
  return (
    <form
      class={styles.form}
      novalidate
      onSubmit={(event) => {
        event.preventDefault();
        void asking.run();
      }}
    >
      <PassphraseField
        label={t("passphrase.label")}
        purpose="current-password"
        autofocus
        value={text()}
        onChange={(value) => {
          asking.clearError();
          setText(value);
        }}
        error={sentenceOrNull(asking.error())}
      />
      <div class={styles.buttons}>
        <Button onClick={() => props.onCancel()}>{t("form.cancel")}</Button>
        <Button
          kind="primary"
          type="submit"
          busy={asking.busy()}
          disabled={text() === "" || pause.seconds() > 0}
        >
          {submitText()}
        </Button>
      </div>
    </form>
  );
}
