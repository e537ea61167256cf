/**
 * Fuzz targets: the core's own decoders behind the WebAssembly binding. A trap would end the instance, and with it a node
 * or a wallet.
 */
import { loadCoreFile } from "@svc/node-server/platform/files/wasmFiles.ts";
import { equalBytes } from "@svc/shared/base/bytes.ts";
import { callCore } from "@svc/shared/core/callCore.ts";
import { readPaymentFixture } from "../fixtures/payments/paymentFixture.ts";
import type { Decoder } from "./fuzzDecoder.ts";

const EMPTY_TREE = new Uint8Array(41);
/** A frontier without leaves, and one with a leaf. */
const trees = [EMPTY_TREE, Uint8Array.of(1, ...new Uint8Array(7), 5, ...new Uint8Array(32))];

/** All decoders of the core. */
export async function coreDecoders(): Promise<readonly Decoder[]> {
  const core = await loadCoreFile();
  const { trunk, branch, payment } = readPaymentFixture();
  const profile = callCore(() => core.builtInProfile("simnet"));
  const blocks = [trunk[0], branch[0]].filter((block) => block !== undefined);
  return [
    {
      name: "core: hashes of a block",
      seeds: blocks,
      run: (bytes) => void callCore(() => core.computeHashes(bytes)),
    },
    {
      name: "core: summary of a payment",
      seeds: [payment("first").raw],
      weight: 20,
      run: (bytes) => void callCore(() => core.transactionSummary(profile, bytes, 1n)),
    },
    {
      name: "core: frame of a payment",
      seeds: [payment("first").raw],
      weight: 20,
      run: (bytes) => void callCore(() => core.mempoolFrame(profile, bytes, 1n)),
    },
    {
      name: "core: note tree",
      seeds: trees,
      run: (bytes) => {
        const tree = callCore(() => new core.NoteTree(bytes));
        try {
          const size = callCore(() => tree.size());
          callCore(() => tree.root(size));
          callCore(() => tree.toBytes());
        } finally {
          tree.free();
        }
      },
    },
    {
      name: "core: subtree of a note tree",
      seeds: [new Uint8Array(32), new Uint8Array(7 * 32)],
      run: (bytes) => {
        const tree = callCore(() => new core.NoteTree(EMPTY_TREE));
        try {
          callCore(() => tree.appendSubtree(bytes));
          const height = Math.log2(Number(tree.size()));
          const again = callCore(() => tree.subtree(0n, height));
          if (!equalBytes(again, bytes)) throw new Error("another subtree came back");
        } finally {
          tree.free();
        }
      },
    },
  ];
}
