import { createServer } from "node:net";
import { afterEach, expect, it } from "vitest";
import { listenAt, listenError } from "./listenAt.ts";

const servers: { close(): unknown }[] = [];
afterEach(() => servers.splice(0).forEach((server) => server.close()));

function listening(host: string, port: number): Promise<number> {
  const server = createServer();
  servers.push(server);
  return listenAt(server, { host, port, option: "--here" }, () => undefined);
}

it("says that a port is taken, and which", async () => {
  const port = await listening("127.0.0.1", 0);
  expect(port).toBeGreaterThan(0);
  await expect(listening("127.0.0.1", port)).rejects.toMatchObject({
    code: "node/port-in-use",
    data: { port: String(port) },
  });
});

it("names the option of an address that this machine has not", async () => {
  await expect(listening("192.0.2.1", 7_000)).rejects.toMatchObject({
    code: "node/bad-option",
    data: { option: "--here", reason: "this machine has no such address (192.0.2.1:7000)" },
  });
  await expect(listening("2001:db8::1", 7_000)).rejects.toMatchObject({
    data: { reason: expect.stringMatching(/^this machine has no .*\(\[2001:db8::1\]:7000\)$/) },
  });
});

it("says what is not allowed, and passes on what it does not know", () => {
  const place = { host: "::", port: 53, option: "--listen" };
  const cause = (code: string) => Object.assign(new Error("of the system"), { code });
  expect(listenError(cause("EACCES"), place)).toMatchObject({
    data: {
      option: "--listen",
      reason: "the system does not let this program listen there ([::]:53)",
    },
  });
  expect(listenError(cause("EWHAT"), place).code).toBe("internal/unexpected");
});
