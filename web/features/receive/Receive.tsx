/** Receive screen: an address to be paid at, payment requests, all own addresses, and the miner of a local network. */
import { createSignal, Show } from "solid-js";
import { PAGE_LIMITS } from "../../pageLimits.ts";
import type { LocalMiner, WalletView } from "../../wallet-api/walletApi.ts";
import { amountText, dateText } from "../../i18n/format.ts";
import { t } from "../../i18n/translate.ts";
import { createNow } from "../../state/clock.ts";
import { createTask } from "../../state/createTask.ts";
import { useWallet } from "../../state/walletContext.ts";
import { AddressText } from "../../ui/AddressText.tsx";
import { Button } from "../../ui/Button.tsx";
import { Card, Screen } from "../../ui/Card.tsx";
import { CopyButton } from "../../ui/CopyButton.tsx";
import { ErrorNotice } from "../../ui/Notice.tsx";
import { QrCode } from "../../ui/QrCode.tsx";
import { AddressList } from "./AddressList.tsx";
import { createAddresses } from "./createAddresses.ts";
import { RequestForm } from "./RequestForm.tsx";
import { NO_REQUEST, requestUri, type PaymentRequest, type RequestText } from "./requestUri.ts";
import styles from "./Receive.module.css";

/** Links longer than this are drawn with smaller modules. */
const DENSE_CHARS = 250;

/** The address to be paid at, as text and QR code, with or without a request; then all addresses. */
export function Receive(props: { wallet: WalletView }) {
  const { snapshot } = useWallet();
  const [chosen, setChosen] = createSignal<Shown | null>(null);
  const [text, setText] = createSignal<RequestText>(NO_REQUEST);
  const [asking, setAsking] = createSignal(false);
  const [limit, setLimit] = createSignal<number>(PAGE_LIMITS.addressPageRows);
  const addresses = createAddresses(() => props.wallet, limit);
  const address = () => chosen() ?? props.wallet.address;
  const request = () => requestUri(address().text, text());
  return (
    <Screen title={t("receive.title")}>
      <p class={styles.text}>{t("receive.text")}</p>
      <Card>
        <Sheet
          address={address()}
          request={request()}
          expiresMs={text().expiresMs}
          asking={asking()}
          onNew={() => setChosen(null)}
          onAsk={() => setAsking(true)}
        />
      </Card>
      <Show when={asking()}>
        <RequestForm
          text={text()}
          request={request()}
          onChange={setText}
          onClose={() => setAsking(false)}
        />
      </Show>
      <Show when={snapshot.node.minesOnRequest}>
        <MineCard />
      </Show>
      <AddressList
        addresses={addresses}
        shown={address().index}
        onShow={({ text: shown, index }) => {
          setChosen({ text: shown, index });
          scrollTo(0, 0);
        }}
        onMore={() => setLimit(limit() + PAGE_LIMITS.addressPageRows)}
      />
    </Screen>
  );
}

/** An address with its number. */
type Shown = WalletView["address"];

/** The code, and beside it what is in it. */
function Sheet(props: {
  address: Shown;
  request: PaymentRequest;
  expiresMs: RequestText["expiresMs"];
  asking: boolean;
  onNew: () => void;
  onAsk: () => void;
}) {
  const { wallet } = useWallet();
  const renewing = createTask(async () => {
    await wallet.newAddress();
    props.onNew();
  });
  const isRequest = () => props.request.uri !== props.address.text;
  return (
    <div class={styles.sheet}>
      <QrCode
        text={props.request.uri}
        label={t(isRequest() ? "request.qr" : "receive.qr")}
        dense={props.request.uri.length > DENSE_CHARS}
      />
      <div class={styles.side}>
        <div class={styles.label}>
          <span>{t("receive.address")}</span>
          <span class="number">{t("receive.number", { number: props.address.index + 1 })}</span>
        </div>
        <p class={styles.address} data-testid="address">
          <AddressText text={props.address.text} />
        </p>
        <Show when={isRequest()}>
          <RequestShown request={props.request} expiresMs={props.expiresMs} />
        </Show>
        <div class={styles.actions}>
          <CopyButton
            text={props.address.text}
            label={t("receive.copy")}
            kind={isRequest() ? "secondary" : "primary"}
          />
          <Button icon="plus" busy={renewing.busy()} onClick={() => void renewing.run()}>
            {t("receive.new")}
          </Button>
          <Show when={!props.asking}>
            <Button onClick={() => props.onAsk()}>{t("request.open")}</Button>
          </Show>
        </div>
        <ErrorNotice error={renewing.error()} />
      </div>
    </div>
  );
}

/** What the code asks for, and its link to hand out. */
function RequestShown(props: { request: PaymentRequest; expiresMs: RequestText["expiresMs"] }) {
  const now = createNow();
  const canShare = () => "share" in navigator;
  const share = () => {
    // Closing the sheet without a choice is no error.
    navigator.share({ text: props.request.uri }).catch(() => undefined);
  };
  return (
    <>
      <p>
        <strong>
          <Show when={props.request.amount} fallback={t("request.shownOpen")}>
            {(amount) => t("request.shown", { amount: amountText(amount()) })}
          </Show>
        </strong>
      </p>
      <Show when={props.expiresMs}>
        {(end) => (
          <p>
            {t(end() > BigInt(now()) ? "request.until" : "request.ended", {
              date: dateText(end()),
            })}
          </p>
        )}
      </Show>
      <p class={`${styles.link} mono`} data-testid="payment-link">
        {props.request.uri}
      </p>
      <div class={styles.actions}>
        <CopyButton text={props.request.uri} label={t("request.copy")} kind="primary" />
        <Show when={canShare()}>
          <Button onClick={share}>{t("request.share")}</Button>
        </Show>
      </div>
    </>
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
