import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { codeOf } from "@svc/shared/base/testkit/codeOf.ts";
import { folderOfTest } from "../../platform/testkit/folderOfTest.ts";
import { WALLETD_LIMITS } from "../walletdLimits.ts";
import { readWalletSecret, type SecretSource } from "./secretSource.ts";
import { bytesOf } from "./testkit/keysScene.ts";

const NOTHING: SecretSource = { text: undefined, file: undefined, env: {} };
const env = { SVC_WALLET_SECRET: "of the environment" };
const read = (source: Partial<SecretSource>): string | null => {
  const secret = readWalletSecret({ ...NOTHING, ...source });
  return secret && new TextDecoder().decode(bytesOf(secret));
};
const refused = (source: Partial<SecretSource>) =>
  codeOf(() => readWalletSecret({ ...NOTHING, ...source }));

let path: string;
beforeEach(() => {
  path = join(folderOfTest(), "secret");
});

describe("the wallet secret", () => {
  test("comes from an option, a file or the environment, in this order", () => {
    writeFileSync(path, "of the file\n");
    expect(read({})).toBeNull();
    expect(read({ env })).toBe("of the environment");
    expect(read({ env, file: path })).toBe("of the file");
    expect(read({ env, text: "of the option" })).toBe("of the option");
    expect(refused({ text: "a", file: path })).toBe("node/bad-option");
  });

  test("of a file ends before one line break", () => {
    for (const [text, secret] of [
      ["a b ", "a b "],
      ["a\r\n", "a"],
      ["a\n\n", "a\n"],
      ["\na", "\na"],
    ] as const) {
      writeFileSync(path, text);
      expect(read({ file: path })).toBe(secret);
    }
  });

  test("is never empty, absent or endless", () => {
    expect(refused({ text: "" })).toBe("node/bad-option");
    expect(refused({ env: { SVC_WALLET_SECRET: "" } })).toBe("node/bad-option");
    expect(refused({ file: path })).toBe("node/bad-option");
    for (const text of ["", "\n", "x".repeat(WALLETD_LIMITS.secretFileBytes + 1)]) {
      writeFileSync(path, text);
      expect(refused({ file: path })).toBe("node/bad-option");
    }
    writeFileSync(path, "x".repeat(WALLETD_LIMITS.secretFileBytes));
    expect(read({ file: path })).toHaveLength(WALLETD_LIMITS.secretFileBytes);
    expect(refused({ file: join(path, "..") })).toBe("node/bad-option");
  });

  test.runIf(process.platform === "linux")(
    "is read of a device that has no end, up to its bound",
    () => {
      expect(refused({ file: "/dev/zero" })).toBe("node/bad-option");
    },
  );

  test("is shown by no error", () => {
    expect(() => readWalletSecret({ ...NOTHING, text: "hunter2", file: "x" })).not.toThrow(
      "hunter2",
    );
  });

  test.runIf(process.platform === "linux")("may come through a pipe", () => {
    const module = new URL("secretSource.ts", import.meta.url).href;
    const script = `
      const { readWalletSecret } = await import(${JSON.stringify(module)});
      const secret = readWalletSecret({ text: undefined, file: "/dev/stdin", env: {} });
      secret.reveal((bytes) => process.stdout.write(bytes));
    `;
    // A shell's pipe: the one that Node gives a child is a socket, which opens by no path.
    const command = 'printf "piped secret\\n" | "$0" --input-type=module -e "$1"';
    const { stdout } = spawnSync("sh", ["-c", command, process.execPath, script]);
    expect(stdout.toString()).toBe("piped secret");
  });
});
