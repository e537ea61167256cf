/** Receive screen: the wallet's payment address, and the miner of a local network. */
import { createSignal, Show } from "solid-js";
import type { LocalMiner, WalletView } from "../../wallet-api/walletApi.ts";
import { t } from "../../i18n/translate.ts";
import { createTask } from "../../state/createTask.ts";
import { useWallet } from "../../state/walletContext.ts";
import { Button } from "../../ui/Button.tsx";
import { Card, Screen } from "../../ui/Card.tsx";
import { CopyButton } from "../../ui/CopyButton.tsx";
import { ErrorNotice } from "../../ui/Notice.tsx";
import { QrCode } from "../../ui/QrCode.tsx";
import styles from "./Receive.module.css";

/** The address to be paid at, as text and QR code. */
export function Receive(props: { wallet: WalletView }) {
  const { wallet, snapshot } = useWallet();
  const address = () => props.wallet.address;
  const renewing = createTask(() => wallet.newAddress());
  return (
    <Screen title={t("receive.title")}>
      <p class={styles.text}>{t("receive.text")}</p>
      <Card>
        <div class={styles.sheet}>
          <QrCode text={address().text} label={t("receive.qr")} />
          <div class={styles.side}>
            <div class={styles.label}>
              <span>{t("receive.address")}</span>
              <span class="number">{t("receive.number", { number: address().index + 1 })}</span>
            </div>
            <p class={styles.address} data-testid="address">
              {address().text}
            </p>
            <div class={styles.actions}>
              <CopyButton text={address().text} kind="primary" />
              <Button icon="plus" busy={renewing.busy()} onClick={() => void renewing.run()}>
                {t("receive.new")}
              </Button>
            </div>
            <ErrorNotice error={renewing.error()} />
          </div>
        </div>
      </Card>
      <Show when={snapshot.node.minesOnRequest}>
        <MineCard />
      </Show>
    </Screen>
  );
}

/** Chooses whom the miner of a local network pays: this wallet, whichever address is shown, or nobody. */
function MineCard() {
  const { wallet } = useWallet();
  const [miner, setMiner] = createSignal<LocalMiner | null>(null);
  const telling = createTask(async (on: boolean) => setMiner(await wallet.mineHere(on)));
  wallet.localMiner().then(setMiner, () => undefined);
  const mining = () => miner()?.paysUs === true;
  return (
    <Card title={t("receive.mineTitle")}>
      <div class={styles.mine}>
        <p>
          <Show when={mining()} fallback={t("receive.mineText")}>
            {t("receive.mining")}
          </Show>
        </p>
        <Button
          icon={mining() ? "close" : "mined"}
          busy={telling.busy()}
          onClick={() => void telling.run(!mining())}
        >
          {t(mining() ? "receive.mineStop" : "receive.mine")}
        </Button>
      </div>
      <ErrorNotice error={telling.error()} />
    </Card>
  );
}
