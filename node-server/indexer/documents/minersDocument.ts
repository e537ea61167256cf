/** The document of `/info/miners`: the blocks of the last hour by known tag, else by payout address (specification explorer A6). */
import { createHash } from "node:crypto";
import type { RestAnswer } from "@svc/shared/protocol/rest/restRoutes.ts";
import { decodeHex, encodeHex } from "@svc/shared/base/hex.ts";
import { INDEXER_LIMITS } from "../indexerLimits.ts";
import { addBins, EMPTY_BIN } from "../tables/binRow.ts";
import type { BlockRow } from "../tables/blockRow.ts";
import { blockRowOf, orderedBlocks, orderKey } from "../tables/derivedTables.ts";
import { binOfBlock } from "../derive/binChanges.ts";
import { aTurn, coverageOf, whole, type AnswerView } from "./answerView.ts";
import { poolOf, type PoolTag } from "./poolTags.ts";
import { hashrateOf } from "./summedBins.ts";

type Miners = RestAnswer<"miners">;
type Miner = Miners["miners"][number];

const WINDOW_S = 3_600;
const WINDOW_MS = 3_600_000n;
const ID_BYTES = 4;
/** Characters of an address that are shown at each end. */
const SHOWN = 6;

/** What is known of miners beside their blocks. */
export type MinerNames = {
  readonly tags: readonly PoolTag[];
  /** The address of a script; null for one that is none. */
  readonly addressOf: (script: Uint8Array) => string | null;
};

/** Blocks that belong together. */
type Group = {
  readonly tag: PoolTag | null;
  readonly script: Uint8Array;
  readonly scripts: Set<string>;
  blocks: number;
  red: number;
  mergeMined: number;
  /** The newest. */
  readonly last: BlockRow;
};

/** Makes the document. */
export async function minersDocument(view: AnswerView, names: MinerNames): Promise<Miners> {
  const since = view.nowMs - WINDOW_MS;
  const groups = new Map<string, Group>();
  const scripts = new Set<string>();
  let all = EMPTY_BIN;
  for await (const row of blocksSince(view, since)) {
    all = addBins(all, binOfBlock(row));
    scripts.add(encodeHex(row.minerScript));
    count(groups, row, names);
  }
  const networkHashrate = hashrateOf(all, WINDOW_S);
  const ranked = [...groups].toSorted(([idA, a], [idB, b]) =>
    a.blocks === b.blocks ? (idA < idB ? -1 : 1) : b.blocks - a.blocks,
  );
  const shown = { total: all.blocks, networkHashrate, names };
  const listed = ranked.slice(0, INDEXER_LIMITS.indexMiners);
  const rest = ranked.slice(INDEXER_LIMITS.indexMiners).map(([, group]) => group);
  return {
    windowSeconds: WINDOW_S,
    updatedAt: whole(view.nowMs),
    totalBlocks: all.blocks,
    red: all.reds,
    distinctAddresses: scripts.size,
    networkHashrate,
    miners: [
      ...listed.map(([id, group]) => minerOf(id, group, shown)),
      ...othersOf(rest).map((group) => ({ ...minerOf("others", group, shown), label: "others" })),
    ],
    ...coverageOf(view, { sinceMs: since, untilMs: null }),
  };
}

/** The newest blocks since a time, the newest first. */
async function* blocksSince(view: AnswerView, sinceMs: bigint): AsyncGenerator<BlockRow> {
  const { reader, nowMs, signal } = view;
  const none = new Uint8Array();
  const from = orderKey(sinceMs, none);
  let to = orderKey(nowMs + 1n, none);
  const limit = INDEXER_LIMITS.indexTurnRows;
  for (let read = 0; read < INDEXER_LIMITS.indexMinerBlocks; read += limit) {
    const page = orderedBlocks(reader, { order: "byTime", from, to, limit, reverse: true });
    for (const { hash } of page) {
      const row = blockRowOf(reader, hash);
      if (row !== undefined) yield row;
    }
    const last = page.at(-1);
    if (last === undefined || page.length < limit) return;
    to = orderKey(last.number, decodeHex(last.hash));
    await aTurn(signal);
  }
}

function count(groups: Map<string, Group>, row: BlockRow, { tags }: MinerNames): void {
  const tag = poolOf(row.extraData, tags);
  const id = tag?.id ?? idOf(row.minerScript);
  const group = groups.get(id) ?? {
    ...{ tag, script: row.minerScript, scripts: new Set<string>(), last: row },
    ...{ blocks: 0, red: 0, mergeMined: 0 },
  };
  group.blocks += 1;
  group.red += row.color === "red" ? 1 : 0;
  group.mergeMined += row.work === "merge-mined" ? 1 : 0;
  group.scripts.add(encodeHex(row.minerScript));
  groups.set(id, group);
}

function idOf(script: Uint8Array): string {
  return encodeHex(
    new Uint8Array(createHash("sha256").update(script).digest().subarray(0, ID_BYTES)),
  );
}

/** What is left of the list, as one; none when nothing is. */
function othersOf(groups: readonly Group[]): Group[] {
  const [first] = groups;
  if (first === undefined) return [];
  const sum = (of: "blocks" | "red" | "mergeMined"): number =>
    groups.reduce((total, group) => total + group[of], 0);
  const last = groups
    .map((group) => group.last)
    .reduce((a, b) => (b.timestamp > a.timestamp ? b : a), first.last);
  const scripts = new Set(groups.flatMap((group) => [...group.scripts]));
  const counts = { blocks: sum("blocks"), red: sum("red"), mergeMined: sum("mergeMined") };
  return [{ tag: null, script: new Uint8Array(), scripts, ...counts, last }];
}

type Shown = {
  readonly total: number;
  readonly networkHashrate: number;
  readonly names: MinerNames;
};

function minerOf(id: string, group: Group, { total, networkHashrate, names }: Shown): Miner {
  const { tag, script, scripts, blocks, red, mergeMined, last } = group;
  const share = total === 0 ? 0 : blocks / total;
  return {
    id,
    label: tag?.name ?? maskedAddress(names.addressOf(script)),
    source: tag === null ? "address" : "payload-tag",
    blocks,
    red,
    share,
    hashrate: share * networkHashrate,
    distinctAddresses: scripts.size,
    mergeMinedBlocks: mergeMined,
    lastBlockHash: last.hash,
    lastBlockTime: whole(last.timestamp),
  };
}

/** An address with its middle left out; the prefix stays. */
function maskedAddress(address: string | null): string {
  if (address === null) return "unknown";
  const [prefix = "", data = ""] = address.split(":");
  return `${prefix}:${data.slice(0, SHOWN)}…${data.slice(-SHOWN)}`;
}
