/** The proof pool with its real threads: what it makes, that its size does not matter, how it is cancelled. */
import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import {
  loadCoreFile,
  loadProverFile,
  readCircuitAssets,
} from "@svc/node-server/platform/files/wasmFiles.ts";
import { startProver } from "@svc/node-server/proving/startProver.ts";
import { callCore } from "@svc/shared/core/callCore.ts";
import type { CoreGlue } from "@svc/shared/core/generated/coreGlue.ts";
import type { PlanProver, ProverKind } from "@svc/shared/core/planProver.ts";
import type { RawBatchVerifier, ProverGlue } from "@svc/shared/core/generated/proverGlue.ts";
import { temporaryFolder } from "@svc/node-server/platform/testkit/temporaryFolder.ts";
import { folderOfTest } from "@svc/node-server/platform/testkit/folderOfTest.ts";
import { flipBits } from "@svc/shared/base/testkit/flipBits.ts";
import { IS_FULL } from "@svc/node-server/platform/testkit/testRun.ts";
import { seededRandom } from "../../testkit/seededRandom.ts";
import { dummyPlan } from "./dummyPlan.ts";
import { never } from "../node/nodeFixture.ts";

/** Seed of all randomness below; shown with each failure by the names of the tests. */
const SEED = "proof pool 1";
const NAMED_ANCHOR = Uint8Array.of(1);

let core: CoreGlue;
let prover: ProverGlue;
let verifier: RawBatchVerifier;
let profile: string;
/** Pools that end with the test, and one of two threads for the tests that show how it stays as it was. */
const started: PlanProver[] = [];
let kept: PlanProver;
/** Those of the kept one, made when it first proves, serve the others. */
const tables = temporaryFolder();

beforeAll(async () => {
  core = await loadCoreFile();
  prover = await loadProverFile();
  profile = core.builtInProfile("simnet");
  const keys = callCore(() => new prover.ProvingKeys(readCircuitAssets()));
  verifier = callCore(() => keys.verifier());
  kept = await startProver({ prover: "own", threads: 2, cacheFolder: tables.path });
});

afterEach(() => {
  vi.restoreAllMocks();
  for (const made of started.splice(0)) made.stop();
});

afterAll(() => {
  kept?.stop();
  tables.remove();
  verifier?.free();
});

async function start(threads: number, kind: ProverKind = "own"): Promise<PlanProver> {
  const made = await startProver({ prover: kind, threads, cacheFolder: tables.path });
  started.push(made);
  return made;
}

/** The coordinator draws all randomness of a proof in this thread: from here on it is drawn from a seed. */
function seedRandomness(): void {
  let block = 0;
  vi.spyOn(globalThis.crypto, "getRandomValues").mockImplementation((array) => {
    if (!(array instanceof Uint8Array)) throw new TypeError("the core asks for bytes");
    for (let at = 0; at < array.length; at += 32) {
      const bytes = createHash("sha256").update(`${SEED}/${block}`).digest();
      array.set(bytes.subarray(0, array.length - at), at);
      block += 1;
    }
    return array;
  });
}

function verdict(raw: Uint8Array): string {
  const answer = callCore(() => verifier.verifyTransactions(profile, [raw], NAMED_ANCHOR));
  const texts: string[] = JSON.parse(answer);
  return texts[0] ?? "none";
}

describe("proof pool", () => {
  test(`the same proof from any number of workers (seed "${SEED}")`, async () => {
    const plan = dummyPlan(core, 3);
    const proofs: string[] = [];
    const drawn = 2 + seededRandom("workers of a proof").below(2);
    for (const threads of IS_FULL ? [1, 2, 3, 4, 7] : [1, drawn]) {
      const made = await start(threads);
      await made.warm(never);
      seedRandomness();
      const told: [string, number][] = [];
      const payment = await made.prove(plan, (phase, done) => told.push([phase, done]), never);
      vi.restoreAllMocks();
      expect(told.every(([, done], at) => at === 0 || done >= (told[at - 1]?.[1] ?? 0))).toBe(true);
      expect(new Set(told.map(([phase]) => phase)).size).toBeGreaterThan(3);
      expect(verdict(callCore(() => payment.finalize("[]")))).toBe("");
      proofs.push(Buffer.from(payment.bundle()).toString("hex"));
      payment.free();
      made.stop();
    }
    expect(new Set(proofs).size).toBe(1);
  });

  test("without the seed two proofs of one plan differ, and both hold", async () => {
    const plan = dummyPlan(core, 2);
    const raws: string[] = [];
    for (let round = 0; round < 2; round += 1) {
      const payment = await kept.prove(plan, () => {}, never);
      const raw = callCore(() => payment.finalize("[]"));
      expect(verdict(raw)).toBe("");
      raws.push(Buffer.from(raw).toString("hex"));
      const proof = payment.bundle();
      // One bit of the proof's last byte: the proof ends the bundle.
      flipBits(raw, raw.length - 40);
      expect(verdict(raw)).not.toBe("");
      expect(proof.length).toBeGreaterThan(7_000);
      payment.free();
    }
    expect(raws[0]).not.toBe(raws[1]);
  });

  test("a cancelled proof leaves the pool as good as new", async () => {
    const abort = new AbortController();
    const stopAt = (phase: string): void => {
      if (phase === "quotient") abort.abort();
    };
    await expect(kept.prove(dummyPlan(core, 2), stopAt, abort.signal)).rejects.toThrow(
      "run/aborted",
    );
    const payment = await kept.prove(dummyPlan(core, 2), () => {}, never);
    expect(verdict(callCore(() => payment.finalize("[]")))).toBe("");
    payment.free();
  });

  test("a rehearsal gives way to a proof and leaves the pool as good as new", async () => {
    const made = await start(2);
    await made.warm(never);
    const rehearsal = made.rehearse(never);
    const payment = await made.prove(dummyPlan(core, 2), () => {}, never);
    await rehearsal;
    expect(verdict(callCore(() => payment.finalize("[]")))).toBe("");
    payment.free();
    const other = await start(2);
    await other.rehearse(never);
  });

  test("a plan that cannot be proved is refused with its code", async () => {
    await expect(kept.prove("{}", () => {}, never)).rejects.toThrow("prove/bad-plan");
    const spent = JSON.parse(dummyPlan(core, 2));
    const unbalanced = JSON.stringify({ ...spent, fee: "1" });
    await expect(kept.prove(unbalanced, () => {}, never)).rejects.toThrow("prove/unbalanced");
  });

  test("a missing random source is an error, not a weak proof", async () => {
    const made = await start(1);
    vi.spyOn(globalThis.crypto, "getRandomValues").mockImplementation(() => {
      throw new Error("no entropy");
    });
    await expect(made.prove(dummyPlan(core, 2), () => {}, never)).rejects.toThrow(
      "keys/random-unavailable",
    );
  });

  test("assets that are not this build's are refused", () => {
    const bytes = readCircuitAssets();
    flipBits(bytes, bytes.length >> 1);
    expect(() => callCore(() => new prover.ProvingKeys(bytes))).toThrow("prove/assets-damaged");
  });

  test.runIf(IS_FULL)("the upstream prover's proofs hold too", async () => {
    const made = await start(1, "upstream");
    const payment = await made.prove(dummyPlan(core, 2), () => {}, never);
    const raw = callCore(() => payment.finalize("[]"));
    expect(verdict(raw)).toBe("");
    const upstream = callCore(() => new prover.Verifier());
    expect(callCore(() => upstream.verifyTransaction(profile, raw, 1))).toBe("");
    payment.free();
  });
});

describe("stored tables", () => {
  const openKeys = () => callCore(() => new prover.ProvingKeys(readCircuitAssets()));

  test("of a prover serve its next start, and no other bytes do", () => {
    const stored = callCore(() => openKeys().shard().cache());
    expect(stored.length).toBeGreaterThan(9_000_000);
    expect(callCore(() => openKeys().shard(stored).usedCache())).toBe(true);
    flipBits(stored, 5_000_000);
    for (const wrong of [stored, new Uint8Array(), new Uint8Array(1_000).fill(1)]) {
      expect(callCore(() => openKeys().shard(wrong).usedCache())).toBe(false);
    }
  });

  test("of a verifier serve its next start, and no other bytes do", () => {
    const keys = openKeys();
    const fresh = callCore(() => keys.verifier());
    const stored = callCore(() => fresh.cache());
    expect([fresh.usedCache(), stored.length > 3_000_000]).toEqual([false, true]);
    const next = callCore(() => keys.verifier(stored));
    expect([next.usedCache(), next.cache().length]).toEqual([true, 0]);
    const nothing = callCore(() => next.verifyTransactions(profile, [], new Uint8Array()));
    expect(nothing).toBe("[]");
    flipBits(stored, 1_000_000);
    for (const wrong of [stored, new Uint8Array(), new Uint8Array(1_000).fill(1)]) {
      expect(callCore(() => keys.verifier(wrong).usedCache())).toBe(false);
    }
  });

  test("are written by the first start of a program and read by the second", async () => {
    const folder = folderOfTest();
    for (const files of [1, 1]) {
      const made = await startProver({ prover: "own", threads: 2, cacheFolder: folder });
      started.push(made);
      await made.warm(never);
      expect(readdirSync(folder).length).toBe(files);
    }
    const payment = await started.at(-1)?.prove(dummyPlan(core, 2), () => {}, never);
    expect(verdict(callCore(() => payment?.finalize("[]") ?? new Uint8Array()))).toBe("");
  });
});
