/** Card of the settings: backups, of the seed on paper, and of seed and annotations as a file. */
import { createSignal, For, onCleanup, Show } from "solid-js";
import { t, type PlainKey } from "../../i18n/translate.ts";
import { useWallet } from "../../state/walletContext.ts";
import { Button } from "../../ui/Button.tsx";
import { Card } from "../../ui/Card.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { saveFile } from "../../ui/saveFile.ts";
import type { AnnotationRecord } from "../../wallet-api/backupAnnotations.ts";
import { DoneStep } from "./DoneStep.tsx";
import styles from "../settings/Settings.module.css";
import { AskPassphrase } from "./AskPassphrase.tsx";
import { backupFileName } from "./backupFileName.ts";
import type { Paper } from "./PaperBackup.tsx";

const WITHOUT: { readonly [N in AnnotationRecord]: PlainKey } = {
  contacts: "backups.without.contacts",
  labels: "backups.without.names",
  "payment-labels": "backups.without.remarks",
};

/** Both kinds of backup. `onPaper` gets what the paper page shows; its seed is the receiver's to erase. */
export function BackupsCard(props: { onPaper: (paper: Paper) => void }) {
  const [asking, setAsking] = createSignal<"paper" | "file" | null>(null);
  const close = () => setAsking(null);
  return (
    <Card title={t("backups.title")}>
      <div class={styles.line}>
        <p>{t("backups.paperText")}</p>
        <Button onClick={() => setAsking("paper")}>{t("backups.paper")}</Button>
      </div>
      <div class={styles.line}>
        <p>{t("backups.fileText")}</p>
        <Button onClick={() => setAsking("file")}>{t("backups.file")}</Button>
      </div>
      <Show when={asking() === "paper"}>
        <AskPaper onClose={close} onPaper={props.onPaper} />
      </Show>
      <Show when={asking() === "file"}>
        <SaveBackup onClose={close} />
      </Show>
    </Card>
  );
}

function AskPaper(props: { onClose: () => void; onPaper: (paper: Paper) => void }) {
  const client = useWallet();
  let gone = false;
  onCleanup(() => {
    gone = true;
  });
  const show = async (passphrase: string) => {
    const { birthday } = await client.wallet.backupFacts();
    const seed = await client.reveal(passphrase);
    // The wallet may have locked itself meanwhile.
    if (gone) seed.fill(0);
    else props.onPaper({ seed, birthday });
  };
  return (
    <Dialog title={t("backups.paper")} onClose={props.onClose}>
      <Notice kind="warning">{t("paper.ask")}</Notice>
      <AskPassphrase submit={t("paper.askSubmit")} work={show} onCancel={props.onClose} />
    </Dialog>
  );
}

function SaveBackup(props: { onClose: () => void }) {
  const client = useWallet();
  const [leftOut, setLeftOut] = createSignal<readonly AnnotationRecord[] | null>(null);
  const save = async (passphrase: string) => {
    const { file, leftOut: missing } = await client.backUpToFile(passphrase);
    const name = backupFileName(client.snapshot.network?.name ?? "", new Date());
    saveFile(file, name, "application/json");
    setLeftOut(missing);
  };
  return (
    <Dialog title={t("backups.file")} onClose={props.onClose}>
      <Show
        when={leftOut()}
        fallback={
          <>
            <p class={styles.text}>{t("backups.fileText")}</p>
            <AskPassphrase submit={t("backups.fileSubmit")} work={save} onCancel={props.onClose} />
          </>
        }
      >
        <DoneStep text={t("backups.fileDone")} onClose={props.onClose}>
          <For each={leftOut()}>
            {(record) => <Notice kind="warning">{t(WITHOUT[record])}</Notice>}
          </For>
        </DoneStep>
      </Show>
    </Dialog>
  );
}
