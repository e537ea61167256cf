/** A node says whether its pool would take a payment, and the payment goes nowhere: not to the pool, not to a block, not to peers. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RunningNode } from "@svc/node-server/app/node/node.ts";
import { GrpcNode } from "@svc/node-server/client/grpcNode.ts";
import { asTxId } from "@svc/shared/base/brand.ts";
import { rejectionCode } from "@svc/shared/base/testkit/rejectionCode.ts";
import { readPaymentFixture } from "../../fixtures/payments/paymentFixture.ts";
import { core } from "../engine/engineFixture.ts";
import { never, startJudgingNode } from "../node/nodeFixture.ts";
import { withFalseProof, withStorageMass } from "./poolFixture.ts";

const fixture = readPaymentFixture();
const waiting = fixture.payment("waiting");

let node: RunningNode;
let port: GrpcNode;

beforeAll(async () => {
  node = await startJudgingNode(null);
  for (const raw of fixture.trunk.slice(0, fixture.forkIndex)) {
    await node.api.submitBlock(raw, never);
  }
  port = new GrpcNode(node.grpcAddress ?? "");
});
afterAll(async () => {
  port.close();
  await node.stop();
});

const probe = (raw: Uint8Array): Promise<void> =>
  port.probe(raw, asTxId(core.transactionId(raw)), never);

describe("a payment that is asked about", () => {
  it("would be taken, and is not: the pool stays empty, and a second question is answered the same", async () => {
    await probe(waiting.raw);
    await probe(waiting.raw);
    expect(node.api.waiting()).toEqual([]);
  });

  it("is refused for a false proof, a mass that it does not have, and bytes that are none", async () => {
    expect(await rejectionCode(probe(withFalseProof(waiting.raw, 1)))).toBe(
      "shielded/proof-invalid",
    );
    expect(await rejectionCode(probe(withStorageMass(waiting.raw)))).toBe(
      "tx/storage-mass-not-zero",
    );
    expect(node.api.waiting()).toEqual([]);
  });

  it("is refused where it waits already, and where a block has spent its notes", async () => {
    await port.submit(waiting.raw, never);
    expect(await rejectionCode(probe(waiting.raw))).toBe("mempool/duplicate");
    const { raw } = fixture.payment("plain");
    await probe(raw);
    for (const block of fixture.trunk.slice(fixture.forkIndex)) {
      await node.api.submitBlock(block, never);
    }
    expect(await rejectionCode(probe(raw))).toBe("tx/nullifier-spent");
  });
});
