/** Vectors that no document prints are what the formulas give, computed a second time; and every vector names its origin. */
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import {
  coinbaseNote,
  diversifier,
  messageDigest,
  nodeMinimum,
  seedSyndromes,
  sighash,
  signedPart,
  subsidy,
  syntheticActions,
  walletFee,
  work,
} from "./independent.ts";

function vector<S extends v.GenericSchema>(name: string, schema: S): v.InferOutput<S> {
  return v.parse(schema, JSON.parse(readFileSync(new URL(`${name}.json`, import.meta.url), "utf8")));
}

const text = v.string();
const number = v.number();
const bytesOf = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex, "hex"));

describe("computed a second time", () => {
  it("messages have the digests of the vectors", () => {
    const { address, tag, message, cases } = vector(
      "shielded-message",
      v.object({
        address: text,
        tag: text,
        message: text,
        cases: v.array(v.object({ personal: text, message: v.optional(text), digest: text })),
      }),
    );
    expect(cases).toHaveLength(3);
    for (const one of cases) {
      expect(messageDigest(one.personal, tag, address, one.message ?? message)).toBe(one.digest);
    }
  });

  it("coinbase notes are those of the vectors", () => {
    const names = v.object({ rho: text, seed: text });
    const { txid, block, personals, cases } = vector(
      "shielded-coinbase",
      v.object({
        txid: text,
        block: text,
        personals: v.object({ reference: names, svc: names }),
        cases: v.array(
          v.object({
            personals: v.picklist(["reference", "svc"]),
            namesBlock: v.boolean(),
            index: number,
            rho: text,
            rseed: text,
            psi: text,
            rcm: text,
          }),
        ),
      }),
    );
    expect(cases).toHaveLength(6);
    for (const { personals: whose, namesBlock, index, ...note } of cases) {
      const output = { block: namesBlock ? block : "", txid, index };
      expect(coinbaseNote(personals[whose], output)).toEqual(note);
    }
  });

  it("payments are signed over the hashes of the vectors", () => {
    const { domain, sighash: cases, namedAnchor } = vector(
      "shielded-bundle",
      v.object({
        domain: text,
        sighash: v.array(v.object({ personal: text, actions: number, hash: text })),
        namedAnchor: v.object({
          personal: text,
          actions: number,
          flags: number,
          block: text,
          hash: text,
        }),
      }),
    );
    const bundle = (actions: number) => ({
      flags: 3,
      balance: 7n,
      anchor: new Uint8Array(32).fill(1),
      actions: syntheticActions(actions),
    });
    for (const { personal, actions, hash } of cases) {
      expect(sighash(personal, domain, bundle(actions))).toBe(hash);
    }
    const { personal, actions, flags, block, hash } = namedAnchor;
    const named = { ...bundle(actions), flags, anchorBlock: block };
    expect(sighash(personal, domain, named)).toBe(hash);
  });

  it("recorded payments have the hashes of the vectors", () => {
    const { personal, genesis, payments } = vector(
      "reference/payments",
      v.object({
        personal: text,
        genesis: text,
        payments: v.array(v.object({ payload: text, sighash: text })),
      }),
    );
    expect(payments).toHaveLength(3);
    for (const { payload, sighash: hash } of payments) {
      expect(sighash(personal, genesis, signedPart(bytesOf(payload)))).toBe(hash);
    }
  });

  it("fees, subsidies and work are those of the vectors", () => {
    const { walletFees, nodeMinimums } = vector(
      "fee",
      v.object({
        walletFees: v.array(v.object({ actions: number, fee: text })),
        nodeMinimums: v.array(v.object({ actions: number, fork: v.boolean(), fee: text })),
      }),
    );
    expect([walletFees.length, nodeMinimums.length]).toEqual([14, 9]);
    for (const { actions, fee } of walletFees) expect(walletFee(actions)).toBe(fee);
    for (const { actions, fork, fee } of nodeMinimums) expect(nodeMinimum(actions, fork)).toBe(fee);
    const { steps } = vector(
      "emission",
      v.object({ steps: v.array(v.object({ step: number, sompi: text })) }),
    );
    expect(steps).toHaveLength(40);
    for (const { step, sompi } of steps) expect(subsidy(step)).toBe(sompi);
    const bits = vector("bits", v.object({ work: v.array(v.object({ bits: number, work: text })) }));
    expect(bits.work).toHaveLength(4);
    for (const one of bits.work) expect(work(one.bits)).toBe(one.work);
  });

  it("addresses begin with the diversifiers of their indices", () => {
    const { cases } = vector(
      "incoming-addresses",
      v.object({
        cases: v.array(
          v.object({ ivk: text, addresses: v.array(v.object({ index: number, raw: text })) }),
        ),
      }),
    );
    expect(cases).toHaveLength(2);
    for (const { ivk, addresses } of cases) {
      expect(addresses).toHaveLength(6);
      for (const { index, raw } of addresses) {
        expect(raw.slice(0, 22), String(index)).toBe(diversifier(ivk.slice(0, 64), index));
      }
    }
  });

  it("written seeds check, and mistakes do not", () => {
    const { valid, wrong } = vector(
      "seed-text",
      v.object({
        valid: v.array(v.object({ seed: text, check: text })),
        wrong: v.array(v.object({ text })),
      }),
    );
    expect(valid).toHaveLength(10);
    for (const { seed, check } of valid) expect(seedSyndromes(seed, check)).toEqual([0, 0, 0, 0]);
    for (const one of wrong) {
      const syndromes = seedSyndromes(one.text.slice(0, 64), one.text.slice(64));
      expect(syndromes, one.text).not.toEqual([0, 0, 0, 0]);
    }
  });
});

it("every vector and every profile of a test has an origin", () => {
  const root = fileURLToPath(new URL("../../", import.meta.url));
  const { files } = vector("origins", v.object({ files: v.record(text, v.pipe(text, v.minLength(1))) }));
  const all = ["tests/vectors", "tests/profiles"].flatMap((folder) =>
    readdirSync(`${root}${folder}`, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.name.endsWith(".ts"))
      .map((entry) => `${entry.parentPath}/${entry.name}`.slice(root.length)),
  );
  const isTold = (path: string): boolean => {
    if (!path.endsWith(".json")) return false;
    const own: unknown = JSON.parse(readFileSync(`${root}${path}`, "utf8"));
    return v.is(v.object({ origin: v.pipe(text, v.minLength(1)) }), own);
  };
  const silent = all.filter((path) => !isTold(path));
  expect(silent.toSorted()).toEqual(Object.keys(files).toSorted());
});
