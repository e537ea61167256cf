/**
 * Bundles the program `svc` into a folder of its own in `.cache`: each of its threads in a few files instead of hundreds of
 * modules, whose loading takes most of the time of a start (docs/adr/0037-built-program.md).
 * `node-server/app/program/builtProgram.ts` says when it is used. The build before stays, since a program that runs starts
 * threads from it.
 */
import { readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { build } from "vite";
import {
  BUILD_RECORD,
  builtInput,
  BUILDS_FOLDER,
  type BuildRecord,
  type BuiltInput,
} from "../node-server/app/program/builtProgram.ts";
import { ROOT } from "./lib/command.ts";

/** The program, and what it starts as threads and processes of its own. */
const ENTRIES: readonly string[] = [
  "bin/program.ts",
  "app/verify/verifyProcess.ts",
  "engine/host/engineWorker.ts",
  "engine/read/readerWorker.ts",
  "engine/verify/verifyWorker.ts",
  "p2p/serve/serveWorker.ts",
  "proving/proverWorker.ts",
  "proving/shardThread.ts",
  "scanning/scanWorker.ts",
];
const BUILDS = join(ROOT, BUILDS_FOLDER);
/** Begins the name of each build's folder. */
const PREFIX = "program-";
/** Builds that are kept: the newest, and the one that programs which run may have begun with. */
const KEPT_BUILDS = 2;
/** Brings a library of machine code, which it looks for beside its own files. */
const EXTERNAL = ["lmdb"];
/** Stands for the packages that are built in. */
const LOCKFILE = "package-lock.json";

/** Builds; returns the modules that went in, as paths below the root. */
async function buildInto(outDir: string): Promise<string[]> {
  const input = Object.fromEntries(
    ENTRIES.map((path) => [basename(path, ".ts"), join(ROOT, "node-server", path)]),
  );
  const names = { entryFileNames: "[name].js", chunkFileNames: "[name]-[hash].js" };
  const result = await build({
    root: ROOT,
    configFile: false,
    publicDir: false,
    logLevel: "warn",
    ssr: { noExternal: true, external: EXTERNAL },
    build: {
      ssr: true,
      outDir,
      emptyOutDir: true,
      target: "esnext",
      minify: false,
      rolldownOptions: { input, output: names },
    },
  });
  const bundles = Array.isArray(result) ? result : [result];
  const chunks = bundles.flatMap((bundle) => ("output" in bundle ? bundle.output : []));
  const modules = chunks.flatMap((chunk) => (chunk.type === "chunk" ? chunk.moduleIds : []));
  return modules.filter((id) => id.startsWith(ROOT)).map((id) => relative(ROOT, id));
}

/** The inputs of a build that began at `startedMs`. Throws when one has changed since. */
function inputsOf(paths: readonly string[], startedMs: number): BuiltInput[] {
  return paths.map((path) => {
    const input = builtInput(path);
    if (input === null || input[2] >= startedMs) throw new Error(`${path} changed in the build`);
    return input;
  });
}

/** Removes all builds but the newest ones. */
function removeOld(): void {
  const changedMs = (name: string): number => statSync(join(BUILDS, name)).mtimeMs;
  const builds = readdirSync(BUILDS).filter((name) => name.startsWith(PREFIX));
  const old = builds.toSorted((a, b) => changedMs(b) - changedMs(a)).slice(KEPT_BUILDS);
  for (const name of old) rmSync(join(BUILDS, name), { recursive: true, force: true });
}

const startedMs = Date.now();
const folder = `${PREFIX}${startedMs.toString(36)}-${process.pid}`;
const modules = await buildInto(join(BUILDS, folder));
const own = modules.filter((path) => !path.includes("node_modules/"));
const record: BuildRecord = { folder, inputs: inputsOf([...own, LOCKFILE], startedMs) };
// A record is whole or that of the build before.
const unfinished = join(BUILDS, folder, BUILD_RECORD);
writeFileSync(unfinished, JSON.stringify(record));
renameSync(unfinished, join(BUILDS, BUILD_RECORD));
removeOld();
console.log(
  `built from ${own.length} modules of ours and ${modules.length - own.length} of packages`,
);
