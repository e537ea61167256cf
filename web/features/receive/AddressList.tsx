/** Component: the own addresses with their names and what each received. */
import { For, Show } from "solid-js";
import { WALLET_LIMITS } from "@svc/shared/wallet/walletLimits.ts";
import type { AddressView } from "../../wallet-api/walletApi.ts";
import { amountText, shortAddress } from "../../i18n/format.ts";
import { t } from "../../i18n/translate.ts";
import { createFormOpener } from "../naming/createFormOpener.ts";
import { Button } from "../../ui/Button.tsx";
import { Card } from "../../ui/Card.tsx";
import { ErrorNotice } from "../../ui/Notice.tsx";
import { annotationsText } from "../naming/annotationsText.ts";
import { useWallet } from "../../state/walletContext.ts";
import { NameForm } from "../naming/NameForm.tsx";
import type { Addresses } from "./createAddresses.ts";
import styles from "./Receive.module.css";

/** All addresses that were handed out, newest first. */
export function AddressList(props: {
  addresses: Addresses;
  shown: number;
  onShow: (address: AddressView) => void;
  onMore: () => void;
}) {
  const { snapshot } = useWallet();
  return (
    <Card title={t("addresses.title")}>
      <p class={styles.small}>{annotationsText("addresses.text", snapshot)}</p>
      <ErrorNotice error={props.addresses.error()} />
      <ul class={styles.list}>
        <For each={props.addresses.page.rows}>
          {(address) => (
            <Row
              address={address}
              isShown={address.index === props.shown}
              onShow={() => props.onShow(address)}
              onName={(text) => props.addresses.rename(address.index, text)}
            />
          )}
        </For>
      </ul>
      <Show when={props.addresses.page.total > props.addresses.page.rows.length}>
        <Button onClick={() => props.onMore()}>{t("addresses.more")}</Button>
      </Show>
    </Card>
  );
}

function Row(props: {
  address: AddressView;
  isShown: boolean;
  onShow: () => void;
  onName: (text: string) => Promise<void>;
}) {
  const naming = createFormOpener();
  const number = () => props.address.index + 1;
  return (
    <li class={styles.entry} data-testid="own-address" aria-current={props.isShown}>
      <div class={styles.entryText}>
        <strong>
          <bdi>{props.address.label || t("addresses.number", { number: number() })}</bdi>
        </strong>
        <span class={styles.small}>
          <Show when={props.address.label}>{t("addresses.number", { number: number() })} · </Show>
          <span class="mono">{shortAddress(props.address.text)}</span>
        </span>
        <span class={`${styles.small} number`}>{receivedText(props.address)}</span>
      </div>
      <div class={styles.actions}>
        <Button
          aria-label={t("addresses.nameOf", { number: number() })}
          ref={naming.buttonRef}
          aria-expanded={naming.isOpen()}
          onClick={() => naming.toggle()}
        >
          {t("addresses.name")}
        </Button>
        <Button
          aria-label={t("addresses.showOf", { number: number() })}
          disabled={props.isShown}
          onClick={() => props.onShow()}
        >
          {t("addresses.show")}
        </Button>
      </div>
      <Show when={naming.isOpen()}>
        <NameForm
          label={t("addresses.nameOf", { number: number() })}
          hint={t("addresses.nameHint")}
          maxlength={WALLET_LIMITS.addressLabelChars}
          text={props.address.label}
          onSave={props.onName}
          onDone={naming.close}
        />
      </Show>
    </li>
  );
}

function receivedText({ received, payments }: AddressView): string {
  if (payments === 0) return t("addresses.nothing");
  return t("addresses.received", { amount: amountText(received), count: payments });
}
