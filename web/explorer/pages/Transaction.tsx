/** Page: a transaction: how far it has come, what everybody can see of it, and what nobody can see without a key. */
import { For, Show, type Accessor } from "solid-js";
import type { RestDocument } from "../live/restDocument.ts";
import { Age } from "../parts/Age.tsx";
import { HashLink, HashList } from "../parts/HashLink.tsx";
import { HashPage } from "../parts/HashPage.tsx";
import { PartPlace } from "../parts/PartPlace.tsx";
import { Panel } from "../parts/Panel.tsx";
import { useFrame } from "../frame/pageFrame.ts";
import { FactList, type Fact } from "../parts/Stat.tsx";
import { StatusBadge } from "../parts/StatusBadge.tsx";
import { dropReasonText } from "../view/dropReason.ts";

type ShownTransaction = RestDocument<"transaction">;

/** The page. */
export function Transaction(props: { id: string }) {
  const frame = useFrame();
  const { t } = frame.texts;
  const path = () => `/transactions/${props.id}`;
  return (
    <HashPage kind="transaction" id={props.id} path={path()} lines={18}>
      {(transaction) => (
        <>
          <Verdict transaction={transaction} />
          <div class="columns">
            <Panel title={t("transaction.public")}>
              <PublicFacts transaction={transaction} />
            </Panel>
            <Panel title={t("transaction.hidden")}>
              <Hidden transaction={transaction} />
            </Panel>
          </div>
          <PartPlace part="check-transaction" options={{ txid: props.id }} title={t("check.here")}>
            <p class="note">{t("check.transactionNote")}</p>
          </PartPlace>
          <p class="note">
            <a href={`${frame.apiBase}${path()}`}>{t("data.json")}</a>
          </p>
        </>
      )}
    </HashPage>
  );
}

/** How far it has come, in words: only what a chain block applied has an effect. */
function Verdict(props: { transaction: Accessor<ShownTransaction> }) {
  const { texts } = useFrame();
  const { t } = texts;
  const reason = () => {
    const code = props.transaction().drop_reason;
    return code === null ? null : dropReasonText(code, texts);
  };
  return (
    <div class="verdict" data-testid="transaction-status" data-status={props.transaction().status}>
      <p>
        <StatusBadge status={props.transaction().status} />{" "}
        {t(`verdict.${props.transaction().status}`)}
      </p>
      <Show when={props.transaction().status_reason !== undefined}>
        <p class="reason">{t("verdict.isBehind")}</p>
      </Show>
      <Show when={reason()}>{(words) => <p class="reason">{words()}</p>}</Show>
      <Show when={props.transaction().status === "applied"}>
        <p class="note">
          {t("verdict.confirmations", { count: props.transaction().confirmations })}{" "}
          <Show when={props.transaction().kind === "payment"}>{t("verdict.finality")}</Show>
        </p>
      </Show>
    </div>
  );
}

function PublicFacts(props: { transaction: Accessor<ShownTransaction> }) {
  const { texts } = useFrame();
  const { t } = texts;
  const it = props.transaction;
  const time = (ms: number | null) =>
    ms === null ? (
      "—"
    ) : (
      <>
        {texts.dateTime(ms)} (<Age ms={ms} />)
      </>
    );
  const rows = (): readonly Fact[] => [
    { label: t("transaction.kind"), value: t(`kind.${it().kind}`) },
    ...paymentRows(),
    { label: t("transaction.firstSeen"), value: time(it().first_seen) },
    {
      label: t("transaction.carriedBy"),
      value: <HashList hashes={it().block_hash} whenNone={t("transaction.carriedByNone")} />,
    },
    {
      label: t("transaction.acceptedBy"),
      note: t("transaction.acceptedNote"),
      value: (
        <Show when={it().accepting_block_hash} fallback={t("transaction.acceptedByNone")}>
          {(hash) => <HashLink kind="block" hash={hash()} />}
        </Show>
      ),
    },
    { label: t("transaction.acceptedAt"), value: time(it().accepting_block_time) },
  ];
  const paymentRows = (): readonly Fact[] => {
    const { kind, actions, fee, size } = it();
    if (kind === "coinbase") return [];
    return [
      {
        label: t("transaction.actions"),
        note: t("transaction.actionsNote"),
        value: texts.count(actions),
      },
      { label: t("transaction.fee"), value: fee === null ? "—" : texts.coins(fee) },
      {
        label: t("transaction.size"),
        value: size === null ? "—" : t("transaction.bytes", { count: size }),
      },
    ];
  };
  return <FactList rows={rows()} />;
}

function Hidden(props: { transaction: Accessor<ShownTransaction> }) {
  const { texts } = useFrame();
  const { t } = texts;
  const it = props.transaction;
  return (
    <Show when={it().kind === "payment"} fallback={<Minted outputs={it().outputs ?? []} />}>
      <ul class="sealed">
        <li>{t("hidden.sender")}</li>
        <li>{t("hidden.recipient")}</li>
        <li>{t("hidden.amount")}</li>
        <li>{t("hidden.memo")}</li>
        <li>{t("hidden.link")}</li>
      </ul>
      <p class="note">{t("hidden.disclosure")}</p>
    </Show>
  );
}

/** The outputs of a coinbase. Those of the first blocks mint nothing. */
function Minted(props: { outputs: NonNullable<ShownTransaction["outputs"]> }) {
  const { texts } = useFrame();
  const { t } = texts;
  return (
    <Show when={props.outputs.length > 0} fallback={<p>{t("coinbase.none")}</p>}>
      <p>{t("coinbase.public")}</p>
      <ul class="outputs">
        <For each={props.outputs}>
          {(output) => (
            <li>
              <strong class="number">{texts.coins(String(output.amount))}</strong>{" "}
              <span class="mono">{output.script_public_key_address ?? ""}</span>
            </li>
          )}
        </For>
      </ul>
      <p class="note">{t("coinbase.then")}</p>
    </Show>
  );
}
