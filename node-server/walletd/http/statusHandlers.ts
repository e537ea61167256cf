/** Handlers of `/health` and `/api/status`, at once whatever the node and the disk do, and of the operator's warm-ups, which wait. */
import { asSompi } from "@svc/shared/base/brand.ts";
import { publicSentenceOf } from "@svc/shared/base/errors.ts";
import type { RouteAnswer } from "@svc/shared/protocol/wallet/walletRoutes.ts";
import type { WalletDaemon } from "../walletDaemon.ts";
import { walletLabel } from "../keys/walletToken.ts";
import { WALLETD_LIMITS } from "../walletdLimits.ts";
import { OpenWallet } from "../wallets/openWallet.ts";
import { WarmUp, type WarmTree } from "../wallets/warmUp.ts";
import { openWalletStatus } from "../wallets/walletStatus.ts";
import { problemOf, type DaemonWallets, type HandlerParts } from "./daemonWallets.ts";
import type { WalletHandlers } from "./walletHandlers.ts";
import { balanceFields } from "./answerValues.ts";

type Status = RouteAnswer<"status">;

const NOTHING = {
  total: asSompi(0n),
  spendable: asSompi(0n),
  maturing: asSompi(0n),
  pendingIn: asSompi(0n),
  pendingOut: asSompi(0n),
};

const ALIVE = { ok: true, service: "svc-walletd" } as const;

/** Makes the handlers. */
export function statusHandlers(
  parts: HandlerParts,
  wallets: DaemonWallets,
): Pick<WalletHandlers, "health" | "live" | "ready" | "status" | "warmChainTree" | "warmWallet"> {
  const { daemon } = parts;
  const warmUp = new WarmUp({
    lanes: daemon.lanes,
    wallets: daemon.wallets,
    tip: () => daemon.tip,
    policy: daemon.policy,
    clock: parts.clock,
  });
  return {
    health: async () => ALIVE,
    live: async () => ALIVE,
    ready: async () => readiness(daemon),
    status: async ({ token }) => {
      const found = token === null ? null : await wallets.glance(token);
      if (found === null) return withoutWallet(parts);
      if (found instanceof OpenWallet && found.wallet.isBegun) return ofOpenWallet(parts, found);
      const isOpen = found instanceof OpenWallet;
      return {
        ...withoutWallet(parts),
        has_wallet: true,
        loading: true,
        address: isOpen ? found.keys.address.text : found.address,
        watch_only: found.facts.kind === "watch",
        error: isOpen ? problemOf(found, daemon) : null,
      };
    },
    warmChainTree: async ({ signal }) => treeAnswer(await warmUp.tree(signal), daemon),
    warmWallet: async ({ token, signal }) => {
      const { ready, notes, maturedLeaves, seconds } = await warmUp.wallet(token, signal);
      const matured_leaves = Number(maturedLeaves);
      return { subtree_cache_ready: ready, notes, matured_leaves, seconds };
    },
  };
}

function treeAnswer(warm: WarmTree, daemon: WalletDaemon): RouteAnswer<"warmChainTree"> {
  const { leavesBefore, leavesAfter, caughtUp, steps, seconds } = warm;
  const isBegun = daemon.lanes.main.tree !== null;
  return {
    leaves_before: Number(leavesBefore),
    leaves_after: Number(leavesAfter),
    leaves_gained: Number(leavesAfter - leavesBefore),
    caught_up: caughtUp,
    subtree_cache_ready: caughtUp,
    subtree_cache_state: caughtUp ? "ready" : isBegun ? "building" : "started",
    chunks: steps,
    chain_tip_daa: Number(daemon.tip?.daaScore ?? 0n),
    seconds,
  };
}

/** Whether the node has answered lately, and answered when it was last asked. */
export function isConnected({ tipAgeMs, lanes: { problem } }: WalletDaemon): boolean {
  if (problem?.code === "wallet/node-unreachable") return false;
  return tipAgeMs !== null && tipAgeMs < WALLETD_LIMITS.nodeAwayMs;
}

function readiness(daemon: WalletDaemon): RouteAnswer<"ready"> {
  const connected = isConnected(daemon);
  const problems = [daemon.storeProblem, daemon.lanes.problem];
  const reasons = [
    ...(connected ? [] : ["The node does not answer."]),
    ...problems.flatMap((problem) => (problem === null ? [] : [publicSentenceOf(problem)])),
  ];
  const wallets = daemon.wallets.all
    .filter(({ wallet }) => wallet.isBegun)
    .map((open) => {
      const { behind, synced } = statusOf(daemon, open);
      // Whoever asks has no token: an address would tell him whose money is here.
      return { wallet: walletLabel(open.token), blocks_behind: Number(behind), synced };
    });
  return { ready: reasons.length === 0, reasons, node_connected: connected, wallets };
}

/** The status of an open wallet that has begun to be scanned. */
export function statusOf(daemon: WalletDaemon, open: OpenWallet) {
  const { state, isAtTip, hasTree, incoming } = open;
  const fault = open.fault ?? daemon.storeProblem;
  return openWalletStatus({ state, isAtTip, hasTree, fault, incoming }, daemon.policy, daemon.tip);
}

/** When the wallet was last scanned to the node's tip, in Unix seconds; 0 while it was not since it was opened. */
export function updatedUnix(daemon: WalletDaemon, open: OpenWallet): number {
  return open.isAtTip ? daemon.scannedUnix : open.syncedUnix;
}

function withoutWallet({ daemon, folder }: HandlerParts): Status {
  const { tip } = daemon;
  const daaScore = Number(tip?.daaScore ?? 0n);
  return {
    has_wallet: false,
    address: null,
    network: folder.network,
    node_connected: isConnected(daemon),
    daa_score: daaScore,
    sink_blue_score: Number(tip?.sinkBlueScore ?? 0n),
    synced: false,
    warming: false,
    scanned_blocks: 0,
    chain_len: daaScore,
    ...balanceFields(NOTHING),
    note_count: 0,
    updated_unix: 0,
    error: null,
    watch_only: false,
    missing_history: false,
    spend_ready: false,
    loading: false,
    blocks_behind: 0,
  };
}

function ofOpenWallet(parts: HandlerParts, open: OpenWallet): Status {
  const { daemon } = parts;
  const status = statusOf(daemon, open);
  return {
    ...withoutWallet(parts),
    has_wallet: true,
    address: open.keys.address.text,
    synced: status.synced,
    warming: status.warming,
    scanned_blocks: Number(status.scanned),
    ...balanceFields(status.balances),
    note_count: status.notes,
    updated_unix: updatedUnix(daemon, open),
    error: problemOf(open, daemon),
    watch_only: open.facts.kind === "watch",
    missing_history: status.missingHistory,
    spend_ready: status.spendReady,
    blocks_behind: Number(status.behind),
  };
}
