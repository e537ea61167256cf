/**
 * Which rooms a test of tier T2 shows: declared, because imports tell it wrongly. By imports nearly every test of the node shows every room
 * of the node, and no test shows a page, a Worker or a program that it starts.
 *
 * A row names the files that go red first when its room breaks. The budget is filled in their order, so a cheap and telling file
 * stands first. Rows lie in `rows/`, by the part of the tree. There a word `e2e/wallet/wallet` is the file
 * `tests/e2e/wallet/wallet.test.ts`, and `suite:sim` is a suite of cargo.
 */
import { CORE_ROWS } from "./rows/coreRows.ts";
import { EDGE_ROWS } from "./rows/edgeRows.ts";
import { HELPER_ROWS } from "./rows/helperRows.ts";
import { NODE_ROWS } from "./rows/nodeRows.ts";
import { PROGRAM_ROWS } from "./rows/programRows.ts";
import { SHARED_ROWS } from "./rows/sharedRows.ts";
import { WEB_ROWS } from "./rows/webRows.ts";

/** Prefix of the units that are whole suites. */
export const SUITE_UNIT = "suite:";

/** Suites that are chosen as one test file is, and the folder of the crate that is their own. */
export const CARGO_UNITS: Readonly<Record<string, string>> = {
  "suite:sim": "wasm-core/crates/sim",
  "suite:fuzz": "wasm-core/crates/fuzz",
  "suite:oracle": "wasm-core/crates/oracle",
  "suite:kernels": "wasm-core/crates/kernels",
};

/** Rooms with the test files and suites of T2 that show them, the best witness first. A room is a folder, or a file that stands alone. */
export const SHOWN_BY: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  [SHARED_ROWS, NODE_ROWS, PROGRAM_ROWS, WEB_ROWS, EDGE_ROWS, CORE_ROWS, HELPER_ROWS]
    .flatMap((rows) => Object.entries(rows))
    .map(([room, words]) => [room, words.trim().split(/\s+/).map(unitOf)]),
);

function unitOf(word: string): string {
  return word.startsWith("suite:") ? word : `tests/${word}.test.ts`;
}
