/**
 * Pinned developer tools written in Rust (cargo-deny, cargo-mutants, wasm-pack), which are not part of the project. They are compiled
 * into `.cache` when they are first needed, from the archive with exactly this hash and the lockfile inside it.
 */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { ROOT, runCommand } from "./command.ts";

/** A pinned tool. */
export type CargoTool = {
  /** Of the package and of its program. */
  readonly name: string;
  readonly version: string;
  /** SHA-256 of the package's archive in hexadecimal; the archive holds the lockfile it is built with. */
  readonly sha256: string;
};

/** Licences, duplicates and sources of the crates. */
export const CARGO_DENY: CargoTool = {
  name: "cargo-deny",
  version: "0.20.2",
  sha256: "e528dfcbe739af7ce37a77d3d6df1b29dd6887b1c701d888820c0f16b864f737",
};

/** Makes small faults in the source, which the tests have to notice. */
export const CARGO_MUTANTS: CargoTool = {
  name: "cargo-mutants",
  version: "27.1.0",
  sha256: "07072e7bcdeb425d5e5fdbfd9f15a2c749e23cb2edf5ef40aee5876760ae1cf9",
};

/** Makes the npm package of the core, and is built for nothing else. */
export const WASM_PACK: CargoTool = {
  name: "wasm-pack",
  version: "0.15.1",
  sha256: "22dc697492435807dee410b46b66c57e38194d0311e8275c162a9a04c5ab458d",
};

/** The path of the program; compiles it first where it is missing, which takes minutes. Rejects when it cannot be had. */
export async function cargoTool(tool: CargoTool): Promise<string> {
  const folder = join(ROOT, ".cache", `${tool.name}-${tool.version}`);
  const program = join(folder, "bin", tool.name);
  if (existsSync(program)) return program;
  console.error(`building ${tool.name} ${tool.version} into .cache (some minutes, once)`);
  requireArchive(await fetchedArchive(tool), tool);
  // Without optimisation: that saves minutes here, and none of them works for longer than seconds by itself.
  const args = ["install", tool.name, "--version", `=${tool.version}`, "--locked", "--debug"];
  const built = await runCommand("cargo", [...args, "--root", folder], {
    environment: { CARGO_TARGET_DIR: join(ROOT, ".cache", "target") },
  });
  rmSync(join(ROOT, ".cache", "target"), { recursive: true, force: true });
  if (built.status !== 0) throw new Error(`${tool.name} could not be built:\n${built.output}`);
  return program;
}

/** Rejects an archive whose bytes are not the pinned ones. */
export function requireArchive(bytes: Uint8Array, tool: CargoTool): void {
  const found = createHash("sha256").update(bytes).digest("hex");
  if (found === tool.sha256) return;
  const name = `${tool.name} ${tool.version}`;
  throw new Error(`the archive of ${name} has SHA-256 ${found}, not ${tool.sha256}`);
}

/** Asks cargo about the package, which fetches its archive, and reads that. */
async function fetchedArchive(tool: CargoTool): Promise<Uint8Array> {
  const asked = await runCommand("cargo", ["info", `${tool.name}@${tool.version}`]);
  const cache = join(process.env["CARGO_HOME"] ?? join(homedir(), ".cargo"), "registry", "cache");
  const archive = existsSync(cache)
    ? readdirSync(cache)
        .map((registry) => join(cache, registry, `${tool.name}-${tool.version}.crate`))
        .find((path) => existsSync(path))
    : undefined;
  if (archive === undefined) {
    throw new Error(`${tool.name} ${tool.version} could not be fetched:\n${asked.output}`);
  }
  return readFileSync(archive);
}
