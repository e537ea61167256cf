/** The guides of the wallet daemon against the program: the shop's lines as they stand there, and the steps of a phone. */
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { request } from "node:https";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import {
  temporaryFolder,
  type TemporaryFolder,
} from "@svc/node-server/platform/testkit/temporaryFolder.ts";
import { encodeHex } from "@svc/shared/base/hex.ts";
import { parsePairing, type Pairing } from "@svc/shared/protocol/wallet/pairing.ts";
import { PATIENCE_MS } from "../testkit/networkSizes.ts";
import { untilSo } from "../testkit/nodeProcess.ts";
import { ProgramRun } from "../testkit/programRun.ts";
import { core } from "../testkit/scene.ts";
import { answered, atAddress, linesIn, mineTo, startNetwork } from "../testkit/writtenCalls.ts";

const TOKEN = "5a".repeat(16);
const FVK = encodeHex(core.fullViewingKey(new Uint8Array(32).fill(0x5a)));

let folder: TemporaryFolder;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

function guide(name: string): string {
  return readFileSync(new URL(`../../../docs/guides/${name}`, import.meta.url), "utf8");
}

function startDaemon(...more: readonly string[]): ProgramRun {
  return ProgramRun.svc([
    ...["walletd", "--network", "simnet", "--wallet-dir", join(folder.path, "wallets")],
    ...more,
  ]);
}

test("a shop is paid by the lines of its guide", async () => {
  const { http, grpc } = await startNetwork(folder.path);
  const daemon = startDaemon("--rpc-server", grpc, "--listen", "127.0.0.1:0");
  const [, address = ""] = await daemon.text(/^wallet API +(\S+)/m);
  const lines = linesIn(guide("wallet-merchants.md")).map((line) => atAddress(line, address));
  expect(lines).toHaveLength(3);
  const [watch, invoice, events] = lines;
  const own = (await answered(watch, { TOKEN, FVK }))["address"];
  const shown = (await answered(invoice, { TOKEN }))["address"];
  expect(shown).not.toBe(own);
  await mineTo(http, shown);
  await untilSo(
    async () => JSON.stringify(await answered(events, { TOKEN })).includes('"kind":"final"'),
    PATIENCE_MS,
  );
  const feed = await answered(events, { TOKEN });
  expect(feed["events"]).toContainEqual(
    expect.objectContaining({ kind: "credited", recipient: shown }),
  );
});

test("a phone pairs, and is served with its code and certificate alone", async () => {
  const text = guide("wallet-phones.md");
  const command = linesIn(text).find((line) => line.startsWith("npx svc walletd "));
  expect(command).toContain(" --serve-public 0.0.0.0:8501 --public-host 192.0.2.7");
  const { grpc } = await startNetwork(folder.path);
  const place = ["--serve-public", "127.0.0.1:0", "--public-host", "127.0.0.1"];
  const daemon = startDaemon("--rpc-server", grpc, ...place);
  const [code = ""] = await daemon.text(/^svc\+https:\S+$/m);
  const pairing = parsePairing(code);
  expect(pairing).toMatchObject({ host: "127.0.0.1", network: "simnet" });

  expect(await call(pairing, "/api/status", { token: "" })).toMatchObject({
    status: 401,
    json: { code: "api/bad-bearer" },
  });
  const body = { fvk_hex: FVK, birthday: "0" };
  const watched = await call(pairing, "/api/wallet/watch", { body });
  expect(watched.status).toBe(200);
  await untilSo(async () => {
    const { json } = await call(pairing, "/api/status", {});
    return json["synced"] === true;
  }, PATIENCE_MS);
  const fingerprint = "00".repeat(32);
  await expect(call({ ...pairing, fingerprint }, "/api/status", {})).rejects.toThrow(
    "another certificate",
  );
});

type Called = { readonly token?: string; readonly body?: object };

/** Asks as a phone does: the certificate of the code, and no other. */
async function call(
  { host, port, token, fingerprint }: Pairing,
  path: string,
  over: Called,
): Promise<{ readonly status: number; readonly json: Record<string, unknown> }> {
  const body = over.body === undefined ? "" : JSON.stringify(over.body);
  const sent = request({
    host: host ?? "",
    port,
    path,
    method: body === "" ? "GET" : "POST",
    // The fingerprint stands for an authority.
    rejectUnauthorized: false,
    agent: false,
    headers: {
      Authorization: `Bearer ${over.token ?? token}`,
      "X-Wallet-Token": TOKEN,
      ...(body === ""
        ? {}
        : { "Content-Type": "application/json", "Content-Length": String(body.length) }),
    },
  });
  sent.on("socket", (socket) => {
    socket.on("secureConnect", () => {
      const { fingerprint256 } =
        "getPeerCertificate" in socket && typeof socket.getPeerCertificate === "function"
          ? socket.getPeerCertificate()
          : { fingerprint256: "" };
      const found = String(fingerprint256).replaceAll(":", "").toLowerCase();
      if (found !== fingerprint) sent.destroy(new Error("another certificate"));
      else sent.end(body);
    });
  });
  const [response] = await once(sent, "response");
  const parts: Uint8Array[] = [];
  for await (const part of response) parts.push(part);
  return { status: response.statusCode, json: JSON.parse(Buffer.concat(parts).toString()) };
}
