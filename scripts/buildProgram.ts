/**
 * Builds the program `svc` into `.cache/program`: each of its threads in a few files instead of hundreds of modules, which takes
 * most of the time of a start (docs/adr/0037-built-program.md). `node-server/app/builtProgram.ts` says when it is used.
 */
import { renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { build } from "vite";
import { builtInput, INPUTS_FILE, type BuiltInput } from "../node-server/app/builtProgram.ts";
import { ROOT } from "./lib/command.ts";

/** The program, and what it starts as threads and processes of its own. */
const ENTRIES: readonly string[] = [
  "bin/program.ts",
  "app/verifyProcess.ts",
  "consensus/engineWorker.ts",
  "consensus/readerWorker.ts",
  "consensus/verifyWorker.ts",
  "p2p/serve/serveWorker.ts",
  "proving/shardThread.ts",
];
const FOLDER = join(ROOT, ".cache/program");
/** Written first: a build that is stopped half way leaves nothing that could be taken for a whole one. */
const BESIDE = `${FOLDER}.new`;
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

const startedMs = Date.now();
const modules = await buildInto(BESIDE);
const own = modules.filter((path) => !path.includes("node_modules/"));
const found = inputsOf([...own, LOCKFILE], startedMs);
writeFileSync(join(BESIDE, INPUTS_FILE), JSON.stringify(found));
rmSync(FOLDER, { recursive: true, force: true });
renameSync(BESIDE, FOLDER);
console.log(
  `built from ${own.length} modules of ours and ${modules.length - own.length} of packages`,
);
