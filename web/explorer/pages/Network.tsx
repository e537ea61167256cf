/** Page: the peers of one node, masked, and what it has taken in. */
import { Show } from "solid-js";
import type { RestDocument } from "../live/restDocument.ts";
import { DataTable, type Column } from "../parts/DataTable.tsx";
import { Panel, WithDocument } from "../parts/Panel.tsx";
import { useFrame } from "../frame/pageFrame.ts";
import { FactList, Stat } from "../parts/Stat.tsx";

type Node = RestDocument<"nodes">["nodes"][number];
type Agent = RestDocument<"nodes">["userAgents"][number];
type Country = RestDocument<"nodes">["countries"][number];

/** The page. */
export function Network() {
  const { texts } = useFrame();
  const { t } = texts;
  return (
    <>
      <div class="page-head">
        <h1>{t("network.title")}</h1>
        <p class="lead">{t("network.lead")}</p>
      </div>
      <WithDocument row="nodes" path="/info/nodes" lines={16}>
        {(nodes) => (
          <>
            <dl class="stats">
              <Stat
                label={t("network.peers")}
                value={texts.count(nodes().totals.peers)}
                note={t("network.peersNote")}
              />
              <Stat
                label={t("network.outbound")}
                value={texts.count(nodes().totals.outbound)}
                note={t("network.outboundNote")}
              />
              <Stat
                label={t("network.inbound")}
                value={texts.count(nodes().totals.inbound)}
                note={t("network.inboundNote")}
              />
              <Stat
                label={t("network.families")}
                value={`${texts.count(nodes().totals.ipv4)} / ${texts.count(nodes().totals.ipv6)}`}
                note={t("network.familiesNote")}
              />
            </dl>
            <Panel title={t("network.nodes")}>
              <NodeTable nodes={nodes().nodes} />
              <p class="note">{t("network.firstNote")}</p>
            </Panel>
            <div class="columns">
              <Panel title={t("network.versions")}>
                <AgentTable agents={nodes().userAgents} />
                <p class="note">{t("network.versionsNote")}</p>
              </Panel>
              <Panel title={t("network.countries")}>
                <Show
                  when={nodes().countries.length > 0}
                  fallback={<p class="note">{t("network.countriesNone")}</p>}
                >
                  <CountryTable countries={nodes().countries} />
                </Show>
              </Panel>
            </div>
          </>
        )}
      </WithDocument>
      <Panel title={t("relay.title")}>
        <Relay />
      </Panel>
    </>
  );
}

function NodeTable(props: { nodes: readonly Node[] }) {
  const { texts } = useFrame();
  const { t } = texts;
  const columns: readonly Column<Node>[] = [
    {
      title: t("network.net"),
      cell: (row) => (
        <Show when={!row().self} fallback={<strong>{t("network.self")}</strong>}>
          <span class="mono">{row().net}</span>
        </Show>
      ),
    },
    { title: t("network.agent"), cell: (row) => <span class="mono">{row().userAgent}</span> },
    {
      title: t("network.direction"),
      isWide: true,
      cell: (row) => {
        const isOutbound = row().outbound;
        if (isOutbound === null) return "—";
        return t(isOutbound ? "network.dialled" : "network.came");
      },
    },
    {
      title: t("network.ping"),
      isNumber: true,
      cell: (row) => {
        const ms = row().pingMs;
        return ms === null ? "—" : t("network.milliseconds", { count: ms });
      },
    },
    {
      title: t("network.connected"),
      isWide: true,
      cell: (row) => texts.duration(row().connectedForSec),
    },
    {
      title: t("network.first"),
      isNumber: true,
      isWide: true,
      cell: (row) => texts.count(row().blocksRelayed),
    },
  ];
  return (
    <DataTable
      caption={t("network.nodes")}
      columns={columns}
      rows={props.nodes}
      keyOf={(row) => row.id}
    />
  );
}

function AgentTable(props: { agents: readonly Agent[] }) {
  const { texts } = useFrame();
  const columns: readonly Column<Agent>[] = [
    { title: texts.t("network.agent"), cell: (row) => <span class="mono">{row().agent}</span> },
    { title: texts.t("network.peers"), isNumber: true, cell: (row) => texts.count(row().count) },
  ];
  return <DataTable caption={texts.t("network.versions")} columns={columns} rows={props.agents} />;
}

function CountryTable(props: { countries: readonly Country[] }) {
  const { texts } = useFrame();
  const columns: readonly Column<Country>[] = [
    { title: texts.t("network.country"), cell: (row) => row().name },
    { title: texts.t("network.peers"), isNumber: true, cell: (row) => texts.count(row().count) },
  ];
  return (
    <DataTable caption={texts.t("network.countries")} columns={columns} rows={props.countries} />
  );
}

function Relay() {
  const { texts } = useFrame();
  const { t } = texts;
  const shown = (value: number | null) => (value === null ? "—" : texts.count(value));
  return (
    <WithDocument row="relay" path="/info/relay" lines={6}>
      {(relay) => (
        <>
          <FactList
            rows={[
              { label: t("relay.blocks"), value: shown(relay().blocksIngested) },
              { label: t("relay.headers"), value: shown(relay().headersProcessed) },
              { label: t("relay.chainBlocks"), value: shown(relay().chainBlocksProcessed) },
              { label: t("relay.transactions"), value: shown(relay().transactionsProcessed) },
              { label: t("relay.stored"), value: shown(relay().databaseBlocks) },
              { label: t("relay.tips"), value: shown(relay().tipHashes) },
            ]}
          />
          <p class="note">{t("relay.note")}</p>
        </>
      )}
    </WithDocument>
  );
}
