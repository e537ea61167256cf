/**
 * Types of the generated bindings of the `core` build (docs/formats.md 3).
 *
 * The module itself is imported by the application, which knows where the build lies; `loadCore` turns it
 * into a checked `Core`. Byte strings handed out are the caller's own; 64-bit numbers are bigint.
 */

/** The source of a WebAssembly build: its bytes, or a module compiled elsewhere and posted to this thread. */
export type WasmSource = Uint8Array<ArrayBuffer> | ArrayBuffer | WebAssembly.Module;

/** An object that lives in WebAssembly memory and is given back with `free`. */
export interface WasmObject {
  free(): void;
}

/** The store that the engine reads and writes through; all calls are synchronous. */
export interface HostStore {
  get(table: number, key: Uint8Array): Uint8Array | undefined;
  range(
    table: number,
    from: Uint8Array,
    to: Uint8Array,
    limit: number,
    reverse: boolean,
  ): Uint8Array;
  commit(batch: Uint8Array): void;
}

/**
 * A profiler that the engine tells what it spent the time since the last call on: 0 rules, 1 proof of work, 2 note tree, 3
 * store.
 */
export interface HostStopwatch {
  lap(part: number): void;
}

/** Questions that both the engine and a reader answer. */
export interface RawReader extends WasmObject {
  tip(): string;
  blockBytes(hash: string): Uint8Array | undefined;
  transactionBytes(block: string, index: number): Uint8Array | undefined;
  blockFacts(hash: string): string | undefined;
  chainHashAt(index: bigint): string | undefined;
  chainIndexOf(hash: string): bigint | undefined;
  chainFacts(hash: string): string | undefined;
  records(after: string, limit: number): Uint8Array;
  recordOf(hash: string): Uint8Array;
  locate(hashes: Uint8Array): string;
  treeState(at: string): Uint8Array;
  shieldedFacts(hash: string): string;
  anchors(fromBlueScore: bigint, limit: number): Uint8Array;
  blocksFrom(low: string, limit: number): string;
  virtualChainFrom(start: string, limit: number): string;
  storedRecord(table: number, key: Uint8Array): Uint8Array | undefined;
  selfCheck(part: number, cursor: Uint8Array, limit: number): Uint8Array | undefined;
  storedKeys(table: number, after: Uint8Array, limit: number): Uint8Array;
  blockStage(hash: string): string | undefined;
  chainLocator(low: string, high: string): Uint8Array;
  blockLocator(high: string, limit: number): Uint8Array;
  hashesBetween(low: string, high: string, limit: number): Uint8Array;
  headersBetween(low: string, high: string, limit: number): Uint8Array;
  bodiesMissing(after: string, high: string, limit: number): Uint8Array;
  headersOf(hashes: Uint8Array): Uint8Array;
  blocksOf(hashes: Uint8Array): Uint8Array;
  pruningPoints(count: number): Uint8Array;
  beginning(): string;
  ancestry(ancestor: string, descendant: string): string;
}

/** A block template: a block without proof of work, and the candidates left out. */
export interface RawTemplate extends WasmObject {
  block(): Uint8Array;
  rejected(): string;
}

/** The consensus engine. */
export interface RawEngine extends RawReader {
  insertBlock(rawBlock: Uint8Array, nowMs: bigint): string;
  insertHeaders(rawHeaders: Uint8Array, nowMs: bigint): string;
  noteVerdict(txid: string, format: number, valid: boolean): void;
  resolve(maxBlocks: number): string;
  setGroupCommit(on: boolean): void;
  flush(): void;
  /** One step of the work below the pruning point, worth deleting about `budget` blocks, in a commit of its own. */
  prune(budget: number): string;
  setStopwatch(stopwatch: HostStopwatch): void;
  beginImport(proof: Uint8Array): void;
  importProof(budget: number): string;
  contestProof(ownProof: Uint8Array, ownWork: string, theirWork: string): void;
  contestRival(proof: Uint8Array): void;
  contestStep(budget: number): string;
  importPoints(rawHeaders: Uint8Array): boolean;
  importTrusted(page: Uint8Array): void;
  linkTrusted(budget: number): string;
  importBody(rawBlock: Uint8Array): string;
  bindingChild(): string;
  importBinding(rawBlock: Uint8Array): void;
  importLanes(claim: Uint8Array): void;
  importLanePage(lanes: Uint8Array): void;
  importState(claim: Uint8Array): void;
  importNullifiers(nullifiers: Uint8Array): void;
  wantsBindings(): boolean;
  importBindings(bindings: Uint8Array): void;
  waiveBindings(): void;
  requireImportWork(): void;
  importChain(budget: number): boolean;
  finishImport(): void;
  historyProgress(): string;
  importHistory(records: Uint8Array): string;
  historyStep(budget: number): string;
  dropHistory(): void;
  checkTransaction(rawTx: Uint8Array, nowMs: bigint): string;
  buildTemplate(
    payScript: Uint8Array,
    extraData: Uint8Array,
    candidates: Uint8Array,
    nowMs: bigint,
  ): RawTemplate;
}

/** The export of one pruning point, over a reader whose store does not move meanwhile. */
export interface RawExporter extends WasmObject {
  step(reader: RawReader, budget: number): boolean;
  proof(reader: RawReader): Uint8Array;
  points(reader: RawReader, from: number): Uint8Array;
  trusted(reader: RawReader, from: number, limit: number): Uint8Array;
  bodies(): Uint8Array;
  lanesClaim(reader: RawReader): Uint8Array;
  lanePage(reader: RawReader, after: string): Uint8Array;
  stateClaim(reader: RawReader): Uint8Array;
  nullifierPage(reader: RawReader, after: string): Uint8Array;
  bindings(reader: RawReader, from: number, limit: number): Uint8Array;
}

/** The wallet's scanner, for the notes of one or several viewing keys. */
export interface RawScanner extends WasmObject {
  scanRecords(body: Uint8Array, count: number): string;
}

/** The wallet's copy of the note commitment tree. */
export interface RawNoteTree extends WasmObject {
  append(cmx: Uint8Array): void;
  truncate(size: bigint): void;
  size(): bigint;
  base(): bigint;
  root(size: bigint): Uint8Array;
  path(position: bigint, size: bigint): Uint8Array;
  toBytes(): Uint8Array;
}

/** The exports of both builds. */
export interface CommonGlue {
  initSync(options: { module: WasmSource }): unknown;
  abiVersion(): number;
  builtInProfile(name: string): string;
  canonicalProfile(json: string): string;
  profileDigest(json: string): string;
  genesisHash(profileJson: string): string;
}

/** The exports of the `core` build. */
export interface CoreGlue extends CommonGlue {
  readonly Engine: new (store: HostStore, profileJson: string) => RawEngine;
  readonly Reader: new (store: HostStore, profileJson: string) => RawReader;
  readonly Exporter: new (reader: RawReader, point: string) => RawExporter;
  historyPage(reader: RawReader, from: bigint, limit: number): Uint8Array;
  readonly Scanner: new (profileJson: string, fvk: Uint8Array) => RawScanner;
  readonly NoteTree: new (stateBytes: Uint8Array) => RawNoteTree;
  generateSeed(): Uint8Array;
  fullViewingKey(seed: Uint8Array): Uint8Array;
  incomingViewingKey(fvk: Uint8Array): Uint8Array;
  addressAt(fvk: Uint8Array, index: number): Uint8Array;
  addressIndexOf(fvk: Uint8Array, raw: Uint8Array): bigint | undefined;
  encodeAddress(hrp: string, raw: Uint8Array): string;
  decodeAddress(hrp: string, text: string): Uint8Array;
  checkAndSign(
    seed: Uint8Array,
    intentJson: string,
    bundle: Uint8Array,
    disclosureJson: string,
    alphasJson: string,
  ): string;
  argon2id(passphrase: Uint8Array, salt: Uint8Array, memKiB: number, passes: number): Uint8Array;
  walletFee(actions: number): bigint;
  nodeMinimumFee(payloadLen: number): bigint;
  transactionId(rawTx: Uint8Array): string;
  transactionSummary(profileJson: string, rawTx: Uint8Array, daaScore: bigint): string;
  computeHashes(rawBlock: Uint8Array): string;
  noteCommitments(notes: Uint8Array): Uint8Array;
  mempoolFrame(profileJson: string, rawTx: Uint8Array, daaScore: bigint): Uint8Array;
}

/** The names of every function and class of the `core` build. */
export const CORE_EXPORTS = [
  "initSync",
  "abiVersion",
  "builtInProfile",
  "canonicalProfile",
  "profileDigest",
  "genesisHash",
  "Engine",
  "Reader",
  "Exporter",
  "historyPage",
  "Scanner",
  "NoteTree",
  "generateSeed",
  "fullViewingKey",
  "incomingViewingKey",
  "addressAt",
  "addressIndexOf",
  "encodeAddress",
  "decodeAddress",
  "checkAndSign",
  "argon2id",
  "walletFee",
  "nodeMinimumFee",
  "transactionId",
  "transactionSummary",
  "computeHashes",
  "noteCommitments",
  "mempoolFrame",
] as const satisfies readonly (keyof CoreGlue)[];

/** The names that a module does not export as functions. */
export function missingExports(module: unknown, names: readonly string[]): string[] {
  if (typeof module !== "object" || module === null) return [...names];
  return names.filter((name) => typeof Reflect.get(module, name) !== "function");
}

/** Whether an imported module is the `core` build's bindings. */
export function isCoreGlue(module: unknown): module is CoreGlue {
  return missingExports(module, CORE_EXPORTS).length === 0;
}
