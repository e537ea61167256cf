/** Nodes that lie, over HTTP and over gRPC: the same lie on either carrier, to a client that must not believe it. */
import { createServer, type ServerResponse } from "node:http";
import { Server, ServerCredentials, type ServerDuplexStream } from "@grpc/grpc-js";
import { GrpcNode } from "@svc/node-server/client/grpcNode.ts";
import { rpcServiceDefinition } from "@svc/node-server/client/messageStream.ts";
import { decodeHex } from "@svc/shared/base/hex.ts";
import {
  encodeErrorResponse,
  encodeResponse,
  readRequest,
  type ResponsePayload,
} from "@svc/shared/protocol/rpc/rpcEnvelope.ts";
import { HttpNode } from "@svc/shared/wallet/node/httpNode.ts";
import type { NodePort } from "@svc/shared/wallet/state/ports.ts";

/** What the node does when it is asked. */
export type Lie =
  /** These bytes are the page of records. */
  | { readonly kind: "page"; readonly bytes: Uint8Array }
  /** The tip has this in place of the root of its tree. */
  | { readonly kind: "tip"; readonly treeRoot: string }
  /** The tree of the start has this in place of its last leaf. */
  | { readonly kind: "start"; readonly leaf: string }
  /** The id of the transaction that it took. */
  | { readonly kind: "submitted"; readonly txid: string }
  | { readonly kind: "error"; readonly json: string }
  /** The answer of another call, well formed. */
  | { readonly kind: "otherAnswer" }
  /** More bytes than an answer may have. */
  | { readonly kind: "flood" }
  /** It breaks off in the middle of the answer. */
  | { readonly kind: "death" }
  /** It never answers. `onAsked` hears of the call. */
  | { readonly kind: "silence"; readonly onAsked: () => void };

/** A lying node and a port to it. */
export type Liar = { readonly port: NodePort; readonly close: () => void };

const HASH = "ab".repeat(32);
/** Above the 32 MiB of a page. */
const FLOOD_BYTES = 40 << 20;
const FLOOD_PART = 1 << 20;
/** Of an answer that is never finished. */
const DYING_BYTES = 20 << 20;

const TIP = {
  genesis: HASH,
  profileDigest: "cd".repeat(32),
  historyComplete: true,
} as const;
const START = { hash: HASH, chainIndex: "1", blueScore: "1", daaScore: "1", timestamp: "1" };

/** Starts a node that lies over HTTP. */
export async function lyingHttp(lie: Lie): Promise<Liar> {
  const server = createServer((request, response) => {
    request.resume();
    request.on("end", () => answerHttp(lie, response));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const close = (): void => {
    server.closeAllConnections();
    server.close();
  };
  return { port: new HttpNode(`http://127.0.0.1:${port}`), close };
}

function answerHttp(lie: Lie, response: ServerResponse): void {
  switch (lie.kind) {
    case "page":
      response.end(lie.bytes);
      return;
    case "tip": {
      const scores = { sinkBlueScore: "1", daaScore: "2", chainIndex: "1", treeSize: "1" };
      const rest = { sink: HASH, historyFromDaaScore: "0", treeRoot: lie.treeRoot };
      response.end(JSON.stringify({ ...TIP, ...scores, ...rest }));
      return;
    }
    case "start":
      response.end(JSON.stringify({ ...START, tree: `0100000000000000${lie.leaf}00` }));
      return;
    case "submitted":
      response.end(JSON.stringify({ txid: lie.txid }));
      return;
    case "error":
      response.writeHead(409).end(lie.json);
      return;
    case "otherAnswer":
      response.end(JSON.stringify({ entries: [] }));
      return;
    case "flood":
      flood(response);
      return;
    case "death":
      response.writeHead(200, { "Content-Length": "1000" });
      response.write("{", () => response.destroy());
      return;
    case "silence":
      lie.onAsked();
  }
}

/** Writes as fast as it is read, for ever. */
function flood(response: ServerResponse): void {
  const part = new Uint8Array(FLOOD_PART);
  const more = (): void => {
    while (!response.destroyed && response.write(part));
  };
  response.on("drain", more);
  more();
}

type Call = ServerDuplexStream<Uint8Array, Uint8Array>;

/** Answers one request on a stream; `call` is for what is no answer. */
export type GrpcAnswer = (request: Uint8Array, call: Call) => Uint8Array | null;

/** Starts a gRPC server that answers by a function. */
export async function serveGrpc(
  answer: GrpcAnswer,
  port = 0,
): Promise<{ readonly address: string; readonly close: () => void }> {
  const server = new Server({ "grpc.max_send_message_length": -1 });
  const messageStream = (call: Call): void => {
    call.on("error", () => undefined);
    call.on("data", (request: Uint8Array) => {
      const reply = answer(request, call);
      if (reply !== null) call.write(reply);
    });
    call.on("end", () => call.end());
  };
  server.addService(rpcServiceDefinition, { messageStream });
  const bound = await new Promise<number>((resolve, reject) => {
    server.bindAsync(`127.0.0.1:${port}`, ServerCredentials.createInsecure(), (error, found) =>
      error === null ? resolve(found) : reject(error),
    );
  });
  return { address: `127.0.0.1:${bound}`, close: () => server.forceShutdown() };
}

/** Starts a node that lies over gRPC. */
export async function lyingGrpc(lie: Lie): Promise<Liar> {
  const server = await serveGrpc((request, call) => {
    const { id, method } = readRequest(request);
    return answerGrpc(lie, { id, method: method ?? 0, call, close: () => server.close() });
  });
  const port = new GrpcNode(server.address);
  return {
    port,
    close: () => {
      port.close();
      server.close();
    },
  };
}

type Asked = {
  readonly id: bigint | undefined;
  readonly method: number;
  readonly call: Call;
  readonly close: () => void;
};

function answerGrpc(lie: Lie, { id, method, call, close }: Asked): Uint8Array | null {
  const reply = (payload: ResponsePayload): Uint8Array => encodeResponse(id, payload);
  switch (lie.kind) {
    case "page":
      return reply(pageOf(lie.bytes));
    case "tip":
      return reply(tipOf(lie.treeRoot));
    case "start":
      return reply(startOf(lie.leaf));
    case "submitted":
      return reply({
        $case: "submitTransaction",
        value: { transactionId: lie.txid, error: undefined },
      });
    case "error":
      return encodeErrorResponse(id, method, { message: "no", json: lie.json });
    case "otherAnswer":
      return reply({ $case: "ping", value: { error: undefined } });
    case "flood":
      return reply(pageOf(new Uint8Array(FLOOD_BYTES)));
    case "death":
      // More than a stream takes at once: it breaks in the middle.
      call.write(reply(pageOf(new Uint8Array(DYING_BYTES))));
      setImmediate(close);
      return null;
    case "silence":
      lie.onAsked();
      return null;
  }
}

function pageOf(records: Uint8Array): ResponsePayload {
  const value = { blocks: [], reorged: false, sinkBlueScore: 0n, records, error: undefined };
  return { $case: "getShieldedBlocks", value };
}

function tipOf(treeRoot: string): ResponsePayload {
  const counts = { sinkBlueScore: 1n, chainIndex: 1n, treeSize: 1n, historyFromDaaScore: 0n };
  const none = { networkName: "", blockCount: 0n, headerCount: 0n, tipHashes: [], difficulty: 0 };
  const more = { pastMedianTime: 0n, virtualParentHashes: [], pruningPointHash: HASH };
  const shieldedTip = { ...TIP, ...counts, treeRoot };
  const value = { ...none, ...more, virtualDaaScore: 2n, sink: HASH, shieldedTip };
  return { $case: "getBlockDagInfo", value: { ...value, error: undefined } };
}

function startOf(leaf: string): ResponsePayload {
  const place = { blockHash: HASH, chainIndex: 1n, blueScore: 1n, daaScore: 1n, timestamp: 1n };
  const rest = { historyFromDaaScore: 0n, historyComplete: true, error: undefined };
  const value = { ...place, size: 1n, leaf, ommers: [], ...rest };
  return { $case: "getShieldedTreeState", value };
}

/** 64 bytes of a page that is none. */
export const NO_PAGE: Uint8Array = decodeHex("00".repeat(64));
