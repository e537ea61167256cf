import { describe, expect, it } from "vitest";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { parseGateway } from "./parseGateway.ts";

const ADD = ["merchants", "add", "shop"];
const COMMAND = ["merchants", "payout", "shop"];

it("a merchant's frame origins are origins, and nothing that could change a policy", () => {
  const origins = ["https://shop.example", "http://localhost:8080"];
  const run = parseGateway([...ADD, ...origins.map((origin) => `--frame-origin=${origin}`)], {});
  expect(run).toMatchObject({ command: "merchants add", frameOrigins: origins });
  expect(parseGateway(ADD, {})).toMatchObject({ frameOrigins: [] });
  for (const odd of ["*", "https://shop.example/path", "https://a.example; script-src *"]) {
    expect(() => parseGateway([...ADD, `--frame-origin=${odd}`], {})).toThrow(
      expect.objectContaining({ code: "node/bad-option" }),
    );
  }
});

it("a merchant has one key: that of a file, or that of a new wallet, which no hosted gateway gets", () => {
  expect(parseGateway([...ADD, "--new-wallet=shop.seed"], {})).toMatchObject({
    newWallet: "shop.seed",
    keyFile: null,
  });
  for (const other of ["--viewing-key-file=key", "--hosted=https://pay.example"]) {
    expect(() => parseGateway([...ADD, "--new-wallet=shop.seed", other], {})).toThrow(
      expect.objectContaining({ code: "node/bad-option" }),
    );
  }
});

it("the work of a network is named by checkpoints, each with work", () => {
  const [digest, other] = ["1a".repeat(32), "2b".repeat(32)];
  const rows = [`${digest}:1d00ffff:1767225600000`, `${other}:1d00ffff:5`];
  for (const command of [[], ["scan", "--push=https://pay.example"]]) {
    const run = parseGateway([...command, ...rows.map((row) => `--checkpoint=${row}`)], {});
    const checkpoints = new Map([
      [digest, { bits: 0x1d00ffff, timestamp: 1_767_225_600_000n }],
      [other, { bits: 0x1d00ffff, timestamp: 5n }],
    ]);
    expect(run).toMatchObject({ flags: { checkpoints } });
  }
  const refused = (row: string, reason: string) =>
    expect(() => parseGateway([`--checkpoint=${row}`], {})).toThrow(
      expect.objectContaining({
        code: "node/bad-option",
        data: expect.objectContaining({ option: expect.stringContaining("checkpoint"), reason }),
      }),
    );
  refused(
    `${digest}:00000000:5`,
    `${digest}:00000000:5 is no checkpoint: its bits ask for no work`,
  );
  const form = "DIGEST:BITS:TIMESTAMP, as scripts/checkpoint.ts prints it";
  refused("mainnet", `mainnet is no checkpoint: ${form}`);
});

function parsed(...args: readonly string[]): unknown {
  try {
    return parseGateway([...COMMAND, ...args], {});
  } catch (thrown) {
    return SvcError.from(thrown).data["option"];
  }
}

describe("svc gateway merchants payout", () => {
  it.each(["https://wallet.example", "http://127.0.0.1:8500/", "http://[::1]:8500"])(
    "names the wallet at %s",
    (url) => {
      const run = parsed(`--walletd-url=${url}`, "--wallet-token-file=token");
      const walletdUrl = url.replace(/\/$/, "");
      expect(run).toMatchObject({ merchant: "shop", payout: { walletdUrl, tokenFile: "token" } });
    },
  );

  it.each(["http://wallet.example", "http://10.0.0.1:8500", "ftp://localhost", "x", "https://a@b"])(
    "sends a token to %s never",
    (url) => {
      const run = parsed(`--walletd-url=${url}`, "--wallet-token-file=token");
      expect(String(run)).toContain("walletd-url");
    },
  );

  it("names the file of a bearer token, and none where there is none", () => {
    const wallet = ["--walletd-url=https://wallet.example", "--wallet-token-file=token"];
    expect(parsed(...wallet)).toMatchObject({ payout: { bearerFile: null } });
    expect(parsed(...wallet, "--wallet-bearer-file=bearer")).toMatchObject({
      payout: { bearerFile: "bearer" },
    });
    expect(String(parsed("--off", "--wallet-bearer-file=bearer"))).toContain("off");
  });

  it("takes a wallet away when it is told so, and not for want of an option", () => {
    expect(parsed("--off")).toMatchObject({ payout: null });
    expect(String(parsed())).toContain("wallet-token-file");
    expect(String(parsed("--off", "--wallet-token-file=token"))).toContain("off");
  });
});

describe("a hosted gateway", () => {
  it.each([
    ["merchants", "add", "shop"],
    ["merchants", "list"],
    ["keys", "issue", "shop"],
    ["keys", "list", "shop"],
    ["keys", "revoke", "shop", "0123456789abcdef"],
  ])("is told %s %s", (...words) => {
    const args = [...words, "--hosted=https://pay.example/", "--admin-secret-file=secret"];
    const hosted = { url: "https://pay.example", secretFile: "secret" };
    expect(parseGateway(args, {})).toMatchObject({ hosted });
    expect(parseGateway(words, {})).toMatchObject({ hosted: null });
  });

  it("is asked for its scanner, and the one in the folder is not", () => {
    const hosted = { url: "https://pay.example", secretFile: null };
    const asked = parseGateway(["scanner", "--hosted=https://pay.example", "--json"], {});
    expect(asked).toMatchObject({ command: "scanner", hosted, json: true });
    expect(() => parseGateway(["scanner"], {})).toThrow(
      expect.objectContaining({ code: "node/bad-option" }),
    );
  });

  it("is told nothing in the clear, and no secret is read for nothing", () => {
    const list = ["merchants", "list"];
    for (const odd of ["--hosted=http://pay.example", "--admin-secret-file=secret"]) {
      expect(() => parseGateway([...list, odd], {})).toThrow(
        expect.objectContaining({ code: "node/bad-option" }),
      );
    }
  });
});
