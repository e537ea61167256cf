/** Component of the settings: the list of nodes, with the role, tip, last answer and last fault of each. */
import { createSignal, For, onCleanup, onMount, Show, type JSX } from "solid-js";
import { isOfNode } from "@svc/shared/wallet/proof/isNoLie.ts";
import { countText } from "../../i18n/format.ts";
import { sentenceOf } from "../../i18n/sentence.ts";
import { t, type PlainKey } from "../../i18n/translate.ts";
import { PAGE_LIMITS } from "../../pageLimits.ts";
import { createNow } from "../../state/clock.ts";
import { nodePlace, nodeWish, rolesInUse } from "../../state/nodeChoice.ts";
import { knownNodes, withoutNode } from "../../state/nodeList.ts";
import { useWallet } from "../../state/walletContext.ts";
import { Button } from "../../ui/Button.tsx";
import { Card } from "../../ui/Card.tsx";
import { Facts } from "../../ui/Facts.tsx";
import { ErrorNotice } from "../../ui/Notice.tsx";
import type { NodeView, WalletView } from "../../wallet-api/walletApi.ts";
import { NodeChoice } from "./NodeChoice.tsx";
import {
  answerRow,
  roleTexts,
  tipText,
  wordRows,
  type ListMoment,
  type NodeRow,
} from "./nodeWords.ts";
import styles from "./Nodes.module.css";

const NODE_STATES: { readonly [S in NodeView["state"]]: PlainKey } = {
  online: "settings.nodeOnline",
  offline: "settings.nodeOffline",
  connecting: "settings.nodeConnecting",
  refused: "settings.nodeRefused",
};

/** The list of nodes, and the choice among them. While it is open, the nodes that are not followed are looked at. */
export function Nodes(props: { wallet: WalletView }) {
  const { snapshot, wallet } = useWallet();
  const [wish, setWish] = createSignal(nodeWish());
  const now = createNow();
  const place = nodePlace();
  let choice: HTMLDivElement | undefined;
  const moment = (): ListMoment => ({
    nowMs: now(),
    followedScore: snapshot.node.tip?.blueScore ?? null,
  });
  lookAtOthers(() => wallet.lookAtOthers());
  const remove = (url: string) => {
    setWish((before) => withoutNode(before, url));
    // The pressed button is gone: whoever uses the keyboard goes on at the choice.
    choice?.querySelector("select")?.focus();
  };
  const rows = (url: string): readonly NodeRow[] => {
    if (url === snapshot.node.url) return followedRows(snapshot.node, props.wallet, moment());
    const word = snapshot.others.words.find((each) => each.url === url);
    return word === undefined ? [] : wordRows(word, moment());
  };
  return (
    <Card
      title={t("nodes.title")}
      aside={
        <Show when={snapshot.node.state === "offline"}>
          <Button onClick={() => void wallet.retryNode()}>{t("settings.retry")}</Button>
        </Show>
      }
    >
      <p class={styles.text}>{t("nodes.text")}</p>
      <ErrorNotice error={snapshot.node.problem} />
      <ul class={styles.nodes}>
        <For each={knownNodes(wish(), place)}>
          {(url) => (
            <Node url={url} rows={rows(url)} roles={roleTexts(url, rolesInUse(), snapshot.others)}>
              <Show when={wish().added.includes(url)}>
                <Button aria-label={t("nodes.removeOf", { url })} onClick={() => remove(url)}>
                  {t("nodes.remove")}
                </Button>
              </Show>
            </Node>
          )}
        </For>
      </ul>
      <div ref={choice}>
        <NodeChoice wish={wish()} onWish={setWish} />
      </div>
    </Card>
  );
}

function Node(props: {
  url: string;
  roles: readonly string[];
  rows: readonly NodeRow[];
  children: JSX.Element;
}) {
  return (
    <li class={styles.node} data-testid="node">
      <div class={styles.head}>
        <h3 class={`${styles.url} mono`}>{props.url}</h3>
        <ul class={styles.roles}>
          <For each={props.roles}>{(role) => <li>{role}</li>}</For>
        </ul>
        {props.children}
      </div>
      <Show when={props.rows.length > 0}>
        <Facts rows={props.rows} />
      </Show>
    </li>
  );
}

/** Looks now, and again and again while the component lives and somebody sees it. */
function lookAtOthers(look: () => Promise<void>): void {
  const lookNow = () => {
    // Locked meanwhile: nothing is shown of it.
    if (document.visibilityState === "visible") void look().catch(() => undefined);
  };
  onMount(lookNow);
  const timer = setInterval(lookNow, PAGE_LIMITS.nodeListEveryMs);
  onCleanup(() => clearInterval(timer));
}

function followedRows(
  node: NodeView,
  { asOf, evidence }: WalletView,
  { nowMs }: ListMoment,
): readonly NodeRow[] {
  const { tip } = node;
  const timestamp = asOf.timestamp === 0n ? null : asOf.timestamp;
  const claim = tip === null ? null : { ...tip, timestamp };
  const shown = evidence.last === null ? "nodes.agreesUnknown" : "nodes.agreesFollowed";
  const rows = [
    { label: t("nodes.state"), value: t(NODE_STATES[node.state]) },
    ...(node.answerMs === null ? [] : [answerRow(node.answerMs)]),
    { label: t("nodes.network"), value: node.network?.name ?? "—" },
    {
      label: t("settings.nodeLive"),
      value: t(node.live ? "settings.nodeLiveYes" : "settings.nodeLiveNo"),
    },
    {
      label: t("nodes.tip"),
      value: claim === null ? "—" : tipText(claim, { nowMs, followedScore: null }),
    },
    { label: t("settings.nodePool"), value: tip === null ? "—" : countText(tip.mempoolSize) },
    { label: t("nodes.agrees"), value: t(shown) },
  ];
  const { doubt } = evidence;
  const fault = doubt !== null && isOfNode(doubt) ? doubt : node.problem;
  if (fault !== null) rows.push({ label: t("nodes.fault"), value: sentenceOf(fault) });
  return rows;
}
