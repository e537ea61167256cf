import { describe, expect, test } from "vitest";
import { Secret } from "@svc/shared/base/secret.ts";
import { codeOf } from "@svc/shared/base/testkit/codeOf.ts";
import { withFlippedBit } from "@svc/shared/base/testkit/flipBits.ts";
import { openScanFile, writeScanFile, type ScanOwner } from "./scanFile.ts";
import { TOKEN } from "./testkit/keysScene.ts";
import { asWalletToken } from "./walletToken.ts";

const SNAPSHOT = Uint8Array.from({ length: 300 }, (_, index) => index);
const sealedOwner: ScanOwner = {
  token: TOKEN,
  network: "simnet",
  id: "12".repeat(16),
  dataKey: new Secret(new Uint8Array(32).fill(5)),
};
const plainOwner: ScanOwner = { ...sealedOwner, dataKey: null };

describe.each([
  ["sealed", sealedOwner, plainOwner],
  ["plain", plainOwner, sealedOwner],
])("a %s scan file", (_, owner, otherOwner) => {
  const bytes = writeScanFile(owner, SNAPSHOT);
  const open = (owner: ScanOwner, changed: Uint8Array) =>
    codeOf(() => openScanFile(owner, changed, "scan"));

  test("gives back the snapshot, an empty one too", () => {
    expect(openScanFile(owner, bytes, "scan")).toEqual(SNAPSHOT);
    const empty = writeScanFile(owner, new Uint8Array(0));
    expect(openScanFile(owner, empty, "scan")).toEqual(new Uint8Array(0));
  });

  test("is refused with any byte changed, and cut at any place", () => {
    for (let at = 0; at < bytes.length; at += 1) {
      const code = open(owner, withFlippedBit(bytes, at));
      expect(["wallet/file-damaged", "wallet/file-version"], `${at}`).toContain(code);
      expect(open(owner, bytes.subarray(0, at)), `${at}`).toBe("wallet/file-damaged");
    }
  });

  test("is refused beside another wallet, and in the other form", () => {
    expect(open({ ...owner, id: "13".repeat(16) }, bytes)).toBe("wallet/file-damaged");
    expect(open(otherOwner, bytes)).toBe("wallet/file-damaged");
  });

  test("of a newer program is named as such", () => {
    const newer = bytes.slice();
    newer[7] = 2;
    expect(open(owner, newer)).toBe("wallet/file-version");
  });
});

test("a sealed scan opens for its token, its network and its key alone", () => {
  const bytes = writeScanFile(sealedOwner, SNAPSHOT);
  for (const other of [
    { token: asWalletToken("another") },
    { network: "devnet" },
    { dataKey: new Secret(new Uint8Array(32).fill(6)) },
  ]) {
    const open = () => openScanFile({ ...sealedOwner, ...other }, bytes, "scan");
    expect(codeOf(open)).toBe("wallet/file-damaged");
  }
});
