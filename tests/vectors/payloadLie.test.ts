/**
 * A payment whose ciphertext somebody changed, under a header that nobody mined: the header commits to it, and where its block stands tells
 * (docs/design/light-client.md, "Ciphertexts").
 */
import { readFileSync } from "node:fs";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { loadCoreFile } from "@svc/node-server/platform/files/wasmFiles.ts";
import { asBlockHash, asBlueScore, asTxId } from "@svc/shared/base/brand.ts";
import { decodeHex, encodeHex } from "@svc/shared/base/hex.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { callCore } from "@svc/shared/core/callCore.ts";
import { CoreJudge } from "@svc/shared/light/coreJudge.ts";
import { takeEvidence } from "@svc/shared/wallet/sync/evidenceTaker.ts";
import { ChainModel, freshWallet } from "@svc/shared/wallet/testkit/chainModel.ts";
import { ModelEvidence, modelEvidence } from "@svc/shared/wallet/testkit/modelEvidence.ts";
import { FoldTree } from "@svc/shared/wallet/testkit/ports.ts";

const bytes = v.pipe(
  v.string(),
  v.transform((hex) => decodeHex(hex).slice()),
);
const payment = v.object({ block: v.string(), shown: bytes, record: bytes });
const { profile, blueScore, honest, lie, tip, membership } = v.parse(
  v.object({
    profile: v.record(v.string(), v.unknown()),
    blueScore: v.string(),
    honest: payment,
    lie: payment,
    tip: v.object({ block: v.string(), opening: bytes, run: bytes }),
    membership: bytes,
  }),
  JSON.parse(readFileSync(new URL("payload-lie.json", import.meta.url), "utf8")),
);
const core = await loadCoreFile();
const judge = new CoreJudge(core, JSON.stringify(profile));

/** A wallet is shown the tip, and where a drawn payment's block stands: the code of what it finds wrong. */
function taken(block: string, path: Uint8Array): string {
  const state = freshWallet();
  const { birthday } = state.account;
  const source = new ModelEvidence(new ChainModel());
  const model = modelEvidence(source, source.model);
  const parts = { ...model, judge, checkpoint: null };
  // The pages of this wallet have another block in the place of the opened one, which is found after the draws.
  const plan = { block: birthday, child: asBlockHash(tip.block), tip: birthday };
  const place = { hash: asBlockHash(block), blueScore: asBlueScore(BigInt(blueScore)) };
  const txid = asTxId(encodeHex(honest.record.subarray(0, 32)));
  const drawn = [{ block: { ...birthday, ...place }, txid, membership: path }];
  const asked = { type: "tip", reach: "near", start: null, due: asBlueScore(0n) } as const;
  const tree = new FoldTree(new Uint8Array());
  try {
    takeEvidence(parts, { state, tree }, { ...asked, plan, drawn, shown: tip }, 0n);
  } catch (error) {
    return SvcError.from(error).code;
  }
  throw new Error("the opened block is another one");
}

describe("a payment under a header", () => {
  it("is the one of the header, also of one that nobody mined", () => {
    for (const { block, shown, record } of [honest, lie]) {
      expect(encodeHex(callCore(() => core.checkPayload(block, shown)))).toBe(encodeHex(record));
    }
    expect(lie.block).not.toBe(honest.block);
    expect(encodeHex(lie.record)).not.toBe(encodeHex(honest.record));
  });

  it("has one block, and that stands in the log of the chain", () => {
    const broken = membership.slice();
    broken[40] = (broken[40] ?? 0) ^ 1;
    const [found, refused] = judge.members(null, tip, [membership, broken]);
    expect(found).toMatchObject({ block: honest.block, blueScore: BigInt(blueScore) });
    expect(SvcError.from(refused).code).toBe("evidence/not-member");
  });

  it("binds a drawn payment under its own block, and none under another", () => {
    expect(taken(honest.block, membership)).toBe("evidence/other-header");
    expect(taken(lie.block, membership)).toBe("evidence/other-payload");
    expect(taken(honest.block, membership.subarray(1))).toBe("evidence/other-payload");
  });
});
