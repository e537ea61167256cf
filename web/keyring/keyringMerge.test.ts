/** What the keyring signs of a wallet worker that says of a payment that nobody confirmed it, and lies. */
import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { encodeHex } from "@svc/shared/base/hex.ts";
import { WALLET_LIMITS } from "@svc/shared/wallet/walletLimits.ts";
import * as glue from "../../wasm-core/pkg/core/core.js";
import { Keyring } from "./keyring.ts";

const built = new URL("../../wasm-core/pkg/core/core_bg.wasm", import.meta.url);
const nothing = { bundle: new Uint8Array(), disclosure: "[]", alphas: "[]" };
const keyring = new Keyring(glue, () => 0);
const other = new Keyring(glue, () => 0);
let own: string;
let ownLater: string;
let foreign: string;

/** An open wallet of its own seed; gives its viewing key. */
async function open(one: Keyring, digit: string): Promise<Uint8Array> {
  const seed = new Uint8Array(32).fill(Number(digit));
  const passphrase = new TextEncoder().encode("a long passphrase");
  await one.create({ passphrase, seed, network: "aa".repeat(32) });
  return one.forWallet.viewingKeys().viewingKey;
}

beforeAll(async () => {
  const core = await WebAssembly.compile(readFileSync(built));
  for (const one of [keyring, other]) one.forWallet.init(core);
  const key = await open(keyring, "7");
  own = encodeHex(glue.addressAt(key, 0));
  ownLater = encodeHex(glue.addressAt(key, 5));
  foreign = encodeHex(glue.addressAt(await open(other, "9"), 0));
});

function mergeTo(addresses: readonly string[], change: { fee?: bigint; memo?: string } = {}) {
  const { fee = 24_578_600n, memo = "" } = change;
  const payments = addresses.map((address) => ({ address, value: "10", memo }));
  const intent = { profile: {}, daaScore: "1", payments, fee: String(fee), recoverable: false };
  return keyring.forWallet.sign({ ...intent, background: true }, nothing);
}

describe("a worker that calls a payment a merge", () => {
  it("pays nobody but the wallet itself", () => {
    expect(() => mergeTo([foreign])).toThrow("signer/unnamed-payee (index=0)");
    expect(() => mergeTo([own, foreign])).toThrow("signer/unnamed-payee (index=1)");
    expect(() => mergeTo([own], { memo: "6869" })).toThrow("signer/memo-differs");
  });

  it("burns no more in fees than the bound of one", () => {
    const fee = WALLET_LIMITS.mergeBackgroundFee + 1n;
    expect(() => mergeTo([own], { fee })).toThrow("signer/fee-above-maximum");
  });

  it("hides no other payee behind a whole that the merge is a part of", () => {
    const payments = [{ address: foreign, value: "10", memo: "" }];
    const whole = { payments, maxFee: "99", signed: [] };
    const intent = { profile: {}, daaScore: "1", payments, fee: "5", recoverable: false };
    const lie = { ...intent, whole, background: true as const };
    expect(() => keyring.forWallet.sign(lie, nothing)).toThrow("signer/unnamed-payee");
  });

  it("gets past this check with the wallet's own addresses, so many times until it is locked", async () => {
    // The next check, which these intents do not pass, is that of the profile.
    for (let merge = 0; merge < WALLET_LIMITS.mergesPerUnlock; merge += 1) {
      expect(() => mergeTo([merge % 2 === 0 ? own : ownLater])).not.toThrow("signer/");
      expect(() => mergeTo([foreign])).toThrow("signer/unnamed-payee");
    }
    expect(() => mergeTo([own])).toThrow("signer/fee-above-maximum (fee=0.245786, max=0)");
    keyring.lock();
    expect(() => mergeTo([own])).toThrow("wallet/locked");
    await open(keyring, "7");
    expect(() => mergeTo([own])).not.toThrow("signer/");
  });
});
