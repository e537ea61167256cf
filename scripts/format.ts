/** Code formatter: rewrites everything in place, TypeScript and JSON with oxfmt, Rust with rustfmt. */
import { runCommand } from "./lib/command.ts";

const results = await Promise.all([
  runCommand("oxfmt", ["."], { show: true }),
  runCommand("cargo", ["fmt", "--all"], { folder: "wasm-core", show: true }),
  runCommand("cargo", ["fmt"], { folder: "wasm-core/crates/oracle", show: true }),
]);
process.exitCode = results.every((result) => result.status === 0) ? 0 : 1;
