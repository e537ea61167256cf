/** Page: what the chain does now: its pulse, its supply and pool, what it mints and when that changes, its newest blocks. */
import { For, Show, type Accessor } from "solid-js";
import { NEWEST_ROWS } from "@svc/shared/explorer/explorerPaths.ts";
import { Bars } from "../parts/Bars.tsx";
import { BlockTable } from "../parts/BlockTable.tsx";
import { Panel, Readable, WithDocument } from "../parts/Panel.tsx";
import { hrefOf, useFrame } from "../frame/pageFrame.ts";
import type { RestDocument } from "../live/restDocument.ts";
import { FactList, Stat } from "../parts/Stat.tsx";
import { EmissionFacts, PoolFacts } from "../parts/SupplyFacts.tsx";
import { ruleName } from "../view/ruleName.ts";

const PULSE = "/info/pulse?window=15m";

/** The first page. */
export function Overview() {
  const frame = useFrame();
  const { texts } = frame;
  const { t } = texts;
  return (
    <>
      <div class="page-head">
        <h1>{t("overview.title")}</h1>
        <p class="lead">{t("overview.lead")}</p>
      </div>
      <Readable of={() => frame.store.read("blockDag", "/info/blockdag").body}>
        <Numbers />
      </Readable>
      <Panel title={t("pulse.title")}>
        <WithDocument row="pulse" path={PULSE} lines={9}>
          {(pulse) => <Pulse pulse={pulse} />}
        </WithDocument>
      </Panel>
      <Panel
        title={t("overview.newest")}
        aside={<a href={hrefOf(frame, { kind: "blocks", before: null })}>{t("overview.all")}</a>}
      >
        <WithDocument row="recentBlocks" path={`/blocks/recent?limit=${NEWEST_ROWS}`} lines={20}>
          {(blocks) => <BlockTable caption={t("overview.newest")} blocks={blocks()} />}
        </WithDocument>
      </Panel>
      <div class="columns">
        <div class="stack">
          <Panel title={t("emission.title")}>
            <EmissionFacts />
          </Panel>
          <Panel title={t("rules.title")}>
            <RuleChanges />
          </Panel>
          <Panel title={t("mempool.title")}>
            <Waiting />
          </Panel>
        </div>
        <div class="stack">
          <Panel
            title={t("pool.title")}
            aside={<a href={hrefOf(frame, { kind: "supply" })}>{t("pool.audit")}</a>}
          >
            <PoolFacts />
          </Panel>
          <Panel title={t("fees.title")}>
            <Fees />
          </Panel>
        </div>
      </div>
    </>
  );
}

function Pulse(props: { pulse: Accessor<RestDocument<"pulse">> }) {
  const { t } = useFrame().texts;
  const { pulse } = props;
  const scale = (bins: readonly number[]) => ({
    seconds: pulse().binSeconds,
    most: Math.max(0, ...bins),
  });
  const axis = (bins: string) => (
    <p class="axis">
      <span>{t("pulse.from")}</span>
      <span>{bins}</span>
      <span>{t("time.now")}</span>
    </p>
  );
  return (
    <>
      <Bars bins={pulse().blockBins} label={t("pulse.blockBars", { count: pulse().blocks15m })} />
      {axis(t("pulse.blocksPer", scale(pulse().blockBins)))}
      <Bars
        tone="blue"
        bins={pulse().transactionBins}
        label={t("pulse.transactionBars", { count: pulse().transactions15m })}
      />
      {axis(t("pulse.transactionsPer", scale(pulse().transactionBins)))}
    </>
  );
}

function Numbers() {
  const { store, texts } = useFrame();
  const { t } = texts;
  const dag = () => store.read("blockDag", "/info/blockdag").body;
  const pulse = () => store.read("pulse", PULSE).body;
  const newest = () => store.read("recentBlocks", `/blocks/recent?limit=${NEWEST_ROWS}`).body?.[0];
  const chain = () =>
    store
      .read("recentBlocks", `/blocks/recent?limit=${NEWEST_ROWS}`)
      .body?.find((block) => block.isChainBlock);
  const shown = <Value,>(value: Value | null | undefined, text: (value: Value) => string) =>
    value === null || value === undefined ? "—" : text(value);
  return (
    <dl class="stats">
      <Stat
        label={t("numbers.blueScore")}
        value={shown(chain() ?? newest(), (block) => texts.count(block.blueScore))}
        note={t("numbers.blueScoreNote")}
      />
      <Stat
        label={t("numbers.daaScore")}
        value={shown(dag(), (document) => texts.count(document.virtualDaaScore))}
        note={t("numbers.daaScoreNote")}
      />
      <Stat
        label={t("numbers.rate")}
        value={shown(pulse(), (document) => texts.decimal(document.bps15m, 2))}
        note={t("numbers.rateNote")}
      />
      <Stat
        label={t("numbers.hashrate")}
        value={shown(pulse(), (document) => texts.hashrate(document.hashrate15m))}
        note={t("numbers.hashrateNote")}
      />
      <Stat
        label={t("numbers.difficulty")}
        value={shown(dag(), (document) => texts.compact(document.difficulty))}
        note={t("numbers.difficultyNote")}
      />
      <Stat
        label={t("numbers.transactions")}
        value={shown(pulse(), (document) => texts.count(document.transactions1h))}
        note={t("numbers.transactionsNote")}
      />
    </dl>
  );
}

function RuleChanges() {
  const { texts } = useFrame();
  const { t } = texts;
  return (
    <WithDocument row="rules" path="/info/rules" lines={3}>
      {(rules) => (
        <Show when={rules().changes.length > 0} fallback={<p class="note">{t("rules.none")}</p>}>
          <ul class="plain">
            <For each={rules().changes}>
              {(change) => (
                <li>
                  <strong>{ruleName(change.name, texts)}</strong>
                  <p class="big number">
                    {t("count.blocksLeft", { count: change.blocksRemaining })}
                  </p>
                  <p class="note">
                    {t("rules.expected", {
                      score: texts.count(change.daaScore),
                      time: texts.dateTime(change.expectedAt * 1_000),
                    })}
                  </p>
                </li>
              )}
            </For>
          </ul>
        </Show>
      )}
    </WithDocument>
  );
}

function Waiting() {
  const { texts } = useFrame();
  const { t } = texts;
  return (
    <>
      <WithDocument row="mempool" path="/info/mempool" lines={3}>
        {(pool) => (
          <FactList
            rows={[
              { label: t("mempool.waiting"), value: texts.count(pool().count) },
              { label: t("mempool.actions"), value: texts.count(pool().actions) },
              { label: t("mempool.bytes"), value: texts.count(pool().bytes) },
            ]}
          />
        )}
      </WithDocument>
      <p class="note">{t("mempool.opaque")}</p>
    </>
  );
}

function Fees() {
  const { texts } = useFrame();
  return (
    <>
      <WithDocument row="feeEstimate" path="/info/fee-estimate" lines={4}>
        {(fees) => (
          <FactList
            rows={Object.entries(fees().feeByActions)
              .slice(0, 4)
              .map(([actions, fee]) => ({
                label: texts.t("fees.of", { count: Number(actions) }),
                value: texts.coins(fee),
              }))}
          />
        )}
      </WithDocument>
      <p class="note">{texts.t("fees.note")}</p>
    </>
  );
}
