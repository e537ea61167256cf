/** Fuzz targets: decoders of text (addresses, links, amounts, answers of nodes, stored wallets), with their seed inputs. */
import { readFileSync } from "node:fs";
import * as v from "valibot";
import { loadCoreFile } from "@svc/node-server/platform/files/wasmFiles.ts";
import { parseHash32, parseRawAddress, parseU64 } from "@svc/shared/base/brand.ts";
import { decodeHex, encodeHex } from "@svc/shared/base/hex.ts";
import { formatCoins, parseCoins } from "@svc/shared/base/money.ts";
import { readProfile } from "@svc/shared/chain/profile.ts";
import { callCore } from "@svc/shared/core/callCore.ts";
import type { CoreGlue } from "@svc/shared/core/generated/coreGlue.ts";
import { applyFacts } from "@svc/shared/wallet/reduce/applyFacts.ts";
import { encodeMemo, readMemo } from "@svc/shared/wallet/state/memo.ts";
import {
  readNodeError,
  readStart,
  readSubmitted,
  readTip,
} from "@svc/shared/wallet/node/nodeAnswers.ts";
import { parsePaymentUri } from "@svc/shared/wallet/plan/paymentUri.ts";
import { readIncomingFacts } from "@svc/shared/wallet/state/incomingFacts.ts";
import { readScanFacts } from "@svc/shared/wallet/state/scanFacts.ts";
import { ChainModel, freshWallet, TEST_POLICY } from "@svc/shared/wallet/testkit/chainModel.ts";
import {
  advance,
  eventsToMempool,
  payeeOf,
  withPlanned,
} from "@svc/shared/wallet/testkit/payments.ts";
import { decodeWalletState, encodeWalletState } from "@svc/shared/wallet/state/walletStateCodec.ts";
import { readVaultHeader } from "@svc/web/keyring/vault.ts";
import type { Decoder } from "./fuzzDecoder.ts";

const HASH = "3c".repeat(32);
const bytesOf = (text: string) => new TextEncoder().encode(text);
const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

/** A decoder of text in the form of the others. */
function ofText(name: string, seeds: readonly string[], run: (text: string) => void): Decoder {
  return { name, seeds: seeds.map(bytesOf), run: (bytes) => run(textOf(bytes)), isText: true };
}

function same(found: unknown, expected: unknown): void {
  if (found !== expected) throw new Error("what was taken is not written");
}

const svcAddresses = v
  .parse(
    v.object({ valid: v.array(v.object({ hrp: v.string(), text: v.string() })) }),
    JSON.parse(
      readFileSync(new URL("../vectors/shielded-addresses.json", import.meta.url), "utf8"),
    ),
  )
  .valid.filter(({ hrp }) => hrp === "svc")
  .map(({ text }) => text);

function addresses(core: CoreGlue): Decoder {
  return ofText("address", svcAddresses, (text) => {
    const raw = callCore(() => core.decodeAddress("svc", text));
    same(
      callCore(() => core.encodeAddress("svc", raw)),
      text,
    );
  });
}

function paymentLinks(core: CoreGlue): Decoder {
  const [own = ""] = svcAddresses;
  const network = {
    hrp: "svc",
    decodeAddress: (hrp: string, text: string) => callCore(() => core.decodeAddress(hrp, text)),
  };
  const links = [
    own,
    `${own}?amount=12.5&memo=thanks%20a%20lot&label=Shop`,
    `${own}?amount=1&address.1=${own}&amount.1=0.00000001&memo64.1=aGk`,
    `${own}?amount=1&expires=1700000000`,
    `web+svc:${encodeURIComponent(`${own}?amount=1`)}`,
  ];
  return ofText("payment link", links, (text) => {
    const { payments } = parsePaymentUri(text, network);
    for (const { amount } of payments) {
      if (amount !== null) same(parseCoins(formatCoins(amount)), amount);
    }
  });
}

/** A wallet with notes and payments in several states. */
function walletText(): string {
  const model = new ChainModel();
  model.add({ mined: [500_000_000n, 300_000_000n], txs: [{ txid: model.txid() }] });
  model.addEmpty(12);
  let state = applyFacts(freshWallet(), model.page(1), TEST_POLICY);
  state = withPlanned(state, TEST_POLICY, { id: "a", payees: [payeeOf(400_000_000n)] });
  state = advance(state, "a", eventsToMempool(model.txid()));
  return encodeWalletState(state);
}

function wallets(): Decoder {
  return ofText("wallet state", [walletText(), encodeWalletState(freshWallet())], (text) => {
    const written = encodeWalletState(decodeWalletState(text));
    same(encodeWalletState(decodeWalletState(written)), written);
  });
}

const tip = JSON.stringify({
  genesis: HASH,
  profileDigest: HASH,
  sink: HASH,
  sinkBlueScore: "7",
  daaScore: "8",
  chainIndex: "6",
  treeSize: "18446744073709551615",
  treeRoot: HASH,
  historyFromDaaScore: "0",
  historyComplete: true,
});
const start = JSON.stringify({
  hash: HASH,
  chainIndex: "1024",
  blueScore: "2000",
  daaScore: "2001",
  timestamp: "1700000000000",
  tree: "00".repeat(41),
});
const nodeErrors = [
  '{"code":"chain/unknown-block","hash":"zz","error":"Not known."}',
  '{"code":"chain/not-on-chain","commonHash":{"deep":[1]},"chainIndex":null}',
];

function answers(): readonly Decoder[] {
  return [
    ofText("tip", [tip], (text) => void readTip(bytesOf(text))),
    ofText("start", [start], (text) => void readStart(bytesOf(text))),
    ofText("submitted", [`{"txid":"${HASH}"}`], (text) => void readSubmitted(bytesOf(text))),
    ofText("node error", nodeErrors, (text) => {
      const error = readNodeError("blocks", 500, bytesOf(text));
      same(typeof JSON.stringify(error), "string");
      // Every answer stands for an error; this one for an answer that was not understood.
      if (error.code === "http/unavailable") throw error;
    }),
    ofText("scan facts", ['{"blocks":[],"cmx":"00ff"}', scanFactsText()], (text) => {
      readScanFacts(text);
    }),
    ofText("incoming facts", ['{"blocks":[]}', incomingFactsText()], (text) => {
      const { blocks, found } = readIncomingFacts(text);
      for (const note of [...found.values()].flat()) same(blocks.includes(note.block), true);
    }),
  ];
}

function incomingFactsText(): string {
  const note = {
    key: 1,
    txid: HASH,
    outputIndex: 1,
    cmx: HASH,
    position: "4",
    rho: HASH,
    rseed: HASH,
    value: "5",
    recipient: "0a".repeat(43),
    addressIndex: 2 ** 31,
    memo: "6d",
  };
  const block = {
    hash: HASH,
    blueScore: "1",
    daaScore: "1",
    timestamp: "1",
    firstLeaf: "3",
    leaves: "2",
    notes: [note],
  };
  return JSON.stringify({ blocks: [block] });
}

function scanFactsText(): string {
  const note = {
    kind: "coinbase",
    position: "3",
    value: "5",
    recipient: "0a".repeat(43),
    addressIndex: 0,
    rho: HASH,
    rseed: HASH,
    cmx: HASH,
    nullifier: HASH,
    txid: HASH,
    outputIndex: 1,
    memo: "",
  };
  const block = {
    hash: HASH,
    index: null,
    blueScore: "1",
    daaScore: "2",
    timestamp: "3",
    firstLeaf: "3",
    leaves: "1",
    notes: [note],
    refused: 1,
    minted: "5",
    spent: "",
    txs: [{ txid: HASH, nullifiers: [HASH] }],
  };
  return JSON.stringify({ blocks: [block], cmx: HASH });
}

function profiles(core: CoreGlue): Decoder {
  const names = ["mainnet", "simnet"];
  const seeds = names.map((name) => callCore(() => core.builtInProfile(name)));
  return ofText("profile", seeds, (text) => {
    const canonical = callCore(() => core.canonicalProfile(text));
    readProfile(canonical);
    same(
      callCore(() => core.canonicalProfile(canonical)),
      canonical,
    );
  });
}

const vaultHeader = JSON.stringify({
  version: 1,
  id: "123e4567-e89b-42d3-a456-426614174000",
  network: HASH,
  kdf: { algorithm: "argon2id", memoryKib: 65_536, passes: 3, salt: "00".repeat(16) },
});

function small(): readonly Decoder[] {
  const none = new Uint8Array();
  return [
    ofText("coins", ["1", "12.34567890".slice(0, 11), "0.00000001"], (text) => {
      const amount = parseCoins(text);
      same(parseCoins(formatCoins(amount)), amount);
    }),
    ofText("hex", ["", "00ff"], (text) => same(encodeHex(decodeHex(text)), text)),
    ofText("hash", [HASH], (text) => same(parseHash32(text), text)),
    ofText("raw address", ["0a".repeat(43)], (text) => same(parseRawAddress(text), text)),
    ofText("number", ["0", "18446744073709551615"], (text) => same(String(parseU64(text)), text)),
    ofText("memo", ["", "f6", "6869", "ff00"], (text) => {
      const memo = readMemo(text);
      if (memo.kind === "text" && text.length <= 1_024)
        same(readMemo(encodeMemo(memo.text)).kind, "text");
    }),
    ofText("vault header", [vaultHeader], (header) => {
      readVaultHeader({ header, passSlot: none, seed: none });
    }),
  ];
}

/** All text decoders; addresses and profiles are read by the core. */
export async function textDecoders(): Promise<readonly Decoder[]> {
  const core = await loadCoreFile();
  return [addresses(core), paymentLinks(core), wallets(), profiles(core), ...answers(), ...small()];
}
