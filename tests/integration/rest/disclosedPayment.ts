/** Test helper: what a payer discloses of a recorded payment to `bob`. */
import type { RunningNode } from "@svc/node-server/app/node/node.ts";
import { readContainer } from "@svc/shared/protocol/http/recordContainer.ts";
import type { PaymentProof } from "@svc/shared/signer/paymentProof.ts";
import { readScanFacts } from "@svc/shared/wallet/state/scanFacts.ts";
import { readPaymentFixture, seedBytes } from "../../fixtures/payments/paymentFixture.ts";
import { core } from "../engine/engineFixture.ts";

const fixture = readPaymentFixture();

/** What the payee's key reads of a payment that this node has applied: the payer discloses the same. Throws where it has not. */
export async function disclosedPayment(node: RunningNode, txid: string): Promise<PaymentProof> {
  const answer = await fetch(`${node.httpAddress}/v1/blocks?after=${fixture.genesis}`);
  const { body, count } = readContainer(new Uint8Array(await answer.arrayBuffer()), 2_000);
  const viewing = core.fullViewingKey(seedBytes(fixture.owners.bob.seed));
  const scanner = new core.Scanner(core.builtInProfile(fixture.profile), viewing);
  const { blocks: scanned } = readScanFacts(scanner.scanRecords(body, count));
  const notes = scanned.flatMap((block) => block.notes);
  const note = notes.find((one) => one.txid === txid && one.kind === "received");
  if (note === undefined) throw new Error("bob received nothing");
  const { outputIndex: index, recipient, value, rseed } = note;
  return { txid: note.txid, index, recipient, value, rseed };
}
