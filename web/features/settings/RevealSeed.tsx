/** Dialog: shows the seed after the passphrase was entered again. */
import { createSignal, onCleanup, Show } from "solid-js";
import { sentenceOrNull } from "../../i18n/sentence.ts";
import { t } from "../../i18n/translate.ts";
import { createTask } from "../../state/createTask.ts";
import { useWallet } from "../../state/walletContext.ts";
import { Button } from "../../ui/Button.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { PassphraseField } from "../../ui/PassphraseField.tsx";
import { SeedGroups } from "../backup/Backup.tsx";
import { createPause } from "../unlock/createPause.ts";
import styles from "./Settings.module.css";

/** Shows the seed to whoever knows the passphrase; with `onSeed` it is handed on instead. */
export function RevealSeed(props: { onClose: () => void; onSeed?: (seed: Uint8Array) => void }) {
  const [seed, setSeed] = createSignal<Uint8Array | null>(null);
  onCleanup(() => seed()?.fill(0));
  return (
    <Dialog title={t("reveal.title")} onClose={props.onClose}>
      <Notice kind="warning">{t("reveal.text")}</Notice>
      <Show
        when={seed()}
        fallback={<AskPassphrase onCancel={props.onClose} onSeed={props.onSeed ?? setSeed} />}
      >
        {(found) => <SeedGroups seed={found()} hidden={false} />}
      </Show>
    </Dialog>
  );
}

function AskPassphrase(props: { onCancel: () => void; onSeed: (seed: Uint8Array) => void }) {
  const client = useWallet();
  const [text, setText] = createSignal("");
  const pause = createPause(() => client.pauseMs());
  const revealing = createTask(async () => {
    try {
      props.onSeed(await client.reveal(text()));
    } finally {
      setText("");
      await pause.look();
    }
  });
  const type = (value: string) => {
    revealing.clearError();
    setText(value);
  };
  const submitText = () =>
    pause.seconds() > 0 ? t("unlock.pause", { count: pause.seconds() }) : t("reveal.submit");
  return (
    <form
      class={styles.form}
      novalidate
      onSubmit={(event) => {
        event.preventDefault();
        void revealing.run();
      }}
    >
      <PassphraseField
        label={t("passphrase.label")}
        purpose="current-password"
        autofocus
        value={text()}
        onChange={type}
        error={sentenceOrNull(revealing.error())}
      />
      <div class={styles.buttons}>
        <Button onClick={() => props.onCancel()}>{t("form.cancel")}</Button>
        <Button
          kind="primary"
          type="submit"
          busy={revealing.busy()}
          disabled={text() === "" || pause.seconds() > 0}
        >
          {submitText()}
        </Button>
      </div>
    </form>
  );
}
