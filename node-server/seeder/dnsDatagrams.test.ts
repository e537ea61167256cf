/** Tests that no UDP datagram of a stranger ends the program. */
import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ManualClock } from "../platform/time/clock.ts";
import type { Log } from "../platform/log/log.ts";
import { serveDatagrams } from "./dnsDatagrams.ts";
import { HostRateLimiter } from "../platform/time/hostRateLimiter.ts";
import { DNS_RATES } from "./dnsServer.ts";

let [server, client] = [createSocket("udp4"), createSocket("udp4")];
let logged: string[] = [];
beforeEach(async () => {
  [server, client] = [createSocket("udp4"), createSocket("udp4")];
  logged = [];
  await Promise.all([server, client].map(bind));
});
afterEach(async () => {
  await Promise.all([server, client].map(close));
});

async function bind(socket: Socket): Promise<void> {
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
}

async function close(socket: Socket): Promise<void> {
  const closed = once(socket, "close");
  socket.close();
  await closed;
}

const note = (level: string) => (): void => void logged.push(level);
const log: Log = {
  debug: note("debug"),
  info: note("info"),
  warn: note("warn"),
  error: note("error"),
};

/** Serves with an answer. */
function serve(answer: (message: Buffer) => Buffer | null): void {
  serveDatagrams(server, {
    answer,
    rates: new HostRateLimiter(new ManualClock(0n), DNS_RATES),
    log,
  });
}

describe("datagrams", () => {
  it("from port 0, which nobody can answer, are dropped", async () => {
    const asked: string[] = [];
    serve((message) => {
      asked.push(String(message));
      return message;
    });
    const forged = { address: "127.0.0.1", family: "IPv4", port: 0, size: 1 };
    expect(() => server.emit("message", Buffer.from("a"), forged)).not.toThrow();
    client.send("b", server.address().port, "127.0.0.1");
    const [reply] = await once(client, "message");
    expect([String(reply), asked, logged]).toEqual(["b", ["b"], []]);
  });

  it("that cannot be answered are noted for who looks closely", async () => {
    serve((message) => {
      if (String(message) === "bad") throw new Error("no answer");
      return message;
    });
    client.send("bad", server.address().port, "127.0.0.1");
    client.send("good", server.address().port, "127.0.0.1");
    const [reply] = await once(client, "message");
    expect([String(reply), logged]).toEqual(["good", ["debug"]]);
  });
});
