/** Page: a block, its place in the graph, what it carries, and what a visitor's browser can check of it. */
import { Show, type Accessor } from "solid-js";
import { Age } from "../parts/Age.tsx";
import { ColorBadge } from "../parts/ColorBadge.tsx";
import { HashLink, HashList } from "../parts/HashLink.tsx";
import { HashPage } from "../parts/HashPage.tsx";
import { PartPlace } from "../parts/PartPlace.tsx";
import { Panel } from "../parts/Panel.tsx";
import { useFrame } from "../frame/pageFrame.ts";
import { FactList } from "../parts/Stat.tsx";
import type { RestDocument } from "../live/restDocument.ts";
import { BlockTransactions } from "./BlockTransactions.tsx";
import { JudgedPayments } from "./JudgedPayments.tsx";

type WholeBlock = RestDocument<"block">;

/** The page. */
export function Block(props: { id: string }) {
  const frame = useFrame();
  const { t } = frame.texts;
  const path = () => `/blocks/${props.id}`;
  return (
    <HashPage kind="block" id={props.id} path={path()} lines={24}>
      {(block) => (
        <>
          <Place block={block} />
          <div class="columns">
            <Panel title={t("block.facts")}>
              <Facts block={block} />
            </Panel>
            <Panel title={t("block.relatives")}>
              <Relatives block={block} />
            </Panel>
          </div>
          <PartPlace part="check-block" options={{ hash: props.id }} title={t("check.here")}>
            <p class="note">{t("check.blockNote")}</p>
          </PartPlace>
          <Panel title={t("block.transactions")}>
            <BlockTransactions block={block()} />
          </Panel>
          <Show when={block().extra.applied}>
            {(applied) => (
              <Panel title={t("block.judged")}>
                <JudgedPayments applied={applied()} dropped={block().extra.dropped ?? []} />
              </Panel>
            )}
          </Show>
          <Panel title={t("block.header")}>
            <HeaderFacts block={block} />
            <p class="note">
              <a href={`${frame.apiBase}${path()}`}>{t("data.json")}</a> ·{" "}
              <a href={`${frame.apiBase}${path()}/bytes`}>{t("block.bytes")}</a>
            </p>
          </Panel>
        </>
      )}
    </HashPage>
  );
}

/** What the chain says of it, in a sentence. */
function Place(props: { block: Accessor<WholeBlock> }) {
  const { t } = useFrame().texts;
  const state = () => ({
    color: props.block().extra.color,
    isChainBlock: props.block().verboseData.isChainBlock,
  });
  const sentence = () => {
    const { color, isChainBlock } = state();
    if (isChainBlock) return t("place.chain");
    if (color === "blue") return t("place.blue");
    return t(color === "red" ? "place.red" : "place.none");
  };
  return (
    <p class="verdict" data-testid="block-place">
      <ColorBadge color={state().color} isChainBlock={state().isChainBlock} /> {sentence()}{" "}
      <Show when={!state().isChainBlock && props.block().extra.mergedBy}>
        {(hash) => <HashLink kind="block" hash={hash()} />}
      </Show>
    </p>
  );
}

function Facts(props: { block: Accessor<WholeBlock> }) {
  const { texts, store } = useFrame();
  const { t } = texts;
  const header = () => props.block().header;
  const extra = () => props.block().extra;
  const depth = () => {
    const dag = store.read("blockDag", "/info/blockdag").body;
    return dag === null
      ? "—"
      : texts.count(BigInt(dag.virtualDaaScore) - BigInt(header().daaScore));
  };
  return (
    <FactList
      rows={[
        {
          label: t("block.time"),
          note: t("block.timeNote"),
          value: (
            <>
              {texts.dateTime(header().timestamp)} (<Age ms={header().timestamp} />)
            </>
          ),
        },
        { label: t("block.blueScore"), value: texts.count(header().blueScore) },
        { label: t("block.daaScore"), value: texts.count(header().daaScore) },
        { label: t("block.depth"), note: t("block.depthNote"), value: depth() },
        {
          label: t("block.difficulty"),
          value: texts.compact(props.block().verboseData.difficulty),
        },
        { label: t("block.work"), value: t(`work.${extra().work}`) },
        {
          label: t("block.miner"),
          note: t("block.minerNote"),
          isMono: extra().minerAddress !== null,
          isLong: extra().minerAddress !== null,
          value: extra().minerAddress ?? t("block.minerUnknown"),
        },
        { label: t("block.minerInfo"), value: extra().minerInfo ?? "—" },
      ]}
    />
  );
}

function Relatives(props: { block: Accessor<WholeBlock> }) {
  const { t } = useFrame().texts;
  const data = () => props.block().verboseData;
  const groups = () => [
    { label: t("block.selectedParent"), hashes: [data().selectedParentHash] },
    { label: t("block.parents"), hashes: props.block().header.parents[0]?.parentHashes ?? [] },
    { label: t("block.children"), hashes: data().childrenHashes },
    { label: t("block.mergedBlue"), hashes: data().mergeSetBluesHashes },
    { label: t("block.mergedRed"), hashes: data().mergeSetRedsHashes },
  ];
  return (
    <FactList
      rows={groups().map(({ label, hashes }) => ({
        label: `${label} (${hashes.length})`,
        value: <HashList hashes={hashes} whenNone="—" />,
      }))}
    />
  );
}

function HeaderFacts(props: { block: Accessor<WholeBlock> }) {
  const { t } = useFrame().texts;
  const header = () => props.block().header;
  return (
    <FactList
      rows={[
        { label: t("header.version"), value: String(header().version) },
        { label: t("header.bits"), value: `0x${header().bits.toString(16)}`, isMono: true },
        { label: t("header.nonce"), value: header().nonce, isMono: true },
        { label: t("header.blueWork"), value: header().blueWork, isMono: true },
        {
          label: t("header.transactionRoot"),
          value: header().hashMerkleRoot,
          isMono: true,
          isLong: true,
        },
        {
          label: t("header.acceptedRoot"),
          value: header().acceptedIdMerkleRoot,
          isMono: true,
          isLong: true,
        },
        {
          label: t("header.utxoCommitment"),
          value: header().utxoCommitment,
          isMono: true,
          isLong: true,
        },
        {
          label: t("header.pruningPoint"),
          value: <HashLink kind="block" hash={header().pruningPoint} />,
        },
      ]}
    />
  );
}
