import { expect, test } from "vitest";
import type { NodeEvent } from "../../engine/host/engineHost.ts";
import { fakeTip } from "../../rpc/testkit/fakeNode.ts";
import { RuleChangeMonitor, type RuleChangeMonitorParts } from "./ruleChangeMonitor.ts";

const HEIGHT = 200_000;

/** Lines of the log while a chain passes from one height to others. */
async function said(from: number, heights: readonly number[]): Promise<string[]> {
  const lines: string[] = [];
  let tell: (event: NodeEvent) => void = () => {};
  const engine = {
    ask: async () => JSON.stringify({ ...JSON.parse(fakeTip(1)), daaScore: String(from) }),
    onEvent: (listener: (event: NodeEvent) => void) => {
      tell = listener;
      return () => (tell = () => {});
    },
  };
  const info = (facts: { names: string[]; blocksLeft?: bigint }) =>
    lines.push(`${facts.names.join()} ${facts.blocksLeft ?? "now"}`);
  const profile = { activations: { securityFork: HEIGHT, devFeeEnd: HEIGHT, toccata: 0 } };
  const watch = new RuleChangeMonitor({
    engine,
    profile,
    log: { info },
  } as unknown as RuleChangeMonitorParts);
  await watch.start();
  for (const height of heights)
    tell({ type: "virtualChanged", daaScore: BigInt(height) } as NodeEvent);
  watch.stop();
  tell({ type: "virtualChanged", daaScore: BigInt(HEIGHT) } as NodeEvent);
  return lines;
}

test("a node says how far a change of rules is, whenever the distance has halved, and when it has come", async () => {
  const heights = [99_999, 100_000, 100_001, 150_000, 150_001, 199_000, 199_999, 200_000, 200_001];
  const names = "securityFork,devFeeEnd";
  expect(await said(50_000, heights)).toEqual(
    [100_000, 50_000, 1_000, 1, "now"].map((left) => `${names} ${left}`),
  );
});

test("a node that starts between speaks at once, one that starts later never", async () => {
  expect(await said(199_950, [])).toEqual(["securityFork,devFeeEnd 50"]);
  expect(await said(HEIGHT, [HEIGHT + 1])).toEqual([]);
});
