/**
 * Messages recorded from the reference node and its clients decode and encode to the same bytes.
 *
 * `SVC_RPC_CORPUS` may name the whole recording (gzip, one JSON a line: from, type, hex); a selection of it is
 * part of the vectors.
 */
import { existsSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { decodeHex, encodeHex } from "../../base/hex.ts";
import { RpcRequest, RpcResponse } from "./generated/rpc.ts";
import { encodeErrorResponse, readRequest } from "./rpcEnvelope.ts";

const message = v.object({ from: v.string(), type: v.string(), hex: v.string() });
type Message = v.InferOutput<typeof message>;

const vectors = v.parse(
  v.object({ messages: v.array(message), unimplemented: v.array(message) }),
  JSON.parse(
    readFileSync(new URL("../../../tests/vectors/reference/rpc.json", import.meta.url), "utf8"),
  ),
);
const corpus = process.env["SVC_RPC_CORPUS"] ?? "";

const isRequest = ({ from }: Message): boolean => from === "client" || from === "dialer";

/** The message decoded and encoded again; `null` when the method is not one of ours. */
function again(recorded: Message): string | null {
  const bytes = decodeHex(recorded.hex);
  const request = isRequest(recorded) ? RpcRequest.decode(bytes) : null;
  const response = request === null ? RpcResponse.decode(bytes) : null;
  const name = (request ?? response)?.payload?.$case;
  if (name === undefined) return null;
  expect(name).toBe(recorded.type.replace(/(Request|Response)$/, ""));
  const writer = request === null ? null : RpcRequest.encode(request);
  return encodeHex((writer ?? RpcResponse.encode(response ?? { payload: undefined })).finish());
}

describe("recorded gRPC messages", () => {
  it("of every implemented method survive a round trip", () => {
    expect(vectors.messages.length).toBeGreaterThan(50);
    for (const recorded of vectors.messages) {
      expect(again(recorded), recorded.type).toBe(recorded.hex);
    }
  });

  it("of other methods are recognised by their number and refused in the reference's words", () => {
    const of = (type: string) => vectors.unimplemented.filter((recorded) => recorded.type === type);
    for (const [asked, answered] of [
      ["getHeadersRequest", "getHeadersResponse"],
      ["getSubnetworkRequest", "getSubnetworkResponse"],
    ] as const) {
      const [request] = of(asked);
      const [response] = of(answered);
      const { id, method, payload } = readRequest(decodeHex(request?.hex ?? ""));
      expect(payload).toBeUndefined();
      expect(encodeHex(encodeErrorResponse(id, method ?? 0, { message: "Not implemented" }))).toBe(
        response?.hex,
      );
    }
  });

  it("that ask for nothing are told apart", () => {
    const [nothing] = vectors.unimplemented.filter((recorded) => recorded.type === "none");
    expect(readRequest(decodeHex(nothing?.hex ?? "")).method).toBeNull();
    expect(readRequest(new Uint8Array()).method).toBeNull();
  });

  it.skipIf(corpus === "")("survive a round trip in the whole recording", () => {
    expect(existsSync(corpus)).toBe(true);
    const lines = gunzipSync(readFileSync(corpus)).toString("utf8").trim().split("\n");
    let ours = 0;
    for (const line of lines) {
      const recorded = v.parse(message, JSON.parse(line));
      const bytes = again(recorded);
      if (bytes === null) continue;
      ours += 1;
      expect(bytes, recorded.type).toBe(recorded.hex);
    }
    expect(ours).toBeGreaterThan(70);
  });
});
