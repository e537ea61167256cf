/**
 * Builds the two WebAssembly modules of `wasm-core/crates/bind`: `core` and `prover`.
 *
 * `node scripts/buildWasm.ts [core] [prover]` (both when none is named) compiles each to wasm32 in release mode
 * and runs `svc-glue` (wasm-bindgen from `wasm-core/glue`) over it, into `wasm-core/pkg/<name>`. A module whose inputs have not changed since it
 * was built is skipped: the stamp beside it is a hash over every source file, the toolchain and the flags.
 */
import { createHash } from "node:crypto";
import { spawnSync } from "node:child_process";
import { homedir } from "node:os";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

/** One of the two modules: its feature of the binding crate, and the paths below `wasm-core` it is made of. */
export type WasmModule = { readonly name: "core" | "prover"; readonly inputs: readonly string[] };

const root = fileURLToPath(new URL("../", import.meta.url));
const workspace = join(root, "wasm-core");
const TARGET = "wasm32-unknown-unknown";
const FLAGS = ["-C", "target-feature=+simd128,+bulk-memory"];
const COMMON = [
  "Cargo.toml",
  "Cargo.lock",
  "glue/Cargo.lock",
  "glue/src",
  "codes.json",
  "profiles",
  ...crates("codec", "chain", "kernels", "tree", "shielded"),
];

/** Both modules. The prover lists its files of the binding, so that work on the engine does not rebuild it. */
export const WASM_MODULES: readonly WasmModule[] = [
  {
    name: "core",
    inputs: [...COMMON, ...crates("pow", "dag", "consensus", "evidence", "scan", "bind")],
  },
  {
    name: "prover",
    inputs: [
      ...COMMON,
      ...crates("circuit", "witness", "prove", "verify"),
      "crates/bind/Cargo.toml",
      ...["lib", "proving_keys", "profile", "prover", "thrown"].map(
        (file) => `crates/bind/src/${file}.rs`,
      ),
    ],
  },
];

function crates(...names: string[]): string[] {
  return names.flatMap((name) => [`crates/${name}/Cargo.toml`, `crates/${name}/src`]);
}

/** Builds the named modules, or all; returns the names of those that had to be built. Throws when a tool fails. */
export function buildWasm(names: readonly string[]): string[] {
  const unknown = names.find((name) => !WASM_MODULES.some((module) => module.name === name));
  if (unknown !== undefined) throw new Error(`no module is called ${unknown}: use core or prover`);
  const wanted = WASM_MODULES.filter((module) => names.length === 0 || names.includes(module.name));
  const built: string[] = [];
  for (const module of wanted) {
    const stamp = stampOf(module);
    if (readStamp(module) === stamp) continue;
    compile(module);
    writeFileSync(stampPath(module), stamp);
    built.push(module.name);
  }
  return built;
}

function compile(module: WasmModule): void {
  const version = lockedVersion("wasm-bindgen");
  requireBindgen(version);
  const features = ["--no-default-features", "--features", module.name];
  run("cargo", [
    "build",
    "--release",
    "--target",
    TARGET,
    "-p",
    "svc-bind",
    "--locked",
    ...features,
  ]);
  const output = join(workspace, "pkg", module.name);
  rmSync(output, { recursive: true, force: true });
  const wasm = join(targetDir(), TARGET, "release", "svc_bind.wasm");
  run("svc-glue", [module.name, output, wasm]);
}

/** Hash over the toolchain, the flags, this script and the content of every input file. */
function stampOf(module: WasmModule): string {
  const hash = createHash("sha256");
  hash.update(`${module.name}\0${FLAGS.join(" ")}\0${output("rustc", ["--version"])}\0`);
  const files = [
    fileURLToPath(import.meta.url),
    ...module.inputs.flatMap((path) => filesBelow(join(workspace, path))),
  ];
  for (const file of files) {
    hash
      .update(`${relative(root, file)}\0`)
      .update(readFileSync(file))
      .update("\0");
  }
  return hash.digest("hex");
}

/** The file itself, or every file below the folder, in a fixed order. */
function filesBelow(path: string): string[] {
  if (!existsSync(path)) return [];
  if (/\.[a-z]+$/.test(path)) return [path];
  const entries = readdirSync(path, { withFileTypes: true, recursive: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  return files.toSorted();
}

function stampPath(module: WasmModule): string {
  return join(workspace, "pkg", module.name, "stamp");
}

function readStamp(module: WasmModule): string | undefined {
  const path = stampPath(module);
  return existsSync(path) ? readFileSync(path, "utf8") : undefined;
}

function targetDir(): string {
  return process.env["CARGO_TARGET_DIR"] ?? join(workspace, "target");
}

function lockedVersion(crate: string): string {
  const lock = readFileSync(join(workspace, "Cargo.lock"), "utf8");
  const version = new RegExp(`name = "${crate}"\nversion = "([^"]+)"`).exec(lock)?.[1];
  if (version === undefined) throw new Error(`Cargo.lock does not name ${crate}`);
  return version;
}

/** The glue program must be of the very version of the library. */
function requireBindgen(version: string): void {
  const found = spawnSync("svc-glue", ["--version"], { encoding: "utf8" });
  if (found.status === 0 && found.stdout.trim() === `wasm-bindgen ${version}`) return;
  throw new Error(`the glue program for wasm-bindgen ${version} is missing: run npm run setup`);
}

function output(command: string, args: string[]): string {
  const result = spawnSync(command, args, { encoding: "utf8" });
  if (result.status !== 0) throw new Error(`${command} is missing`);
  return result.stdout;
}

/**
 * Compiler flags, as cargo takes them with blanks inside. Messages of panics name source files: the folders of this
 * machine are replaced, so that a build in another folder gives the same bytes (ADR 26). The last match wins.
 */
function encodedFlags(): string {
  const cargoHome = process.env["CARGO_HOME"] ?? join(homedir(), ".cargo");
  const places = [
    [output("rustc", ["--print", "sysroot"]).trim(), "/rust"],
    [cargoHome, "/cargo"],
    [workspace, "/wasm-core"],
  ];
  return [...FLAGS, ...places.map(([from, to]) => `--remap-path-prefix=${from}=${to}`)].join(
    "\u001f",
  );
}

/** The variables with which cargo compiles the modules, whoever calls it. */
export function buildEnvironment(): Readonly<Record<string, string>> {
  return { CARGO_ENCODED_RUSTFLAGS: encodedFlags() };
}

function run(command: string, args: string[]): void {
  const env = { ...process.env, ...buildEnvironment() };
  const result = spawnSync(command, args, { cwd: workspace, env, stdio: "inherit" });
  if (result.status !== 0) throw new Error(`${command} ${args.join(" ")} failed`);
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  try {
    const built = buildWasm(process.argv.slice(2));
    process.stdout.write(
      built.length > 0 ? `built ${built.join(" and ")}\n` : "wasm is up to date\n",
    );
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}
