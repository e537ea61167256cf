/**
 * Layer table of the source tree: the rooms (layers) of each folder, and which of them may import which. A room may import
 * those of a lower rank that stand beside it, and what is above the folder that both are in is judged there. Files that
 * stand directly in a folder of rooms are its top: they may import all of its rooms, and none of these may import them.
 *
 * A test, and what helps tests (a `testkit`), keeps the ranks of parts and of the rooms of its part; inside its room it may import all.
 * Beyond them it may import every `testkit`, the folder `tests`, and the files of `FOR_TESTS`. Folders in `tests` have no ranks.
 */

/** A folder, or a file, among those beside it. */
export type Room = {
  readonly rank: number;
  /** The rooms beside it that it may import, or what of them; all of a lower rank when left out. */
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
/** What the pages of the explorer may use. They have catalogues of their own, in three languages, and of `ui` the looks alone. */
const AS_AN_EXPLORER = [
  "pageLimits.ts",
  "clipboard",
  "threads",
  "i18n",
  "node",
  "state",
  "ui/styles",
  "ui/mark.svg",
];

const CONSENSUS = storeys(
  ["failure", "parameters", "budget", "timings"],
  ["store"],
  ["records"],
  ["rules"],
  ["migration", "imported_log"],
  ["pipeline", "proof", "history", "checks"],
  ["questions", "prune", "import"],
  ["export"],
  ["engine"],
  ["outcome_json"],
);
const KERNELS = storeys(["lanes"], ["field"], ["curve", "fft", "program"], ["msm"], ["hash"]);
const PROVER = storeys(["wire"], ["polynomials"], ["arguments"], ["shard"], ["coordinator"]);

/** Files that a test of any part may import whatever their rank, by their paths; each with the reason. */
export const FOR_TESTS: ReadonlyMap<string, string> = new Map([
  ["node-server/platform/files/wasmFiles.ts", "One file loads the core's build."],
  ["node-server/rpc/rpcLimits.ts", "The pool's bounds are held to the longest transaction."],
  ["scripts/lib/command.ts", "One file runs a program and ends all that it started."],
  ["web/build/browserTarget.ts", "Tests of pages judge what is built for browsers."],
  ["web/build/explorerFiles.ts", "Tests of the explorer's pages judge what is built of them."],
  ["web/pageLimits.ts", "Tests of the wallet's loop run it as often as the page does."],
]);

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
    ["testkit"],
  ),
  "edge/explorer": storeys(["answers"], ["origin"], ["facade"], ["history", "pages"]),
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
    ["keyedEvidence.ts", "requireWork.ts"],
    ["askedOnce.ts", "coreJudge.ts", "coreReceipts.ts", "receiptRange.ts", "tipEvidence.ts"],
    ["findAnchor.ts", "makeReceipt.ts", "noteCommitment.ts"],
  ),
  "shared/wallet": storeys(
    ["walletLimits.ts"],
    ["codec", "proof", "labels"],
    ["state", "contacts"],
    ["stored", "reduce", "node"],
    ["plan", "sync", "view"],
    ["send"],
    ["run"],
  ),
  "shared/signer": storeys(
    ["airgapLimits.ts", "signerLimits.ts"],
    ["paymentSize.ts", "preparedPayment.ts", "addressControl.ts"],
    ["airgap", "wire", "messages"],
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
    ["access", "prices", "receipts"],
    ["proof"],
    ["scan"],
    ["store", "gatewayChain.ts"],
    ["keys", "desk"],
    ["refunds"],
    ["http", "hosted", "x402", "drill"],
  ),
  "node-server/walletd": storeys(
    ["walletdLimits.ts"],
    ["keys", "store"],
    ["wallets", "public"],
    ["spend", "tools", "receipts", "walletDaemon.ts"],
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
    // What it builds says which files it needs of it.
    build: { rank: 8, may: [...AS_A_PAGE, "explorer"] },
    "page-tests": { rank: 9 },
  },
  "web/explorer": storeys(
    ["mountPart.ts", "texts", "live", "styles"],
    ["view", "dag", "charts", "check"],
    ["frame"],
    ["mounts"],
    ["parts"],
    ["pages"],
  ),
};
