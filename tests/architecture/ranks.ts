/**
 * Who may import whom. Imports point to a lower rank or stay inside their own area; areas of the
 * same rank do not know each other. Inside the node the same holds with its own ranks.
 */
import { posix } from "node:path";
import type { SourceFile, Violation } from "./sourceTree.ts";
import { isTest } from "./sourceTree.ts";
import { readTypescript } from "./typescriptFile.ts";

/** Areas by path prefix, longest prefix first, with their ranks. */
export const AREA_RANKS: readonly (readonly [string, number])[] = [
  ["wasm-core/", 0],
  ["shared/base/", 1],
  ["shared/chain/", 2],
  ["shared/core/", 3],
  ["shared/protocol/", 4],
  ["shared/wallet/", 5],
  ["node-server/", 6],
  ["web/", 6],
  ["tests/", 7],
  ["scripts/", 8],
];

/** Ranks of the folders inside the node. */
export const NODE_RANKS: readonly (readonly [string, number])[] = [
  ["node-server/platform/", 0],
  ["node-server/storage/", 1],
  ["node-server/proving/", 1],
  ["node-server/consensus/", 2],
  ["node-server/mempool/", 3],
  ["node-server/mining/", 4],
  ["node-server/p2p/", 4],
  ["node-server/rpc/", 5],
  ["node-server/seeder/", 5],
  ["node-server/app/", 9],
  ["node-server/bin/", 10],
];

const PACKAGE_PREFIXES: readonly (readonly [string, string])[] = [
  ["@svc/shared/", "shared/"],
  ["@svc/node-server/", "node-server/"],
  ["@svc/web/", "web/"],
  ["@svc/tests/", "tests/"],
];

type Area = { readonly name: string; readonly rank: number };

/** Where an import leads inside the repository; undefined for packages and Node's own modules. */
export function resolveImport(from: string, specifier: string): string | undefined {
  const bare = specifier.replace(/\?.*$/, "");
  if (bare.startsWith(".")) return posix.normalize(posix.join(posix.dirname(from), bare));
  const own = PACKAGE_PREFIXES.find(([prefix]) => bare.startsWith(prefix));
  return own === undefined ? undefined : own[1] + bare.slice(own[0].length);
}

/** Imports that point upwards, sideways, or from or to a place that has no rank. */
export function rankViolations(file: SourceFile): Violation[] {
  if (!file.path.includes("/")) return [];
  const found: Violation[] = [];
  for (const { specifier, line } of readTypescript(file).imports) {
    const target = resolveImport(file.path, specifier);
    if (target === undefined) continue;
    const reason = judge(file.path, target);
    if (reason !== undefined) {
      found.push({ path: `${file.path}:${line}`, message: `${reason}: ${specifier}` });
    }
  }
  return found;
}

function judge(from: string, to: string): string | undefined {
  // A test may read the recorded vectors wherever it stands.
  if (isTest(from) && to.startsWith("tests/vectors/")) return undefined;
  // A part may read its own manifest, for its version.
  if (to === `${from.split("/")[0]}/package.json`) return undefined;
  const outer = judgeRanks(areaOf(AREA_RANKS, from), areaOf(AREA_RANKS, to));
  if (outer !== undefined) return outer;
  if (!from.startsWith("node-server/") || !to.startsWith("node-server/")) return undefined;
  return judgeRanks(areaOf(NODE_RANKS, from), areaOf(NODE_RANKS, to));
}

function judgeRanks(from: Area | undefined, to: Area | undefined): string | undefined {
  if (from === undefined) return "this folder has no rank in tests/architecture/ranks.ts";
  if (to === undefined) return "the imported folder has no rank in tests/architecture/ranks.ts";
  if (from.name === to.name || to.rank < from.rank) return undefined;
  return to.rank === from.rank
    ? `${from.name} and ${to.name} must not know each other`
    : `${from.name} (rank ${from.rank}) imports upwards from ${to.name} (rank ${to.rank})`;
}

function areaOf(table: readonly (readonly [string, number])[], path: string): Area | undefined {
  const row = table.find(([prefix]) => path.startsWith(prefix));
  return row === undefined ? undefined : { name: row[0], rank: row[1] };
}
