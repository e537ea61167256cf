import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { asDaaScore } from "@svc/shared/base/brand.ts";
import { encodeHex } from "@svc/shared/base/hex.ts";
import { Secret } from "@svc/shared/base/secret.ts";
import { rejectionCode } from "@svc/shared/base/testkit/rejectionCode.ts";
import { cursorOf } from "@svc/shared/wallet/state/walletState.ts";
import { freshWallet } from "@svc/shared/wallet/testkit/chainModel.ts";
import { loadCoreFile } from "../../platform/files/wasmFiles.ts";
import { folderOfTest } from "../../platform/testkit/folderOfTest.ts";
import { openFolder, secretOf, TOKEN } from "../../walletd/keys/testkit/keysScene.ts";
import { walletLabel } from "../../walletd/keys/walletToken.ts";
import { WalletStore } from "../../walletd/store/walletStore.ts";
import { encodeSnapshot } from "../../walletd/wallets/walletSnapshot.ts";
import { loadNetwork } from "../program/network.ts";
import type { Terminal } from "../program/promptSecret.ts";
import { runWalletd } from "./runWalletd.ts";

const core = await loadCoreFile();
const SEED = new Uint8Array(32).fill(1);
/** Argon2id as it is: the commands take the real core. */
const realCost = { core };

let folder: string;
let file: (name: string, text: string) => string;
beforeEach(() => {
  const root = folderOfTest();
  folder = join(root, "wallets");
  file = (name, text) => {
    writeFileSync(join(root, name), text);
    return join(root, name);
  };
});

type Run = { readonly status: number; readonly lines: readonly string[] };

/** Runs a command line on the folder; `typed` are the answers at a terminal. */
async function run(
  args: readonly string[],
  {
    env = {},
    typed = null,
  }: { env?: Record<string, string>; typed?: readonly string[] | null } = {},
): Promise<Run> {
  const lines: string[] = [];
  const words = [...args, "--network=simnet", `--wallet-dir=${folder}`];
  const context = {
    args: words,
    environment: env,
    print: (line: string) => void lines.push(line),
    signal: new AbortController().signal,
  };
  const serve = async (): Promise<number> => 42;
  const status = await runWalletd(context, serve, typed === null ? null : typing(typed));
  return { status, lines };
}

/** A terminal at which each question gets the next answer. */
function typing(answers: readonly string[]): Terminal {
  const left = [...answers];
  let listener: ((chunk: Uint8Array) => void) | null = null;
  return {
    write: () => undefined,
    input: {
      setRawMode: () => undefined,
      resume: () => listener?.(new TextEncoder().encode(`${left.shift() ?? "\u0003"}\n`)),
      pause: () => undefined,
      on: (_, hear) => void (listener = hear),
      off: () => void (listener = null),
    },
  };
}

/** Makes a wallet, with a scan that has seen genesis alone. */
async function fill(secret: string | null): Promise<void> {
  const wallets = await openFolder(folder, {
    ...realCost,
    secret: secret === null ? null : secretOf(secret),
  });
  const keys = await wallets.importSeed(TOKEN, new Secret(SEED.slice()), {
    birthday: asDaaScore(0n),
  });
  const store = await WalletStore.open(folder, wallets.rowSeal());
  const state = freshWallet();
  const { hash, chainIndex } = cursorOf(state);
  store.commit((batch) =>
    store.cursors.put(batch, TOKEN, { snapshotSequence: 1n, hash, chainIndex }),
  );
  const { genesis, digest } = loadNetwork(core, { name: "simnet" });
  const account = {
    ...state.account,
    genesis: genesis.hash,
    profileDigest: digest,
    defaultAddress: keys.address.raw,
  };
  await wallets.writeScan(TOKEN, encodeSnapshot({ sequence: 1n, state: { ...state, account } }));
  await store.close();
  wallets.close();
}

async function seedUnder(secret: string | null): Promise<string> {
  const wallets = await openFolder(folder, {
    ...realCost,
    secret: secret === null ? null : secretOf(secret),
  });
  try {
    using seed = await wallets.openSeed(TOKEN);
    return seed.reveal(encodeHex);
  } finally {
    wallets.close();
  }
}

describe("svc walletd", () => {
  it("serves unless it is asked for something else, and explains itself", async () => {
    expect((await run([])).status).toBe(42);
    expect((await run(["--help"])).lines.join("\n")).toContain("change-secret");
    expect((await run(["doctor", "--help"])).lines.join("\n")).toContain("svc walletd doctor");
    expect(existsSync(folder)).toBe(false);
  });

  it("diagnoses a sealed folder with a secret that was typed, and names no token unasked", async () => {
    await fill("old");
    const { status, lines } = await run(["--diagnose"], { typed: ["old"] });
    expect([status, lines]).toEqual([
      0,
      [
        `${walletLabel(TOKEN)}: notes=0 balance=0 scanned=0 base=none size=0 stranded=0 stranded_value=0`,
      ],
    ]);
    const env = { SVC_WALLET_SECRET: "old" };
    const json = await run(["--diagnose", "--json", "--show-tokens"], { env });
    expect(JSON.parse(json.lines[0] ?? "")).toMatchObject({
      wallet: TOKEN,
      balance: "0",
      base: null,
    });
    expect(await rejectionCode(run(["--diagnose"]))).toBe("wallet/no-secret");
    expect(await rejectionCode(run(["--diagnose"], { typed: ["wrong"] }))).toBe(
      "wallet/wrong-secret",
    );
  });

  it("diagnoses what cannot be read with status 1, and grafts before it", async () => {
    await fill("old");
    const scan = readFileSync(join(folder, `${TOKEN}.scan`));
    const older = join(folder, "..", "older.scan");
    writeFileSync(older, scan);
    const env = { SVC_WALLET_SECRET: "old" };
    writeFileSync(join(folder, `${TOKEN}.scan`), "x");
    expect((await run(["--diagnose"], { env })).status).toBe(1);
    const { status, lines } = await run([`--graft=${TOKEN}:${older}`, "--diagnose"], { env });
    expect(status).toBe(0);
    expect(lines[0]).toContain("restored notes=0 history=0 payments=0 birthday=earlier");
    expect(lines).toHaveLength(4);
    expect(lines.join("")).not.toContain(TOKEN);
    expect(await rejectionCode(run([`--graft=${TOKEN}:${older}.none`], { env }))).toBe(
      "node/bad-option",
    );
  });

  it("examines a folder, with the status of the worst that it finds", async () => {
    await fill("old");
    const env = { SVC_WALLET_SECRET: "old" };
    expect(await run(["doctor"], { env })).toEqual({ status: 0, lines: ["1 wallets, 0 findings"] });
    writeFileSync(join(folder, "damaged.json"), "{}", { mode: 0o600 });
    const { status, lines } = await run(["doctor", "--json"], { env });
    expect(status).toBe(65);
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { level: "damage", code: "wallet/file-damaged" },
      { wallets: 2, worst: "damage" },
    ]);
  });

  it("changes the secret to one of a file, one that was typed, and to none", async () => {
    await fill(null);
    const sealed = await run(["change-secret"], { typed: ["new", "new"] });
    expect(sealed).toEqual({ status: 0, lines: ["1 wallets are sealed under the new secret"] });
    const next = file("next", "next\n");
    const args = ["change-secret", `--new-wallet-secret-file=${next}`];
    expect(await rejectionCode(run(args))).toBe("wallet/no-secret");
    expect((await run(args, { typed: ["new"] })).status).toBe(0);
    expect(await seedUnder("next")).toBe(encodeHex(SEED));
    const twice = run(["change-secret"], { typed: ["a", "b"] });
    expect(await rejectionCode(twice)).toBe("node/bad-option");
    expect(await rejectionCode(run(["change-secret"]))).toBe("node/bad-option");
    const plain = ["change-secret", "--plaintext", `--wallet-secret-file=${next}`];
    expect((await run(plain)).lines).toEqual(["1 wallets are in plaintext"]);
    expect(await seedUnder(null)).toBe(encodeHex(SEED));
  });

  it("backs a wallet up and restores it under the same passphrase, over no file and no wallet", async () => {
    await fill("old");
    const out = join(folder, "..", "backup.json");
    const passphrase = file("passphrase", "long enough\n");
    const env = { SVC_WALLET_SECRET: "old" };
    const backup = ["backup", TOKEN, `--out=${out}`, `--passphrase-file=${passphrase}`];
    expect((await run(backup, { env })).lines).toEqual([
      `the backup of ${walletLabel(TOKEN)} is in ${out}`,
    ]);
    expect(statSync(out).mode & 0o077).toBe(0);
    expect(readFileSync(out, "utf8")).not.toContain(encodeHex(SEED));
    expect(await rejectionCode(run(backup, { env }))).toBe("node/bad-option");
    expect(await rejectionCode(run(["restore", out, TOKEN], { env, typed: ["long enough"] }))).toBe(
      "wallet/exists",
    );
    folder = join(folder, "..", "elsewhere");
    expect(await rejectionCode(run(["restore", out], { env, typed: ["another one"] }))).toBe(
      "wallet/wrong-passphrase",
    );
    const restored = await run(["restore", out, TOKEN], { env, typed: ["long enough"] });
    expect(restored.lines).toHaveLength(1);
    expect(await seedUnder("old")).toBe(encodeHex(SEED));
    const again = await run(["restore", out], {
      env: { ...env, SVC_BACKUP_PASSPHRASE: "long enough" },
    });
    expect(again.lines[1]).toMatch(/^token {4}[0-9a-f]{32}$/);
  });

  it("works on no folder that is not there, and beside no daemon", async () => {
    for (const args of [["--diagnose"], ["doctor"], ["change-secret", "--plaintext"]]) {
      expect(await rejectionCode(run(args)), args[0]).toBe("node/bad-folder");
    }
    await fill("old");
    const daemon = await openFolder(folder, { ...realCost, secret: secretOf("old") });
    const env = { SVC_WALLET_SECRET: "old", SVC_BACKUP_PASSPHRASE: "long enough" };
    const backup = file("backup.json", "{}");
    for (const args of [
      ["--diagnose"],
      ["doctor"],
      ["change-secret", "--plaintext"],
      ["backup", TOKEN],
      ["restore", backup],
    ]) {
      expect(await rejectionCode(run(args, { env })), args[0]).toBe("node/already-running");
    }
    daemon.close();
  });
});
