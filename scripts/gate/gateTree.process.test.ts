/** Tests of what the gate reads of a working tree, with a real git: the last whole run, what changed since, and what is kept. */
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { folderOfTest } from "../../node-server/platform/testkit/folderOfTest.ts";
import type { ChosenEnd } from "../lib/runSuites.ts";
import type { Git } from "../lib/sourceCommit.ts";
import { SUITES } from "../suites.ts";
import { changedPaths, textIn } from "./changedPaths.ts";
import { keepPassed } from "./keepPassed.ts";
import { lastPassed, PASSED_PATH } from "./passedFile.ts";

const NOBODY = { GIT_AUTHOR_NAME: "a", GIT_AUTHOR_EMAIL: "a@a", GIT_COMMITTER_NAME: "a" };

/** A repository with one commit. */
async function repository() {
  const root = folderOfTest();
  const git: Git = (args) => {
    const environment = { ...NOBODY, GIT_COMMITTER_EMAIL: "a@a", GIT_CONFIG_GLOBAL: "/dev/null" };
    const env = { ...process.env, ...environment };
    const { status, stdout } = spawnSync("git", args, { cwd: root, encoding: "utf8", env });
    return Promise.resolve({ status: status ?? 1, output: stdout, seconds: 0 });
  };
  mkdirSync(join(root, "tests"));
  for (const name of ["kept", "changed", "removed"]) writeFileSync(join(root, name), name);
  await git(["init", "-q"]);
  const commit = async () => {
    await git(["add", "-A"]);
    await git(["commit", "-q", "-m", "all"]);
  };
  await commit();
  return { root, git, commit };
}

/** The ends of one suite of T1 and one of T2. */
function passedEnds(): readonly ChosenEnd[] {
  const end = { tally: { passed: 1, failed: 0, skipped: 0 }, failures: [], status: 0 };
  return SUITES.filter(({ name }) => ["contract", "e2e"].includes(name)).map((suite, at) => ({
    suite,
    end: { ...end, seconds: 10.04 + at, files: new Map([[`tests/${suite.name}.test.ts`, 2.5]]) },
  }));
}

async function passedRepository() {
  const made = await repository();
  vi.spyOn(console, "log").mockImplementation(() => {});
  await (
    await keepPassed(made.git, made.root)
  )(passedEnds());
  await made.commit();
  return made;
}

describe("a whole run that passed", () => {
  it("is found again at the commits after it, with the seconds of suites and of files of T2", async () => {
    const { root, git, commit } = await passedRepository();
    writeFileSync(join(root, "new"), "");
    await commit();
    const last = await lastPassed(git, root);
    expect(last).toMatchObject({
      passed: {
        suites: { contract: 10, e2e: 11 },
        files: { "tests/e2e.test.ts": 2.5 },
      },
    });
    const tree = "passed" in last ? last.passed.tree : "";
    expect(await changedPaths(tree, git)).toEqual(["new", PASSED_PATH]);
  });

  it("is not kept of a tree with changes, or of one that changes meanwhile", async () => {
    const { root, git } = await repository();
    vi.spyOn(console, "log").mockImplementation(() => {});
    const keep = await keepPassed(git, root);
    appendFileSync(join(root, "changed"), "more");
    await keep(passedEnds());
    await (
      await keepPassed(git, root)
    )(passedEnds());
    expect(existsSync(join(root, PASSED_PATH))).toBe(false);
  });

  it("is refused where its record is edited, changed or of another branch", async () => {
    const { root, git, commit } = await passedRepository();
    const path = join(root, PASSED_PATH);
    const text = readFileSync(path, "utf8");
    writeFileSync(path, `${text}\n`);
    expect(await lastPassed(git, root)).toEqual({ refused: `${PASSED_PATH} is not committed` });
    writeFileSync(path, text.replace("2.5", "1.5"));
    await commit();
    expect(await lastPassed(git, root)).toEqual({ refused: `${PASSED_PATH} was edited` });
    await git(["checkout", "-q", "--orphan", "other"]);
    writeFileSync(path, text);
    await commit();
    const why = `${PASSED_PATH} is not of a commit before this one`;
    expect(await lastPassed(git, root)).toEqual({ refused: why });
  });
});

it("what changed since a tree is committed or not, known to git or not, or gone", async () => {
  const { root, git } = await repository();
  const tree = (await git(["rev-parse", "HEAD^{tree}"])).output.trim();
  appendFileSync(join(root, "changed"), "more");
  rmSync(join(root, "removed"));
  writeFileSync(join(root, "a file with ü"), "");
  expect(await changedPaths(tree, git)).toEqual(["a file with ü", "changed", "removed"]);
  expect(await textIn(tree, "changed", git)).toBe("changed");
  expect(await textIn(tree, "nothing", git)).toBeNull();
  await expect(changedPaths("f".repeat(40), git)).rejects.toThrow("git diff");
});
