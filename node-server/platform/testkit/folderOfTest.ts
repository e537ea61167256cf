/** Temporary folder of one test. */
import { onTestFinished } from "vitest";
import { temporaryFolder } from "./temporaryFolder.ts";

/** Makes an empty folder that ends with the test which runs, or whose hook runs, and returns its path. */
export function folderOfTest(): string {
  const { path, remove } = temporaryFolder();
  onTestFinished(remove);
  return path;
}
