/** Fuzz targets: parsers of HTTP request heads and JSON bodies, and of a seeder's DNS queries. */
import packet from "dns-packet";
import { AccessCheck } from "@svc/node-server/platform/http/accessCheck.ts";
import { readWish } from "@svc/node-server/rpc/http/localRoutes.ts";
import { TrustedProxies } from "@svc/node-server/platform/http/trustedProxies.ts";
import { sourceOf } from "@svc/node-server/platform/net/netAddress.ts";
import { answerQuery, type ZoneParts } from "@svc/node-server/seeder/dnsZone.ts";
import { NodeSample } from "@svc/node-server/seeder/nodeSample.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { Decoder } from "./fuzzDecoder.ts";

const bytesOf = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, "latin1"));
const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString("latin1");

const gate = new AccessCheck(
  {
    hostNames: ["node.example"],
    origins: ["https://wallet.example"],
    proxies: TrustedProxies.of(["10.0.0.0/8", "2001:db8::/32"]) ?? TrustedProxies.none(),
  },
  "0.0.0.0",
);

/** One line each: target, host, origin, two of `Sec-Fetch`, forwarded addresses, both ends of the connection. */
function atTheGate(bytes: Uint8Array): void {
  const [url, host, origin, site, mode, forwarded, remote, local] = textOf(bytes).split("\n");
  const headers = {
    host,
    ...(origin && { origin }),
    ...(site && { "sec-fetch-site": site }),
    ...(mode && { "sec-fetch-mode": mode }),
    ...(forwarded && { "x-forwarded-for": forwarded }),
  };
  const caller = gate.judge({
    url,
    headers,
    socket: { remoteAddress: remote, localAddress: local },
  });
  // Whoever is let in is a host, or nobody's share; and its origin is one that was named.
  if (sourceOf(caller.host) !== caller.host) throw new Error(`no host: ${caller.host}`);
  if (caller.origin !== null && caller.origin !== "https://wallet.example") {
    throw new Error(`a foreign origin: ${caller.origin}`);
  }
}

const GATE_SEEDS = [
  "/v1/tip\n127.0.0.1:80\n\n\n\n\n192.0.2.1\n127.0.0.1",
  "/v1/live?a=b\nnode.example\nhttps://node.example\nsame-origin\ncors\n192.0.2.9, 10.0.0.2\n10.0.0.1\n10.0.0.9",
  "/\n[2001:db8::9]:443\nhttps://wallet.example\ncross-site\ncors\n[2a00::1]:5\n2001:db8::1\n2001:db8::9",
].map(bytesOf);

function wish(bytes: Uint8Array): void {
  const read = readWish(new TextDecoder().decode(bytes));
  if (typeof read.address !== "string") throw new Error("no address");
}

const zone: ZoneParts = {
  host: "seed.test",
  nameserver: "ns.seed.test",
  nodes: () => new NodeSample(["1.2.3.4", "5.6.7.8", "2001:db8::1"]),
  random: () => 0,
};
const ROOM = 512;
const RESPONSE_BIT = 0x80;
const RESULT_BITS = 0x0f;

/** A reply fits, is one, and names the question that was asked; anything but an answer counts as a refusal. */
function dnsQuestion(bytes: Uint8Array): void {
  const reply = answerQuery(Buffer.from(bytes), ROOM, zone);
  if (reply === null) throw refused("nothing is said");
  const [first = 0, second = 0, flags = 0, result = 0] = reply;
  if (reply.length > ROOM) throw new Error(`${reply.length} bytes`);
  if (first !== bytes[0] || second !== bytes[1]) throw new Error("another id");
  if ((flags & RESPONSE_BIT) === 0) throw new Error("no response");
  if ((result & RESULT_BITS) !== 0) throw refused("an error is said");
  const [asked] = packet.decode(Buffer.from(bytes)).questions ?? [];
  const [said] = packet.decode(reply).questions ?? [];
  if (said?.name.toLowerCase() !== asked?.name.toLowerCase()) throw new Error("another question");
}

function refused(reason: string): SvcError {
  return new SvcError("rpc/bad-argument", { field: "question", reason });
}

const question = (type: "A" | "AAAA" | "TXT" | "SOA" | "NS"): Uint8Array => {
  const asked = packet.encode({ type: "query", id: 7, questions: [{ type, name: "seed.test" }] });
  return Uint8Array.from(asked);
};

/** Decoders of the servers that anybody may ask. */
export const SERVER_DECODERS: readonly Decoder[] = [
  { name: "http: who asks", seeds: GATE_SEEDS, run: atTheGate, isText: true },
  {
    name: "http: JSON body of POST /local/mine",
    seeds: [bytesOf('{"address":"svcsim:qz","more":[1,{"deep":null}]}')],
    run: wish,
    isText: true,
  },
  {
    name: "dns: question",
    seeds: (["A", "AAAA", "TXT", "SOA", "NS"] as const).map(question),
    run: dnsQuestion,
  },
];
