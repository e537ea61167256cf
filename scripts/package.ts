/**
 * Publishable npm package of the core, built with wasm-pack: `npm run package`. The last line is the path of the tarball.
 *
 * The package holds both WebAssembly builds, the circuit of the prover, the facade that the node and the wallet use, and its
 * types. `package/` has its entry points and its README; files lie in it as they do here, so that they find each other.
 */
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { buildEnvironment, WASM_MODULES } from "./buildWasm.ts";
import { cargoTool, WASM_PACK } from "./lib/cargoTools.ts";
import { needCommand, ROOT } from "./lib/command.ts";

/** What npm packs, below the root of the project. */
const FOLDER = ".cache/package/svc-core";
/** Where in it the compiled files lie. */
const LIB = "lib";
/** Files that are taken as they are, and their places. */
const COPIED = [
  ["package/README.md", "README.md"],
  ["LICENSE", "LICENSE"],
  ["wasm-core/assets/action-circuit.bin", `${LIB}/wasm-core/assets/action-circuit.bin`],
] as const;

async function main(): Promise<void> {
  rmSync(join(ROOT, FOLDER), { recursive: true, force: true });
  mkdirSync(join(ROOT, FOLDER), { recursive: true });
  for (const { name } of WASM_MODULES) await buildModule(name);
  await needCommand("tsc", ["-p", "package", "--noEmit", "false", "--outDir", `${FOLDER}/${LIB}`]);
  for (const [from, to] of COPIED) copyTo(from, to);
  writeFileSync(
    join(ROOT, FOLDER, "package.json"),
    `${JSON.stringify(manifest(), undefined, 2)}\n`,
  );
  const packed = await needCommand("npm", ["pack", "--silent", "--pack-destination", ".."], {
    folder: FOLDER,
  });
  const tarball = packed.trim().split("\n").at(-1) ?? "";
  console.log(join(ROOT, dirname(FOLDER), tarball));
}

/** Compiles a build of crate `bind`, with the flags and from the very crates of `npm run setup`. */
async function buildModule(name: string): Promise<void> {
  const out = join(ROOT, FOLDER, LIB, "wasm-core", "pkg", name);
  const chosen = ["--locked", "--no-default-features", "--features", name];
  const program = await cargoTool(WASM_PACK);
  await needCommand(
    program,
    ["build", ...SWITCHES, "--out-dir", out, "--out-name", name, "--", ...chosen],
    {
      folder: "wasm-core/crates/bind",
      environment: {
        ...buildEnvironment(),
        PATH: `${join(ROOT, "scripts", "package")}:${process.env["PATH"] ?? ""}`,
        WASM_PACK_CACHE: join(ROOT, ".cache", "package", "wasm-pack"),
      },
    },
  );
}

/** The modules stay as the compiler made them, the same bytes that the tests run; the manifest is ours, and no tool is fetched. */
const SWITCHES = [
  ...["--release", "--target", "web"],
  ...["--no-opt", "--no-pack", "--no-gitignore", "--mode", "no-install"],
];

/** `package.json` of the package. Its version is the project's. */
function manifest(): object {
  const { version, license } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  const shared = `./${LIB}/shared/core`;
  const typesOnly = (path: string) => ({ types: `${shared}/${path}.d.ts` });
  return {
    name: "svc-core",
    version,
    description:
      "Consensus engine, wallet scanner and prover of a shielded proof-of-work BlockDAG, as WebAssembly",
    license,
    type: "module",
    // Importing an entry does nothing: the instance is made by the first call.
    sideEffects: false,
    engines: { node: ">=22" },
    files: [LIB],
    exports: {
      ".": entry("core"),
      "./prover": entry("prover"),
      "./errors": { types: `${shared}/callCore.d.ts`, default: `${shared}/callCore.js` },
      "./types/core": typesOnly("generated/coreGlue"),
      "./types/prover": typesOnly("generated/proverGlue"),
      "./types/host": typesOnly("wasmHost"),
    },
  };
}

function entry(name: string): object {
  const place = `./${LIB}/package/${name}`;
  return {
    types: `${place}Browser.d.ts`,
    node: `${place}Node.js`,
    default: `${place}Browser.js`,
  };
}

function copyTo(from: string, to: string): void {
  const place = join(ROOT, FOLDER, to);
  mkdirSync(dirname(place), { recursive: true });
  copyFileSync(join(ROOT, from), place);
}

await main();
