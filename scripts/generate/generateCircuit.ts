/**
 * Generates the assets of the action circuit from the upstream circuit: `npm run generate:circuit`.
 *
 * → `wasm-core/assets/action-circuit.bin` and its hash in `wasm-core/crates/circuit/src/pin.rs`. Needs Rust and
 * takes minutes when nothing is built yet, so it is not part of `npm run generate`. `--check` writes nothing and exits 1
 * when a file is out of date.
 */
import { runCommand } from "../lib/command.ts";

const args = ["run", "--quiet", "-p", "svc-circuit-gen", "--", ...process.argv.slice(2)];
const { status } = await runCommand("cargo", args, { folder: "wasm-core", show: true });
process.exitCode = status;
