/** Home screen of the open wallet: balances and the newest history entries. */
import { createMemo, createSignal, For, Show } from "solid-js";
import { hrefOf } from "../../state/router.ts";
import type { OlderView } from "@svc/shared/wallet/run/olderReader.ts";
import type { WalletView } from "../../wallet-api/walletApi.ts";
import { dateText, durationText, permilleText } from "../../i18n/format.ts";
import { t } from "../../i18n/translate.ts";
import { createNow } from "../../state/clock.ts";
import { useWallet } from "../../state/walletContext.ts";
import { Amount } from "../../ui/Amount.tsx";
import { Button, LinkButton } from "../../ui/Button.tsx";
import { Card, Screen } from "../../ui/Card.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { ProgressBar } from "../../ui/ProgressBar.tsx";
import { HistoryList } from "../history/HistoryList.tsx";
import { ReadBackOffer } from "../keys/ReadBackOffer.tsx";
import { MergeCard } from "../merging/MergeCard.tsx";
import { RevealSeed } from "../settings/RevealSeed.tsx";
import { asOfText, balanceParts, isEmpty, isMoving, isOld } from "./balanceParts.ts";
import { checkedText } from "./checkedText.ts";
import { DoubtNotice } from "./DoubtNotice.tsx";
import { showsDoubt, unknownText } from "./doubtTexts.ts";
import styles from "./Home.module.css";
import { ProblemNotice, RescanButton } from "./ProblemNotice.tsx";
import { ScanPace } from "./scanPace.ts";

/** Balance, what matures, and the newest lines of the history. */
export function Home(props: { wallet: WalletView }) {
  return (
    <Screen>
      <BackupReminder />
      <WatchOnly />
      <Balance wallet={props.wallet} />
      <Faults wallet={props.wallet} />
      <GuessedBirthday wallet={props.wallet} />
      <MergeCard wallet={props.wallet} />
      <ReadBackOffer wallet={props.wallet} />
      <Card
        title={t("home.recent")}
        aside={
          <Show when={props.wallet.historyLength > props.wallet.recent.length}>
            <a class={styles.more} href={hrefOf("history")}>
              {t("home.all")}
            </a>
          </Show>
        }
      >
        <Show
          when={props.wallet.recent.length > 0}
          fallback={
            <Show
              when={props.wallet.status.final && props.wallet.older === null}
              fallback={<p class={styles.empty}>{t("home.searching")}</p>}
            >
              <FirstCoins />
            </Show>
          }
        >
          <HistoryList rows={props.wallet.recent} />
        </Show>
      </Card>
      <Maturing wallet={props.wallet} />
    </Screen>
  );
}

/** What to do with a wallet that nobody has paid yet. */
function FirstCoins() {
  const { snapshot } = useWallet();
  return (
    <div class={styles.empty}>
      <strong>{t("home.emptyTitle")}</strong>
      <p>{t("home.firstText")}</p>
      <Show when={snapshot.node.minesOnRequest && !snapshot.tabs.following}>
        <p>{t("home.firstMine")}</p>
      </Show>
    </div>
  );
}

/** Says of a wallet without a seed that it cannot pay. */
function WatchOnly() {
  const { snapshot } = useWallet();
  return (
    <Show when={snapshot.watchOnly}>
      <Notice kind="info" title={t("watch.title")}>
        <p>{t("watch.text")}</p>
      </Notice>
    </Show>
  );
}

/** What is wrong, in one notice. */
function Faults(props: { wallet: WalletView }) {
  return (
    <Show
      when={showsDoubt(props.wallet)}
      fallback={<ProblemNotice problem={props.wallet.problem} />}
    >
      <DoubtNotice wallet={props.wallet} />
    </Show>
  );
}

function Balance(props: { wallet: WalletView }) {
  const { snapshot } = useWallet();
  const status = () => props.wallet.status;
  const known = () => status().final;
  const now = createNow();
  return (
    <Card>
      <div class={styles.hero}>
        <div>
          <h1 class={styles.label}>{t("home.total")}</h1>
          <p class={styles.total} data-testid="total">
            <Show
              when={known()}
              fallback={<span class={styles.unknown}>{unknownText(props.wallet.evidence)}</span>}
            >
              <Amount value={props.wallet.balances.total} large />
            </Show>
          </p>
          <Show when={known() && status().atLeast}>
            <p class={styles.asOf} data-testid="at-least">
              {props.wallet.older === null ? t("home.atLeast") : olderText(props.wallet.older)}
            </p>
          </Show>
          <Show when={known() && props.wallet.evidence.doubt === null}>
            <p class={styles.asOf} data-testid="checked">
              {checkedText(props.wallet.evidence)}
            </p>
          </Show>
          <Show when={isOld(props.wallet, now())}>
            <p class={`${styles.asOf} number`}>{asOfText(props.wallet, now())}</p>
          </Show>
        </div>
        <Show when={!snapshot.tabs.following}>
          <div class={styles.actions}>
            <LinkButton
              kind={isEmpty(props.wallet) ? "primary" : "secondary"}
              icon="receive"
              wide
              href={hrefOf("receive")}
            >
              {t("nav.receive")}
            </LinkButton>
            <Show when={!snapshot.watchOnly}>
              <LinkButton
                kind={isEmpty(props.wallet) ? "secondary" : "primary"}
                icon="send"
                wide
                href={hrefOf("send")}
              >
                {t("nav.send")}
              </LinkButton>
            </Show>
          </div>
        </Show>
      </div>
      <Show when={known() && props.wallet.older?.problem === null ? props.wallet.older : null}>
        {(older) => <OlderProgress older={older()} />}
      </Show>
      <Show when={status().phase === "scanning" || status().phase === "catching-up"}>
        <Scan wallet={props.wallet} />
      </Show>
      <Show when={known() && !isEmpty(props.wallet)}>
        <ul class={styles.parts}>
          <For each={balanceParts(props.wallet)}>
            {(part) => (
              <li class={styles.part}>
                <span class={styles.label}>{part.label}</span>
                <span class={styles.partValue} data-testid={part.name}>
                  <Amount value={part.value} unit={false} />
                </span>
                <span class={`${styles.partHint} number`}>{part.hint}</span>
              </li>
            )}
          </For>
        </ul>
      </Show>
    </Card>
  );
}

function Scan(props: { wallet: WalletView }) {
  const status = () => props.wallet.status;
  const pace = new ScanPace();
  const now = createNow();
  const left = createMemo(() => {
    now();
    return pace.secondsLeft(status().behind, performance.now());
  });
  return (
    <div class={styles.scan}>
      <ProgressBar label={t("status.progress")} value={status().permille / 1_000} />
      <div class={`${styles.scanLine} number`}>
        <span>
          {t("status.behind", { count: status().behind })}
          <Show when={isMoving(status()) ? left() : null}>
            {(seconds) => <> · {t("status.timeLeft", { time: durationText(seconds()) })}</>}
          </Show>
        </span>
        <span>{permilleText(status().permille)}</span>
      </div>
    </div>
  );
}

/** How far the older blocks are read, behind the recent ones. */
function OlderProgress(props: { older: OlderView }) {
  return (
    <div class={styles.scan}>
      <ProgressBar label={t("home.olderProgress")} value={props.older.permille / 1_000} />
      <div class={`${styles.scanLine} number`}>
        <span>{t("home.olderReading")}</span>
        <span>{permilleText(props.older.permille)}</span>
      </div>
    </div>
  );
}

function olderText({ since, problem }: OlderView): string {
  const date = dateText(since);
  return t(problem === null ? "home.olderSince" : "home.olderFailed", { date });
}

function Maturing(props: { wallet: WalletView }) {
  return (
    <Show when={props.wallet.status.final && props.wallet.maturing.length > 0}>
      <Card title={t("home.maturingTitle")}>
        <p class={styles.maturingText}>{t("home.maturingText")}</p>
        <ul class={`${styles.maturing} number`}>
          <For each={props.wallet.maturing.slice(0, 4)}>
            {(item) => (
              <li>
                <Amount value={item.amount} />
                <span class={styles.maturingWhen}>
                  <Show when={isMoving(props.wallet.status)}>
                    {t("home.maturingIn", { time: durationText(item.secondsLeft) })} ·{" "}
                  </Show>
                  {t("home.maturingBlocks", { count: item.blocksLeft })}
                </span>
              </li>
            )}
          </For>
        </ul>
      </Card>
    </Show>
  );
}

/** Says that a scan from a remembered day may have missed something, and offers the one that misses nothing. */
function GuessedBirthday(props: { wallet: WalletView }) {
  const { snapshot } = useWallet();
  return (
    <Show
      when={
        props.wallet.birthdayGuessed &&
        props.wallet.older === null &&
        props.wallet.status.final &&
        !snapshot.tabs.following
      }
    >
      <Notice kind="info" title={t("home.guessedTitle")}>
        <p>{t("home.guessedText")}</p>
        <RescanButton />
      </Notice>
    </Show>
  );
}

function BackupReminder() {
  const client = useWallet();
  const [asking, setAsking] = createSignal(false);
  return (
    <Show when={!client.snapshot.backupConfirmed && !client.snapshot.tabs.following}>
      <Notice kind="warning" title={t("backup.missingTitle")}>
        <p>{t("backup.missingText")}</p>
        <Button onClick={() => setAsking(true)}>{t("backup.missingAction")}</Button>
      </Notice>
      <Show when={asking()}>
        <RevealSeed onClose={() => setAsking(false)} onSeed={(seed) => client.backUp(seed)} />
      </Show>
    </Show>
  );
}
