/**
 * Architecture rule: only listed files read the wall clock. It is set forward and back while a program runs, so durations
 * are measured with the steady clock (`steadyMs`).
 */
import { isTest, type SourceFile, type Violation } from "./sourceTree.ts";

/** The one file that reads the machine's clocks. */
const CLOCK = "node-server/platform/time/clock.ts";
const AREA = "node-server/";
/** A Worker has a time of day alone, read in one file. */
const EDGE_CLOCK = "edge/platform/edgeClock.ts";
/** A plugin reads that of its shop. */
const SHOP_CLOCK = "edge/plugin/vendure/src/base/shopClock.ts";
const PLUGIN_AREA = "edge/plugin/";
const EDGE_AREA = "edge/";
const MACHINE =
  /\b(Date\.now|new Date\b|performance\.(now|timeOrigin)|process\.hrtime|(?<!process\.)\buptime\()/;
const WALL = /\bnowMs\(\)/;

/** Files that ask for the time of day, and what they hold it against or whom they tell. */
export const WALL_CLOCK_READERS: ReadonlyMap<string, string> = new Map([
  [CLOCK, "is the clock"],
  ["node-server/app/node/createNodeApi.ts", "shown to whom asks"],
  ["node-server/app/node/networkHalt.ts", "held against timestamps of blocks"],
  ["node-server/app/node/syncState.ts", "held against timestamps of blocks"],
  ["node-server/app/walletd/serveWalletd.ts", "how long a certificate is valid"],
  ["node-server/app/walletd/walletFolderOptions.ts", "kept in wallet files and backups"],
  ["node-server/app/receipt/runReceipt.ts", "the age of a checkpoint, by the time of its header"],
  ["node-server/app/gateway/runGateway.ts", "kept with merchants and keys"],
  ["node-server/app/gateway/runTill.ts", "kept with tills"],
  ["node-server/app/gateway/newMerchant.ts", "kept with merchants"],
  [
    "node-server/gateway/desk/deskDeliveries.ts",
    "kept on disk; the queue bears a clock that is set",
  ],
  [
    "node-server/gateway/desk/deskLooks.ts",
    "held against the expiry of invoices, which payers are told",
  ],
  ["node-server/gateway/desk/invoiceDesk.ts", "the expiry of an invoice is a time of day"],
  ["node-server/gateway/desk/webhookDesk.ts", "kept on disk, and told to the merchant"],
  ["node-server/gateway/desk/tillDesk.ts", "the end of a session is kept, over new starts too"],
  [
    "node-server/gateway/proof/chainProver.ts",
    "the age of a block, as its miner says, and of a floor that is kept over new starts",
  ],
  ["node-server/gateway/hosted/factOutbox.ts", "when a payment was seen, told with each batch"],
  ["node-server/gateway/hosted/hostedPost.ts", "signed with what is told, good for five minutes"],
  ["node-server/gateway/gatewayChain.ts", "handed on to what follows the chain"],
  ["node-server/gateway/http/gatewayMetrics.ts", "held against times that are kept with webhooks"],
  ["node-server/rpc/http/explorerPages.ts", "shown to readers, as the age of what they see"],
  ["node-server/gateway/prices/coinRates.ts", "held against the time that a source told"],
  ["node-server/gateway/drill/offsetClock.ts", "is a clock that is ahead of another"],
  ["node-server/gateway/drill/playedChain.ts", "times of blocks and of signatures"],
  ["node-server/app/gateway/runDrill.ts", "kept with the drill's merchant"],
  ["node-server/gateway/gatewayDesks.ts", "told with each record"],
  [
    "node-server/client/webhookSender.ts",
    "signed for the receiver, whose clock it is held against; kept on disk",
  ],
  ["node-server/engine/ingest/blockIngest.ts", "blocks of the future are refused"],
  ["node-server/indexer/follow/observations.ts", "kept on disk: when something was seen"],
  ["node-server/indexer/follow/reorgLog.ts", "kept on disk: when a reorganisation was seen"],
  ["node-server/indexer/nodeIndex.ts", "held against timestamps of blocks, and shown to whom asks"],
  ["node-server/mining/templateService.ts", "timestamp of a block"],
  ["node-server/p2p/addresses/addressBook.ts", "kept on disk, anchored"],
  ["node-server/p2p/addresses/banList.ts", "kept on disk, anchored"],
  ["node-server/p2p/link/grpcDialer.ts", "the library wants a time of day"],
  ["node-server/p2p/handshake/handshake.ts", "told to the peer"],
  ["node-server/p2p/peerNetwork.ts", "handed on to what catches up"],
  ["node-server/p2p/peers/peerHub.ts", "held against the peer's clock"],
  ["node-server/p2p/sync/catchUp.ts", "headers of the future are refused"],
  ["node-server/p2p/sync/syncFromSnapshot.ts", "headers of the future are refused"],
  ["node-server/p2p/sync/syncManager.ts", "handed on to what catches up"],
  ["node-server/seeder/crawler.ts", "kept on disk; the book bears a clock that is set"],
  ["node-server/seeder/seeder.ts", "kept on disk; the book bears a clock that is set"],
  ["node-server/gateway/desk/refundDesk.ts", "kept with refunds, which end at a time of day"],
  ["node-server/gateway/x402/challengeDesk.ts", "challenges and sessions end at a time of day"],
  ["node-server/gateway/x402/facilitator.ts", "held against the end of a challenge"],
  ["node-server/gateway/hosted/hostedRefunds.ts", "held against what is kept with refunds"],
  ["node-server/gateway/refunds/refundPayer.ts", "held against what is kept with refunds"],
  ["node-server/walletd/device/preparedSessions.ts", "kept with payments and keys"],
  ["node-server/app/node/runNode.ts", "validity of a certificate"],
  ["node-server/app/node/startWallets.ts", "kept in wallet files"],
  ["node-server/walletd/walletDaemon.ts", "shown to whom asks, and kept with payments"],
  ["node-server/walletd/spend/lastingJobs.ts", "kept on disk, anchored"],
  ["node-server/walletd/spend/payTools.ts", "kept on disk, anchored"],
  ["node-server/walletd/spend/rebroadcaster.ts", "held against what is kept on disk, anchored"],
  ["node-server/walletd/spend/spendJobs.ts", "kept on disk, anchored"],
  ["node-server/walletd/spend/storeJobEnd.ts", "kept on disk, anchored"],
  ["node-server/walletd/spend/spendService.ts", "anchors it"],
  ["node-server/walletd/feed/depositFeed.ts", "shown to whom reads the feed"],
  [
    "node-server/walletd/feed/feedDeliveries.ts",
    "kept on disk; the queue bears a clock that is set",
  ],
  [
    "node-server/walletd/spend/tokens/approvals.ts",
    "kept on disk; a job waits longer or shorter by what a clock is set",
  ],
  [
    "node-server/walletd/spend/tokens/spendLimits.ts",
    "days of the calendar; none comes a second time",
  ],
  ["node-server/walletd/spend/tokens/tokenBook.ts", "an expiry that a person chose"],
]);

/** Files beside the clock module that read the machine's steady clock themselves. */
const MACHINE_READERS: ReadonlySet<string> = new Set(["node-server/bin/program.ts"]);

/** Readers of a clock that are not the clock module, and of the time of day that are not listed. */
export function wallClockViolations(file: SourceFile): Violation[] {
  const { path, text } = file;
  const isEdge = path.startsWith(EDGE_AREA);
  const isJudged = path.startsWith(AREA) || isEdge;
  if (!isJudged || isTest(path) || path.includes("/testkit/")) return [];
  const isPlugin = file.path.startsWith(PLUGIN_AREA);
  const clock = isPlugin ? SHOP_CLOCK : isEdge ? EDGE_CLOCK : CLOCK;
  return text.split("\n").flatMap((line, index): Violation[] => {
    const code = line.replace(/^\s*(\/\/|\*|\/\*).*$/, "");
    const at = `${path}:${index + 1}`;
    const machine = MACHINE.exec(code)?.[1];
    if (machine !== undefined && path !== clock && !MACHINE_READERS.has(path)) {
      return [{ path: at, message: `${machine} outside of ${clock}` }];
    }
    if (!WALL.test(code) || WALL_CLOCK_READERS.has(path)) return [];
    return [{ path: at, message: "the time of day, which jumps; durations are of steadyMs" }];
  });
}
