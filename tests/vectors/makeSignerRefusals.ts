/**
 * Writer of `signer-refusals.json`: `sh scripts/run.sh tests/vectors/makeSignerRefusals.ts`, with a Rust toolchain.
 *
 * The cases come from the core's example `signer_refusals`; the sentences are those of the error registry. A case has
 * only the parts in which it differs from the base.
 */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import * as v from "valibot";
import { ERRORS } from "@svc/shared/base/errors.ts";
import { CODE_FIELDS } from "@svc/shared/base/generated/codes.ts";

const CARGO = ["run", "--quiet", "--locked", "-p", "svc-prove", "--example", "signer_refusals"];
const FILE = new URL("./signer-refusals.json", import.meta.url);

const PARTS = ["intent", "bundle", "disclosure", "alphas"] as const;
const parts = {
  intent: v.looseObject({}),
  bundle: v.string(),
  disclosure: v.array(v.looseObject({})),
  alphas: v.array(v.looseObject({})),
};
const code = v.picklist(Object.keys(CODE_FIELDS));
const made = v.object({
  profile: v.string(),
  genesis: v.string(),
  seed: v.string(),
  taken: v.array(v.object({ name: v.string(), code: v.null(), ...parts })),
  refused: v.array(v.object({ name: v.string(), code, ...parts })),
});
type Parts = Pick<v.InferOutput<typeof made>["taken"][number], (typeof PARTS)[number]>;

function partsOf(entry: Parts): Parts {
  const { intent, bundle, disclosure, alphas } = entry;
  return { intent, bundle, disclosure, alphas };
}

/** The parts of a case that are not those of the base. */
function difference(entry: Parts, base: Parts): Partial<Parts> {
  const differing = Object.entries(partsOf(entry)).filter(
    ([name, part]) => JSON.stringify(part) !== JSON.stringify(Reflect.get(base, name)),
  );
  return Object.fromEntries(differing);
}

function main(): void {
  const cwd = fileURLToPath(new URL("../../wasm-core", import.meta.url));
  const text = execFileSync("cargo", CARGO, { cwd, encoding: "utf8", maxBuffer: 2 ** 24 });
  const { taken, refused, ...network } = v.parse(made, JSON.parse(text));
  const [first] = taken;
  if (first === undefined) throw new Error("there is no payment to take");
  const base = partsOf(first);
  const vector = {
    origin:
      "tests/vectors/makeSignerRefusals.ts from crates/prove/examples/signer_refusals.rs; the seeds are public",
    about:
      "Prepared payments and the code with which a device refuses each. A case has the parts in which it differs from base. Intent, disclosure and alphas are those of formats 3.2; the intent's profile is the built-in one of that name. A sentence has {slots} for the data of the error.",
    ...network,
    base,
    taken: taken.map((entry) => ({ name: entry.name, ...difference(entry, base) })),
    refused: refused.map((entry) => ({
      name: entry.name,
      code: entry.code,
      sentence: Reflect.get(ERRORS, entry.code).sentence,
      ...difference(entry, base),
    })),
  };
  writeFileSync(FILE, `${JSON.stringify(vector, null, 1)}\n`);
}

main();
