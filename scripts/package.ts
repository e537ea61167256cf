/**
 * Publishable npm packages of the core, built with wasm-pack, and of the device signer, which needs the core's: `npm run package`. The
 * last two lines are the paths of the tarballs, that of the signer first.
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

/** The same of the signer. */
const SIGNER_FOLDER = ".cache/package/svc-signer";
const SIGNER_COPIED = [
  ["package/signer/README.md", "README.md"],
  ["LICENSE", "LICENSE"],
  ["tests/vectors/signer-refusals.json", "refusals.json"],
] as const;
/** Modules of `shared/signer` that users import, by their names. */
const SIGNER_MODULES = [
  "addressControl",
  "airgapCodes",
  "checkReady",
  "daemonRefusal",
  "envelopeV2",
  "outcomeUnknown",
  "partlyPaid",
  "paymentIntent",
  "paymentProof",
  "paymentSize",
  "payOnDevice",
  "prepareAnswer",
  "preparedPayment",
  "preparedSession",
  "scanBundle",
  "submitSignatures",
  "walletDaemon",
] as const;
/** Modules of `shared/base` that they need beside these. */
const SIGNER_BASE = ["errors", "secret", "svcError"] as const;

async function main(): Promise<void> {
  beginFolder(FOLDER);
  for (const { name } of WASM_MODULES) await buildModule(name);
  await compile("package", FOLDER);
  for (const [from, to] of COPIED) copyTo(from, join(FOLDER, to));
  beginFolder(SIGNER_FOLDER);
  await compile("package/signer", SIGNER_FOLDER);
  for (const [from, to] of SIGNER_COPIED) copyTo(from, join(SIGNER_FOLDER, to));
  console.log(await pack(SIGNER_FOLDER, signerManifest()));
  console.log(await pack(FOLDER, manifest()));
}

function beginFolder(folder: string): void {
  rmSync(join(ROOT, folder), { recursive: true, force: true });
  mkdirSync(join(ROOT, folder), { recursive: true });
}

async function compile(project: string, folder: string): Promise<void> {
  await needCommand("tsc", ["-p", project, "--noEmit", "false", "--outDir", `${folder}/${LIB}`]);
}

/** Writes the manifest and packs the folder. Gives the path of the tarball. */
async function pack(folder: string, contents: object): Promise<string> {
  writeFileSync(join(ROOT, folder, "package.json"), `${JSON.stringify(contents, undefined, 2)}\n`);
  const packed = await needCommand("npm", ["pack", "--silent", "--pack-destination", ".."], {
    folder,
  });
  const tarball = packed.trim().split("\n").at(-1) ?? "";
  return join(ROOT, dirname(folder), tarball);
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

/** `package.json` of the signer's package. What it needs has the versions that the tests run with. */
function signerManifest(): object {
  const { version, license } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  const shared = JSON.parse(readFileSync(join(ROOT, "shared", "package.json"), "utf8"));
  const module = (path: string) => ({
    types: `./${LIB}/shared/${path}.d.ts`,
    default: `./${LIB}/shared/${path}.js`,
  });
  const named = (folder: string, names: readonly string[]) =>
    names.map((name) => [`./${name}`, module(`${folder}/${name}`)] as const);
  return {
    name: "svc-signer",
    version,
    description:
      "Device signer of a shielded proof-of-work BlockDAG: checks prepared payments and signs them",
    license,
    type: "module",
    sideEffects: false,
    engines: { node: ">=22" },
    files: [LIB, "refusals.json"],
    dependencies: {
      "@noble/hashes": shared.dependencies["@noble/hashes"],
      "svc-core": version,
      valibot: shared.dependencies.valibot,
    },
    exports: {
      ".": module("signer/deviceSigner"),
      ...Object.fromEntries(named("signer", SIGNER_MODULES)),
      ...Object.fromEntries(named("base", SIGNER_BASE)),
      "./refusals.json": "./refusals.json",
    },
  };
}

function copyTo(from: string, to: string): void {
  const place = join(ROOT, to);
  mkdirSync(dirname(place), { recursive: true });
  copyFileSync(join(ROOT, from), place);
}

await main();
