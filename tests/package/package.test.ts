/**
 * The npm package as its user meets it: `npm run package`, then the tarball in an empty project, under Node, for the type
 * checker, and bundled into a page in a real browser.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { loadCoreFile } from "@svc/node-server/platform/files/wasmFiles.ts";
import {
  temporaryFolder,
  type TemporaryFolder,
} from "@svc/node-server/platform/testkit/temporaryFolder.ts";
import { launchBrowser, openPage } from "../e2e/browser.ts";
import { PageServer } from "../e2e/pageServer.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const PROGRAMS = join(ROOT, "node_modules", ".bin");
const MINUTE = 60_000;

/** Uses both builds. Gives what must be the same wherever it runs. */
const USE = `
import { openCore } from "svc-core";
import { circuit, openProver } from "svc-core/prover";
import { callCore, coreError } from "svc-core/errors";

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

let folder: TemporaryFolder;
let project: string;

beforeAll(() => {
  const made = run("sh", ["scripts/run.sh", "scripts/package.ts"], ROOT);
  const tarball = made.trim().split("\n").at(-1) ?? "";
  folder = temporaryFolder();
  project = join(folder.path, "an empty project");
  mkdirSync(project);
  write("package.json", JSON.stringify({ name: "empty", private: true, type: "module" }));
  run("npm", ["install", "--offline", "--no-audit", "--no-fund", "--loglevel=error", tarball]);
}, 30 * MINUTE);

afterAll(() => folder?.remove());

function write(name: string, text: string): void {
  writeFileSync(join(project, name), text);
}

/** Runs a program in the project. Gives its standard output. */
function run(program: string, args: readonly string[], cwd = project): string {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, encoding: "utf8" });
  if (status !== 0) throw new Error(`${program} ${args.join(" ")}: ${stdout}${stderr}`);
  return stdout;
}

/** Runs the lines under the pinned Node. */
function runUnderNode(): unknown {
  write("use.js", USE);
  write("main.js", 'import { use } from "./use.js"; console.log(JSON.stringify(await use()));');
  return JSON.parse(run(process.execPath, ["main.js"]));
}

test("brings nothing but itself, and the modules that the tests run", () => {
  const installed = join(project, "node_modules");
  const lock = JSON.parse(readFileSync(join(project, "package-lock.json"), "utf8"));
  expect(Object.keys(lock.packages)).toEqual(["", "node_modules/svc-core"]);
  for (const name of ["core", "prover"]) {
    const place = `wasm-core/pkg/${name}/${name}_bg.wasm`;
    const packed = readFileSync(join(installed, "svc-core", "lib", place));
    expect(packed.equals(readFileSync(join(ROOT, place))), name).toBe(true);
  }
  const readme = readFileSync(join(installed, "svc-core", "README.md"), "utf8");
  expect(readme).toContain("npm install svc-core");
});

test("runs under Node", async () => {
  expect(runUnderNode()).toEqual(await expected());
});

test("the lines of its README run under Node", () => {
  const readme = readFileSync(join(project, "node_modules", "svc-core", "README.md"), "utf8");
  const [, lines = ""] = /```js\n([^`]*)```/.exec(readme) ?? [];
  write("readme.js", lines);
  expect(run(process.execPath, ["readme.js"])).toMatch(/^svctest:[a-z0-9]+\n$/);
});

test("has types that a strict project takes, and that know what a call takes", () => {
  write("typed.ts", `import type { CoreGlue } from "svc-core/types/core";\n${USE}`);
  const options = ["--strict", "--noEmit", "--module", "nodenext", "--target", "es2024"];
  const typed = (file: string) =>
    spawnSync(join(PROGRAMS, "tsc"), [...options, "--lib", "es2024,esnext.disposable,dom", file], {
      cwd: project,
      encoding: "utf8",
    });
  expect(typed("typed.ts")).toMatchObject({ status: 0, stdout: "" });
  write(
    "wrong.ts",
    'import { openCore } from "svc-core";\n(await openCore()).encodeAddress("svctest", 1);\n',
  );
  expect(typed("wrong.ts").stdout).toContain("TS2345");
});

test(
  "runs in a page that a bundler made",
  async () => {
    write("use.js", USE);
    write(
      "index.html",
      '<!doctype html><title>…</title><link rel="icon" href="data:,"><script type="module" src="page.js"></script>',
    );
    write(
      "page.js",
      'import { use } from "./use.js"; use().then((all) => (document.title = JSON.stringify(all)));',
    );
    run(process.execPath, [join(ROOT, "node_modules/vite/bin/vite.js"), "build"]);
    write("dist/headers.json", "[]");
    const server = await PageServer.start();
    await server.show(join(project, "dist"));
    const browser = await launchBrowser();
    try {
      const { page, watch } = await openPage(await browser.newContext(), server.url);
      await page.waitForFunction(() => document.title !== "…", undefined, { timeout: MINUTE });
      expect(JSON.parse(await page.title())).toEqual(await expected());
      expect(watch).toEqual({ faults: [], strangers: [] });
    } finally {
      await browser.close();
      await server.stop();
    }
  },
  5 * MINUTE,
);
