/**
 * Measured program of the benchmarks `ingest`, `ibd`, `reorg` and `headers`: engine and store in a process of its own,
 * asked with lines of JSON.
 */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { createInterface } from "node:readline";
import { callCore, coreError } from "@svc/shared/core/callCore.ts";
import { decodeRawBlock } from "@svc/shared/protocol/raw/rawBlock.ts";
import {
  loadCoreFile,
  loadProverFile,
  readCircuitAssets,
} from "@svc/node-server/platform/files/wasmFiles.ts";
import { inTemporaryFolder } from "@svc/node-server/platform/testkit/temporaryFolder.ts";
import { unpackBlocks } from "../../testkit/packedBlocks.ts";
import { loadChain, type Judge } from "./chainLoader.ts";
import { loadHeaders } from "./headerLoader.ts";
import { minedChain } from "./minedChain.ts";
import { paymentChain } from "./paymentChain.ts";
import { measureSwings } from "./swingingChains.ts";

/** A line of standard input. */
type Request =
  | { readonly op: "mine" | "ingest"; readonly blocks: number }
  | { readonly op: "pay"; readonly payments: readonly string[]; readonly perBlock: number }
  | { readonly op: "load"; readonly profileFile: string; readonly blocksFile: string }
  | { readonly op: "reorg"; readonly depth: number; readonly swings: number }
  | { readonly op: "headers"; readonly count: number; readonly maker: string };

/** The main network's rules with the easiest proof of work from genesis on. */
const workingFile = fileURLToPath(new URL("../../profiles/ingest.json", import.meta.url));
const WORKING = readFileSync(workingFile, "utf8");
/** The network of the stored payments. */
const PAYING = "simnet";
/** Blocks below both branches. */
const BASE_BLOCKS = 100;

const core = await loadCoreFile();
let judge: Judge | null = null;

/** The clock stands at the newest block's time, or the engine would take it for one from the future. */
function newest(chains: readonly (readonly Uint8Array[])[]): bigint {
  const times = chains.flatMap((chain) => {
    const last = chain.at(-1);
    return last === undefined ? [] : [decodeRawBlock(last).header.timestamp];
  });
  return times.reduce((a, b) => (a > b ? a : b));
}

function mine(count: number): readonly Uint8Array[] {
  return minedChain(core, { profile: WORKING, base: [], count, mark: "" });
}

async function ingest(count: number): Promise<object> {
  const blocks = mine(count);
  const nowMs = newest([blocks]);
  return inTemporaryFolder((folder) =>
    loadChain(core, { folder, profile: WORKING, blocks, nowMs }),
  );
}

async function pay(payments: readonly string[], perBlock: number): Promise<object> {
  const profile = callCore(() => core.builtInProfile(PAYING));
  const carried: (readonly string[])[] = [];
  for (let from = 0; from < payments.length; from += perBlock) {
    carried.push(payments.slice(from, from + perBlock));
  }
  return load(profile, paymentChain(core, profile, carried));
}

async function load(profile: string, blocks: readonly Uint8Array[]): Promise<object> {
  const nowMs = newest([blocks]);
  judge ??= await makeJudge(profile);
  const ready = judge;
  return inTemporaryFolder((folder) =>
    loadChain(core, { folder, profile, blocks, nowMs, judge: ready }),
  );
}

async function makeJudge(profile: string): Promise<Judge> {
  const { ProvingKeys } = await loadProverFile();
  const verifier = callCore(() => new ProvingKeys(readCircuitAssets()).verifier());
  return (jobs) => {
    const raws = jobs.map(({ raw }) => raw);
    const formats = Uint8Array.from(jobs, ({ format }) => format);
    const texts: readonly string[] = JSON.parse(
      callCore(() => verifier.verifyTransactions(profile, raws, formats)),
    );
    const refused = texts.find((text) => text !== "");
    if (refused !== undefined) throw new Error(refused);
    return texts.map(() => true);
  };
}

async function reorg(depth: number, swings: number): Promise<object> {
  const base = minedChain(core, { profile: WORKING, base: [], count: BASE_BLOCKS, mark: "" });
  const branch = (mark: string) =>
    minedChain(core, { profile: WORKING, base, count: depth + swings + 1, mark });
  const branches = [branch("a"), branch("b")] as const;
  const nowMs = newest(branches);
  const request = { profile: WORKING, base, branches, depth, swings, nowMs };
  return {
    swings: await inTemporaryFolder((folder) => measureSwings(core, { ...request, folder })),
  };
}

function headers(count: number, maker: string): Promise<object> {
  const request = { profile: WORKING, profileFile: workingFile, maker, count };
  return inTemporaryFolder((folder) => loadHeaders(core, { ...request, folder }));
}

async function answer(request: Request): Promise<object> {
  switch (request.op) {
    case "mine":
      return { mined: mine(request.blocks).length };
    case "ingest":
      return ingest(request.blocks);
    case "pay":
      return pay(request.payments, request.perBlock);
    case "load": {
      const profile = readFileSync(request.profileFile, "utf8");
      return load(profile, unpackBlocks(readFileSync(request.blocksFile)));
    }
    case "reorg":
      return reorg(request.depth, request.swings);
    case "headers":
      return headers(request.count, request.maker);
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const reply = await answer(JSON.parse(line)).catch((thrown: unknown) => ({
    error: coreError(thrown).message,
  }));
  process.stdout.write(`${JSON.stringify(reply)}\n`);
}
