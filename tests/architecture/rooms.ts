/**
 * Layer table of the source tree: the rooms (layers) of each folder, and which of them may import which. A room may import
 * those of a lower rank that stand beside it, and what is above the folder that both are in is judged there. Files that
 * stand directly in a folder of rooms are its top: they may import all of its rooms, and none of these may import them.
 */

/** A folder, or a file, among those beside it. */
export type Room = {
  readonly rank: number;
  /** The rooms beside it that it may import; all of a lower rank when left out. */
  readonly may?: readonly string[];
};

/** Rooms by the folder that they stand in, and by their names there. */
export type Rooms = Readonly<Record<string, Readonly<Record<string, Room>>>>;

/** Rooms of one rank each, from the lowest on: those of one rank do not know each other. */
function storeys(...names: readonly (readonly string[])[]): Record<string, Room> {
  return Object.fromEntries(
    names.flatMap((storey, rank) => storey.map((name) => [name, { rank }] as const)),
  );
}

/** What a program may use that talks to a node as a stranger does. */
const AS_A_CLIENT = ["platform", "storage", "proving", "client", "scanning"];
/** What the code of a page may use: nothing that only a worker runs. */
const AS_A_PAGE = [
  "pageLimits.ts",
  "offline",
  "clipboard",
  "threads",
  "i18n",
  "wallet-api",
  "ui",
  "node",
  "state",
];
/** What the pages of the explorer may use. They have catalogues of their own, in three languages. */
const AS_AN_EXPLORER = ["pageLimits.ts", "clipboard", "threads", "i18n", "node", "state"];

const CONSENSUS = storeys(
  ["failure", "parameters", "budget", "timings"],
  ["store"],
  ["records"],
  ["migration", "rules"],
  ["pipeline", "proof", "history", "checks"],
  ["questions", "prune", "import"],
  ["export"],
  ["engine"],
  ["outcome_json"],
);
const KERNELS = storeys(["lanes"], ["field"], ["curve", "fft", "program"], ["msm"], ["hash"]);
const PROVER = storeys(["wire"], ["polynomials"], ["arguments"], ["shard"], ["coordinator"]);

/** Every folder whose rooms are ranked, of TypeScript and of Rust. */
export const ROOMS: Rooms = {
  "wasm-core/crates/consensus/src": CONSENSUS,
  "wasm-core/crates/kernels/src": KERNELS,
  "wasm-core/crates/prove/src/halo2": PROVER,
  "": storeys(
    ["wasm-core"],
    ["shared"],
    ["node-server", "web", "edge", "package"],
    ["tests"],
    ["scripts"],
  ),
  shared: storeys(
    ["base"],
    ["chain"],
    ["core"],
    ["protocol"],
    ["light"],
    ["wallet"],
    ["invoice", "signer", "explorer"],
    ["gateway"],
  ),
  edge: storeys(
    ["edgeLimits.ts", "explorerLimits.ts"],
    ["platform"],
    ["gateway", "explorer", "plugin"],
  ),
  "edge/explorer": storeys(
    ["explorerEnv.ts", "answers"],
    ["origin"],
    ["facade"],
    ["history", "pages"],
  ),
  "edge/plugin/vendure": storeys(["src"], ["test", "testkit"]),
  "edge/plugin/vendure/src": storeys(["base"], ["gateway"], ["order"], ["payment", "webhook"]),
  "shared/base": storeys(["generated"], ["error-tables"]),
  "shared/protocol": storeys(
    ["protocolLimits.ts", "merchantLimits.ts"],
    ["raw"],
    ["contract", "facts", "http", "p2p", "rpc", "webhook"],
    ["gateway", "rest", "wallet"],
  ),
  "shared/light": storeys(
    ["lightLimits.ts", "evidencePort.ts"],
    ["askedOnce.ts", "coreJudge.ts", "coreReceipts.ts", "receiptRange.ts", "tipEvidence.ts"],
    ["findAnchor.ts", "makeReceipt.ts", "noteCommitment.ts"],
  ),
  "shared/wallet": storeys(
    ["walletLimits.ts"],
    ["codec", "proof", "labels"],
    ["state"],
    ["stored", "reduce", "node"],
    ["plan", "sync", "view"],
    ["send"],
    ["run"],
  ),
  "shared/signer": storeys(
    ["airgapLimits.ts", "signerLimits.ts"],
    ["paymentSize.ts", "preparedPayment.ts"],
    ["airgap", "wire"],
  ),
  "node-server": {
    ...storeys(
      ["platform"],
      ["storage", "proving"],
      ["engine"],
      ["mempool", "indexer"],
      ["mining", "p2p"],
      ["rpc", "seeder"],
    ),
    client: { rank: 1, may: ["platform"] },
    scanning: { rank: 1, may: ["platform"] },
    walletd: { rank: 5, may: AS_A_CLIENT },
    gateway: { rank: 5, may: AS_A_CLIENT },
    bridge: { rank: 5, may: AS_A_CLIENT },
    app: { rank: 6 },
    bin: { rank: 7 },
  },
  "node-server/platform": storeys(
    ["projectRoot.ts", "platformLimits.ts"],
    ["time", "thread", "metrics"],
    ["log", "files"],
    ["net"],
    ["http"],
  ),
  "node-server/engine": storeys(
    ["engineLimits.ts"],
    ["calls"],
    ["host", "verify", "check"],
    ["read", "ingest"],
    ["import"],
  ),
  "node-server/indexer": storeys(
    ["indexerLimits.ts"],
    ["tables"],
    ["derive"],
    ["follow"],
    ["documents"],
  ),
  "node-server/p2p": storeys(
    ["p2pLimits.ts"],
    ["addresses", "head"],
    ["link"],
    ["handshake"],
    ["peers"],
    ["flows", "connect"],
    ["relay", "serve"],
    ["sync"],
  ),
  "node-server/rpc": storeys(["rpcLimits.ts"], ["service"], ["grpc", "rest"], ["http"]),
  "node-server/rpc/rest": storeys(["call"], ["blocks", "chain", "checks", "indexed", "peers"]),
  "node-server/gateway": storeys(
    ["gatewayLimits.ts"],
    ["access", "prices", "scan", "store"],
    ["keys", "desk"],
    ["http", "hosted", "x402", "drill"],
  ),
  "node-server/walletd": storeys(
    ["walletdLimits.ts"],
    ["keys", "store"],
    ["wallets", "public"],
    ["spend", "tools", "receipts"],
    ["device", "feed"],
    ["http"],
  ),
  "node-server/app": storeys(
    ["appLimits.ts"],
    ["program"],
    ["options", "folder"],
    ["node", "sim"],
    ["seeder", "verify", "disclosure", "receipt", "walletd", "gateway"],
  ),
  web: {
    ...storeys(
      ["pageLimits.ts", "clipboard", "offline"],
      ["threads", "i18n"],
      ["wallet-api", "ui"],
      ["keyring", "node", "workers", "signer"],
    ),
    checkout: { rank: 1, may: ["pageLimits.ts", "clipboard"] },
    pos: { rank: 2, may: ["pageLimits.ts", "checkout"] },
    "wallet-worker": {
      rank: 4,
      may: ["pageLimits.ts", "threads", "wallet-api", "keyring", "node", "workers"],
    },
    state: { rank: 5, may: AS_A_PAGE },
    features: { rank: 6, may: AS_A_PAGE },
    pages: { rank: 7, may: [...AS_A_PAGE, "features"] },
    explorer: { rank: 6, may: AS_AN_EXPLORER },
    build: { rank: 8, may: AS_A_PAGE },
    "page-tests": { rank: 9 },
  },
  "web/explorer": storeys(
    ["mountPart.ts", "texts"],
    ["view", "live", "dag", "charts", "check"],
    ["frame"],
    ["mounts"],
    ["parts"],
    ["pages"],
  ),
};
