import { describe, expect, it } from "vitest";
import { asBlockHash, asSompi } from "@svc/shared/base/brand.ts";
import { codeOf } from "@svc/shared/base/testkit/codeOf.ts";
import { applyFacts } from "@svc/shared/wallet/reduce/applyFacts.ts";
import {
  cursorOf,
  newWallet,
  type ChainBlock,
  type WalletState,
} from "@svc/shared/wallet/state/walletState.ts";
import { encodeWalletState } from "@svc/shared/wallet/state/walletStateCodec.ts";
import { ChainModel, freshWallet, TEST_POLICY } from "@svc/shared/wallet/testkit/chainModel.ts";
import {
  advance,
  eventsToMempool,
  payeeOf,
  withPlanned,
} from "@svc/shared/wallet/testkit/payments.ts";
import { graftState } from "./graftState.ts";

const NONE: ReadonlySet<string> = new Set();

/** A chain in which the wallet mines a note in every block. */
function minedChain(blocks: number): ChainModel {
  const model = new ChainModel();
  for (let index = 1; index <= blocks; index += 1)
    model.add({ mined: [3_000_000n + BigInt(index)] });
  return model;
}

/** The state of a scan from one block to another. */
function scanned(model: ChainModel, from: number, to: number): WalletState {
  const fresh = freshWallet();
  const birthday = from === 0 ? fresh.account.birthday : cursorOf(continued(fresh, model, 1, from));
  return continued(newWallet({ ...fresh.account, birthday }), model, from + 1, to);
}

function continued(state: WalletState, model: ChainModel, from: number, to: number): WalletState {
  let next = state;
  for (let index = from; index <= to; index += 1) {
    next = applyFacts(next, model.page(index, index), TEST_POLICY);
  }
  return next;
}

const refusal = (older: WalletState, present: WalletState): string =>
  codeOf(() => graftState({ older, present, stored: NONE }));

describe("a graft", () => {
  it("and the scan that follows come to the state that lost nothing", () => {
    const model = minedChain(40);
    const spent = scanned(model, 0, 5).notes.slice(0, 2);
    // A payment of notes that the later scan does not know: it takes them for somebody else's.
    const [first, second] = spent;
    const spends = [first, second].flatMap((note) => (note === undefined ? [] : [note.nullifier]));
    model.add({ txs: [{ txid: model.txid(), spends, outputs: [{ value: 1n }] }] });
    model.addEmpty(5);
    const whole = scanned(model, 0, 46);
    const [older, present] = [scanned(model, 0, 30), scanned(model, 20, 46)];
    const { state, restored } = graftState({ older, present, stored: NONE });
    expect(restored).toMatchObject({ notes: 20, history: 20, birthday: true, payments: [] });
    expect(cursorOf(state)).toEqual(cursorOf(older));
    expect(encodeWalletState(continued(state, model, 31, 46))).toBe(encodeWalletState(whole));
  });

  it("brings back payments that left this machine, and keeps those of now", () => {
    const model = minedChain(40);
    const signed = (state: WalletState, id: string): WalletState =>
      advance(
        withPlanned(state, TEST_POLICY, { id, payees: [payeeOf(1n)] }),
        id,
        eventsToMempool(model.txid()),
      );
    const older = signed(signed(scanned(model, 0, 30), "lost"), "stored");
    const drafted = withPlanned(older, TEST_POLICY, { id: "draft", payees: [payeeOf(1n)] });
    const present = signed(scanned(model, 10, 40), "own");
    const stored = new Set(["stored"]);
    const { state, restored } = graftState({ older: drafted, present, stored });
    expect(restored.payments.map(({ id }) => id)).toEqual(["lost"]);
    expect(new Set(state.outbox.map(({ id }) => id))).toEqual(new Set(["own", "lost"]));
  });

  it("takes the older block where the present scan has not come so far", () => {
    const model = minedChain(40);
    const [older, present] = [scanned(model, 0, 40), scanned(model, 20, 25)];
    const { state } = graftState({ older, present, stored: NONE });
    expect(encodeWalletState(state)).toBe(encodeWalletState(older));
  });

  it("of what the present scan has is refused", () => {
    const model = minedChain(30);
    expect(refusal(scanned(model, 0, 20), scanned(model, 0, 30))).toBe("wallet/graft-refused");
    expect(refusal(scanned(model, 5, 20), scanned(model, 0, 30))).toBe("wallet/graft-refused");
  });

  it("over blocks that neither has scanned is refused", () => {
    const model = minedChain(30);
    expect(refusal(scanned(model, 0, 10), scanned(model, 11, 30))).toBe("wallet/graft-refused");
    expect(refusal(scanned(model, 0, 11), scanned(model, 11, 30))).toBe("none");
  });

  const lies: readonly (readonly [string, (state: WalletState) => WalletState])[] = [
    ["another block", (state) => withBlock(state, { hash: asBlockHash("ee".repeat(32)) })],
    ["another note at a position", (state) => withNotes(state, { value: asSompi(7_000n) })],
    [
      "one note twice",
      (state) => ({
        ...state,
        notes: state.notes.map((note) => ({
          ...note,
          nullifier: state.notes[0]?.nullifier ?? note.nullifier,
        })),
      }),
    ],
    [
      "a spend that the present scan would have seen",
      (state) => {
        const { txid } = state.notes[0] ?? expect.unreachable();
        return withNotes(state, { spentBy: { txid, chainIndex: cursorOf(state).chainIndex } });
      },
    ],
  ];
  it.each(lies)("with %s is refused", (_, lie) => {
    const model = minedChain(40);
    const present = scanned(model, 20, 40);
    expect(refusal(scanned(model, 0, 30), present)).toBe("none");
    expect(refusal(lie(scanned(model, 0, 30)), present)).toBe("wallet/graft-refused");
  });
});

function withBlock(state: WalletState, change: Partial<ChainBlock>): WalletState {
  return { ...state, blocks: state.blocks.map((block) => ({ ...block, ...change })) };
}

function withNotes(state: WalletState, change: Partial<WalletState["notes"][number]>): WalletState {
  return { ...state, notes: state.notes.map((note) => ({ ...note, ...change })) };
}
