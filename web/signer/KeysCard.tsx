/** Component: address and viewing key of the seed, for the program that prepares payments. */
import { createSignal, For, Show } from "solid-js";
import { t } from "../i18n/translate.ts";
import { CopyButton } from "../ui/CopyButton.tsx";
import { Facts } from "../ui/Facts.tsx";
import { QrCode } from "../ui/QrCode.tsx";
import type { SignerSession } from "./signerSession.ts";
import styles from "./Signer.module.css";

/** Closed until somebody wants it. */
export function KeysCard(props: { session: SignerSession; networks: readonly string[] }) {
  const [network, setNetwork] = createSignal(props.networks[0] ?? "");
  const keys = () => props.session.keys(network());
  return (
    <details class={styles.keys}>
      <summary>{t("signer.keysTitle")}</summary>
      <p class={styles.text}>{t("signer.keysText")}</p>
      <label class={styles.network}>
        {t("signer.keysNetwork")}
        <select onChange={(event) => setNetwork(event.currentTarget.value)}>
          <For each={props.networks}>{(name) => <option value={name}>{name}</option>}</For>
        </select>
      </label>
      <Show when={keys()}>
        {(shown) => (
          <>
            <Facts
              rows={[
                { label: t("signer.keysAddress"), value: shown().address, mono: true },
                { label: t("signer.keysViewing"), value: shown().viewingKey, mono: true },
              ]}
            />
            <div class={styles.middle}>
              <QrCode text={shown().viewingKey.toUpperCase()} label={t("signer.keysQr")} />
              <CopyButton text={shown().viewingKey} />
            </div>
          </>
        )}
      </Show>
    </details>
  );
}
