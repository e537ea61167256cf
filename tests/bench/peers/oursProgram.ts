/**
 * Measured program of our side: the WebAssembly builds in a process of its own, asked with lines of JSON.
 *
 * What is timed is a call as programs make it, binding included; parsing of requests and hex is not.
 *
 * `npm run bench -- NAME --against REF` asks the program of another commit the same questions: `open`, `prove`, `verify`,
 * `scan`, `commit`, `merkle` keep their fields, and each answer its `ms`.
 */
import { createInterface } from "node:readline";
import { decodeHex, encodeHex } from "@svc/shared/base/hex.ts";
import { callCore, coreError } from "@svc/shared/core/callCore.ts";
import type { CoreGlue, RawScanner } from "@svc/shared/core/generated/coreGlue.ts";
import type { ProofPool } from "@svc/shared/core/proofPool.ts";
import type {
  RawBatchVerifier,
  RawProvingKeys,
  RawPayment,
} from "@svc/shared/core/generated/proverGlue.ts";
import {
  loadCoreFile,
  loadProverFile,
  readCircuitAssets,
} from "@svc/node-server/platform/files/wasmFiles.ts";
import { startProofPool } from "@svc/node-server/proving/startProver.ts";

/** A line of standard input. */
type Request =
  | { readonly op: "open"; readonly workers: number; readonly cacheFolder: string | null }
  | { readonly op: "prove"; readonly plan: object }
  | { readonly op: "sign"; readonly plan: PlanFields; readonly seed: number }
  | { readonly op: "verify"; readonly transactions: readonly string[] }
  | { readonly op: "scan"; readonly body: string; readonly blocks: number; readonly wallet: number }
  | { readonly op: "commit"; readonly notes: string }
  | { readonly op: "merkle"; readonly leaves: string };

/** What signing needs of a plan. */
type PlanFields = {
  readonly profile: object;
  readonly daaScore: string;
  readonly outputs: readonly object[];
  readonly fee: string;
};

const NETWORK = "simnet";
const never = new AbortController().signal;
const start = performance.now();

let core: Promise<CoreGlue> | null = null;
let proving: { readonly keys: RawProvingKeys; readonly pool: ProofPool } | null = null;
/** The payment of the last proof. */
let proved: RawPayment | null = null;
let verifier: RawBatchVerifier | null = null;
const scanners = new Map<number, RawScanner>();

function coreGlue(): Promise<CoreGlue> {
  return (core ??= loadCoreFile());
}

async function open(workers: number, cacheFolder: string | null): Promise<object> {
  const begun = performance.now();
  proving = await startProofPool({ threads: workers, cacheFolder });
  const compiled = performance.now();
  await proving.pool.warm(never);
  const ready = performance.now();
  return {
    ms: ready - begun,
    phases: { load: compiled - begun, tables: ready - compiled },
    sinceStart: ready - start,
  };
}

async function prove(plan: object): Promise<object> {
  if (proving === null) throw new Error("open comes first");
  const { keys, pool } = proving;
  const text = JSON.stringify(plan);
  const begun = performance.now();
  const proof = callCore(() => keys.proof(text, pool.size));
  const built = performance.now();
  const phases: Record<string, number> = {};
  let [phase, since] = ["", built];
  const follow = (next: string): void => {
    const now = performance.now();
    if (phase !== "") phases[phase] = (phases[phase] ?? 0) + now - since;
    [phase, since] = [next, now];
  };
  await pool.prove(proof, follow, never);
  const payment = callCore(() => proof.payment());
  const ms = performance.now() - built;
  proof.free();
  proved?.free();
  proved = payment;
  return { ms, buildMs: built - begun, phases };
}

/** The payment of the last proof, signed, for the verifiers. */
async function sign(plan: PlanFields, seedByte: number): Promise<object> {
  const payment = proved;
  if (payment === null) throw new Error("prove comes first");
  proved = null;
  const glue = await coreGlue();
  const { profile, daaScore, outputs, fee } = plan;
  const intent = JSON.stringify({ profile, daaScore, payments: outputs, fee });
  const seed = new Uint8Array(32).fill(seedByte);
  const signatures = callCore(() =>
    glue.checkAndSign(seed, intent, payment.bundle(), payment.disclosure(), payment.alphas()),
  );
  const raw = callCore(() => payment.finalize(signatures));
  payment.free();
  return { transaction: encodeHex(raw) };
}

async function verify(transactions: readonly string[]): Promise<object> {
  const glue = await coreGlue();
  const profile = callCore(() => glue.builtInProfile(NETWORK));
  const ready = (verifier ??= await makeVerifier());
  const raws = transactions.map((text) => decodeHex(text));
  const formats = new Uint8Array(raws.length).fill(1);
  const begun = performance.now();
  const answer = callCore(() => ready.verifyTransactions(profile, raws, formats));
  const ms = performance.now() - begun;
  const refused = JSON.parse(answer).find((text: string) => text !== "");
  if (refused !== undefined) throw new Error(refused);
  return { ms };
}

async function makeVerifier(): Promise<RawBatchVerifier> {
  if (proving !== null) return proving.keys.verifier();
  const { ProvingKeys } = await loadProverFile();
  return callCore(() => new ProvingKeys(readCircuitAssets()).verifier());
}

async function scan(body: string, blocks: number, wallet: number): Promise<object> {
  const glue = await coreGlue();
  const profile = callCore(() => glue.builtInProfile(NETWORK));
  let scanner = scanners.get(wallet);
  if (scanner === undefined) {
    const fvk = callCore(() => glue.fullViewingKey(new Uint8Array(32).fill(wallet)));
    scanner = callCore(() => new glue.Scanner(profile, fvk));
    scanners.set(wallet, scanner);
  }
  const ready = scanner;
  const bytes = decodeHex(body);
  const begun = performance.now();
  const facts = callCore(() => ready.scanRecords(bytes, blocks));
  const ms = performance.now() - begun;
  const found: readonly { readonly position: string }[] = JSON.parse(facts).blocks.flatMap(
    ({ notes }: { notes: { position: string }[] }) => notes,
  );
  return { ms, found: found.length, positions: found.map(({ position }) => position) };
}

/** Bytes of an empty tree: size, leaf, no siblings. */
const EMPTY_TREE = new Uint8Array(41);

async function merkle(leaves: string): Promise<object> {
  const glue = await coreGlue();
  const bytes = decodeHex(leaves);
  const tree = callCore(() => new glue.NoteTree(EMPTY_TREE));
  const begun = performance.now();
  callCore(() => tree.append(bytes));
  const ms = performance.now() - begun;
  const root = encodeHex(callCore(() => tree.root(tree.size())));
  tree.free();
  return { ms, root };
}

async function commit(notes: string): Promise<object> {
  const glue = await coreGlue();
  const bytes = decodeHex(notes);
  const begun = performance.now();
  const commitments = callCore(() => glue.noteCommitments(bytes));
  const ms = performance.now() - begun;
  return { ms, commitments: encodeHex(commitments) };
}

async function answer(request: Request): Promise<object> {
  switch (request.op) {
    case "open":
      return open(request.workers, request.cacheFolder);
    case "prove":
      return prove(request.plan);
    case "sign":
      return sign(request.plan, request.seed);
    case "verify":
      return verify(request.transactions);
    case "scan":
      return scan(request.body, request.blocks, request.wallet);
    case "commit":
      return commit(request.notes);
    case "merkle":
      return merkle(request.leaves);
  }
}

function stopPool(): void {
  proving?.pool.stop();
}

for await (const line of createInterface({ input: process.stdin })) {
  const reply = await answer(JSON.parse(line)).catch((thrown: unknown) => ({
    error: coreError(thrown).message,
  }));
  process.stdout.write(`${JSON.stringify(reply)}\n`);
}
stopPool();
