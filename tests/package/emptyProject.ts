/** An empty project with packages installed, and the three places where a user runs them. */
import { spawnSync, type SpawnSyncReturns } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  temporaryFolder,
  type TemporaryFolder,
} from "@svc/node-server/platform/testkit/temporaryFolder.ts";
import { launchBrowser, openPage } from "../e2e/testkit/browser.ts";
import { PageServer } from "../e2e/testkit/pageServer.ts";
import { STEP_HANG_MS } from "../testkit/hangMs.ts";

/** The folder of this repository. */
export const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const PAGE =
  '<!doctype html><title>…</title><link rel="icon" href="data:,"><script type="module" src="page.js"></script>';
const IN_PAGE =
  'import { use } from "./use.js"; use().then((all) => (document.title = JSON.stringify(all)));';
const UNDER_NODE = 'import { use } from "./use.js"; console.log(JSON.stringify(await use()));';

/** Runs a program. Gives its standard output; throws with all output when it fails. */
export function runProgram(program: string, args: readonly string[], cwd: string): string {
  // A runner that shows its output asks all programs below it for colours.
  const env = { ...process.env, FORCE_COLOR: "0" };
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, encoding: "utf8", env });
  if (status !== 0) throw new Error(`${program} ${args.join(" ")}: ${stdout}${stderr}`);
  return stdout;
}

/** The project. */
export class EmptyProject {
  readonly #folder: TemporaryFolder = temporaryFolder();
  readonly path: string = join(this.#folder.path, "an empty project");

  /** Makes it and installs tarballs and folders. No registry is asked. */
  constructor(packages: readonly string[]) {
    mkdirSync(this.path);
    this.write("package.json", JSON.stringify({ name: "empty", private: true, type: "module" }));
    const quiet = ["--offline", "--no-audit", "--no-fund", "--loglevel=error"];
    this.run("npm", ["install", ...quiet, ...packages]);
  }

  write(name: string, text: string): void {
    writeFileSync(join(this.path, name), text);
  }

  read(name: string): string {
    return readFileSync(join(this.path, name), "utf8");
  }

  run(program: string, args: readonly string[]): string {
    return runProgram(program, args, this.path);
  }

  /** What `use` of a module gives under the pinned Node. */
  underNode(use: string): unknown {
    this.write("use.js", use);
    this.write("main.js", UNDER_NODE);
    return JSON.parse(this.run(process.execPath, ["main.js"]));
  }

  /** What the first lines of JavaScript in the README of a package print. */
  readmeLines(name: string): string {
    const readme = this.read(`node_modules/${name}/README.md`);
    const [, lines = ""] = /```js\n([^`]*)```/.exec(readme) ?? [];
    this.write("readme.js", lines);
    return this.run(process.execPath, ["readme.js"]);
  }

  /** What the type checker says, strictly. */
  typed(file: string, text: string): SpawnSyncReturns<string> {
    this.write(file, text);
    const options = ["--strict", "--noEmit", "--module", "nodenext", "--target", "es2024"];
    const library = ["--lib", "es2024,esnext.disposable,dom", file];
    const tsc = join(ROOT, "node_modules", ".bin", "tsc");
    return spawnSync(tsc, [...options, ...library], { cwd: this.path, encoding: "utf8" });
  }

  /** What `use` of a module gives in a page that Vite made, in a real browser, and what the browser complained of. */
  async inPage(use: string): Promise<{ readonly given: unknown; readonly watch: unknown }> {
    this.write("use.js", use);
    this.write("index.html", PAGE);
    this.write("page.js", IN_PAGE);
    this.run(process.execPath, [join(ROOT, "node_modules/vite/bin/vite.js"), "build"]);
    this.write("dist/headers.json", "[]");
    const server = await PageServer.start();
    await server.show(join(this.path, "dist"));
    const browser = await launchBrowser();
    try {
      const { page, watch } = await openPage(await browser.newContext(), server.url);
      await page.waitForFunction(() => document.title !== "…", undefined, {
        timeout: STEP_HANG_MS,
      });
      return { given: JSON.parse(await page.title()), watch };
    } finally {
      await browser.close();
      await server.stop();
    }
  }

  remove(): void {
    this.#folder.remove();
  }
}
