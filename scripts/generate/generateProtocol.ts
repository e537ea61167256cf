/**
 * Code generator of the protobuf messages: `shared/protocol/proto/rpc*.proto` → `shared/protocol/rpc/generated/*.ts`, and
 * the same for `p2p`.
 *
 * Needs the `buf` compiler, which an ordinary checkout does not install; without it nothing happens and the result says so.
 * `--check` writes nothing and exits 1 when a generated file is out of date.
 */
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { ROOT, runCommand } from "../lib/command.ts";
import { writeGenerated } from "./writeGenerated.ts";

const SOURCES = "shared/protocol/proto";
/** What a file's name begins with, and the folder of its messages. */
const TARGETS = [
  ["rpc", "shared/protocol/rpc/generated"],
  ["p2p", "shared/protocol/p2p/generated"],
] as const;
const INSTALL = "npm install --no-save @bufbuild/buf@1.75.0";

/** 64-bit numbers become bigint, `oneof` a tagged union; no JSON forms, no stubs. */
const OPTIONS = [
  "forceLong=bigint",
  "oneof=unions-value",
  "importSuffix=.ts",
  "esModuleInterop=true",
  "outputJsonMethods=false",
  "outputPartialMethods=false",
  "outputServices=none",
  "unrecognizedEnum=false",
  "enumsAsLiterals=true",
  "exportCommonSymbols=false",
  "annotateFilesWithVersion=false",
];

/** The compiler of the checkout or of the path; undefined when there is none. */
function findCompiler(): string | undefined {
  const folders = [`${ROOT}node_modules/.bin`, ...(process.env["PATH"] ?? "").split(delimiter)];
  return folders.map((folder) => join(folder, "buf")).find((file) => existsSync(file));
}

async function compile(compiler: string, out: string): Promise<void> {
  const plugin = [process.execPath, `${ROOT}node_modules/ts-proto/protoc-gen-ts_proto`];
  const template = { version: "v2", plugins: [{ local: plugin, out, opt: OPTIONS }] };
  const args = ["generate", `${ROOT}${SOURCES}`, "--template", JSON.stringify(template)];
  const { status, output } = await runCommand(compiler, args);
  if (status !== 0) throw new Error(`buf failed:\n${output}`);
}

function folderOf(name: string): string {
  const target = TARGETS.find(([prefix]) => name.startsWith(prefix));
  if (target === undefined) throw new Error(`${name}: begins like no folder of messages`);
  return target[1];
}

/** The compiler's files by where they belong. */
async function compiled(out: string): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  for (const name of await readdir(out)) {
    texts.set(`${folderOf(name)}/${name}`, await readFile(join(out, name), "utf8"));
  }
  return texts;
}

const check = process.argv.includes("--check");
const compiler = findCompiler();
if (compiler === undefined) {
  console.error(`the protobuf messages were left as they are: no buf here (${INSTALL})`);
} else {
  const out = await mkdtemp(join(tmpdir(), "svc-proto-"));
  try {
    await compile(compiler, out);
    process.exitCode = await writeGenerated(await compiled(out), check);
  } finally {
    await rm(out, { recursive: true, force: true });
  }
}
