/** A daemon that hashes what it changed, as an honest one hashes its own: it gets nothing signed but the confirmed payment. */
import { describe, expect, it } from "vitest";
import { encodeHex } from "@svc/shared/base/hex.ts";
import { sighash as recompute, signedPart } from "../vectors/independent.ts";
import type { Answer } from "./daemonModel.ts";
import { payScene } from "./payScene.ts";
import {
  HONEST,
  preparedOf,
  profileJson,
  REFUSED,
  toldOf,
  type SignerCase,
} from "./signerCases.ts";

const { answered, outcome } = payScene();

describe("a daemon that recomputes what it claims of the payment", () => {
  // What only chain and proof can judge. A payment with a false one is invalid, and is the confirmed one in all else.
  const beyondReach = [
    "another anchor than the sighash covers",
    "another anchor block than the sighash covers",
    "another key than the sighash covers",
  ];
  const cases = REFUSED.filter(
    ({ intent, name }) =>
      intent.mayLackProof &&
      name !== "a proof of another length" &&
      name !== "another sighash claimed",
  );

  it.each(cases.filter(({ name }) => !beyondReach.includes(name)))(
    "is refused all the same: $name",
    async (entry) => {
      expect(await outcome(adaptive(entry), toldOf(entry))).toBe(entry.code);
    },
  );

  it.each(cases.filter(({ name }) => beyondReach.includes(name)))(
    "gets the confirmed payment signed, and no other: $name",
    async (entry) => {
      expect(await outcome(adaptive(entry))).toBe("none");
      const [theirs, honest] = [preparedOf(entry), preparedOf(HONEST)].map(({ bundle }) =>
        signedPart(bundle),
      );
      const effects = (part: typeof theirs) => ({
        balance: part?.balance,
        // Nullifier, commitments and ciphertexts, without rk.
        actions: part?.actions.map((action) =>
          [action.subarray(0, 32), action.subarray(64, 820)].map(encodeHex),
        ),
      });
      expect(effects(theirs)).toEqual(effects(honest));
    },
  );

  /** The answer of a daemon that hashes what it changed, as an honest one hashes its own. */
  function adaptive(entry: SignerCase): Answer {
    const answer = answered(entry);
    answer.sighash = recomputedSighash(entry.bundle) ?? answer.sighash;
    return answer;
  }
});

/** The signature hash of a bundle by another program than the core; null for one that is cut too short. */
function recomputedSighash(bundle: Uint8Array): string | null {
  const { flags, balance, anchor, actions } = signedPart(bundle);
  if (actions.length === 0) return null;
  const { personalisation, genesis } = JSON.parse(profileJson);
  const block = (flags & 8) === 0 ? {} : { anchorBlock: encodeHex(bundle.subarray(-32)) };
  const parts = { flags, balance, anchor, actions, ...block };
  return recompute(personalisation.sighash, genesis.hash, parts);
}
