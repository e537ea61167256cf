/**
 * One changed file of each room, and a test file that must then run. This table was written from what the files are about, not from the
 * rows: a row that forgets its best witness, or has it too late for the budget, fails here.
 */
import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { ROOT } from "../../tests/architecture/sourceTree.ts";
import { chooseFiles } from "./chooseFiles.ts";
import { reachOfChange } from "./reachOfChange.ts";
import { roomOfPath } from "./roomOfPath.ts";
import { SHOWN_BY } from "./shownRooms.ts";

/** A file takes this long, so that a budget is a number of files. */
const SECONDS = 60;
/** Of one room's files so many have time. */
const FILES = 5;

/** A changed file, and the test file or suite that must run. */
const MUST_RUN = `
  shared/package.json                              e2e/wallet/wallet
  shared/base/svcError.ts                          network/program/startErrors
  shared/chain/profile.ts                          network/sync/announcedNetwork
  shared/core/planProver.ts                        integration/engine/proofPool
  shared/protocol/protocolLimits.ts                integration/rpc/grpcNode
  shared/protocol/contract/openApi.ts              integration/walletd/walletOpenApi
  shared/protocol/facts/tipFacts.ts                integration/engine/importSession
  shared/protocol/gateway/gatewayRoutes.ts         plugins/woocommerceContract
  shared/protocol/http/recordContainer.ts          integration/evidence/recordChecks
  shared/protocol/p2p/p2pEnvelope.ts               network/peers/recordedSync
  shared/protocol/proto/p2pMessages.proto          integration/engine/recordedImport
  shared/protocol/raw/rawBlock.ts                  integration/node/mergedMining
  shared/protocol/rest/restRoutes.ts               integration/rest/rest
  shared/protocol/rpc/rpcBlock.ts                  integration/rpc/rpc
  shared/protocol/wallet/walletRoutes.ts           integration/walletd/walletApi
  shared/protocol/webhook/signature.ts             plugins/vendureWebhooks
  shared/light/coreReceipts.ts                     integration/evidence/receipts
  shared/wallet/walletLimits.ts                    e2e/payments/severalPayees
  shared/wallet/codec/quickRows.ts                 e2e/storage/walletStore
  shared/wallet/contacts/contacts.ts               e2e/wallet/contacts
  shared/wallet/labels/addressLabels.ts            e2e/wallet/annotations
  shared/wallet/node/httpNode.ts                   integration/rpc/nodePorts
  shared/wallet/plan/planTransfer.ts               integration/payments/recordedPayments
  shared/wallet/proof/chainProof.ts                integration/evidence/walletEvidence
  shared/wallet/reduce/applyFacts.ts               integration/payments/recordedPayments
  shared/wallet/run/walletLoop.ts                  integration/rpc/browserBytes
  shared/wallet/send/sendPayment.ts                integration/evidence/sentReceipts
  shared/wallet/state/walletStateCodec.ts          integration/walletd/walletDaemon
  shared/wallet/stored/stateRows.ts                e2e/storage/walletStore
  shared/wallet/sync/walletSync.ts                 integration/evidence/compactWallet
  shared/wallet/view/history.ts                    integration/evidence/compactWallet
  shared/invoice/reduceInvoice.ts                  plugins/btcpayShop
  shared/signer/deviceSigner.ts                    integration/walletd/deviceOverDaemon
  shared/signer/airgap/urDecoder.ts                e2e/signer/offlineSigner
  shared/signer/messages/judgeSignedMessage.ts     e2e/wallet/messages
  shared/signer/wire/preparedFields.ts             integration/walletd/deviceOverDaemon
  shared/explorer/pageRenderer.ts                  e2e/explorer/explorer
  shared/explorer/charts/emissionCurve.ts          e2e/explorer/charts
  shared/explorer/dag/dagLayout.ts                 e2e/explorer/graph
  shared/gateway/gatewayApp.ts                     integration/gateway/gatewayPayments
  shared/gateway/greenfield/greenfieldApp.ts       plugins/btcpayShop
  shared/gateway/handlers/invoiceHandlers.ts       integration/gateway/gatewayPayments
  shared/gateway/page/checkoutPage.ts              e2e/checkout/checkout
  shared/gateway/pos/closePage.ts                  e2e/checkout/pos
  shared/gateway/till/dayClose.ts                  e2e/checkout/pos
  shared/gateway/x402/x402Paywall.ts               integration/gateway/x402Payments

  node-server/package.json                         integration/node/program
  node-server/bin/svc.ts                           network/program/startErrors
  node-server/platform/projectRoot.ts              integration/node/program
  node-server/platform/files/lockFile.ts           network/program/startErrors
  node-server/platform/http/guardedServer.ts       network/http/httpAttacks
  node-server/platform/log/logRates.ts             network/peers/logVolume
  node-server/platform/metrics/metricRegistry.ts   integration/walletd/walletDaemon
  node-server/platform/net/netAddress.ts           network/peers/ipv6
  node-server/platform/thread/supervisedThread.ts  integration/node/usedMemory
  node-server/platform/time/clock.ts               network/sync/clockSteps
  node-server/storage/lmdbKv.ts                    integration/engine/fullDisk
  node-server/storage/migrations/migrate.ts        network/program/otherLayouts
  node-server/storage/rows/rowTable.ts             integration/index/indexRebuild
  node-server/proving/proverWorker.ts              integration/engine/proverThread
  node-server/client/grpcNode.ts                   integration/rpc/grpcNode
  node-server/scanning/scanThreads.ts              integration/evidence/scanThreads
  node-server/engine/startEngine.ts                integration/engine/engineHost
  node-server/engine/calls/engineQuestions.ts      integration/rpc/networkQuestions
  node-server/engine/check/storeCheck.ts           integration/node/storeVerify
  node-server/engine/host/engineSession.ts         integration/engine/engineSession
  node-server/engine/import/swapStore.ts           integration/engine/stagedImport
  node-server/engine/ingest/blockIngest.ts         integration/engine/engineHost
  node-server/engine/read/readerWorker.ts          integration/rpc/networkQuestions
  node-server/engine/verify/fallbackVerifier.ts    integration/engine/lastVerifier
  node-server/mempool/mempool.ts                   integration/payments/mempool
  node-server/mining/templateService.ts            integration/payments/hiddenPayments
  node-server/indexer/nodeIndex.ts                 integration/index/indexedNode
  node-server/indexer/derive/deriveChain.ts        integration/index/index
  node-server/indexer/documents/indexDocument.ts   integration/index/indexDocuments
  node-server/indexer/follow/indexFollower.ts      integration/index/indexRestart
  node-server/indexer/tables/blockRow.ts           integration/index/index
  node-server/p2p/peerNetwork.ts                   integration/node/peers
  node-server/p2p/addresses/banList.ts             network/peers/bans
  node-server/p2p/connect/connectionManager.ts     integration/node/proxiedNode
  node-server/p2p/flows/pings.ts                   network/peers/stalls
  node-server/p2p/handshake/judgePeer.ts           network/sync/announcedNetwork
  node-server/p2p/head/claimedWork.ts              network/sync/firstSync
  node-server/p2p/link/messageBounds.ts            network/peers/garbage
  node-server/p2p/peers/misbehaviourScores.ts      network/peers/bans
  node-server/p2p/relay/stem.ts                    integration/payments/paymentOrigin
  node-server/p2p/serve/servePruningPoint.ts       integration/rpc/serving
  node-server/p2p/sync/syncManager.ts              network/sync/initialSync
  node-server/seeder/dnsServer.ts                  network/peers/seeder
  node-server/rpc/rpcLimits.ts                     integration/rpc/rpc
  node-server/rpc/grpc/grpcServer.ts               integration/rpc/rpc
  node-server/rpc/http/httpServer.ts               integration/rest/rest
  node-server/rpc/rest/blocks/blockDocument.ts     integration/rest/restBlocks
  node-server/rpc/service/rpcService.ts            integration/rpc/rpc

  node-server/app/main.ts                          integration/node/program
  node-server/app/disclosure/appliedPayment.ts     integration/walletd/deviceOverDaemon
  node-server/app/folder/dataFolder.ts             network/program/dataFolders
  node-server/app/gateway/runTill.ts               integration/gateway/gatewayTills
  node-server/app/node/node.ts                     integration/node/node
  node-server/app/options/flags.ts                 network/program/startErrors
  node-server/app/program/ignoreClosedOutput.ts    network/program/closedOutput
  node-server/app/receipt/runReceipt.ts            integration/evidence/receipts
  node-server/app/seeder/runSeeder.ts              network/peers/seeder
  node-server/app/sim/runSim.ts                    network/program/programSignals
  node-server/app/verify/verifyStore.ts            integration/node/storeVerify
  node-server/app/walletd/runWalletd.ts            network/walletd/walletdStart
  node-server/walletd/startWalletd.ts              integration/walletd/walletdCalls
  node-server/walletd/device/prepareWork.ts        integration/walletd/deviceOverDaemon
  node-server/walletd/feed/depositFeed.ts          network/deposits/depositMemos
  node-server/walletd/http/walletServer.ts         integration/walletd/walletApi
  node-server/walletd/keys/folderSealing.ts        network/walletd/walletSecrets
  node-server/walletd/public/selfSignedCertificate.ts  network/wallets/walletGuides
  node-server/walletd/receipts/receiptMaker.ts     integration/evidence/walletReceipts
  node-server/walletd/spend/proofQueue.ts          integration/engine/proofQueue
  node-server/walletd/store/jobTable.ts            integration/walletd/walletdCalls
  node-server/walletd/tools/diagnose.ts            network/walletd/walletdFaults
  node-server/walletd/wallets/openWallets.ts       integration/walletd/walletDaemon
  node-server/gateway/startGateway.ts              integration/gateway/gatewayPayments
  node-server/gateway/access/tillTable.ts          integration/gateway/gatewayTills
  node-server/gateway/desk/invoiceDesk.ts          plugins/btcpayShop
  node-server/gateway/drill/drillScenes.ts         integration/gateway/gatewayDrill
  node-server/gateway/hosted/factOutbox.ts         integration/edge/hostedKills
  node-server/gateway/http/gatewayServer.ts        plugins/btcpayShop
  node-server/gateway/keys/viewingKeyFile.ts       integration/gateway/gatewayPayments
  node-server/gateway/prices/coinRates.ts          plugins/btcpayProcess
  node-server/gateway/proof/scanProof.ts           integration/gateway/gatewayWork
  node-server/gateway/receipts/receiptPress.ts     integration/gateway/gatewayEvidence
  node-server/gateway/refunds/refundPayer.ts       integration/gateway/gatewayPayments
  node-server/gateway/scan/chainScan.ts            integration/gateway/gatewayWork
  node-server/gateway/store/invoiceTable.ts        integration/gateway/gatewayPayments
  node-server/gateway/x402/facilitator.ts          integration/gateway/x402Payments

  web/pageLimits.ts                                e2e/wallet/wallet
  web/build/fileHashes.ts                          hashes/hashes
  web/checkout/followCheckout.ts                   e2e/checkout/checkout
  web/checkout/helper/svcCheckout.ts               e2e/checkout/checkoutHelper
  web/clipboard/copyText.ts                        e2e/checkout/checkout
  web/i18n/translate.ts                            e2e/wallet/languages
  web/keyring/vault.ts                             e2e/wallet/passphrase
  web/node/liveFeed.ts                             integration/rpc/browserBytes
  web/offline/offlineWorker.ts                     e2e/node/keptPages
  web/pages/Shell.tsx                              e2e/wallet/screens
  web/pos/till.ts                                  e2e/checkout/pos
  web/signer/paymentSigner.ts                      integration/walletd/airgapSigning
  web/state/nodeOrigins.ts                         e2e/node/nodeOrigins
  web/state/contacts/contacts.ts                   e2e/wallet/contacts
  web/state/device/passkey.ts                      e2e/wallet/deviceUnlock
  web/state/draft/createPayeeLine.ts               e2e/payments/severalPayees
  web/state/language/languageChoice.ts             e2e/wallet/languages
  web/threads/spawn.ts                             e2e/storage/workerCrash
  web/ui/Dialog.tsx                                e2e/wallet/screens
  web/wallet/index.html                            e2e/wallet/wallet
  web/wallet-api/autoLock.ts                       e2e/wallet/passphrase
  web/workers/prove.worker.ts                      e2e/payments/proving
  web/wallet-worker/sendTask.ts                    e2e/payments/payment
  web/wallet-worker/addresses/ownAddresses.ts      e2e/wallet/receiving
  web/wallet-worker/backup/restoredAnnotations.ts  e2e/wallet/backupAnnotations
  web/wallet-worker/merging/noteMerger.ts          e2e/payments/manyNotes
  web/wallet-worker/older/olderStore.ts            e2e/node/recentFirst
  web/wallet-worker/store/migrations.ts            e2e/storage/walletStore
  web/wallet-worker/tabs/shownTabs.ts              e2e/wallet/severalTabs
  web/wallet-worker/wallets/walletPlaces.ts        e2e/storage/walletPlaces
  web/features/backup/Backup.tsx                   e2e/wallet/backups
  web/features/contacts/ContactForm.tsx            e2e/wallet/contacts
  web/features/history/HistoryDetail.tsx           e2e/payments/payment
  web/features/home/DoubtNotice.tsx                e2e/node/lyingNode
  web/features/keys/RestoreFile.tsx                e2e/wallet/backups
  web/features/language/LanguageChoice.tsx         e2e/wallet/languages
  web/features/merging/MergeCard.tsx               e2e/payments/manyNotes
  web/features/messages/SignMessage.tsx            e2e/wallet/messages
  web/features/naming/NameForm.tsx                 e2e/wallet/annotations
  web/features/receive/RequestForm.tsx             e2e/wallet/receiving
  web/features/send/Review.tsx                     e2e/payments/paymentScreen
  web/features/settings/About.tsx                  e2e/wallet/screens
  web/features/unlock/UnlockDevice.tsx             e2e/wallet/deviceUnlock
  web/features/wallets/WalletsCard.tsx             e2e/wallet/severalWallets
  web/features/welcome/CoreNotice.tsx              e2e/node/coreComesLate
  web/explorer/renderExplorerPage.ts               e2e/explorer/explorer
  web/explorer/charts/plot.ts                      e2e/explorer/charts
  web/explorer/check/checkBlock.ts                 integration/rest/restChecks
  web/explorer/dag/dagPainter.ts                   e2e/explorer/graph
  web/explorer/frame/Layout.tsx                    e2e/explorer/explorer
  web/explorer/live/liveDocuments.ts               e2e/explorer/explorerLive
  web/explorer/mounts/mountGraph.ts                e2e/explorer/graphPage
  web/explorer/pages/Blocks.tsx                    e2e/explorer/explorerLive
  web/explorer/parts/BlockTable.tsx                e2e/explorer/explorer
  web/explorer/share/block.png                     e2e/explorer/explorer
  web/explorer/styles/frame.css                    e2e/explorer/explorer
  web/explorer/texts/de.ts                         e2e/explorer/explorer
  web/explorer/view/dropReason.ts                  e2e/explorer/explorer

  edge/wrangler.toml                               integration/edge/edgeProgram
  edge/platform/dueObject.ts                       integration/edge/hostedPayments
  edge/gateway/gatewayWorker.ts                    integration/edge/hostedEvidence
  edge/explorer/explorerWorker.ts                  integration/edge/edgeExplorer
  edge/explorer/answers/keptAnswer.ts              integration/edge/edgeExplorer
  edge/explorer/facade/restFacade.ts               integration/edge/edgeExplorer
  edge/explorer/history/historyIngest.ts           integration/edge/edgeExplorer
  edge/explorer/migrations/0001_history.sql        integration/edge/edgeExplorer
  edge/explorer/origin/relay.ts                    integration/edge/edgeExplorer
  edge/explorer/pages/pageRoutes.ts                e2e/explorer/edgeExplorer
  edge/plugin/vendure/src/svcGatewayPlugin.ts      plugins/vendurePayments
  edge/plugin/woocommerce/assets/blockCheckout.js  plugins/woocommerce
  README.md                                        e2e/payments/readmeFirstPayment
  SECURITY.md                                      e2e/explorer/checks
  docs/guides/wallet-merchants.md                  network/wallets/walletGuides
  docs/guides/wallet-phones.md                     network/wallets/walletGuides

  wasm-core/codes.json                             suite:fuzz
  wasm-core/assets/action-circuit.bin              integration/payments/payments
  wasm-core/glue/src/main.rs                       integration/engine/overflowChecks
  wasm-core/profiles/simnet.json                   e2e/node/network
  wasm-core/crates/bind/src/checks.rs              integration/engine/engineSession
  wasm-core/crates/chain/src/block.rs              suite:oracle
  wasm-core/crates/chance/src/chance.rs            suite:fuzz
  wasm-core/crates/circuit/src/assets.rs           integration/engine/proofPool
  wasm-core/crates/circuit-gen/src/compile.rs      integration/payments/payments
  wasm-core/crates/codec/src/cbor.rs               suite:fuzz
  wasm-core/crates/consensus/src/checks.rs         suite:sim
  wasm-core/crates/dag/src/ghostdag.rs             suite:sim
  wasm-core/crates/evidence/src/log_page.rs        integration/evidence/evidence
  wasm-core/crates/fuzz/tests/decoders.rs          suite:fuzz
  wasm-core/crates/kernels/tests/curve.rs          suite:kernels
  wasm-core/crates/oracle/tests/parent.rs          suite:oracle
  wasm-core/crates/pow/src/heavy_hash.rs           suite:oracle
  wasm-core/crates/prove/src/halo2.rs              integration/engine/proofPool
  wasm-core/crates/scan/src/facts.rs               integration/payments/recordedPayments
  wasm-core/crates/shielded/src/bundle.rs          suite:fuzz
  wasm-core/crates/sim/tests/kills.rs              suite:sim
  wasm-core/crates/tree/src/edge.rs                integration/payments/recordedPayments
  wasm-core/crates/verify/src/bisect.rs            integration/payments/slowJunk
  wasm-core/crates/witness/src/action.rs           integration/engine/proofPool

  tests/fixtures/walletd/wallet-1.json             integration/payments/payments
  tests/plugins/btcpay/OrderBook.php               plugins/btcpayShop
  tests/profiles/ingest.json                       integration/node/nodePruning
  tests/vectors/walletd-flags.json                 integration/walletd/walletApi
`;

const cases = MUST_RUN.trim()
  .split("\n")
  .filter((line) => line.trim() !== "")
  .map((line) => {
    const [changed = "", word = ""] = line.trim().split(/\s+/);
    return [changed, word.startsWith("suite:") ? word : `tests/${word}.test.ts`] as const;
  });

/** Every unit of any row, once. */
const ALL = Array.from(new Set(Object.values(SHOWN_BY).flat()));

function roomOf(path: string): string | undefined {
  const meaning = roomOfPath(path);
  return "room" in meaning ? meaning.room : undefined;
}

describe("with one changed file", () => {
  it.each(cases)("%s: %s runs", (changed, mustRun) => {
    expect(existsSync(ROOT + changed)).toBe(true);
    const { rooms } = reachOfChange({ paths: [changed], locks: [] }, []);
    const { chosen } = chooseFiles({
      changed: [],
      helped: [],
      rooms,
      everything: false,
      all: ALL,
      seconds: new Map(),
      unknownSeconds: SECONDS,
      budgetSeconds: SECONDS * FILES,
      draw: 1,
    });
    expect(chosen).toContainEqual({ file: mustRun, why: `room ${roomOf(changed)}` });
  });

  it("each room has such a file", () => {
    const shown = new Set(cases.map(([changed]) => roomOf(changed)));
    expect(Object.keys(SHOWN_BY).filter((room) => !shown.has(room))).toEqual([]);
  });
});
