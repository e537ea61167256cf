/** Several sources at once: one falls silent, one is cut off, and the last one is enough. */
import { beforeAll, expect, test } from "vitest";
import { expectSame } from "../testkit/nodeFacts.ts";
import { genesisHashOf } from "../testkit/nodeStore.ts";
import { PATIENCE_MS, WHOLE } from "../testkit/networkSizes.ts";
import { Scene, storedChain, type StoredChain } from "../testkit/scene.ts";
import { PERFECT_LINE, type TcpProxy } from "../testkit/tcpProxy.ts";

/** Slow enough that each stage lasts longer than what the test does in it. */
const SLOW = { ...PERFECT_LINE, delayMs: 5, bytesPerSecond: 300_000 };
const SOURCES = ["first", "second", "third"];
/** Bytes that a peer gets and sends without being asked for blocks. */
const SMALL_TALK = 20_000;

let chain: StoredChain;
beforeAll(async () => {
  chain = await storedChain(WHOLE);
});

/** The line that most went through since it was last looked at. */
function busiest(lines: readonly TcpProxy[], before: ReadonlyMap<TcpProxy, number>): TcpProxy {
  const passedOf = (line: TcpProxy): number => line.passed - (before.get(line) ?? 0);
  const [most] = lines.toSorted((a, b) => passedOf(b) - passedOf(a));
  if (most === undefined) throw new Error("there are no lines");
  return most;
}

test("a source that falls silent and one that is cut off are replaced", async () => {
  const scene = new Scene(WHOLE.profile);
  for (const name of SOURCES) scene.copyStore({ from: chain.path, name });
  const sources = await Promise.all(SOURCES.map((name) => scene.node({ name })));
  const lines = await Promise.all(sources.map((node) => scene.line(node.peerPort, SLOW)));
  const peers = lines.map(({ port }) => port);
  const fresh = await scene.node({ name: "fresh", peers });
  await fresh.line(/"stage":"headers".*a stage begins/, PATIENCE_MS);
  const silent = busiest(lines, new Map());
  silent.fallSilent();
  const left = lines.filter((line) => line !== silent);
  const before = new Map(left.map((line) => [line, line.passed]));
  await fresh.line(/"stage":"bodies".*a stage begins/, PATIENCE_MS);
  const cut = busiest(left, before);
  cut.cut();
  const [last] = left.filter((line) => line !== cut);
  const third = sources[last === undefined ? 0 : lines.indexOf(last)];
  if (third === undefined || last === undefined) throw new Error("there is no third source");
  const recordsAfter = genesisHashOf(scene.profile);
  await expectSame(fresh, third, { recordsAfter, limitMs: PATIENCE_MS });
  expect(last.passed - (before.get(last) ?? 0)).toBeGreaterThan(SMALL_TALK);
});
