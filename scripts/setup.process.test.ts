/** The shell parts of the set-up, run by the system's `sh` in a scratch folder. */
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { temporaryFolder } from "../node-server/platform/testkit/temporaryFolder.ts";

const scripts = fileURLToPath(new URL("./", import.meta.url));
let folder = "";
let remove = (): void => {};
beforeAll(() => ({ path: folder, remove } = temporaryFolder()));
afterAll(() => remove());

/** Puts programs of these names in front of the PATH; each is the body of a shell script. */
function programs(bodies: Readonly<Record<string, string>>): string {
  const bin = mkdtempSync(join(folder, "bin-"));
  for (const [name, body] of Object.entries(bodies)) {
    writeFileSync(join(bin, name), `#!/bin/sh\n${body}\n`);
    chmodSync(join(bin, name), 0o755);
  }
  return bin;
}

function shell(script: string, bin = programs({})) {
  const prelude = `set -eu\nroot=${folder}\ncache=${folder}/cache\n. ${scripts}lib/say.sh\n. ${scripts}lib/rust.sh\nstep trial\n`;
  return spawnSync("sh", ["-c", prelude + script], {
    encoding: "utf8",
    env: { PATH: `${bin}:/usr/bin:/bin`, HOME: folder },
  });
}

describe("what is missing", () => {
  it("is named with the exact command when it needs root", () => {
    const bin = programs({ id: "echo 1000", "apt-get": "exit 9" });
    const { status, stderr, stdout } = shell("apt_install Chromium chromium\necho on", bin);
    expect(status).toBe(1);
    expect(stdout).toBe("");
    expect(stderr).toContain("Chromium is missing and installing it needs root");
    expect(stderr).toContain("sudo apt-get update && sudo apt-get install -y chromium");
  });

  it("is installed when we are root", () => {
    const bin = programs({ id: "echo 0", "apt-get": `echo "$@" >>${folder}/apt.log` });
    expect(shell("apt_install Chromium chromium", bin).status).toBe(0);
    expect(shell(`cat ${folder}/apt.log`).stdout).toBe(
      "update\ninstall -y --no-install-recommends chromium\n",
    );
  });

  it("ends the set-up with the end of the log when a command fails", () => {
    const { status, stderr } = shell('quietly sh -c "echo broken; exit 3" || fail "it failed"');
    expect(status).toBe(1);
    expect(stderr).toBe("broken\nsetup: trial: it failed\n");
  });
});

describe("the pinned Rust", () => {
  const rust = (version: string) =>
    `case "$1" in --version) echo "rustc ${version} (0123abc 2026-01-01)";; --print) echo ${folder}/sysroot;; esac`;
  const wasm = "sysroot/lib/rustlib/wasm32-unknown-unknown/lib";

  beforeAll(() => {
    writeFileSync(join(folder, "rust-toolchain.toml"), '[toolchain]\nchannel = "1.95.0"\n');
    mkdirSync(join(folder, wasm), { recursive: true });
    writeFileSync(join(folder, wasm, "libstd-1.rlib"), "");
  });

  it("is the version of rust-toolchain.toml, and no older or newer one", () => {
    const check = (version: string) =>
      shell("is_pinned rustc", programs({ rustc: rust(version) })).status;
    expect(check("1.94.1")).not.toBe(0);
    expect(check("1.95.0-nightly")).not.toBe(0);
    expect(check("1.95.1")).not.toBe(0);
    expect(check("1.95.0")).toBe(0);
  });

  it("is asked for in words where a Rust without rustup is another", () => {
    const { status, stderr } = shell(
      "ensure_rust",
      programs({ rustc: rust("1.96.0"), "apt-cache": "exit 100" }),
    );
    expect(status).toBe(1);
    expect(stderr).toContain("this project is built with Rust 1.95.0");
    expect(stderr).toContain("found: rustc 1.96.0");
    expect(shell("ensure_rust", programs({ rustc: rust("1.95.0"), cc: "" })).status).toBe(0);
  });

  it("is what rustup installs, exactly", () => {
    const bin = programs({
      rustc: `if [ -f ${folder}/installed ]; then ${rust("1.95.0")}; else ${rust("1.94.0")}; fi`,
      cargo: "",
      cc: "",
      rustup: `echo "$@" >>${folder}/rustup.log; touch ${folder}/installed`,
    });
    expect(shell("ensure_rust", bin).status).toBe(0);
    expect(readFileSync(join(folder, "rustup.log"), "utf8")).toBe(
      "toolchain install 1.95.0 --profile minimal -c clippy -c rustfmt -t wasm32-unknown-unknown\n",
    );
  });
});

describe("the glue program", () => {
  it("is built from its lockfile or not at all", () => {
    mkdirSync(join(folder, "wasm-core/glue"), { recursive: true });
    writeFileSync(join(folder, "wasm-core/glue/Cargo.toml"), "");
    writeFileSync(join(folder, "rust-toolchain.toml"), "");
    const bin = programs({
      cargo: `echo "$@" >>${folder}/cargo.log; echo "the lock file needs to be updated" >&2; exit 101`,
    });
    const { status, stderr } = shell("ensure_glue", bin);
    expect(status).toBe(1);
    expect(stderr).toContain("the lock file needs to be updated");
    expect(stderr).toContain("could not be built from wasm-core/glue/Cargo.lock");
    const calls = readFileSync(join(folder, "cargo.log"), "utf8").trimEnd().split("\n");
    expect(calls).toHaveLength(1);
    expect(calls[0]).toContain(" --locked ");
  });

  it("is made of the very version of the core's library", () => {
    const version = (lock: string) =>
      /name = "wasm-bindgen-shared"\nversion = "([^"]+)"/.exec(
        readFileSync(new URL(`../wasm-core/${lock}`, import.meta.url), "utf8"),
      )?.[1];
    expect(version("glue/Cargo.lock")).toBe(version("Cargo.lock"));
  });
});

describe("fingerprints", () => {
  it("change with content and names, and not with what is built or fetched", () => {
    const tree = join(folder, "tree");
    mkdirSync(join(tree, "node_modules"), { recursive: true });
    const print = () => shell(`fingerprint ${tree}`).stdout;
    writeFileSync(join(tree, "a"), "1");
    const first = print();
    writeFileSync(join(tree, "node_modules", "b"), "1");
    expect(print()).toBe(first);
    writeFileSync(join(tree, "a"), "2");
    const second = print();
    expect(second).not.toBe(first);
    writeFileSync(join(tree, "c"), "2");
    expect(print()).not.toBe(second);
  });

  it("tell fresh from stale", () => {
    const file = join(folder, "input");
    writeFileSync(file, "1");
    const fresh = () => shell(`fresh ${folder}/stamp ${file}`).status === 0;
    expect(fresh()).toBe(false);
    shell(`fingerprint ${file} >${folder}/stamp`);
    expect(fresh()).toBe(true);
    writeFileSync(file, "2");
    expect(fresh()).toBe(false);
  });
});

describe("packages", () => {
  it("are installed anew when the lockfile or npm's own record has changed, whatever the times say", () => {
    const project = mkdtempSync(join(folder, "project-"));
    mkdirSync(join(project, "node_modules"));
    const lock = join(project, "package-lock.json");
    const record = join(project, "node_modules/.package-lock.json");
    const inside = (script: string) =>
      shell(`cd ${project}; . ${scripts}lib/packages.sh; ${script}`).status === 0;
    const write = (path: string, text: string, seconds: number) => {
      writeFileSync(path, text);
      utimesSync(path, seconds, seconds);
    };
    write(lock, "1", 1000);
    expect(inside("packages_fresh")).toBe(false);
    write(record, "1", 2000);
    inside("packages_record >node_modules/.setup");
    expect(inside("packages_fresh")).toBe(true);
    write(lock, "2", 1000);
    expect(inside("packages_fresh")).toBe(false);
    write(lock, "1", 3000);
    expect(inside("packages_fresh")).toBe(true);
    write(record, "2", 4000);
    expect(inside("packages_fresh")).toBe(false);
  });
});

describe("the pinned Node", () => {
  it("is one exact version on every platform", () => {
    const manifest: { optionalDependencies: Record<string, string> } = JSON.parse(
      readFileSync(new URL("../package.json", import.meta.url), "utf8"),
    );
    const nodes = Object.entries(manifest.optionalDependencies).filter(([name]) =>
      name.startsWith("node-"),
    );
    expect(nodes.map(([name]) => name.replace("-bin", "").slice(5))).toEqual([
      ...["darwin-arm64", "darwin-x64", "linux-arm64", "linux-x64"],
    ]);
    expect(new Set(nodes.map(([, version]) => version))).toEqual(new Set([process.versions.node]));
  });
});

describe("run.sh", () => {
  it("says what to do when the project's Node is missing", () => {
    mkdirSync(join(folder, "scripts/lib"), { recursive: true });
    const copied = shell(
      `cp ${scripts}run.sh ${folder}/scripts; cp ${scripts}lib/node.sh ${folder}/scripts/lib; sh ${folder}/scripts/run.sh x.ts`,
    );
    expect(copied.status).toBe(1);
    expect(copied.stderr).toMatch(/Node is missing .*npm run setup/);
  });
});

describe("progress", () => {
  it("is what cargo wrote last: crates built, and of how many", () => {
    const lines = [
      "   Compiling one v1",
      "Building [=>  ] 3/120: one\\r",
      "Building [==> ] 17/120: two, x/y\\r",
    ];
    const { stdout } = shell(
      `printf '${lines.join("\\n")}' >${folder}/log\ncrates_done ${folder}/log`,
    );
    expect(stdout).toBe("17 of 120\n");
    expect(shell(`echo "Compiling 1/2" >${folder}/log\ncrates_done ${folder}/log`).stdout).toBe("");
    expect(shell(`crates_done ${folder}/none`).stdout).toBe("");
  });

  it("is told after some time, while the command runs, and no more when it has ended", () => {
    // The clock of the loop is a program, which lets the command end at its 25th beat.
    const bin = programs({
      sleep: `echo x >>${folder}/beats; [ $(wc -l <${folder}/beats) -lt 25 ] || : >${folder}/end; [ ! -f ${folder}/end ] || exec /bin/sleep 60`,
    });
    const build = `echo "Building [> ] 5/9: it"; until [ -f ${folder}/end ]; do :; done`;
    const { status, stderr } = shell(`quietly sh -c '${build}'`, bin);
    expect(status).toBe(0);
    expect(stderr).toBe("setup: trial: 5 of 9 crates built\n");
  });
});

describe("the command of the program", () => {
  it("is found by npx, and starts the program", () => {
    const command = fileURLToPath(new URL("../node_modules/.bin/svc", import.meta.url));
    const { status, stdout } = spawnSync(command, ["--help"], { encoding: "utf8", cwd: folder });
    expect(status).toBe(0);
    expect(stdout).toContain("svc COMMAND");
  });
});
