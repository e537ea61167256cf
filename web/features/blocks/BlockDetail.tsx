/** Component of the block explorer: the details of one chain block. */
import { For, Show } from "solid-js";
import { sentenceOf } from "@svc/shared/base/errors.ts";
import { isCode } from "@svc/shared/base/svcError.ts";
import type { ChainFacts } from "@svc/shared/protocol/facts/chainFacts.ts";
import { countText, dateText, shortAddress, shortId } from "../../i18n/format.ts";
import { t } from "../../i18n/translate.ts";
import { Amount } from "../../ui/Amount.tsx";
import { Facts } from "../../ui/Facts.tsx";
import styles from "./Blocks.module.css";

/**
 * The details of a chain block: its header fields, its mergeset, what it minted, and the payments that it applied and
 * dropped.
 */
export function BlockDetail(props: {
  id: string;
  row: ChainFacts;
  addressText: (recipient: string) => string;
}) {
  return (
    <div class={styles.detail} id={props.id}>
      <Facts
        rows={[
          { label: t("blocks.hash"), value: props.row.hash, mono: true },
          { label: t("blocks.selectedParent"), value: props.row.selectedParent, mono: true },
          { label: t("blocks.time"), value: dateText(props.row.timestamp) },
          { label: t("blocks.blueScore"), value: countText(props.row.blueScore) },
          { label: t("blocks.daaScore"), value: countText(props.row.daaScore) },
        ]}
      />
      <div class={styles.columns}>
        <Payments row={props.row} />
        <Merged row={props.row} />
        <Coinbase row={props.row} addressText={props.addressText} />
      </div>
    </div>
  );
}

function Payments(props: { row: ChainFacts }) {
  const none = () => props.row.applied.length + props.row.dropped.length === 0;
  return (
    <section>
      <h3>{t("blocks.transactions")}</h3>
      <Show when={none()}>
        <p class={styles.muted}>{t("blocks.transactionsNone")}</p>
      </Show>
      <ul class={styles.items}>
        <For each={props.row.applied}>
          {(payment) => (
            <li>
              <span class={styles.chip} data-tone="good">
                {t("blocks.isApplied")}
              </span>
              <span class="mono">{shortId(payment.txid, 8)}</span>
              <span class={styles.muted}>
                {t("blocks.from", { hash: shortId(payment.block, 4) })}
              </span>
            </li>
          )}
        </For>
        <For each={props.row.dropped}>
          {(payment) => (
            <li>
              <span class={styles.chip} data-tone="red">
                {t("blocks.isDropped")}
              </span>
              <span class="mono">{shortId(payment.txid, 8)}</span>
              <span class={styles.muted}>
                {t("blocks.from", { hash: shortId(payment.block, 4) })}
              </span>
              <span class={styles.reason}>{reasonText(payment.reason)}</span>
            </li>
          )}
        </For>
      </ul>
    </section>
  );
}

function Merged(props: { row: ChainFacts }) {
  return (
    <section>
      <h3>{t("blocks.merged")}</h3>
      <ul class={styles.items}>
        <For each={props.row.merged}>
          {(block) => (
            <li>
              <span class={styles.chip} data-tone={block.color}>
                {t(block.color === "blue" ? "blocks.blue" : "blocks.red")}
              </span>
              <span class="mono">{shortId(block.hash, 8)}</span>
              <span class={styles.muted}>
                {t("blocks.transactionCount", { count: block.txCount })}
              </span>
            </li>
          )}
        </For>
      </ul>
    </section>
  );
}

function Coinbase(props: { row: ChainFacts; addressText: (recipient: string) => string }) {
  return (
    <section>
      <h3>{t("blocks.coinbase")}</h3>
      <Show when={props.row.coinbase.length === 0}>
        <p class={styles.muted}>{t("blocks.coinbaseNone")}</p>
      </Show>
      <ul class={styles.items}>
        <For each={props.row.coinbase}>
          {(output) => (
            <li>
              <Amount value={output.value} />
              <span class="mono">{shortAddress(props.addressText(output.recipient))}</span>
            </li>
          )}
        </For>
      </ul>
    </section>
  );
}

/** The sentence of a code; a reason that is none is shown as it is. */
function reasonText(reason: string): string {
  return isCode(reason) ? sentenceOf({ code: reason, data: {} }) : reason;
}
