/** The checks over the vectors that the core's own tests made: what the browser gets from the binding is what Rust says. */
import { readFileSync } from "node:fs";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { loadCoreFile } from "@svc/node-server/platform/files/wasmFiles.ts";
import { decodeHex } from "@svc/shared/base/hex.ts";
import { acceptanceProof, supplyProof } from "@svc/shared/protocol/facts/checkProofs.ts";
import {
  readBlockReport,
  readSteps,
  readSupplyReport,
  verdictOf,
  type CheckStep,
} from "./checkReport.ts";

const core = await loadCoreFile();

function vectors<S extends v.GenericSchema>(name: string, schema: S): v.InferOutput<S> {
  const url = new URL(`../../../tests/vectors/${name}.json`, import.meta.url);
  return v.parse(schema, JSON.parse(readFileSync(url, "utf8")));
}

const bytes = v.pipe(v.string(), v.transform(decodeHex));
const recorded = vectors(
  "checked-blocks",
  v.object({
    profile: v.looseObject({}),
    cases: v.array(
      v.object({
        hash: v.string(),
        raw: bytes,
        work: v.string(),
        parentBlock: v.nullable(v.string()),
        timestamp: v.string(),
      }),
    ),
  }),
);
const claim = v.object({ txid: v.string(), carrier: v.string(), isApplied: v.boolean() });
const told = vectors(
  "told-proofs",
  v.object({
    profile: v.string(),
    applied: claim,
    dropped: claim,
    acceptance: acceptanceProof,
    supply: supplyProof,
    blocks: v.record(v.string(), bytes),
  }),
);
const profileJson = core.builtInProfile(told.profile);

function differing(steps: readonly CheckStep[]): readonly string[] {
  return steps.filter(({ outcome }) => outcome === "differs").map(({ step }) => step);
}

const blockOf = (hash: string | null) => told.blocks[hash ?? ""] ?? new Uint8Array();

function acceptanceSteps(
  own: v.InferOutput<typeof claim>,
  proof: unknown = told.acceptance,
): readonly CheckStep[] {
  const { block, selectedParent, child } = told.acceptance;
  return readSteps(
    core.checkAcceptance(
      profileJson,
      JSON.stringify(own),
      JSON.stringify(proof),
      blockOf(own.carrier),
      blockOf(block),
      blockOf(selectedParent),
      blockOf(child),
    ),
  );
}

describe("a block of real work", () => {
  it.each(recorded.cases)("$work: passes, with its facts", ({ hash, raw, ...expected }) => {
    const profile = JSON.stringify(recorded.profile);
    const { steps, facts } = readBlockReport(core.checkBlock(profile, hash, raw));
    expect(differing(steps)).toEqual([]);
    expect(facts).toMatchObject({ hash, ...expected });
  });

  it("is another one under another hash", () => {
    const [first, second] = recorded.cases;
    const profile = JSON.stringify(recorded.profile);
    const report = core.checkBlock(profile, second?.hash ?? "", first?.raw ?? new Uint8Array());
    expect(differing(readBlockReport(report).steps)).toEqual(["headerHash"]);
  });
});

describe("an acceptance", () => {
  it("of an applied and of a dropped payment is proven", () => {
    for (const own of [told.applied, told.dropped]) {
      const steps = acceptanceSteps(own);
      expect(differing(steps)).toEqual([]);
      const document: CheckStep = { subject: "shown", step: "document", outcome: "ok" };
      const report = { steps: [...steps, document], isKnownNetwork: true };
      expect(verdictOf("transaction", report)).toBe("ok");
      // A disclosure of a dropped payment is no proof that anybody was paid.
      const payment: CheckStep = { subject: "disclosure", step: "payment", outcome: "ok" };
      const disclosed = { steps: [payment, ...steps], isKnownNetwork: true };
      expect(verdictOf("disclosure", disclosed)).toBe(own.isApplied ? "ok" : "partly");
      const outcome = steps.find(({ step }) => step === "outcome");
      expect(outcome?.found).toBe(own.isApplied ? "applied" : "dropped");
    }
  });

  it("of a dropped payment shown as applied is seen", () => {
    expect(differing(acceptanceSteps({ ...told.dropped, isApplied: true }))).toEqual(["outcome"]);
  });

  it("that cannot be read is one step that says so", () => {
    const steps = acceptanceSteps(told.applied, { ...told.acceptance, more: 1 });
    expect(steps).toEqual([
      {
        subject: "proof",
        step: "form",
        outcome: "differs",
        expected: "a proof",
        found: "codec/bad-json",
      },
    ]);
  });
});

describe("a supply", () => {
  const audit = (proof: unknown) =>
    readSupplyReport(
      core.checkSupply(
        profileJson,
        JSON.stringify(proof),
        blockOf(told.supply.block),
        blockOf(told.supply.child),
      ),
    );

  it("is proven, with the fingerprint of the key that SECURITY.md names", () => {
    const { steps, figures } = audit(told.supply);
    expect(differing(steps)).toEqual([]);
    expect(figures?.unexplained).toBe("0");
    const security = readFileSync(new URL("../../../SECURITY.md", import.meta.url), "utf8");
    expect(security).toContain(figures?.verifyingKey);
  });

  it("of other numbers is seen", () => {
    const state = { ...told.supply.state, cumulativeFees: "1" };
    expect(differing(audit({ ...told.supply, state }).steps)).toEqual([
      "statePreimage",
      "schedule",
    ]);
  });
});
