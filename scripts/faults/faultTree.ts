/**
 * Copy of one commit's sources below `.cache/faults`, in which faults are made and tests run. The working tree is never touched.
 * What was fetched, built and compiled stays from one run to the next.
 */
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { needCommand, ROOT, runCommand, type CommandResult } from "../lib/command.ts";
import { withFault, type Fault } from "./fault.ts";

const FOLDER = ".cache/faults";
const TREE = `${FOLDER}/tree`;
/** Packages, which are linked: a copy of them would be the same again. */
const LINKED = ["", "node-server/", "tests/", "scripts/typedoc/"].map(
  (part) => `${part}node_modules`,
);
/** Written in place by who runs tests, so a link would lead out of the copy. */
const OWN_CACHE = "node_modules/.vite";
/** Set-up's record of the packages; it is written in place, too. */
const SETUP_RECORD = "node_modules/.setup";
/** Folders that set-up builds. */
const BUILT = ["wasm-core/pkg", "web/dist"];
/** Test of the data of the faults. */
const OWN_TEST = "scripts/faults/faults.test.ts";
/** Bound of a set-up in the copy: the core, and the pages. */
const SETUP_SECONDS = 1_800;

/** A command to run in the copy. */
export type TreeCommand = {
  readonly program: string;
  readonly args: readonly string[];
  /** Below the root of the copy. */
  readonly folder?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly seconds: number;
  /** Ends it as soon as its output holds this. */
  readonly enough?: RegExp;
};

/** The copy. */
export class FaultTree {
  /** Its root, with a slash at its end. */
  readonly root = join(ROOT, TREE, "/");
  /** The whole hash of its commit. */
  readonly commit: string;
  readonly #signal: AbortSignal;
  /** Whether something may have been built of a fault. */
  #isRebuilt = false;
  /** The file with the fault, and its text without. */
  #sound: { readonly path: string; readonly text: string } | null = null;

  private constructor(commit: string, signal: AbortSignal) {
    this.commit = commit;
    this.#signal = signal;
  }

  /** Brings the copy to a commit, with the packages and with what is built here. The signal ends what runs in it. */
  static async open(commit: string, signal: AbortSignal): Promise<FaultTree> {
    mkdirSync(join(ROOT, TREE), { recursive: true });
    // An index of its own: only files that differ are written, and git keeps no word of the copy.
    await needCommand("git", [`--work-tree=${TREE}`, "read-tree", "--reset", "-u", commit], {
      environment: { GIT_INDEX_FILE: join(ROOT, FOLDER, "index") },
    });
    // It finds every fault in its file, by its text.
    rmSync(join(ROOT, TREE, OWN_TEST), { force: true });
    const tree = new FaultTree(commit, signal);
    await tree.#linkPackages();
    tree.#layBuilt();
    const tools = join(ROOT, ".cache", "tools.env");
    mkdirSync(join(tree.root, ".cache"), { recursive: true });
    if (existsSync(tools)) cpSync(tools, join(tree.root, ".cache", "tools.env"));
    return tree;
  }

  /** Does something with a fault in place, and takes it out again whatever happens, with all that was built of it. */
  async during<T>(fault: Fault, act: () => Promise<T>): Promise<T> {
    const path = join(this.root, fault.file);
    const sound = readFileSync(path, "utf8");
    writeFileSync(path, withFault(sound, fault));
    this.#sound = { path, text: sound };
    try {
      return await act();
    } finally {
      this.#sound = null;
      this.#restore({ path, text: sound });
    }
  }

  /** Does something without the fault that is in place, and puts it back. */
  async without<T>(act: () => Promise<T>): Promise<T> {
    if (this.#sound === null) return act();
    const { path } = this.#sound;
    const faulty = readFileSync(path, "utf8");
    this.#restore(this.#sound);
    try {
      return await act();
    } finally {
      writeFileSync(path, faulty);
    }
  }

  /** Builds what the sources as they stand have changed of the core and of the pages. Says whether it could be built. */
  async setUp(): Promise<boolean> {
    this.#isRebuilt = true;
    const args = ["scripts/setup.sh", "core", "web"];
    return (await this.run({ program: "sh", args, seconds: SETUP_SECONDS })).status === 0;
  }

  /** Runs a command in the copy. Rejects once the signal has fired. */
  async run({ program, args, folder = "", ...options }: TreeCommand): Promise<CommandResult> {
    const place = `${TREE}/${folder}`;
    const end = await runCommand(program, args, {
      ...options,
      folder: place,
      signal: this.#signal,
    });
    this.#signal.throwIfAborted();
    return end;
  }

  async #linkPackages(): Promise<void> {
    const stamp = join(ROOT, FOLDER, "packages");
    const record = readFileSync(join(ROOT, SETUP_RECORD), "utf8");
    const linked = `${LINKED.join(" ")}\n${record}`;
    if (existsSync(stamp) && readFileSync(stamp, "utf8") === linked) return;
    for (const folder of LINKED) {
      rmSync(join(this.root, folder), { recursive: true, force: true });
      if (!existsSync(join(ROOT, folder))) continue;
      await needCommand("cp", ["-al", join(ROOT, folder), join(this.root, folder)]);
    }
    rmSync(join(this.root, OWN_CACHE), { recursive: true, force: true });
    rmSync(join(this.root, SETUP_RECORD));
    writeFileSync(join(this.root, SETUP_RECORD), record);
    // Last: packages that were linked in part are linked anew.
    writeFileSync(stamp, linked);
  }

  #restore({ path, text }: { readonly path: string; readonly text: string }): void {
    writeFileSync(path, text);
    if (this.#isRebuilt) this.#layBuilt();
    this.#isRebuilt = false;
  }

  #layBuilt(): void {
    for (const folder of BUILT) {
      rmSync(join(this.root, folder), { recursive: true, force: true });
      cpSync(join(ROOT, folder), join(this.root, folder), { recursive: true });
    }
  }
}
