import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { describe, it } from "node:test";
import { isSigned } from "../src/webhook/webhookSignature.ts";

const BODY = Buffer.from('{"id":"evt_1"}');
const NOW = 1_700_000_000;
const NONE = { svc: undefined, id: undefined, timestamp: undefined, signature: undefined };

function svc(secret: string, time: number): string {
  return createHmac("sha256", secret).update(`${time}.`).update(BODY).digest("hex");
}

describe("a signature", () => {
  it("is taken within five minutes either way", () => {
    for (const [off, isRight] of [
      [0, true],
      [300, true],
      [-300, true],
      [301, false],
      [-301, false],
    ] as const) {
      const time = NOW + off;
      const headers = { ...NONE, svc: `t=${time},v1=${svc("s", time)}` };
      assert.equal(isSigned("s", headers, BODY, NOW), isRight, String(off));
    }
  });

  it("is one of several while a secret is replaced", () => {
    const header = `t=${NOW},v1=${svc("old", NOW)},v1=${svc("new", NOW)}`;
    for (const secret of ["old", "new"]) {
      assert.ok(isSigned(secret, { ...NONE, svc: header }, BODY, NOW));
    }
    assert.ok(!isSigned("other", { ...NONE, svc: header }, BODY, NOW));
  });

  it("by an empty secret is none", () => {
    for (const secret of ["", " "]) {
      const header = `t=${NOW},v1=${svc(secret, NOW)}`;
      assert.ok(!isSigned(secret, { ...NONE, svc: header }, BODY, NOW));
    }
  });

  it("has one time, one form and a bound", () => {
    const right = svc("s", NOW);
    const wrong = [
      "",
      `v1=${right}`,
      `t=${NOW}`,
      `t=${NOW},t=${NOW},v1=${right}`,
      `t=${NOW},v1=${right.toUpperCase()}`,
      `t=${NOW},v1=${right.slice(1)}`,
      `t=+${NOW},v1=${right}`,
      `t=${NOW},v0=${right}`,
      `t=${NOW}${`,v1=${right}`.repeat(20)}`,
    ];
    for (const header of wrong)
      assert.ok(!isSigned("s", { ...NONE, svc: header }, BODY, NOW), header);
  });
});
