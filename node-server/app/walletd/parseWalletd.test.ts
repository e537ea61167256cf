import { describe, expect, it } from "vitest";
import { TrustedProxies } from "../../platform/http/trustedProxies.ts";
import { codeOf } from "@svc/shared/base/testkit/codeOf.ts";
import { parseWalletd, type WalletdFlags } from "./parseWalletd.ts";
import { WALLETD_COMMANDS, WALLETD_FLAGS, walletdHelpText } from "./walletdFlags.ts";

const FOUR_CORES = 4;

function serve(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  cores = FOUR_CORES,
): WalletdFlags {
  const call = parseWalletd(args, environment, cores);
  return call.command === "serve" ? call.flags : expect.unreachable();
}
const refused = (...args: readonly string[]): string => codeOf(() => parseWalletd(args, {}, 4));

describe("the options of the wallet daemon", () => {
  it("have the defaults of the specification", () => {
    expect(serve([])).toEqual({
      network: { name: "mainnet" },
      networkName: "mainnet",
      walletDir: null,
      secret: { text: undefined, file: undefined, env: {} },
      rpcServer: null,
      listen: { host: "127.0.0.1", port: 8501 },
      allowOrigins: [],
      hosts: { hostNames: [], proxies: TrustedProxies.none() },
      allowDefaultToken: false,
      allowRemote: false,
      noCustodial: false,
      servePublic: null,
      idleTimeoutMinutes: 0,
      autoConsolidate: 500,
      proofThreads: 4,
      maxConcurrentProves: 2,
      syncWallets: 3,
      loadWallets: 2,
      idleEvictSeconds: 1800,
      maxResidentWallets: null,
      diagnose: false,
      graft: null,
      showTokens: false,
      idle: [],
      webhook: null,
      json: false,
      logLevel: "info",
    });
  });

  it("follow the cores within their bounds", () => {
    const { maxConcurrentProves, syncWallets, loadWallets } = serve([], {}, 1);
    expect([maxConcurrentProves, syncWallets, loadWallets]).toEqual([1, 1, 1]);
    const many = serve([], {}, 64);
    expect([many.maxConcurrentProves, many.syncWallets, many.loadWallets]).toEqual([2, 8, 4]);
    expect(serve(["--max-concurrent-proves=0"], {}, 64).maxConcurrentProves).toBe(2);
  });

  it("are read from the command line, else from the environment", () => {
    const args = ["-s", "10.0.0.5:16820", "-l", "[::1]:0", "--network=testnet", "--wallet-dir=/w"];
    const lists = ["--allow-origin=https://Shop.example", "--allow-origin", "http://[::1]:3000"];
    expect(serve([...args, ...lists, "--idle-evict=60", "-d", "warn"])).toMatchObject({
      rpcServer: { host: "10.0.0.5", port: 16820 },
      listen: { host: "::1", port: 0 },
      network: { name: "testnet-10" },
      networkName: "testnet",
      walletDir: "/w",
      allowOrigins: ["https://shop.example", "http://[::1]:3000"],
      idleEvictSeconds: 60,
      logLevel: "warn",
    });
    const environment = { SVC_NETWORK: "devnet", SVC_NO_AUTO_CONSOLIDATE: "1", SVC_LISTEN: "9000" };
    expect(serve(["--network=simnet"], environment)).toMatchObject({
      networkName: "simnet",
      autoConsolidate: null,
      listen: { host: "127.0.0.1", port: 9000 },
    });
    expect(serve(["--profile=x.json"])).toMatchObject({
      network: { file: "x.json" },
      networkName: null,
    });
  });

  it("leave it to the secret's reader which secret counts", () => {
    const env = { SVC_WALLET_SECRET: "of the environment" };
    expect(serve(["--wallet-secret-file=f"], env).secret).toEqual({
      text: undefined,
      file: "f",
      env,
    });
    expect(serve(["--wallet-secret=s"], env).secret.text).toBe("s");
  });

  it("let others reach it where that is written out alone", () => {
    for (const host of ["127.0.0.1", "127.1.2.3", "localhost", "[::1]"]) {
      expect(refused(`--listen=${host}:8501`), host).toBe("none");
    }
    for (const host of ["0.0.0.0", "[::]", "192.168.1.5", "wallet.example", "127.0.0.1.example"]) {
      expect(refused(`--listen=${host}:8501`), host).toBe("node/bad-option");
      expect(refused(`--listen=${host}:8501`, "--allow-remote"), host).toBe("none");
    }
  });

  it("serve phones with what belongs to that", () => {
    const args = ["--serve-public=0.0.0.0:8443", "--public-host=w.example", "--insecure"];
    expect(serve([...args, `--api-token=${"a1".repeat(8)}`]).servePublic).toEqual({
      listen: { host: "0.0.0.0", port: 8443 },
      insecure: true,
      host: "w.example",
      token: "a1".repeat(8),
      renewCertificate: false,
    });
  });

  it("send feeds where they are told to, with what belongs to that", () => {
    expect(serve([]).webhook).toBe(null);
    const args = ["--webhook-url=https://shop.example/hook", "--webhook-secret-file=/s"];
    expect(serve([...args, "--webhook-allow-private"]).webhook).toEqual({
      url: "https://shop.example/hook",
      secretFile: "/s",
      allowPrivate: true,
    });
    expect(refused("--webhook-secret-file=/s")).toBe("node/bad-option");
    expect(refused("--webhook-allow-private")).toBe("node/bad-option");
  });

  it("name a wallet and a file to repair it from", () => {
    expect(serve(["--graft=wallet-1:/a:b.scan"]).graft).toEqual({
      token: "wallet-1",
      path: "/a:b.scan",
    });
  });

  it.each([
    [["--network=testnet-10"]],
    [["--network=main"]],
    [["--network=__proto__"]],
    [["--network=simnet", "--profile=x"]],
    [["--rpc-server=16810"]],
    [["--rpc-server=host:0"]],
    [["--sync-wallets=9"]],
    [["--sync-wallets=0"]],
    [["--proof-threads=0"]],
    [["--max-concurrent-proves=17"]],
    [["--auto-consolidate=1"]],
    [["--auto-consolidate=500", "--no-auto-consolidate"]],
    [["--idle-evict=0"]],
    [["--idle-timeout=1.5"]],
    [["--max-resident-wallets=1e9"]],
    [["--warm-wallets=many"]],
    [["--sync-wallet-memory-mb=63"]],
    [["--insecure"]],
    [["--public-host=x"]],
    [[`--api-token=${"a".repeat(16)}`]],
    [["--serve-public=8443"]],
    [["--serve-public=1.2.3.4:8443", "--api-token=short"]],
    [["--allow-origin=https://a/b"]],
    [["--allow-origin=*"]],
    [["--graft=alone"]],
    [["--graft=token:"]],
    [["--graft=:/file"]],
    [["--loglevel=loud"]],
    [["--nonsense"]],
    [["serve"]],
    [["doctor", "stray"]],
    [["doctor", "--listen=9000"]],
    [["backup"]],
    [["backup", "a", "b"]],
    [["restore"]],
    [["restore", "f", "t", "u"]],
    [["change-secret", "--plaintext", "--new-wallet-secret-file=f"]],
  ])("are refused when wrong: %j", (args) => {
    expect(refused(...args)).toBe("node/bad-option");
  });

  it("refuse what is no token, without its text", () => {
    expect(refused("--graft=../x:/file")).toBe("wallet/bad-token");
    expect(refused("backup", "a.b")).toBe("wallet/bad-token");
  });
});

describe("the commands beside the daemon", () => {
  it("take what stands behind their names, then options", () => {
    expect(parseWalletd(["restore", "f.json", "t", "--network=simnet"], {}, 4)).toMatchObject({
      command: "restore",
      file: "f.json",
      token: "t",
      folder: { networkName: "simnet" },
    });
    expect(parseWalletd(["restore", "f.json"], {}, 4)).toMatchObject({ token: null });
    expect(parseWalletd(["backup", "t", "--out", "b.json"], {}, 4)).toMatchObject({
      command: "backup",
      token: "t",
      out: "b.json",
    });
    expect(parseWalletd(["doctor", "--json"], {}, 4)).toMatchObject({ json: true });
    expect(parseWalletd(["doctor", "--remove-lost-tokens"], {}, 4)).toMatchObject({
      removesLostTokens: true,
    });
    expect(parseWalletd(["change-secret", "--plaintext"], {}, 4)).toMatchObject({
      plaintext: true,
    });
  });

  it("explain all of their options", () => {
    for (const command of ["serve", "doctor", "change-secret", "backup", "restore"] as const) {
      const args = command === "serve" ? ["--help"] : [command, "--help"];
      expect(parseWalletd(args, {}, 4)).toEqual({ command: "help", of: command });
      const rows = WALLETD_FLAGS.filter(({ commands }) => commands.includes(command));
      for (const { name } of rows) expect(walletdHelpText(command)).toContain(`--${name}`);
    }
    for (const name of Object.keys(WALLETD_COMMANDS)) {
      expect(walletdHelpText("serve")).toContain(name);
    }
  });
});
