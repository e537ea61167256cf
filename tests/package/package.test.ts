/**
 * The npm packages as their users meet them: `npm run package`, then the tarballs in an empty project, under Node, for the type
 * checker, and bundled into a page in a real browser.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { loadCoreFile } from "@svc/node-server/platform/files/wasmFiles.ts";
import { LONG_HANG_MS } from "../testkit/hangMs.ts";
import { EmptyProject, ROOT, runProgram } from "./emptyProject.ts";
import { SIGNER_EXPECTED, SIGNER_TYPED, SIGNER_USE } from "./signerUse.ts";

const UNWATCHED = { faults: [], strangers: [] };

/** Uses both builds. Gives what must be the same wherever it runs. */
const USE = `
import { openCore } from "svc-core";
import { circuit, openProver } from "svc-core/prover";
import { callCore, coreError } from "svc-core/errors";
import { LONG_HANG_MS } from "../testkit/hangMs.ts";

export async function use() {
  const core = await openCore();
  const profile = core.builtInProfile("testnet-10");
  const viewingKey = core.fullViewingKey(new Uint8Array(32).fill(7));
  const address = core.encodeAddress("svctest", core.addressAt(viewingKey, 0));
  let refused = "";
  try {
    callCore(() => core.decodeAddress("svctest", "svctest:nothing"));
  } catch (thrown) {
    refused = coreError(thrown).code;
  }
  const prover = await openProver();
  const keys = new prover.ProvingKeys(await circuit());
  keys.free();
  return {
    genesis: core.genesisHash(profile),
    sameGenesis: prover.genesisHash(profile),
    seed: core.generateSeed().length,
    fee: String(core.walletFee(2)),
    address,
    refused,
  };
}
`;

/** What `use` must give, by the core of this repository. */
async function expected(): Promise<object> {
  const core = await loadCoreFile();
  const viewingKey = core.fullViewingKey(new Uint8Array(32).fill(7));
  const genesis = core.genesisHash(core.builtInProfile("testnet-10"));
  return {
    genesis,
    sameGenesis: genesis,
    seed: 32,
    fee: String(core.walletFee(2)),
    address: core.encodeAddress("svctest", core.addressAt(viewingKey, 0)),
    refused: expect.stringMatching(/^address\//),
  };
}

let core: string;
let signer: string;

beforeAll(() => {
  const made = runProgram("sh", ["scripts/run.sh", "scripts/package.ts"], ROOT);
  [signer = "", core = ""] = made.trim().split("\n").slice(-2);
}, LONG_HANG_MS);

describe("the package of the core", () => {
  let project: EmptyProject;
  beforeAll(() => {
    project = new EmptyProject([core]);
  });
  afterAll(() => project?.remove());

  test("brings nothing but itself, and the modules that the tests run", () => {
    const lock = JSON.parse(project.read("package-lock.json"));
    expect(Object.keys(lock.packages)).toEqual(["", "node_modules/svc-core"]);
    for (const name of ["core", "prover"]) {
      const place = `wasm-core/pkg/${name}/${name}_bg.wasm`;
      const packed = readFileSync(join(project.path, "node_modules/svc-core/lib", place));
      expect(packed.equals(readFileSync(join(ROOT, place))), name).toBe(true);
    }
    expect(project.read("node_modules/svc-core/README.md")).toContain("npm install svc-core");
  });

  test("runs under Node", async () => {
    expect(project.underNode(USE)).toEqual(await expected());
  });

  test("the lines of its README run under Node", () => {
    expect(project.readmeLines("svc-core")).toMatch(/^svctest:[a-z0-9]+\n$/);
  });

  test("has types that a strict project takes, and that know what a call takes", () => {
    const typed = `import type { CoreGlue } from "svc-core/types/core";\n${USE}`;
    expect(project.typed("typed.ts", typed)).toMatchObject({ status: 0, stdout: "" });
    const wrong =
      'import { openCore } from "svc-core";\n(await openCore()).encodeAddress("svctest", 1);\n';
    expect(project.typed("wrong.ts", wrong).stdout).toContain("TS2345");
  });

  test("runs in a page that a bundler made", async () => {
    const given = await expected();
    expect(await project.inPage(USE)).toEqual({ given, watch: UNWATCHED });
  });
});

describe("the package of the signer", () => {
  let project: EmptyProject;
  beforeAll(() => {
    // What the package needs comes from here, at the same versions.
    const needed = ["@noble/hashes", "valibot"].map((name) => join(ROOT, "node_modules", name));
    project = new EmptyProject([core, signer, ...needed]);
  });
  afterAll(() => project?.remove());

  test("refuses and signs under Node as its list says", () => {
    expect(project.underNode(SIGNER_USE)).toEqual(SIGNER_EXPECTED);
  });

  test("the lines of its README run under Node", () => {
    expect(project.readmeLines("svc-signer")).toMatch(/^svctest:[a-z0-9]+ 192\n$/);
  });

  test("has types that a strict project takes, and that know what a call takes", () => {
    expect(project.typed("typed.ts", SIGNER_TYPED)).toMatchObject({ status: 0, stdout: "" });
    const wrong = SIGNER_TYPED.replace("maxFee: null", "maxFee: 5");
    expect(project.typed("wrong.ts", wrong).stdout).toContain("TS2322");
  });

  test("refuses and signs in a page that a bundler made", async () => {
    const shown = { given: SIGNER_EXPECTED, watch: UNWATCHED };
    expect(await project.inPage(SIGNER_USE)).toEqual(shown);
  });
});
