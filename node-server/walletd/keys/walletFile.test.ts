import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { asDaaScore } from "@svc/shared/base/brand.ts";
import { encodeHex } from "@svc/shared/base/hex.ts";
import { Secret } from "@svc/shared/base/secret.ts";
import { codeOf } from "@svc/shared/base/testkit/codeOf.ts";
import { withFlippedBit } from "@svc/shared/base/testkit/flipBits.ts";
import { WALLETD_LIMITS } from "../walletdLimits.ts";
import { DerivedKeys, kdfOf, STANDARD_COST, type Kdf } from "./derivedKeys.ts";
import { openWalletFile, parseWalletFile } from "./openWalletFile.ts";
import { bytesOf, cheapCore, realCore, SECRET_TEXT, secretOf, TOKEN } from "./testkit/keysScene.ts";
import { writeOwnWallet, type WalletContent, type WalletFacts } from "./walletFile.ts";
import { asWalletToken, walletLabel } from "./walletToken.ts";

const SEED = Uint8Array.from({ length: 32 }, (_, index) => index + 1);
const DATA_KEY = new Uint8Array(32).fill(7);
const facts: WalletFacts = {
  id: "ab".repeat(16),
  network: "simnet",
  kind: "seed",
  birthday: asDaaScore(4_711n),
  bornOn: 20_717,
  recoverableHistory: true,
  createdUnix: 1_790_000_000,
};
const owner = { token: TOKEN, label: walletLabel(TOKEN) };
const content = (): WalletContent => ({
  key: new Secret(SEED.slice()),
  dataKey: new Secret(DATA_KEY.slice()),
  addresses: [3, 4_294_967_295],
});

function sealed(kdf: Kdf, keys: DerivedKeys): Uint8Array {
  const text = writeOwnWallet({ facts, content: content() }, TOKEN, { kdf, key: keys.keyOf(kdf) });
  return new TextEncoder().encode(text);
}

const kdf = kdfOf(STANDARD_COST);
const keys = new DerivedKeys(cheapCore(), secretOf(SECRET_TEXT));
const file = sealed(kdf, keys);
const text = new TextDecoder().decode(file);
const plainFile = new TextEncoder().encode(
  writeOwnWallet({ facts, content: { ...content(), dataKey: null } }, TOKEN, null),
);
const open = (bytes: Uint8Array, folderKdf: Kdf | null = kdf) =>
  openWalletFile(parseWalletFile(bytes, owner.label), owner, { keys, folderKdf });
const edited = (from: string, to: string): Uint8Array => {
  expect(text).toContain(from);
  return new TextEncoder().encode(text.replace(from, to));
};

describe("a sealed wallet file", () => {
  test("gives back what was written, and holds no key in clear", () => {
    const opened = open(file);
    expect(parseWalletFile(file, owner.label).facts).toEqual(facts);
    expect(bytesOf(opened.key)).toEqual(SEED);
    expect(opened.dataKey && bytesOf(opened.dataKey)).toEqual(DATA_KEY);
    expect(opened.addresses).toEqual([3, 4_294_967_295]);
    for (const secret of [SEED, DATA_KEY]) expect(text).not.toContain(encodeHex(secret));
    expect(text).not.toContain(TOKEN);
  });

  test("is never the same twice", () => {
    expect(new TextDecoder().decode(sealed(kdf, keys))).not.toBe(text);
  });

  test("is refused with any byte of it changed", () => {
    const codes = new Set<string>();
    for (let at = 0; at < file.length; at += 1) {
      codes.add(codeOf(() => open(withFlippedBit(file, at)), `opened at ${at}`));
    }
    // Another salt gives another key.
    expect(Array.from(codes).toSorted()).toEqual(["wallet/file-damaged", "wallet/wrong-secret"]);
  });

  test("is refused when it is cut short or goes on", () => {
    for (let length = 0; length < file.length; length += 1) {
      expect(codeOf(() => open(file.subarray(0, length)))).toBe("wallet/file-damaged");
    }
    expect(codeOf(() => open(edited("\n}\n", "\n}\n\n")))).toBe("wallet/file-damaged");
  });

  test("is refused under another name, and with other words in clear", () => {
    const elsewhere = { ...owner, token: asWalletToken("another") };
    const opening = { keys, folderKdf: kdf };
    const parsed = parseWalletFile(file, owner.label);
    expect(codeOf(() => openWalletFile(parsed, elsewhere, opening))).toBe("wallet/file-damaged");
    for (const [from, to] of [
      ['"4711"', '"4710"'],
      ['"simnet"', '"devnet"'],
      ["20717", "null"],
      ["true", "false"],
      ['"seed"', '"watch"'],
      ["ab".repeat(16), "ac".repeat(16)],
    ] as const) {
      expect(
        codeOf(() => open(edited(from, to))),
        from,
      ).toBe("wallet/file-damaged");
    }
  });

  test("tells another secret from damage by the folder's salt", () => {
    const other = new DerivedKeys(cheapCore(), secretOf("another secret"));
    const parsed = parseWalletFile(file, owner.label);
    const openOther = () => openWalletFile(parsed, owner, { keys: other, folderKdf: null });
    expect(codeOf(openOther)).toBe("wallet/wrong-secret");
    expect(codeOf(() => openWalletFile(parsed, owner, null))).toBe("wallet/no-secret");
  });

  test("asks for no derivation beyond the bounds", () => {
    const never = new DerivedKeys(
      {
        argon2id: () => {
          throw new Error("must not be called");
        },
      },
      secretOf("x"),
    );
    for (const memory of [8, WALLETD_LIMITS.secretKdfMemoryMaxKib + 1, 4_294_967_295]) {
      const bytes = edited('"memoryKib": 19456', `"memoryKib": ${memory}`);
      const openIt = () =>
        openWalletFile(parseWalletFile(bytes, owner.label), owner, { keys: never, folderKdf: kdf });
      expect(codeOf(openIt)).toBe("wallet/file-damaged");
    }
  });

  test("of a newer program is named as such", () => {
    const newer = edited('"version": 1', '"version": 2');
    expect(() => open(newer)).toThrow(
      `wallet/file-version (file=${owner.label}, expected=1, found=2)`,
    );
  });
});

describe("a wallet file in plaintext", () => {
  test("gives back what was written", () => {
    const opened = openWalletFile(parseWalletFile(plainFile, owner.label), owner, null);
    expect(bytesOf(opened.key)).toEqual(SEED);
    expect(opened.dataKey).toBeNull();
  });

  test("is refused with any byte of it changed", () => {
    for (let at = 0; at < plainFile.length; at += 1) {
      const bytes = withFlippedBit(plainFile, at);
      const code = codeOf(() => openWalletFile(parseWalletFile(bytes, owner.label), owner, null));
      expect(["wallet/file-damaged", "wallet/file-version"], `${at}`).toContain(code);
    }
  });
});

test("text that is no wallet file is damage", () => {
  for (const bad of ["", "{", "[]", "null", "7", '"x"', "{}", '{"version":1}', "\ufeff{}"]) {
    const read = () => parseWalletFile(new TextEncoder().encode(bad), owner.label);
    expect(codeOf(read), bad).toBe("wallet/file-damaged");
  }
  expect(codeOf(() => parseWalletFile(Uint8Array.of(0xff), owner.label))).toBe(
    "wallet/file-damaged",
  );
});

test("too many addresses are refused before anything is written", () => {
  const addresses = Array.from({ length: WALLETD_LIMITS.walletFileAddresses + 1 }, (_, i) => i);
  const write = (count: number) =>
    writeOwnWallet(
      { facts, content: { ...content(), addresses: addresses.slice(0, count) } },
      TOKEN,
      { kdf, key: keys.keyOf(kdf) },
    );
  expect(codeOf(() => write(addresses.length))).toBe("codec/count-too-large");
  expect(write(addresses.length - 1).length).toBeLessThan(WALLETD_LIMITS.walletFileBytes);
});

test("the stored file of version 1 opens with the core's own derivation", () => {
  const url = new URL("../../../tests/fixtures/walletd/wallet-1.json", import.meta.url);
  const { token, secret, seed, dataKey, address, file } = JSON.parse(readFileSync(url, "utf8"));
  const owner = { token: asWalletToken(token), label: "fixture" };
  const stored = new DerivedKeys(realCore, secretOf(secret));
  const opened = openWalletFile(parseWalletFile(new TextEncoder().encode(file), "fixture"), owner, {
    keys: stored,
    folderKdf: null,
  });
  expect(encodeHex(bytesOf(opened.key))).toBe(seed);
  expect(opened.dataKey && encodeHex(bytesOf(opened.dataKey))).toBe(dataKey);
  expect(opened.addresses).toEqual([address]);
});
