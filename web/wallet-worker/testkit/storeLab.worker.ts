/** Entry of the worker behind `storePage`: the wallet's store over the browser's IndexedDB. */
import "../../threads/disposePolyfill.ts";
import * as glue from "../../../wasm-core/pkg/core/core.js";
import { loadCore } from "@svc/shared/core/loadCore.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { coreModule } from "../../node/wasmModules.ts";
import { runStoreCase } from "./storeRules.ts";
import { damageRecord, loadStored, putStored, setKey, storedSizes } from "./storedRecords.ts";
import { LongWallet } from "./longWallet.ts";
import { walletsCalls } from "./storedWallets.ts";

type Call = { readonly id: number; readonly name: string; readonly args: readonly unknown[] };

let wallet: LongWallet | null = null;

async function longWallet(): Promise<LongWallet> {
  wallet ??= new LongWallet(loadCore(glue, await coreModule()));
  return wallet;
}

const CALLS: Readonly<Record<string, (...args: readonly unknown[]) => Promise<unknown>>> = {
  rule: (name) => runStoreCase(String(name)),
  damage: (kind) => damageRecord(String(kind)),
  put: (stored) => putStored(stored),
  key: (dataKey) => setKey(String(dataKey)),
  load: () => loadStored(),
  sizes: () => storedSizes(),
  fill: async (notes) => (await longWallet()).fill(Number(notes)),
  ready: async () => void (await longWallet()),
  open: async () => (await longWallet()).open(),
  block: async () => (await longWallet()).block(),
  ...walletsCalls,
};

addEventListener("message", ({ data }: MessageEvent<Call>) => {
  const call = CALLS[data.name];
  const done = call === undefined ? Promise.reject(new Error("no such call")) : call(...data.args);
  done.then(
    (value) => postMessage({ id: data.id, value }),
    (thrown: unknown) => postMessage({ id: data.id, fault: faultOf(thrown) }),
  );
});

function faultOf(thrown: unknown): string {
  if (thrown instanceof SvcError) return `${thrown.code} ${JSON.stringify(thrown.data)}`;
  return thrown instanceof Error ? thrown.message : String(thrown);
}
