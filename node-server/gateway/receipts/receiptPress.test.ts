import { describe, expect, it } from "vitest";
import { asChainIndex, asLeafPosition } from "@svc/shared/base/brand.ts";
import { concatBytes } from "@svc/shared/base/bytes.ts";
import { encodeHex } from "@svc/shared/base/hex.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { rejectionCode } from "@svc/shared/base/testkit/rejectionCode.ts";
import { INVOICE_LIMITS } from "@svc/shared/invoice/invoiceLimits.ts";
import { EMPTY_TREE } from "@svc/shared/protocol/raw/treeState.ts";
import { loadCoreFile } from "../../platform/files/wasmFiles.ts";
import { GATEWAY_LIMITS } from "../gatewayLimits.ts";
import { openTree, rebasedTree } from "../proof/provedTree.ts";
import { fakeReceipts, madeOf, paidNote } from "../testkit/paidNotes.ts";
import { ReceiptPress } from "./receiptPress.ts";
import type { NoteRow } from "./receiptTable.ts";

const core = await loadCoreFile();
const never = new AbortController().signal;
const LEAVES = 100;
const PATH_BYTES = 32 * 32;

/** Small leaves, which are in the field. */
function leafOf(number: number): Uint8Array {
  const leaf = new Uint8Array(32);
  new DataView(leaf.buffer).setUint32(0, number + 2, true);
  return leaf;
}

const leaves = concatBytes(...Array.from({ length: LEAVES }, (_, number) => leafOf(number)));
const full = openTree(core, encodeHex(EMPTY_TREE), [leaves]);

function rowOf(payment: number, block: number, work: bigint | null = null): NoteRow {
  const made = work === null ? null : { state: asChainIndex(BigInt(block)), work };
  return { ...paidNote(payment, block), made };
}

/** A press over these payments, and what it told. */
function pressOf(rows: readonly NoteRow[], work = 10n) {
  const faults: SvcError[] = [];
  const asked: number[] = [];
  const receipts = fakeReceipts(() => work);
  const parts = {
    receipts,
    payments: {
      *open(_state: bigint, most: number) {
        asked.push(most);
        yield* rows;
      },
    },
    onFault: (error: SvcError) => void faults.push(error),
  };
  return { parts, faults, asked, press: new ReceiptPress(parts) };
}

function stateAt(block: number, tree: Parameters<ReceiptPress["made"]>[0]["tree"] = full) {
  const place = { chainIndex: asChainIndex(BigInt(block)), leafEnd: asLeafPosition(BigInt(block)) };
  return { block: place, opening: new TextEncoder().encode(`opening ${block}`), tree };
}

describe("receipts of a proved state", () => {
  it("have the path of the whole tree, made from a frontier and the leaves above it", async () => {
    for (const base of [1, 13, 64, 99]) {
      const { tree } = rebasedTree(core, full, BigInt(base));
      for (const end of [base + 1, LEAVES]) {
        const rows = Array.from({ length: end - base }, (_, place) =>
          rowOf(place, base + 1 + place),
        );
        const made = await pressOf(rows).press.made(stateAt(end, tree), never);
        expect(made).toHaveLength(rows.length);
        for (const { paid, bytes } of made) {
          const { path } = madeOf(bytes);
          expect(path).toHaveLength(PATH_BYTES);
          expect(path).toEqual(full.path(BigInt(paid.note.position), BigInt(end)));
        }
      }
      tree.free();
    }
  });

  it("are those of payments that have none, and better ones by twice the work", async () => {
    const rows = [rowOf(1, 5), rowOf(2, 6, 5n), rowOf(3, 7, 6n), rowOf(4, 8, 100n), rowOf(5, 30)];
    const { press } = pressOf(rows, 10n);
    const made = await press.made(stateAt(20), never);
    expect(made.map(({ bytes }) => madeOf(bytes).payment)).toEqual([1, 2]);
    expect(made.map(({ state, work }) => [state, work])).toEqual([
      [20n, 10n],
      [20n, 10n],
    ]);
    expect(madeOf(made[0]?.bytes ?? null).opening).toBe("opening 20");
  });

  it("are not made where something does not hold, which is told and holds up no other", async () => {
    const { parts, faults } = pressOf([rowOf(1, 5), rowOf(2, 6), rowOf(3, 7)]);
    const { make } = parts.receipts;
    const press = new ReceiptPress({
      ...parts,
      receipts: {
        ...parts.receipts,
        make: (given) => {
          const { payment } = madeOf(make(given));
          if (payment === 1) throw new SvcError("evidence/not-in-tree", { root: "" });
          return payment === 2 ? new Uint8Array(INVOICE_LIMITS.receiptBytes + 1) : make(given);
        },
      },
    });
    const made = await press.made(stateAt(20), never);
    expect(made.map(({ bytes }) => madeOf(bytes).payment)).toEqual([3]);
    expect(faults.map(({ code }) => code)).toEqual([
      "evidence/not-in-tree",
      "codec/count-too-large",
    ]);
  });

  it("leave room for other work, are bounded for each state, and end with the program", async () => {
    const rows = Array.from({ length: 40 }, (_, payment) => rowOf(payment, payment + 1));
    const { press, asked } = pressOf(rows);
    let turns = 0;
    let isOver = false;
    const count = (): void => {
      turns += 1;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    expect(await press.made(stateAt(50), never)).toHaveLength(rows.length);
    isOver = true;
    expect(turns).toBeGreaterThanOrEqual(rows.length / GATEWAY_LIMITS.receiptsAtOnce - 1);
    expect(asked).toEqual([GATEWAY_LIMITS.receiptsAtState]);
    expect(await rejectionCode(press.made(stateAt(50), AbortSignal.abort()))).toBe("run/aborted");
  });
});
