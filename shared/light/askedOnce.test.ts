import { expect, it } from "vitest";
import { asBlockHash, type BlockHash } from "../base/brand.ts";
import { SvcError } from "../base/svcError.ts";
import { rejectionCode } from "../base/testkit/rejectionCode.ts";
import { askedOnce } from "./askedOnce.ts";
import type { EvidencePort } from "./evidencePort.ts";

const [A, B] = ["aa", "bb"].map((byte) => asBlockHash(byte.repeat(32)));
const never = new AbortController().signal;

/** A node that writes down what it is asked, and has no run. */
class AskedNode implements EvidencePort {
  readonly asked: string[] = [];

  async opening(of: BlockHash, part: string): Promise<Uint8Array> {
    this.asked.push(`opening ${of} ${part}`);
    return new Uint8Array([1]);
  }

  async membership(of: BlockHash, at: BlockHash): Promise<Uint8Array> {
    this.asked.push(`membership ${of} ${at}`);
    return new Uint8Array([2]);
  }

  async run(): Promise<Uint8Array> {
    this.asked.push("run");
    throw new SvcError("chain/pruned", { hash: "" });
  }
}

it("asks for each piece once, and for other pieces too", async () => {
  const node = new AskedNode();
  const once = askedOnce(node);
  if (A === undefined || B === undefined) throw new Error("two hashes");
  for (let time = 0; time < 2; time += 1) {
    // oxlint-disable-next-line no-await-in-loop -- one question after another, as a receipt is made
    expect(await once.opening(A, "digest", never)).toEqual(new Uint8Array([1]));
    expect(await once.membership(A, B, never)).toEqual(new Uint8Array([2]));
    expect(await rejectionCode(once.run(A, B, never))).toBe("chain/pruned");
  }
  await once.membership(B, A, never);
  expect(node.asked).toHaveLength(4);
});
