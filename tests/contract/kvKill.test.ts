/** A process killed while it commits: every acknowledged batch is there, none is torn. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { findTorn, lastBatch } from "./kvBatches.ts";
import { STORE_KINDS, temporaryFolder, type StoreKind } from "./kvFixtures.ts";
import { seededRandom } from "./seededRandom.ts";

const ROUNDS = 8;
const writer = fileURLToPath(new URL("kvWriter.ts", import.meta.url));

/** Runs the writer, kills it after `acks` acknowledgements, returns the last number it acknowledged. */
async function killAfter(kind: StoreKind, folder: string, acks: number): Promise<number> {
  const child = spawn(process.execPath, [writer, kind.name, folder], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = once(child, "exit");
  let seen = 0;
  let last = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    last = Number(line);
    seen += 1;
    // The child goes on committing, so the signal lands at an arbitrary point of a later commit.
    if (seen === acks) child.kill("SIGKILL");
  }
  const [, signal] = await exited;
  expect(signal).toBe("SIGKILL");
  return last;
}

describe.each(STORE_KINDS.filter((kind) => kind.durable))(
  "killed while committing: $name",
  (kind) => {
    test(
      `${ROUNDS} kills lose nothing acknowledged and leave no torn batch`,
      { timeout: 120_000 },
      async () => {
        const random = seededRandom("kv kill");
        const folder = temporaryFolder();
        for (let round = 0; round < ROUNDS; round += 1) {
          const acknowledged = await killAfter(kind, folder.path, 1 + random.below(25));
          const store = kind.open(folder.path);
          expect(lastBatch(store)).toBeGreaterThanOrEqual(acknowledged);
          expect(findTorn(store)).toBeNull();
          await store.close();
        }
        folder.remove();
      },
    );
  },
);
