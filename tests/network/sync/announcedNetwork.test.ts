/** What a node of a private network says of itself to a program that is not ours. */
import { readFileSync } from "node:fs";
import { Client, credentials, Metadata } from "@grpc/grpc-js";
import { expect, test } from "vitest";
import { peerStream } from "@svc/node-server/p2p/link/peerStream.ts";
import { readEnvelope, type P2pContent } from "@svc/shared/protocol/p2p/p2pEnvelope.ts";
import { pruneNetwork } from "../testkit/networkSizes.ts";
import { Scene } from "../testkit/scene.ts";

const PROTOCOL_VERSION = 10;
/** The profile of a recorded chain of the reference, whose network's name a node must say as it stands there. */
const FOREIGN = new URL("../../vectors/reference/p1000/profile.json", import.meta.url);

/** Opens the stream and hears the first message, saying nothing. */
async function firstWord(port: number): Promise<P2pContent<"version">> {
  const client = new Client(`127.0.0.1:${port}`, credentials.createInsecure());
  const { path, requestSerialize, responseDeserialize } = peerStream;
  const stream = client.makeBidiStreamRequest(
    path,
    requestSerialize,
    responseDeserialize,
    new Metadata(),
  );
  const heard = Promise.withResolvers<Uint8Array>();
  stream.on("data", (bytes: Uint8Array) => heard.resolve(bytes));
  stream.on("error", (error) => heard.reject(error));
  try {
    const { payload } = readEnvelope(await heard.promise);
    if (payload?.$case !== "version") throw new Error("the first word is no introduction");
    return payload.value;
  } finally {
    stream.on("error", () => undefined);
    stream.cancel();
    client.close();
  }
}

async function introduces(profile: string): Promise<void> {
  const scene = new Scene(profile);
  const node = await scene.node({ name: "node" });
  const { networkName }: { networkName: string } = JSON.parse(profile);
  const { network, protocolVersion, id, userAgent } = await firstWord(node.peerPort);
  expect([network, protocolVersion, id.length]).toEqual([networkName, PROTOCOL_VERSION, 16]);
  expect(userAgent).toMatch(/^\/svc:/);
}

test("a node says the name of its profile's network", () => introduces(pruneNetwork()));

test("a node of a network of others' making says that one's name", () =>
  introduces(readFileSync(FOREIGN, "utf8")));
