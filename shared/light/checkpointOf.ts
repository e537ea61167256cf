/**
 * Checkpoints: for each network a header whose work is known to the program, so that no node passes off easy work for the network's
 * (docs/light-client.md, "The floor").
 */
import { asTimestampMs, type TimestampMs } from "../base/brand.ts";
import { LIGHT_LIMITS } from "./lightLimits.ts";
import { workOfBits } from "./workBlocks.ts";

/** Bits and time of a header that was proved. */
export type WorkCheckpoint = { readonly bits: number; readonly timestamp: TimestampMs };

/** Checkpoints by the digest of the network's profile. */
export type Checkpoints = ReadonlyMap<string, WorkCheckpoint>;

const FORM = /^(?<digest>[0-9a-f]{64}):(?<bits>[0-9a-f]{8}):(?<timestamp>[0-9]{1,16})$/;

/**
 * The checkpoint of a network: the youngest of the release's and of what whoever runs the program gave it. Null for a network whose work the
 * program does not know.
 */
export function checkpointOf(
  profileDigest: string,
  given: Checkpoints = new Map(),
): WorkCheckpoint | null {
  const [released, own] = [RELEASED.get(profileDigest), given.get(profileDigest)];
  if (released === undefined || own === undefined) return released ?? own ?? null;
  return own.timestamp > released.timestamp ? own : released;
}

/**
 * Reads checkpoints as `DIGEST:BITS:TIMESTAMP` with blanks or commas between them: digest of the profile and compact bits in hexadecimal, the
 * header's time in ms. Throws an `Error` that names the part that is none or whose bits ask for no work, and for too many.
 */
export function readCheckpoints(text: string | undefined): Checkpoints {
  const parts = (text ?? "").split(/[\s,]+/).filter((part) => part !== "");
  const max = LIGHT_LIMITS.givenCheckpoints;
  if (parts.length > max) throw new Error(`${max} checkpoints can be given at most`);
  return new Map(
    parts.map((part) => {
      const { digest, bits, timestamp } = FORM.exec(part)?.groups ?? {};
      if (digest === undefined || bits === undefined || timestamp === undefined) {
        throw new Error(
          `${part} is no checkpoint: DIGEST:BITS:TIMESTAMP, as scripts/checkpoint.ts prints it`,
        );
      }
      const row = { bits: Number.parseInt(bits, 16), timestamp: asTimestampMs(BigInt(timestamp)) };
      // Nothing would be easier than such a header, and no unit could be made of it.
      if (workOfBits(row.bits) === 0n) {
        throw new Error(`${part} is no checkpoint: its bits ask for no work`);
      }
      return [digest, row];
    }),
  );
}

/** Checkpoints as `readCheckpoints` reads them. */
export function checkpointsText(checkpoints: Checkpoints): string {
  const rows = [...checkpoints].map(
    ([digest, { bits, timestamp }]) =>
      `${digest}:${bits.toString(16).padStart(8, "0")}:${timestamp}`,
  );
  return rows.join(" ");
}

/**
 * Headers of releases, in the form that `readCheckpoints` reads. A release of this project is made with `scripts/checkpoint.ts`, which proves the
 * tip of a node and prints the row.
 */
const RELEASED: Checkpoints = readCheckpoints("");
