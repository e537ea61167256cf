/** Starts the index of a node (`--index`) over its engine, peers and clock. */
import { callCore } from "@svc/shared/core/callCore.ts";
import type { BlockHash } from "@svc/shared/base/brand.ts";
import type { CoreGlue } from "@svc/shared/core/generated/coreGlue.ts";
import { readPaymentFacts } from "@svc/shared/protocol/facts/paymentFacts.ts";
import type { EngineHost } from "../../engine/host/engineHost.ts";
import type { ReaderHost } from "../../engine/read/readerHost.ts";
import { POOL_TAGS } from "../../indexer/documents/poolTags.ts";
import { NodeIndex } from "../../indexer/nodeIndex.ts";
import type { Mempool } from "../../mempool/mempool.ts";
import type { PeerNetwork } from "../../p2p/peerNetwork.ts";
import type { Log } from "../../platform/log/log.ts";
import type { Clock } from "../../platform/time/clock.ts";
import { maskedNet } from "../../rpc/rest/peers/maskedNet.ts";
import type { NodeProfile } from "../../rpc/service/nodeApi.ts";
import type { IndexMode } from "../options/flags.ts";
import type { StopStack } from "../program/stopStack.ts";
import type { SyncState } from "./syncState.ts";

/** Bytes of a script that is a shielded address. */
const ADDRESS_BYTES = 43;
const DAY_MS = 86_400_000n;

/** Parts of the node that the index is made from. */
export type StartIndexParts = {
  readonly mode: IndexMode;
  /** Days that it keeps; null: all of them. */
  readonly days: number | null;
  /** Folder of the network's data; null in memory. */
  readonly folder: string | null;
  /** The chain was deleted at this start. */
  readonly isReset: boolean;
  readonly core: CoreGlue;
  readonly profile: NodeProfile;
  readonly engine: Pick<EngineHost, "onEvent">;
  readonly reader: Pick<ReaderHost, "ask">;
  readonly sync: Pick<SyncState, "isSynced">;
  readonly clock: Clock;
  readonly log: Log;
};

/** Starts it; null for a node that keeps none. Rejects with `store/read-failed` and its kin. */
export async function startIndex(
  parts: StartIndexParts,
  stops: StopStack,
): Promise<NodeIndex | null> {
  const { mode, days, folder, isReset, core, profile, engine, reader, sync, clock, log } = parts;
  if (mode === "off") return null;
  const index = new NodeIndex({
    folder,
    isRebuilt: mode === "rebuild" || isReset,
    keptMs: days === null ? null : BigInt(days) * DAY_MS,
    source: {
      engine: { ask: (question, args, signal) => reader.ask(question, args, signal) },
      summarize: (raw, daaScore) =>
        readPaymentFacts(
          callCore(() => core.transactionSummary(profile.canonicalJson, raw, daaScore)),
        ),
      skipsWork: profile.skipProofOfWork,
    },
    onEvent: (listener) => engine.onEvent(listener),
    isSynced: () => sync.isSynced,
    tags: POOL_TAGS,
    addressOf: (script) =>
      script.length === ADDRESS_BYTES
        ? callCore(() => core.encodeAddress(profile.hrp, script))
        : null,
    clock,
    log,
  });
  stops.push("index", () => index.stop());
  await index.start();
  return index;
}

/** Tells a started index of the node's peers and of its open pool. */
export function attachIndex(
  index: NodeIndex,
  open: Pick<Mempool, "entries" | "onChange">,
  network: Pick<PeerNetwork, "hub"> | null,
): void {
  index.attach({
    peers: () => network?.hub.peers.length ?? 0,
    waiting: () => open.entries().map(({ txid }) => txid),
    onWaiting: (listener) =>
      open.onChange((change) => {
        if (change.type === "added") listener(change.entry.txid);
      }),
  });
}

/** Notes in an index which host was the first to bring a block: of its address the subnetwork alone. */
export function relayNotes(index: NodeIndex | null): (block: BlockHash, ip: string) => void {
  return (block, ip) => index?.writer.noteRelay(block, maskedNet(ip));
}
