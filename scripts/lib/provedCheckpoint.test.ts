import { expect, it } from "vitest";
import { loadCoreFile } from "@svc/node-server/platform/files/wasmFiles.ts";
import { ManualClock } from "@svc/node-server/platform/time/clock.ts";
import { readPaymentFixture } from "../../tests/fixtures/payments/paymentFixture.ts";
import { never, startTestNode } from "../../tests/integration/node/nodeFixture.ts";
import { checkpointOf, readCheckpoints } from "@svc/shared/light/checkpointOf.ts";
import { provedCheckpoint } from "./provedCheckpoint.ts";

it("is the header that the node's evidence ends at", async () => {
  const fixture = readPaymentFixture();
  const core = await loadCoreFile();
  const clock = new ManualClock(fixture.firstBlockMs + 1_000_000n);
  const node = await startTestNode(null, { network: { name: fixture.profile }, clock });
  try {
    for (const raw of fixture.trunk.slice(0, 30)) await node.api.submitBlock(raw, never);
    const asked = { url: node.httpAddress ?? "", nowMs: clock.nowMs() };
    const { network, row } = await provedCheckpoint(core, asked, never);
    const digest = core.profileDigest(core.builtInProfile(fixture.profile));
    expect(network).toBe(`svc-${fixture.profile}`);
    expect([...readCheckpoints(row).keys()]).toEqual([digest]);
    expect(checkpointOf(digest, readCheckpoints(row))?.bits).toBe(0x207fffff);
  } finally {
    await node.stop();
  }
});
