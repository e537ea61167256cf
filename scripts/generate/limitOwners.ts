/** Registry of the limits files: what each is about, and who may change its numbers. `LIMITS.md` shows them in this order. */
import { CHAIN_LIMITS } from "@svc/shared/chain/chainLimits.ts";
import { CORE_LIMITS } from "@svc/shared/core/coreLimits.ts";
import { MERCHANT_LIMITS } from "@svc/shared/protocol/merchantLimits.ts";
import { GREENFIELD_LIMITS } from "@svc/shared/gateway/greenfield/greenfieldLimits.ts";
import { RETRY_LIMITS } from "@svc/shared/gateway/retryLimits.ts";
import { GATEWAY_LIMITS } from "@svc/node-server/gateway/gatewayLimits.ts";
import { PROTOCOL_LIMITS } from "@svc/shared/protocol/protocolLimits.ts";
import { LIGHT_LIMITS } from "@svc/shared/light/lightLimits.ts";
import { AIRGAP_LIMITS } from "@svc/shared/signer/airgapLimits.ts";
import { SIGNER_LIMITS } from "@svc/shared/signer/signerLimits.ts";
import { INVOICE_LIMITS } from "@svc/shared/invoice/invoiceLimits.ts";
import { WALLET_LIMITS } from "@svc/shared/wallet/walletLimits.ts";
import { EDGE_LIMITS } from "@svc/edge/edgeLimits.ts";
import { EXPLORER_LIMITS } from "@svc/edge/explorerLimits.ts";
import { APP_LIMITS } from "@svc/node-server/app/appLimits.ts";
import { CLIENT_LIMITS } from "@svc/node-server/client/clientLimits.ts";
import { ENGINE_LIMITS } from "@svc/node-server/engine/engineLimits.ts";
import { INDEXER_LIMITS } from "@svc/node-server/indexer/indexerLimits.ts";
import { MEMPOOL_LIMITS } from "@svc/node-server/mempool/mempoolLimits.ts";
import { MINING_LIMITS } from "@svc/node-server/mining/miningLimits.ts";
import { P2P_LIMITS } from "@svc/node-server/p2p/p2pLimits.ts";
import { PLATFORM_LIMITS } from "@svc/node-server/platform/platformLimits.ts";
import { RPC_LIMITS } from "@svc/node-server/rpc/rpcLimits.ts";
import { SCANNING_LIMITS } from "@svc/node-server/scanning/scanningLimits.ts";
import { SEEDER_LIMITS } from "@svc/node-server/seeder/seederLimits.ts";
import { STORAGE_LIMITS } from "@svc/node-server/storage/storageLimits.ts";
import { WALLETD_LIMITS } from "@svc/node-server/walletd/walletdLimits.ts";
import { DAG_LIMITS } from "@svc/shared/explorer/dagLimits.ts";
import { PAGE_LIMITS } from "@svc/web/pageLimits.ts";

/** One limits file. */
export type LimitOwner = {
  readonly title: string;
  /** Below the root. */
  readonly path: string;
  /** The name of the exported table. */
  readonly name: string;
  readonly values: Readonly<Record<string, number | bigint>>;
  /** A paragraph for the reader who wants to change a limit: what these limits have in common, and whom a change affects. */
  readonly about: string;
};

/** All limits files. */
export const LIMIT_OWNERS: readonly LimitOwner[] = [
  {
    title: "Engine, verifiers and import",
    path: "node-server/engine/engineLimits.ts",
    name: "ENGINE_LIMITS",
    values: ENGINE_LIMITS,
    about:
      "The work that the engine thread does in one step, its queues, and the number of verifiers. Larger steps sync faster and answer questions later. An operator of a strong machine may raise queues and workers; peers notice nothing.",
  },
  {
    title: "Store",
    path: "node-server/storage/storageLimits.ts",
    name: "STORAGE_LIMITS",
    values: STORAGE_LIMITS,
    about:
      "Sizes of the database's map and of segment files, and the free space that is reserved on the disk. They decide when a node stops for want of room. A smaller map than a store has already grown to does not open.",
  },
  {
    title: "Index",
    path: "node-server/indexer/indexerLimits.ts",
    name: "INDEXER_LIMITS",
    values: INDEXER_LIMITS,
    about:
      "How much the index of `--index` does between two turns of the node's thread, what it keeps in memory, and how much one answer may read. Larger batches catch up faster and hold up other answers for longer.",
  },
  {
    title: "Waiting pool",
    path: "node-server/mempool/mempoolLimits.ts",
    name: "MEMPOOL_LIMITS",
    values: MEMPOOL_LIMITS,
    about:
      "How many payments wait, for how long, and what one source may have judged. An operator may change each: none is a rule of consensus, and other nodes judge by their own.",
  },
  {
    title: "Clients of a node",
    path: "node-server/client/clientLimits.ts",
    name: "CLIENT_LIMITS",
    values: CLIENT_LIMITS,
    about:
      "How long a program waits that asks a node over its RPC API. Whoever runs that program decides; the node notices nothing.",
  },
  {
    title: "Scanning for viewing keys",
    path: "node-server/scanning/scanningLimits.ts",
    name: "SCANNING_LIMITS",
    values: SCANNING_LIMITS,
    about:
      "How wallet daemon and gateway share the work of scan threads, and how often they look at the node's pool. Whoever runs them decides; the node notices more or fewer questions.",
  },
  {
    title: "Mining",
    path: "node-server/mining/miningLimits.ts",
    name: "MINING_LIMITS",
    values: MINING_LIMITS,
    about: "How long a block template is served, and how many are kept. Miners decide.",
  },
  {
    title: "Peers",
    path: "node-server/p2p/p2pLimits.ts",
    name: "P2P_LIMITS",
    values: P2P_LIMITS,
    about:
      "What a peer may send, request and hold, and how many addresses are remembered. Many of these limits match limits of the reference implementation, so that honest peers never reach them: before you lower one, check what peers of both implementations send. The numbers for announcements and stems decide what a spy learns (docs/privacy.md).",
  },
  {
    title: "HTTP and gRPC servers",
    path: "node-server/rpc/rpcLimits.ts",
    name: "RPC_LIMITS",
    values: RPC_LIMITS,
    about:
      "Connections, rates and bytes of clients. An operator who serves many may raise them with the memory that they cost; a reverse proxy in front needs `--trusted-proxy` instead of larger shares for one host.",
  },
  {
    title: "Seeder",
    path: "node-server/seeder/seederLimits.ts",
    name: "SEEDER_LIMITS",
    values: SEEDER_LIMITS,
    about:
      "The addresses that a seeder knows, how often it checks them, and the size of its DNS answers. DNS queries may have a forged sender, so rate limits and short answers keep a seeder from being used to flood somebody.",
  },
  {
    title: "Starting, stopping and commands",
    path: "node-server/app/appLimits.ts",
    name: "APP_LIMITS",
    values: APP_LIMITS,
    about:
      "Timeouts and limits of the program as a whole. Values that an operator is likely to change are command-line options (docs/programs).",
  },
  {
    title: "Threads, time and sockets",
    path: "node-server/platform/platformLimits.ts",
    name: "PLATFORM_LIMITS",
    values: PLATFORM_LIMITS,
    about:
      "Limits that all parts of a node share: heaps of threads, restarts, log lines. A change affects every part; measure it with `npm run bench -- memory`.",
  },
  {
    title: "Wallets",
    path: "shared/wallet/walletLimits.ts",
    name: "WALLET_LIMITS",
    values: WALLET_LIMITS,
    about:
      "How a wallet makes requests, scans, plans and retries, in every program that holds one. Requests and their times must not depend on decrypted data (docs/privacy.md): a change here changes what a node learns.",
  },
  {
    title: "Wallet daemon",
    path: "node-server/walletd/walletdLimits.ts",
    name: "WALLETD_LIMITS",
    values: WALLETD_LIMITS,
    about:
      "What the wallet daemon holds, keeps and does at once. Its operator may change each: neither the node nor other wallets notice anything; callers notice how long an answer is kept.",
  },
  {
    title: "Invoices",
    path: "shared/invoice/invoiceLimits.ts",
    name: "INVOICE_LIMITS",
    values: INVOICE_LIMITS,
    about:
      "What an invoice remembers of its payments. A change holds from the next payment on, and stored invoices keep what they hold.",
  },
  {
    title: "Receipts",
    path: "shared/light/lightLimits.ts",
    name: "LIGHT_LIMITS",
    values: LIGHT_LIMITS,
    about:
      "Where a receipt stands on the chain. A change holds for receipts that are made from then on; those that are there stay as good as they are.",
  },
  {
    title: "Air gap",
    path: "shared/signer/airgapLimits.ts",
    name: "AIRGAP_LIMITS",
    values: AIRGAP_LIMITS,
    about:
      "What a device reads from the codes on another screen. The longest message and the number of frames bound what hostile codes can cost it; how much a frame holds may be changed freely, since each message says it.",
  },
  {
    title: "Device signer",
    path: "shared/signer/signerLimits.ts",
    name: "SIGNER_LIMITS",
    values: SIGNER_LIMITS,
    about:
      "What a device reads of a prepared payment and what it pays unasked. A device that signs for others may be stricter, never laxer.",
  },
  {
    title: "Block graph",
    path: "shared/explorer/dagLimits.ts",
    name: "DAG_LIMITS",
    values: DAG_LIMITS,
    about:
      "What a page keeps of the block graph that it draws, however long it stays open, and how a replay goes. Nobody else notices a change.",
  },
  {
    title: "Pages",
    path: "web/pageLimits.ts",
    name: "PAGE_LIMITS",
    values: PAGE_LIMITS,
    about:
      "The vault, workers and screens of the web wallet. The cost of the key derivation may be raised for new vaults; a stored vault records its own cost.",
  },
  {
    title: "Merchant gateway",
    path: "node-server/gateway/gatewayLimits.ts",
    name: "GATEWAY_LIMITS",
    values: GATEWAY_LIMITS,
    about:
      "What the gateway beside a node holds, keeps and does at once. Its operator may change each; shops notice how many calls they may make.",
  },
  {
    title: "Webhooks of the gateway",
    path: "shared/gateway/retryLimits.ts",
    name: "RETRY_LIMITS",
    values: RETRY_LIMITS,
    about:
      "What the gateway promises to shops, self-hosted and at the edge alike. A change is one that their programs may notice.",
  },
  {
    title: "BTCPay interface of the gateway",
    path: "shared/gateway/greenfield/greenfieldLimits.ts",
    name: "GREENFIELD_LIMITS",
    values: GREENFIELD_LIMITS,
    about:
      "What a shop may ask for by BTCPay's API. Bodies, rates, order numbers and addresses have the bounds of the gateway's own API.",
  },
  {
    title: "Edge",
    path: "edge/edgeLimits.ts",
    name: "EDGE_LIMITS",
    values: EDGE_LIMITS,
    about:
      "What a Worker reads, holds and does at once. Its operator may change each within what the platform allows.",
  },
  {
    title: "Explorer at the edge",
    path: "edge/explorerLimits.ts",
    name: "EXPLORER_LIMITS",
    values: EXPLORER_LIMITS,
    about:
      "What the explorer asks of its nodes, holds and remembers, and how much one visitor may ask of it. Its operator may change each: pauses and tries decide what the nodes bear, the times how old what visitors see may be.",
  },
  {
    title: "Core and proofs",
    path: "shared/core/coreLimits.ts",
    name: "CORE_LIMITS",
    values: CORE_LIMITS,
    about:
      "Workers that prove and check proofs. More workers than the machine has cores gain nothing.",
  },
  {
    title: "Browser protocol",
    path: "shared/protocol/protocolLimits.ts",
    name: "PROTOCOL_LIMITS",
    values: PROTOCOL_LIMITS,
    about: "Values on which server and wallet agree. Both sides have to change together.",
  },
  {
    title: "Gateway API",
    path: "shared/protocol/merchantLimits.ts",
    name: "MERCHANT_LIMITS",
    values: MERCHANT_LIMITS,
    about:
      "What merchants and payers may ask of a gateway, self-hosted or hosted. Shops are written against these numbers: one that becomes smaller breaks them.",
  },
  {
    title: "Chain",
    path: "shared/chain/chainLimits.ts",
    name: "CHAIN_LIMITS",
    values: CHAIN_LIMITS,
    about:
      "How far ahead a change of consensus rules is announced. This is not a consensus rule itself.",
  },
];
