/** Page: who mines, as far as blocks tell: pools by what they write into blocks, and merged mining. */
import { Show } from "solid-js";
import type { RestDocument } from "../live/restDocument.ts";
import { Age } from "../parts/Age.tsx";
import { CoverageNote } from "../parts/CoverageNote.tsx";
import { CsvLinks } from "../parts/CsvLinks.tsx";
import { DataTable, type Column } from "../parts/DataTable.tsx";
import { HashLink } from "../parts/HashLink.tsx";
import { Panel, WithDocument } from "../parts/Panel.tsx";
import { ShareBar } from "../parts/ShareBar.tsx";
import { useFrame } from "../frame/pageFrame.ts";
import { FactList, Stat } from "../parts/Stat.tsx";

const MINERS = "/info/miners";

type Miner = RestDocument<"miners">["miners"][number];
type Pair = RestDocument<"mergedMining">["nodes"][number];

/** The page. */
export function Miners() {
  const { texts } = useFrame();
  const { t } = texts;
  return (
    <>
      <div class="page-head">
        <h1>{t("miners.title")}</h1>
        <p class="lead">{t("miners.lead")}</p>
      </div>
      <WithDocument row="miners" path={MINERS} lines={16}>
        {(miners) => (
          <>
            <dl class="stats">
              <Stat
                label={t("miners.blocks")}
                value={texts.count(miners().totalBlocks)}
                note={t("miners.blocksNote")}
              />
              <Stat
                label={t("miners.red")}
                value={texts.count(miners().red)}
                note={t("miners.redNote")}
              />
              <Stat
                label={t("numbers.hashrate")}
                value={texts.hashrate(miners().networkHashrate)}
                note={t("numbers.hashrateNote")}
              />
              <Stat
                label={t("miners.addresses")}
                value={texts.count(miners().distinctAddresses)}
                note={t("miners.addressesNote")}
              />
            </dl>
            <Panel title={t("miners.ranking")}>
              <Show
                when={miners().miners.length > 0}
                fallback={<p class="note">{t("miners.none")}</p>}
              >
                <Ranking miners={miners().miners} />
              </Show>
              <p class="note">{t("miners.claims")}</p>
              <CsvLinks path={MINERS} />
            </Panel>
          </>
        )}
      </WithDocument>
      <Panel title={t("merged.title")}>
        <MergedMining />
      </Panel>
      <CoverageNote />
    </>
  );
}

function Ranking(props: { miners: readonly Miner[] }) {
  const { texts } = useFrame();
  const { t } = texts;
  const columns: readonly Column<Miner>[] = [
    { title: t("miners.miner"), cell: (row) => <span class="mono">{row().label}</span> },
    {
      title: t("miners.share"),
      cell: (row) => <ShareBar share={row().share} text={texts.percent(row().share)} />,
    },
    { title: t("miners.blocks"), isNumber: true, cell: (row) => texts.count(row().blocks) },
    {
      title: t("miners.red"),
      isNumber: true,
      isWide: true,
      cell: (row) => texts.count(row().red),
    },
    {
      title: t("numbers.hashrate"),
      isNumber: true,
      isWide: true,
      cell: (row) => texts.hashrate(row().hashrate),
    },
    {
      title: t("miners.mergeMined"),
      isNumber: true,
      isWide: true,
      cell: (row) => texts.count(row().mergeMinedBlocks),
    },
    { title: t("miners.source"), isWide: true, cell: (row) => t(`source.${row().source}`) },
    {
      title: t("miners.last"),
      isWide: true,
      cell: (row) => (
        <>
          <HashLink kind="block" hash={row().lastBlockHash} ends={4} />{" "}
          <Age ms={row().lastBlockTime} />
        </>
      ),
    },
  ];
  return (
    <DataTable
      caption={t("miners.ranking")}
      columns={columns}
      rows={props.miners}
      keyOf={(row) => row.id}
    />
  );
}

function MergedMining() {
  const { texts } = useFrame();
  const { t } = texts;
  return (
    <WithDocument row="mergedMining" path="/info/merged-mining" lines={6}>
      {(merged) => (
        <>
          <p class="big number">{t("merged.share", { percent: texts.percent(merged().share) })}</p>
          <FactList
            rows={[
              { label: t("merged.checked"), value: texts.count(merged().checked) },
              { label: t("merged.found"), value: texts.count(merged().mergeMined) },
              ...(merged().probing
                ? [{ label: t("merged.probing"), value: t("merged.probingOn") }]
                : []),
            ]}
          />
          <Show when={merged().nodes.length > 0}>
            <Deliverers pairs={merged().nodes} isProbing={merged().probing} />
          </Show>
          <p class="note">{t("merged.note")}</p>
        </>
      )}
    </WithDocument>
  );
}

/** Whose parent nodes were not asked for has no column for them. */
function Deliverers(props: { pairs: readonly Pair[]; isProbing: boolean }) {
  const { texts } = useFrame();
  const { t } = texts;
  const parentNode: Column<Pair> = {
    title: t("merged.parentNode"),
    isWide: true,
    cell: (row) => row().parentUserAgent ?? t("merged.notAsked"),
  };
  const columns: readonly Column<Pair>[] = [
    { title: t("network.net"), cell: (row) => <span class="mono">{row().net}</span> },
    { title: t("merged.blocks"), isNumber: true, cell: (row) => texts.count(row().blocks) },
    ...(props.isProbing ? [parentNode] : []),
    { title: t("merged.lastSeen"), cell: (row) => <Age ms={row().lastSeen * 1_000} /> },
  ];
  return <DataTable caption={t("merged.peers")} columns={columns} rows={props.pairs} />;
}
