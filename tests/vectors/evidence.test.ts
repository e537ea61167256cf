/** Evidence of the simulated chain through the binding: what holds, and a named error for what does not. */
import { readFileSync } from "node:fs";
import * as v from "valibot";
import { afterAll, describe, expect, it } from "vitest";
import { loadCoreFile } from "@svc/node-server/platform/files/wasmFiles.ts";
import { decodeHex } from "@svc/shared/base/hex.ts";
import { callCore } from "@svc/shared/core/callCore.ts";
import {
  readMemberFacts,
  readStateFacts,
  readWorkFacts,
} from "@svc/shared/protocol/facts/evidenceFacts.ts";

const text = (name: string): string => readFileSync(new URL(name, import.meta.url), "utf8");
const bytes = v.pipe(v.string(), v.transform(decodeHex));
const told = v.parse(
  v.object({
    profile: v.string(),
    tip: v.object({ block: v.string(), tip: v.string(), opening: bytes, run: bytes }),
    older: v.object({ block: v.string(), membership: bytes, opening: bytes }),
  }),
  JSON.parse(text("evidence.json")),
);
const profile = text(told.profile);

const core = await loadCoreFile();
const judge = new core.EvidenceJudge(profile, undefined, 0);
const tip = judge.tip(told.tip.opening, told.tip.run);
afterAll(() => {
  tip.free();
  judge.free();
});

/** A copy with one bit changed. */
function changed(original: Uint8Array, place: number): Uint8Array {
  const copy = original.slice();
  copy[place] = (copy[place] ?? 0) ^ 1;
  return copy;
}

describe("evidence", () => {
  it("of the tip tells the state and the work above it", () => {
    const state = tip.state();
    expect(readStateFacts(state.facts())).toMatchObject({ block: told.tip.block, logCount: 329n });
    expect(state.nullifierProduct()).toBeUndefined();
    state.free();
    const work = readWorkFacts(tip.work());
    expect(work).toMatchObject({ tip: told.tip.tip, blocks: 12n });
    expect(work.blocksOfTip).toBeGreaterThan(0n);
  });

  it("of an older block tells its state, and the product of its nullifiers", () => {
    const state = judge.older(tip, told.older.membership, told.older.opening);
    const facts = readStateFacts(state.facts());
    expect(facts.block).toBe(told.older.block);
    const member = readMemberFacts(judge.member(tip, told.older.membership));
    expect(member).toMatchObject({ block: facts.child, parent: facts.block });
    state.free();
  });

  it.each([
    ["an opening of another place", () => judge.tip(told.older.opening, told.tip.run), "other-header"],
    [
      "a changed path",
      () => judge.member(tip, changed(told.older.membership, told.older.membership.length - 1)),
      "not-member",
    ],
    [
      "a changed state",
      () => judge.tip(changed(told.tip.opening, told.tip.opening.length - 1), told.tip.run),
      "other-state",
    ],
  ])("that is %s is refused by name", (_, lie, code) => {
    expect(() => callCore<unknown>(lie)).toThrow(`evidence/${code}`);
  });

  it("below the floor of who asks is refused", () => {
    const strict = new core.EvidenceJudge(profile, 0x1d00_ffff, 3);
    expect(() => callCore(() => strict.tip(told.tip.opening, told.tip.run))).toThrow(
      "evidence/too-easy",
    );
    strict.free();
  });
});
