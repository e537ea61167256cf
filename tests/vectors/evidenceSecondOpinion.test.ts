/**
 * Second opinion on evidence: a verifier written from the specification alone (tests/second-opinion) and the core judge the same bytes, and
 * agree on each verdict and its code.
 */
import { readFileSync } from "node:fs";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { loadCoreFile } from "@svc/node-server/platform/files/wasmFiles.ts";
import { decodeHex, encodeHex } from "@svc/shared/base/hex.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { callCore } from "@svc/shared/core/callCore.ts";
import { readStateFacts, readWorkFacts } from "@svc/shared/protocol/facts/evidenceFacts.ts";
import { networkOf } from "../second-opinion/network.ts";
import { Refusal } from "../second-opinion/refusal.ts";
import { judgeTip } from "../second-opinion/tipJudge.ts";
import { seededRandom } from "../testkit/seededRandom.ts";

const ROUNDS = 400;

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
const mined = v.parse(
  v.object({
    chains: v.array(v.object({ profile: v.record(v.string(), v.unknown()), told: v.array(lie) })),
  }),
  JSON.parse(text("mined-lies.json")),
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

describe("two verifiers", () => {
  it("agree on the vector", () => {
    expect(bySpecification(told.tip)).toEqual(byCore(told.tip));
    expect(byCore(told.tip)).not.toHaveProperty("code");
  });

  it.each(
    mined.chains.flatMap(({ profile: network, told: all }, chain) =>
      all.map((one) => [`${one.name}, chain ${chain}`, JSON.stringify(network), one] as const),
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

  it("agree on bytes that were changed", () => {
    const random = seededRandom("evidence");
    const codes = new Set<string>();
    for (let round = 0; round < ROUNDS; round += 1) {
      const [opening, run] = [told.tip.opening.slice(), told.tip.run.slice()];
      const changed = random.below(3) === 0 ? opening : run;
      const place = random.below(changed.length);
      changed[place] = (changed[place] ?? 0) ^ (1 << random.below(8));
      const verdict = byCore({ opening, run });
      expect(bySpecification({ opening, run }), `round ${round}, byte ${place}`).toEqual(verdict);
      if ("code" in verdict) codes.add(verdict.code);
    }
    expect(codes.size).toBeGreaterThan(5);
  });
});
