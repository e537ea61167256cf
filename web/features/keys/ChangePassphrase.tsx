/** Dialog that changes the wallet's passphrase, and the line of the settings that opens it. */
import { createSignal, onCleanup, Show } from "solid-js";
import { sentenceOrNull } from "../../i18n/sentence.ts";
import { t } from "../../i18n/translate.ts";
import { createTask } from "../../state/createTask.ts";
import { useWallet } from "../../state/walletContext.ts";
import { Button } from "../../ui/Button.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { PassphraseField } from "../../ui/PassphraseField.tsx";
import { createPause } from "../unlock/createPause.ts";
import { createNewPassphrase, NewPassphrase } from "../welcome/NewPassphrase.tsx";
import { DoneStep } from "./DoneStep.tsx";
import styles from "../settings/Settings.module.css";

/** The line of the settings. */
export function PassphraseLine() {
  const [changing, setChanging] = createSignal(false);
  return (
    <div class={styles.line}>
      <p>{t("keys.passphraseText")}</p>
      <Button onClick={() => setChanging(true)}>{t("keys.passphraseChange")}</Button>
      <Show when={changing()}>
        <ChangePassphrase onClose={() => setChanging(false)} />
      </Show>
    </div>
  );
}

/** Asks for the passphrase as it is and, twice, as it shall be. */
function ChangePassphrase(props: { onClose: () => void }) {
  const client = useWallet();
  const [now, setNow] = createSignal("");
  const [done, setDone] = createSignal(false);
  const next = createNewPassphrase();
  const pause = createPause(() => client.pauseMs());
  const changing = createTask(async (text: string) => {
    try {
      await client.changePassphrase(now(), text);
      setDone(true);
    } finally {
      setNow("");
      await pause.look();
    }
  });
  const submit = () => {
    const text = next.agreed();
    if (text !== null) void changing.run(text);
  };
  const submitText = () =>
    pause.seconds() > 0
      ? t("unlock.pause", { count: pause.seconds() })
      : t("keys.passphraseChange");
  onCleanup(() => {
    for (const forget of [setNow, next.setFirst, next.setSecond]) forget("");
  });
  return (
    <Dialog title={t("keys.passphraseChange")} onClose={props.onClose}>
      <Show
        when={!done()}
        fallback={<DoneStep text={t("keys.passphraseDone")} onClose={props.onClose} />}
      >
        <form
          class={styles.form}
          novalidate
          onSubmit={(event) => {
            event.preventDefault();
            submit();
          }}
        >
          <PassphraseField
            label={t("keys.passphraseNow")}
            purpose="current-password"
            autofocus
            value={now()}
            onChange={(value) => {
              changing.clearError();
              setNow(value);
            }}
            error={sentenceOrNull(changing.error())}
          />
          <NewPassphrase passphrase={next} label={t("keys.passphraseNew")} />
          <div class={styles.buttons}>
            <Button onClick={() => props.onClose()}>{t("form.cancel")}</Button>
            <Button
              kind="primary"
              type="submit"
              busy={changing.busy()}
              disabled={now() === "" || pause.seconds() > 0}
            >
              {submitText()}
            </Button>
          </div>
        </form>
      </Show>
    </Dialog>
  );
}
