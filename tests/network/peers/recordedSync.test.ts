/** A recorded initial sync of a node that none of us wrote, played back to a fresh node of ours. */
import * as v from "valibot";
import { expect, test } from "vitest";
import { decodeHex } from "@svc/shared/base/hex.ts";
import type { TipAnswer } from "@svc/shared/protocol/facts/tipFacts.ts";
import { IS_FULL } from "@svc/node-server/platform/testkit/testRun.ts";
import { recordedWire, recordedWireProfile } from "../../vectors/recordedWire.ts";
import { chargeFor } from "./charges.ts";
import { readLinkEnd } from "./linkEnds.ts";
import type { NodeProcess } from "../testkit/nodeProcess.ts";
import { expectSoundStore } from "../testkit/nodeStore.ts";
import { PATIENCE_MS } from "../testkit/networkSizes.ts";
import { allLies, Liar, oneLieOfEachStage, UNBOUND, type Lie } from "./recordedLies.ts";
import { RecordedPeer, Recording } from "./recordedPeer.ts";
import { Scene } from "../testkit/scene.ts";

const recording = new Recording(
  recordedWire().map(({ from, hex }) => ({ from, bytes: decodeHex(hex) })),
);
const profile = recordedWireProfile();
const network = v.parse(v.object({ networkName: v.string() }), JSON.parse(profile)).networkName;

function reachesSink(fresh: NodeProcess): Promise<TipAnswer> {
  return fresh.untilTip("the sink", ({ sink }) => sink === recording.sink, PATIENCE_MS);
}

test("a recorded source brings a fresh node to the recorded sink", async () => {
  const scene = new Scene(profile);
  const source = await RecordedPeer.start(recording, { network, tamper: (bytes) => bytes });
  const fresh = await scene.node({ name: "fresh", peers: [source.port] });
  const tip = await reachesSink(fresh);
  expect(tip.pruningPoint).not.toBe(tip.genesis);
  await fresh.stop();
  await source.stop();
  await expectSoundStore(scene, "fresh");
});

/** One attempt to catch up with a liar. */
async function refuses(scene: Scene, fresh: NodeProcess, lie: Lie): Promise<void> {
  const { sink } = await fresh.tip();
  const liar = new Liar(lie, scene.random);
  const source = await RecordedPeer.start(recording, { network, tamper: liar.tamper });
  const settled = fresh.nextLine(/"a link ended"|"caught up"/, PATIENCE_MS);
  await fresh.addPeer(source.port);
  const line = await settled;
  const what = `${lie.name}: ${liar.told}: ${line}`;
  expect(liar.told, what).not.toBeNull();
  expect(line, what).not.toContain('"caught up"');
  const { code, penalty } = readLinkEnd(line);
  expect(penalty, what).toBe(chargeFor(code));
  await source.stop();
  if (lie.name !== "blockBody") expect((await fresh.tip()).sink, what).toBe(sink);
}

test("each recorded answer altered in one field is refused", async () => {
  const scene = new Scene(profile);
  const fresh = await scene.node({ name: "fresh" });
  const lies = IS_FULL ? allLies(recording) : oneLieOfEachStage(scene.random);
  for (const lie of lies) await refuses(scene, fresh, lie);
  const source = await RecordedPeer.start(recording, { network, tamper: (bytes) => bytes });
  await fresh.addPeer(source.port);
  await reachesSink(fresh);
  await source.stop();
});

test.skipIf(!IS_FULL)("what nothing binds changes nothing", async () => {
  const scene = new Scene(profile);
  const liars = UNBOUND.map(
    ([name, field]) => new Liar({ name, isField: (path) => field.test(path) }, scene.random),
  );
  const tamper = (bytes: Uint8Array): Uint8Array =>
    liars.reduce((altered, liar) => liar.tamper(altered), bytes);
  const source = await RecordedPeer.start(recording, { network, tamper });
  const fresh = await scene.node({ name: "fresh", peers: [source.port] });
  await reachesSink(fresh);
  expect(liars.map(({ told }) => told)).not.toContain(null);
  await fresh.stop();
  await source.stop();
  await expectSoundStore(scene, "fresh");
});
