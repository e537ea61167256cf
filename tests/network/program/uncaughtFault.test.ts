/** A fault that nothing caught, in the whole program: it is logged, and the node stops cleanly and never goes on. */
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { EXIT_STATUS } from "@svc/node-server/app/program/exitStatus.ts";
import { PATIENCE_MS, pruneNetwork } from "../testkit/networkSizes.ts";
import { Scene } from "../testkit/scene.ts";

const THROWING = fileURLToPath(new URL("throwOnSignal.ts", import.meta.url));

test.each([
  ["exception", "SIGUSR2"],
  ["rejection", "SIGWINCH"],
] as const)("an uncaught %s stops the node cleanly, and it never goes on", async (_, signal) => {
  const scene = new Scene(pruneNetwork());
  const node = await scene.node({ name: "node", imports: [THROWING] });
  const logged = node.line(/"code":"internal\/unexpected".*ends the program/, PATIENCE_MS);
  const clean = node.line(/stopped, the store is clean/, PATIENCE_MS);
  process.kill(node.pid, signal);
  expect(await logged).toContain("a defect of the test");
  await clean;
  expect(await node.ended()).toBe(EXIT_STATUS.fault);
  await expect(fetch(`${node.http}/v1/tip`)).rejects.toThrow("fetch failed");
  const again = await scene.node({ name: "node" });
  expect((await again.tip()).blockCount).toBe(1n);
});
