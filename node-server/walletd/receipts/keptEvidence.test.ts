/** Evidence that is kept for the next receipts, and what becomes of a node's refusals. */
import { describe, expect, it } from "vitest";
import { asBlockHash } from "@svc/shared/base/brand.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { EvidencePort } from "@svc/shared/light/evidencePort.ts";
import { WALLETD_LIMITS } from "../walletdLimits.ts";
import { KeptEvidence } from "./keptEvidence.ts";

const [A, B] = [asBlockHash("aa".repeat(32)), asBlockHash("bb".repeat(32))];
const signal = new AbortController().signal;

/** A node that answers with so many bytes, or refuses; and what it was asked. */
function nodeWith(answer: number | Error): EvidencePort & { readonly asked: string[] } {
  const asked: string[] = [];
  const told = async (question: string): Promise<Uint8Array> => {
    asked.push(question);
    if (answer instanceof Error) throw answer;
    return new Uint8Array(answer);
  };
  return {
    asked,
    opening: (of, part) => told(`opening ${of} ${part}`),
    membership: (of, at) => told(`membership ${of} ${at}`),
    run: (from, to) => told(`run ${from} ${to}`),
  };
}

describe("evidence", () => {
  it("is asked for once, piece by piece, until it is forgotten", async () => {
    const node = nodeWith(10);
    const kept = new KeptEvidence(node);
    for (let round = 0; round < 3; round += 1) {
      await kept.opening(A, "digest", signal);
      await kept.opening(B, "digest", signal);
      await kept.membership(A, B, signal);
      await kept.run(A, B, signal);
    }
    expect(node.asked).toHaveLength(4);
    expect(new Set(node.asked).size).toBe(4);
    kept.forget();
    await kept.run(A, B, signal);
    expect(node.asked).toHaveLength(5);
  });

  it("is kept within its bound, whatever a node sends", async () => {
    const node = nodeWith(WALLETD_LIMITS.receiptEvidenceBytes + 1);
    const kept = new KeptEvidence(node);
    await kept.run(A, B, signal);
    await kept.run(A, B, signal);
    expect(node.asked).toHaveLength(2);
  });
});

describe("a refusal", () => {
  const refusal = async (error: Error): Promise<unknown> => {
    try {
      return await new KeptEvidence(nodeWith(error)).run(A, B, signal);
    } catch (thrown) {
      return thrown;
    }
  };

  it("is none of the daemon's own errors, whatever code the node gives it", async () => {
    for (const error of [
      new SvcError("wallet/no-wallet", {}),
      new SvcError("chain/unknown-block", { hash: A }),
      new SvcError("internal/unexpected", { message: "no" }),
    ]) {
      expect(await refusal(error)).toMatchObject({ code: "evidence/not-shown" });
    }
  });

  it("says what a receipt can do without, and that no node is there or none with evidence", async () => {
    for (const error of [
      new SvcError("chain/pruned", { hash: A }),
      new SvcError("evidence/not-member", { index: 1, count: 1 }),
      new SvcError("wallet/node-compact-only", { url: "127.0.0.1:1" }),
      new SvcError("wallet/node-unreachable", { url: "127.0.0.1:1" }),
      new SvcError("run/aborted", {}),
    ]) {
      expect(await refusal(error)).toBe(error);
    }
  });
});
