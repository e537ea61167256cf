/** Dialog: shows the seed after the passphrase was entered again. */
import { createSignal, onCleanup, Show } from "solid-js";
import { t } from "../../i18n/translate.ts";
import { useWallet } from "../../state/walletContext.ts";
import { Dialog } from "../../ui/Dialog.tsx";
import { Facts } from "../../ui/Facts.tsx";
import { Notice } from "../../ui/Notice.tsx";
import type { BackupFacts } from "../../wallet-api/backupFacts.ts";
import { SeedGroups } from "../backup/Backup.tsx";
import { AskPassphrase } from "../keys/AskPassphrase.tsx";
import { birthdayText } from "../keys/birthdayText.ts";

/** Shows the seed to whoever knows the passphrase; with `onSeed` it is handed on instead. */
export function RevealSeed(props: { onClose: () => void; onSeed?: (seed: Uint8Array) => void }) {
  const client = useWallet();
  const [seed, setSeed] = createSignal<Uint8Array | null>(null);
  const [birthday, setBirthday] = createSignal<BackupFacts["birthday"]>("genesis");
  onCleanup(() => seed()?.fill(0));
  const reveal = async (passphrase: string) => {
    const facts = await client.wallet.backupFacts();
    const found = await client.reveal(passphrase);
    setBirthday(facts.birthday);
    if (props.onSeed === undefined) setSeed(found);
    else props.onSeed(found);
  };
  return (
    <Dialog title={t("reveal.title")} onClose={props.onClose}>
      <Notice kind="warning">{t("reveal.text")}</Notice>
      <Show
        when={seed()}
        fallback={
          <AskPassphrase submit={t("reveal.submit")} work={reveal} onCancel={props.onClose} />
        }
      >
        {(found) => (
          <>
            <SeedGroups seed={found()} hidden={false} />
            <Facts rows={[{ label: t("paper.birthday"), value: birthdayText(birthday()) }]} />
          </>
        )}
      </Show>
    </Dialog>
  );
}
