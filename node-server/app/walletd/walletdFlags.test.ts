/** The options of the wallet daemon against the table of its specification. */
import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import * as v from "valibot";
import { loadCoreFile } from "../../platform/files/wasmFiles.ts";
import { loadNetwork } from "../program/network.ts";
import { parseWalletd, type WalletdFlags } from "./parseWalletd.ts";
import { defaultWalletFolder } from "./walletFolderOptions.ts";
import { WALLETD_FLAGS } from "./walletdFlags.ts";

const VECTOR = new URL("../../../tests/vectors/walletd-flags.json", import.meta.url);
const byCores = v.object({ cores: v.record(v.string(), v.number()) });
const { flags } = v.parse(
  v.object({
    flags: v.array(
      v.object({
        flag: v.string(),
        short: v.optional(v.string()),
        /** A value; a switch has none. */
        given: v.optional(v.string()),
        /** What it goes with. */
        with: v.optional(v.array(v.string()), []),
        default: v.unknown(),
        idle: v.optional(v.boolean(), false),
      }),
    ),
  }),
  JSON.parse(readFileSync(VECTOR, "utf8")),
);
const core = await loadCoreFile();

function serve(args: readonly string[], cores = 4): WalletdFlags {
  const call = parseWalletd(args, {}, cores);
  return call.command === "serve" ? call.flags : expect.unreachable();
}

function listenText({ host, port }: { readonly host: string; readonly port: number }): string {
  return `${host}:${port}`;
}

/** The node that is asked without `--rpc-server`, by network. */
function nodes(): Record<string, string> {
  return Object.fromEntries(
    ["mainnet", "testnet", "devnet", "simnet"].map((name) => {
      const { network, rpcServer } = serve([`--network=${name}`]);
      const { ports } = loadNetwork(core, network);
      return [name, listenText(rpcServer ?? { host: "127.0.0.1", port: ports.grpc })];
    }),
  );
}

/** What each flag is when nobody names it. */
const DEFAULTS: Readonly<Record<string, (parsed: WalletdFlags) => unknown>> = {
  "rpc-server": nodes,
  listen: ({ listen }) => listenText(listen),
  "wallet-dir": ({ walletDir, networkName }) =>
    (walletDir ?? defaultWalletFolder(networkName ?? "")).replace(join(homedir()), "~"),
  network: ({ networkName }) => networkName,
  "wallet-secret": ({ secret }) => secret.text ?? null,
  "allow-origin": ({ allowOrigins }) => allowOrigins,
  "allow-default-token": ({ allowDefaultToken }) => allowDefaultToken,
  "allow-remote": ({ allowRemote }) => allowRemote,
  "no-custodial": ({ noCustodial }) => noCustodial,
  "serve-public": ({ servePublic }) => servePublic,
  insecure: () => serve(["--serve-public=0.0.0.0:1"]).servePublic?.insecure,
  "public-host": () => serve(["--serve-public=0.0.0.0:1"]).servePublic?.host,
  "api-token": () => serve(["--serve-public=0.0.0.0:1"]).servePublic?.token,
  "idle-timeout": ({ idleTimeoutMinutes }) => idleTimeoutMinutes,
  "auto-consolidate": ({ autoConsolidate }) => autoConsolidate,
  "no-auto-consolidate": ({ autoConsolidate }) => autoConsolidate === null,
  "proof-threads": ({ proofThreads }) => proofThreads,
  "max-concurrent-proves": ({ maxConcurrentProves }) => maxConcurrentProves,
  "sync-wallets": ({ syncWallets }) => syncWallets,
  "load-wallets": ({ loadWallets }) => loadWallets,
  "idle-evict": ({ idleEvictSeconds }) => idleEvictSeconds,
  diagnose: ({ diagnose }) => diagnose,
  graft: ({ graft }) => graft,
};
/** Follows the memory that is free, so no number stands in the table. */
const MEASURED: ReadonlySet<string> = new Set(["max-resident-wallets"]);

describe("the flags of the specification", () => {
  it("are all there: 32, each once", () => {
    const names = flags.map(({ flag }) => flag);
    expect([names.length, new Set(names).size]).toEqual([32, 32]);
    const known = new Set(WALLETD_FLAGS.map(({ name }) => name));
    expect(names.filter((name) => !known.has(name))).toEqual([]);
  });

  it.each(flags)("--$flag is taken", ({ flag, short, given, with: others, idle }) => {
    const row = WALLETD_FLAGS.find(({ name }) => name === flag);
    expect([row?.short, row?.value !== undefined]).toEqual([short, given !== undefined]);
    const value = given === undefined ? `--${flag}` : `--${flag}=${given}`;
    const parsed = serve([value, ...others]);
    // What does nothing says so; what does something changes what is parsed.
    expect(parsed.idle.map(({ name }) => name)).toEqual(idle ? [flag] : []);
    if (!idle) expect(parsed).not.toEqual(serve(others));
    if (short !== undefined) expect(serve([`-${short}`, given ?? ""])).toEqual(parsed);
  });

  it.each(flags.filter(({ flag, idle }) => !idle && !MEASURED.has(flag)))(
    "--$flag has its default",
    ({ flag, default: expected }) => {
      const read = DEFAULTS[flag] ?? expect.unreachable(flag);
      const cores = v.is(byCores, expected) ? Object.entries(expected.cores) : [];
      if (cores.length === 0) expect(read(serve([]))).toEqual(expected);
      for (const [count, value] of cores) expect(read(serve([], Number(count)))).toBe(value);
    },
  );

  it.each(flags.filter(({ idle }) => idle))("--$flag shows its default", (row) => {
    const shown = WALLETD_FLAGS.find(({ name }) => name === row.flag)?.fallback;
    if (typeof row.default === "number") expect(shown).toBe(String(row.default));
    else expect(shown).toMatch(/cores?/);
  });
});
