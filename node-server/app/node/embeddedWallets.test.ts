/** What a node starts its wallet daemon with, and what its operator is shown. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { codeOf } from "@svc/shared/base/testkit/codeOf.ts";
import { parsePairing } from "@svc/shared/protocol/wallet/pairing.ts";
import { folderOfTest } from "../../platform/testkit/folderOfTest.ts";
import { readOptions } from "../options/readOptions.ts";
import { readWalletApiFlags, WALLET_API_FLAGS } from "../options/walletApiFlags.ts";
import {
  startEmbeddedWallets,
  type EmbeddedDaemon,
  type EmbeddedWalletsParts,
} from "./embeddedWallets.ts";

const flagsOf = (...args: readonly string[]) =>
  readWalletApiFlags(readOptions(WALLET_API_FLAGS, args, {}));

async function start(over: Partial<EmbeddedWalletsParts> = {}) {
  const flags = flagsOf("--wallet-api=10.0.0.7:8501");
  if (flags === null) throw new Error("there are wallets");
  const printed: string[] = [];
  const started: EmbeddedDaemon[] = [];
  const folder = folderOfTest();
  const daemon = { port: 8_501, stop: () => Promise.resolve() };
  const running = await startEmbeddedWallets({
    flags,
    folder,
    networkName: "simnet",
    grpcAddress: "127.0.0.1:16810",
    environment: {},
    nowMs: 1_790_000_000_000n,
    start: (parts) => {
      started.push(parts);
      return Promise.resolve(daemon);
    },
    print: (line) => void printed.push(line),
    isTerminal: false,
    ...over,
  });
  expect(running).toBe(daemon);
  return { folder, printed, started };
}

describe("the options", () => {
  it("are read, and are nothing without --wallet-api", () => {
    expect(flagsOf()).toBeNull();
    expect(flagsOf("--wallet-api=[::]:1", "--wallet-api-host=a.example")).toEqual({
      listen: { host: "::", port: 1 },
      host: "a.example",
      insecure: false,
      renewCertificate: false,
      allowDefaultToken: false,
    });
    for (const alone of [
      "--wallet-api-insecure",
      "--wallet-api-host=a",
      "--renew-certificate",
      "--allow-default-token",
    ]) {
      expect(
        codeOf(() => flagsOf(alone)),
        alone,
      ).toBe("node/bad-option");
    }
    for (const wrong of ["8501", "a", "1.2.3.4", ":1", "a:65536"]) {
      expect(
        codeOf(() => flagsOf(`--wallet-api=${wrong}`)),
        wrong,
      ).toBe("node/bad-option");
    }
  });

  it("allow the default token only where they say so", () => {
    const [plain, allowed] = [
      flagsOf("--wallet-api=127.0.0.1:1"),
      flagsOf("--wallet-api=127.0.0.1:1", "--allow-default-token"),
    ];
    expect([plain?.allowDefaultToken, allowed?.allowDefaultToken]).toEqual([false, true]);
  });
});

describe("wallets inside a node", () => {
  it("lie in the folder of its network, and are shown how to be paired with", async () => {
    const { folder, printed, started } = await start();
    const [daemon] = started;
    expect(daemon).toMatchObject({
      rpcServer: "127.0.0.1:16810",
      walletDir: join(folder, "wallets"),
      secret: null,
      listen: { host: "10.0.0.7", port: 8_501 },
      allowDefaultToken: false,
    });
    expect(existsSync(join(folder, "wallet-api", "public.json"))).toBe(true);
    expect(parsePairing(printed.at(-1) ?? "")).toEqual({
      host: "10.0.0.7",
      port: 8_501,
      token: daemon?.access.bearer,
      network: "simnet",
      fingerprint: daemon?.access.fingerprint,
      wallet: null,
    });
  });

  it("reach a node that listens at all addresses by loopback", async () => {
    const [four, six] = await Promise.all([
      start({ grpcAddress: "0.0.0.0:7" }),
      start({ grpcAddress: "[::]:7" }),
    ]);
    expect([four.started[0]?.rpcServer, six.started[0]?.rpcServer]).toEqual([
      "127.0.0.1:7",
      "[::1]:7",
    ]);
  });

  it("take their secret from the environment", async () => {
    const { started } = await start({ environment: { SVC_WALLET_SECRET: "battery" } });
    const text = started[0]?.secret?.reveal((bytes) => new TextDecoder().decode(bytes));
    expect(text).toBe("battery");
  });

  it("end where no code can be shown for them", async () => {
    let stops = 0;
    const daemon = { port: 1, stop: async () => void (stops += 1) };
    const over = { networkName: "A net", start: () => Promise.resolve(daemon) };
    await expect(start(over)).rejects.toThrow("net is malformed");
    expect(stops).toBe(1);
  });

  it("need gRPC, a folder and a host that is one", async () => {
    const code = (over: Partial<EmbeddedWalletsParts>) =>
      start(over).then(
        () => null,
        (error: unknown) => SvcError.from(error).code,
      );
    expect(await code({ grpcAddress: null })).toBe("node/bad-option");
    expect(await code({ folder: null })).toBe("node/bad-option");
    const flags = flagsOf("--wallet-api=0.0.0.0:1", "--wallet-api-host=a:1");
    expect(flags === null ? null : await code({ flags })).toBe("node/bad-option");
  });
});
