/** Native builds of programs of the core's workspace. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const workspace = fileURLToPath(new URL("../../../wasm-core/", import.meta.url));

/** Compiler options of a program. */
export type NativeWish = {
  /** Folder below the usual one, for builds that must not share what is compiled. */
  readonly target?: string;
  readonly features?: readonly string[];
  /** Flags for the compiler; none unless told, whatever the environment says. */
  readonly flags?: string;
};

/** Compiles the program (release: optimised, whole-program) if anything changed; its path. Throws when it cannot be built. */
export function buildNative(
  name: string,
  { target = "", features = [], flags = "" }: NativeWish = {},
): string {
  const base = process.env["CARGO_TARGET_DIR"] ?? join(workspace, "target");
  const folder = join(base, target);
  const env: NodeJS.ProcessEnv = { ...process.env, CARGO_TARGET_DIR: folder, RUSTFLAGS: flags };
  // Either would win over the flags that were asked for.
  delete env["CARGO_ENCODED_RUSTFLAGS"];
  delete env["CARGO_BUILD_TARGET"];
  const args = ["build", "--release", "--locked", "-p", name, "--features", features.join(",")];
  const built = spawnSync("cargo", args, { cwd: workspace, env, stdio: ["ignore", 2, 2] });
  const program = join(folder, "release", name);
  if (built.status !== 0 || !existsSync(program)) throw new Error(`${name} could not be built`);
  return program;
}
