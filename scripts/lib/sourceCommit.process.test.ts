/** Which commit a long run is about, in a repository of its own. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { folderOfTest } from "../../node-server/platform/testkit/folderOfTest.ts";
import { runCommand } from "./command.ts";
import { checkedOutSources, RECORDS, sourceCommit, type Git } from "./sourceCommit.ts";

async function repository() {
  const folder = folderOfTest();
  const who = ["-c", "user.name=test", "-c", "user.email=test@localhost"];
  const git: Git = (args) => runCommand("git", ["-C", folder, ...who, ...args]);
  await git(["init", "--quiet"]);
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  const commit = async () => {
    await git(["add", "--all"]);
    await git(["commit", "--quiet", "--message=change", "--no-gpg-sign"]);
    return (await git(["rev-parse", "HEAD"])).output.trim();
  };
  return { git, write, commit };
}

it("is the newest that changed more than documents and records", async () => {
  const { git, write, commit } = await repository();
  write("crates/rule.rs", "1");
  const first = await commit();
  write("docs/testing.md", "a row");
  write(`${RECORDS}/kills/${first}.jsonl`, "{}");
  expect(await checkedOutSources(git)).toBe(first);
  expect(await commit()).not.toBe(first);
  expect(await checkedOutSources(git)).toBe(first);
  write("crates/rule.rs", "2");
  await expect(checkedOutSources(git)).rejects.toThrow("changes to commit");
  expect(await sourceCommit(git)).toBe(first);
  const second = await commit();
  expect(await checkedOutSources(git)).toBe(second);
});

it("refuses a folder without a commit", async () => {
  const { git } = await repository();
  await expect(sourceCommit(git)).rejects.toThrow("needs a commit");
});
