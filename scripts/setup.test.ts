/** The shell parts of the set-up, run by the system's `sh` in a scratch folder. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const scripts = fileURLToPath(new URL("./", import.meta.url));
let folder = "";

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "svc-setup-"));
});

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

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

  it("is not a Rust that is too old", () => {
    const check = (version: string) =>
      shell("new_enough rustc", programs({ rustc: `echo "rustc ${version} (x 2026-01-01)"` }))
        .status;
    expect(check("1.63.0")).not.toBe(0);
    expect(check("1.87.3")).not.toBe(0);
    expect(check("1.88.0")).toBe(0);
    expect(check("1.131.0-nightly")).toBe(0);
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
