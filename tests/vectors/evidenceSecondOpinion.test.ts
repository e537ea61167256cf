/**
 * Second opinion on evidence: a verifier written from the specification alone (tests/second-opinion) and the core judge the same bytes, and
 * agree on each verdict and its code.
 */
import { readFileSync } from "node:fs";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { loadCoreFile } from "@svc/node-server/platform/files/wasmFiles.ts";
import { IS_FULL } from "@svc/node-server/platform/testkit/testRun.ts";
import { concatBytes } from "@svc/shared/base/bytes.ts";
import { decodeHex, encodeHex } from "@svc/shared/base/hex.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { callCore } from "@svc/shared/core/callCore.ts";
import { readStateFacts, readWorkFacts } from "@svc/shared/protocol/facts/evidenceFacts.ts";
import { networkOf } from "../second-opinion/network.ts";
import { Refusal } from "../second-opinion/refusal.ts";
import { judgeTip } from "../second-opinion/tipJudge.ts";
import { seededRandom, type SeededRandom } from "../testkit/seededRandom.ts";

/** Drawn changes. */
const ROUNDS = IS_FULL ? 10_000 : 400;

const text = (name: string): string => readFileSync(new URL(name, import.meta.url), "utf8");
const bytes = v.pipe(v.string(), v.transform(decodeHex));
const told = v.parse(
  v.object({ profile: v.string(), tip: v.object({ opening: bytes, run: bytes }) }),
  JSON.parse(text("evidence.json")),
);
const profile = text(told.profile);
const core = await loadCoreFile();
const lie = v.object({
  name: v.string(),
  opening: bytes,
  run: bytes,
  code: v.nullable(v.string()),
});
const minedIn = (name: string) =>
  v.parse(
    v.object({
      chains: v.array(v.object({ profile: v.record(v.string(), v.unknown()), told: v.array(lie) })),
    }),
    JSON.parse(text(name)),
  ).chains;
const mined = [...minedIn("mined-lies.json"), ...minedIn("worked-lies.json")].map(
  ({ profile: network, told: all }) => ({ network: JSON.stringify(network), all }),
);

type Verdict =
  | { readonly code: string }
  | { readonly block: string; readonly minted: bigint; readonly blocks: bigint; readonly tip: string };

/** An opening and a run, as they are told. */
type Told = { readonly opening: Uint8Array; readonly run: Uint8Array };

function byCore({ opening, run }: Told, profileJson = profile): Verdict {
  const judge = new core.EvidenceJudge(profileJson, undefined, 0);
  try {
    const tip = callCore(() => judge.tip(opening, run));
    const [state, work] = [tip.state(), readWorkFacts(tip.work())];
    const { block, cumulativeCoinbase: minted } = readStateFacts(state.facts());
    state.free();
    tip.free();
    return { block, minted, blocks: work.blocks, tip: work.tip };
  } catch (error) {
    return { code: SvcError.from(error).code };
  } finally {
    judge.free();
  }
}

function bySpecification({ opening, run }: Told, profileJson = profile): Verdict {
  const network = networkOf(profileJson);
  try {
    const { block, minted, run: above } = judgeTip({ network, floor: null }, opening, run);
    return {
      block: encodeHex(block),
      minted,
      blocks: above.blocks,
      tip: encodeHex(above.tip.id),
    };
  } catch (error) {
    if (error instanceof Refusal) return { code: error.code };
    throw error;
  }
}

/** What holds, of each network. */
const HONEST: readonly { readonly network: string; readonly honest: Told }[] = [
  { network: profile, honest: told.tip },
  ...mined.flatMap(({ network, all }) =>
    all.flatMap(({ code, ...honest }) => (code === null ? [{ network, honest }] : [])),
  ),
];

type Change = (bytes: Uint8Array, random: SeededRandom) => Uint8Array;

/** Ways in which bytes are changed: a bit, a stretch that stands elsewhere, too, one that is left out or comes twice, another end. */
const CHANGES: readonly Change[] = [
  (original, random) => {
    const changed = original.slice();
    const place = random.below(changed.length);
    changed[place] = (changed[place] ?? 0) ^ (1 << random.below(8));
    return changed;
  },
  (original, random) => {
    const stretch = stretchOf(original, random);
    const changed = original.slice();
    changed.set(stretch, random.below(original.length - stretch.length + 1));
    return changed;
  },
  (original, random) => {
    const [from, length] = [random.below(original.length), 1 + random.below(400)];
    return concatBytes(original.subarray(0, from), original.subarray(from + length));
  },
  (original, random) => {
    const from = random.below(original.length);
    const head = original.subarray(0, from);
    return concatBytes(head, stretchOf(original, random), original.subarray(from));
  },
  (original, random) => original.subarray(0, random.below(original.length + 1)),
];

function stretchOf(bytes: Uint8Array, random: SeededRandom): Uint8Array {
  const from = random.below(bytes.length);
  return bytes.subarray(from, from + 1 + random.below(64));
}

/** Of bytes with several faults of form either reader may meet another one first: which is not specified. */
function read(verdict: Verdict): Verdict {
  const isOfForm = "code" in verdict && /^(codec\/|header\/bad-parents)/.test(verdict.code);
  return isOfForm ? { code: "codec" } : verdict;
}

function picked<T>(all: readonly T[], random: SeededRandom): T {
  const one = all[random.below(all.length)];
  if (one === undefined) throw new Error("nothing to draw from");
  return one;
}

describe("two verifiers", () => {
  it("agree on the vector", () => {
    expect(bySpecification(told.tip)).toEqual(byCore(told.tip));
    expect(byCore(told.tip)).not.toHaveProperty("code");
  });

  it.each(
    mined.flatMap(({ network, all }, chain) =>
      all.map((one) => [`${one.name}, chain ${chain}`, network, one] as const),
    ),
  )("agree on what miners show: %s", (_, network, { code, ...shown }) => {
    const verdict = byCore(shown, network);
    expect(bySpecification(shown, network)).toEqual(verdict);
    expect("code" in verdict ? verdict.code : null).toBe(code);
    // The form that did not bind the base is refused, whatever it shows.
    const old = { ...shown, run: shown.run.slice() };
    old.run[0] = 1;
    expect(byCore(old, network)).toEqual({ code: "codec/version" });
    expect(bySpecification(old, network)).toEqual({ code: "codec/version" });
  });

  it("agree on runs that were changed, whatever was drawn", () => {
    const random = seededRandom("evidence");
    const codes = new Set<string | null>();
    for (let round = 0; round < ROUNDS; round += 1) {
      const { network, honest } = picked(HONEST, random);
      const change = picked(CHANGES, random);
      const isOpening = random.below(3) === 0;
      const changed = {
        opening: isOpening ? change(honest.opening, random) : honest.opening,
        run: isOpening ? honest.run : change(honest.run, random),
      };
      const verdict = byCore(changed, network);
      const second = bySpecification(changed, network);
      expect(read(second), `round ${round}`).toEqual(read(verdict));
      codes.add("code" in verdict ? verdict.code : null);
    }
    console.info(`${ROUNDS} drawn runs, verdicts: ${[...codes].join(", ")}`);
    expect(codes.size).toBeGreaterThan(6);
  });
});
