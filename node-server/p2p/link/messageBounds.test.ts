/** Bounds on bytes and parts of messages, and that both know every field of the protocol. */
import { readFileSync } from "node:fs";
import { getHeapStatistics } from "node:v8";
import { describe, expect, it } from "vitest";
import { refusal as refusalOf } from "@svc/shared/base/testkit/refusal.ts";
import { P2P_LIMITS } from "../p2pLimits.ts";
import { decodeHex } from "@svc/shared/base/hex.ts";
import { codeOf } from "@svc/shared/base/testkit/codeOf.ts";
import {
  readEnvelope,
  writeEnvelope,
  type P2pPayload,
} from "@svc/shared/protocol/p2p/p2pEnvelope.ts";
import { messageNumbers } from "@svc/shared/protocol/p2p/testkit/messageNumbers.ts";
import { p2pVectors } from "../../../tests/vectors/p2pVectors.ts";
import { emptyParts, lengthDelimited } from "../testkit/rawEnvelope.ts";
import { checkMessageParts, MESSAGE_BOUNDS, readMessageHead } from "./messageBounds.ts";
import { MESSAGE_SHAPES, type MessageShape } from "./messageShapes.ts";

const ping = (nonce: bigint): P2pPayload => ({ $case: "ping", value: { nonce } });
const proto = (name: string): string =>
  readFileSync(new URL(`../../../shared/protocol/proto/${name}.proto`, import.meta.url), "utf8");
const { recorded, made } = p2pVectors();

/** Bytes that a call allocates, kept or not: no collection takes them back. */
function allocatedBy(call: () => unknown): number {
  // The types of Node do not have it yet; a Node without it fails the test.
  const allocated = () => Number(Reflect.get(getHeapStatistics(), "total_allocated_bytes"));
  const before = allocated();
  call();
  return allocated() - before;
}

/** The least of some measurements: a collection that falls into one of them moves objects, and counts them as new. */
function leastAllocatedBy(call: () => unknown): number {
  return Math.min(...Array.from({ length: 5 }, () => allocatedBy(call)));
}

/** What the checks throw for an envelope. */
function refusal(bytes: Uint8Array): string {
  return refusalOf(() => checkMessageParts(bytes, readMessageHead(bytes)));
}

describe("bounds of messages", () => {
  const definition = proto("p2p");

  it("are there for every message, under its number", () => {
    const bounds = Object.entries(MESSAGE_BOUNDS).map(([name, [number]]) => [name, number]);
    expect(bounds).toEqual(messageNumbers(definition));
  });

  it("are held against what an envelope says, before its parts are looked at", () => {
    const envelope = (payload: P2pPayload) =>
      writeEnvelope({ payload, responseId: 3, requestId: 4 });
    expect(readMessageHead(envelope(ping(1n)))).toMatchObject({
      number: 16,
      name: "ping",
      responseId: 3,
      requestId: 4,
    });
    expect(readMessageHead(new Uint8Array()).number).toBeNull();
    const addresses = Array.from({ length: 70_000 }, () => ({
      timestamp: 0n,
      ip: new Uint8Array(),
      port: 0,
    }));
    const large = envelope({ $case: "addresses", value: { addressList: addresses } });
    expect(codeOf(() => readMessageHead(large))).toBe("p2p/message-too-large");
    const unknown = Uint8Array.of(0x9a, 0x06, 0x80, 0x09, ...new Uint8Array(1_152));
    expect(codeOf(() => readMessageHead(unknown))).toBe("p2p/message-too-large");
    const twice = Uint8Array.of(...envelope(ping(1n)), ...envelope(ping(2n)));
    for (const bytes of [
      twice,
      Uint8Array.of(0x82),
      Uint8Array.of(0x82, 0x01, 0x05),
      Uint8Array.of(0x0d, 0, 0, 0, 0),
      Uint8Array.of(0x08, 0x01),
      new Uint8Array(20).fill(0xff),
    ]) {
      expect(codeOf(() => readMessageHead(bytes))).toBe("p2p/bad-message");
    }
  });

  it("leave no room for anything around a message", () => {
    const bytes = writeEnvelope({
      payload: ping(1n),
      responseId: 2 ** 32 - 1,
      requestId: 2 ** 32 - 1,
    });
    expect(refusal(bytes)).toBe("none");
    // Field 101, a number, over and over.
    const padding = (count: number) =>
      new Uint8Array(3 * count).map((_, at) => [0xa8, 0x06, 0x00][at % 3] ?? 0);
    const around = P2P_LIMITS.p2pEnvelopeBytes / 3 + 1;
    for (const padded of [
      [bytes, padding(around)],
      [padding(around), bytes],
      [padding(around)],
      [bytes, padding(2_000_000)],
    ]) {
      expect(refusal(Buffer.concat(padded))).toBe("p2p/bad-message message");
    }
  });

  it("count the parts of messages, before anything is made of them", () => {
    const max = P2P_LIMITS.p2pPageParts;
    expect(refusal(lengthDelimited(41, emptyParts(max)))).toBe("none");
    const full = lengthDelimited(41, emptyParts(P2P_LIMITS.p2pPageBytes / 2));
    // Each part that is made takes more than a byte, so making all of them would be seen.
    const made = allocatedBy(() => readEnvelope(lengthDelimited(41, emptyParts(max))));
    expect(made).toBeGreaterThan(max);
    expect(P2P_LIMITS.p2pPageBytes / 2).toBeGreaterThan(P2P_LIMITS.p2pBlockBytes);
    const checked = leastAllocatedBy(() =>
      expect(refusal(full)).toBe("p2p/bad-message blockHeaders"),
    );
    expect(checked).toBeLessThan(P2P_LIMITS.p2pBlockBytes);
    // Parts within parts: one header with many levels, each with many empty parents.
    const level = lengthDelimited(12, emptyParts(500));
    const levels = Buffer.concat(Array.from({ length: 2_200 }, () => level));
    expect(refusal(lengthDelimited(41, lengthDelimited(1, levels)))).toBe(
      "p2p/bad-message blockHeaders",
    );
    // Numbers of a packed list, one byte each.
    const packed = lengthDelimited(2, new Uint8Array(P2P_LIMITS.p2pBlockParts));
    expect(refusal(lengthDelimited(51, packed))).toBe("p2p/bad-message blockWithTrustedDataV4");
    const numbers = Array.from({ length: 65 }, () => [0x08, 0x01]).flat();
    expect(refusal(lengthDelimited(16, Uint8Array.from(numbers)))).toBe("p2p/bad-message ping");
  });

  it("leave what a full message of its kind needs", () => {
    for (const { hex } of [...recorded, ...made]) {
      const bytes = decodeHex(hex);
      expect(refusal(bytes)).toBe("none");
      const { name, responseId, requestId } = readMessageHead(bytes);
      const { payload, ...routes } = readEnvelope(bytes);
      expect({ name, responseId, requestId }).toEqual({ name: payload?.$case, ...routes });
    }
    const id = { bytes: new Uint8Array(32) };
    const ids = Array.from({ length: P2P_LIMITS.p2pTransactionIds }, () => id);
    const addressList = Array.from({ length: P2P_LIMITS.p2pAddressesTaken }, () => ({
      timestamp: -1n,
      ip: new Uint8Array(16),
      port: 65_535,
    }));
    const full: P2pPayload[] = [
      { $case: "invTransactions", value: { ids } },
      { $case: "addresses", value: { addressList } },
    ];
    for (const payload of full) {
      expect(refusal(writeEnvelope({ payload, responseId: 0, requestId: 0 }))).toBe("none");
    }
  });

  it("refuse what no protobuf library writes", () => {
    const bad = [
      [0x0b, 0x0c], // a group
      [0x0a, 0x05, 0x01], // longer than what is there
      [0x00, 0x01], // field 0
      [0x08], // no number
      [0x09, 1, 2, 3], // half of 8 bytes
      [0x0d, 1], // a quarter of 4 bytes
      [0x0a, 0x02, 0x0a, 0x05], // longer than what it lies in
    ];
    for (const content of bad) {
      const bytes = lengthDelimited(41, Uint8Array.from(content));
      expect(refusal(bytes), String(content)).toBe("p2p/bad-message message");
    }
    expect(refusal(lengthDelimited(99, Uint8Array.of(0x0b)))).toBe("none");
  });

  it("know which fields are messages", () => {
    const shapes = shapesOf(`${proto("p2pValues")}${proto("p2pMessages")}`);
    const types = [...definition.matchAll(/^ {4}(\w+) (\w+) = \d+;$/gm)];
    const expected = types.map(([, type = "", name = ""]) => [name, shapes(type)]);
    expect(Object.fromEntries(expected)).toEqual(MESSAGE_SHAPES);
  });
});

/** Reads the shapes of messages out of their definitions. */
function shapesOf(text: string): (type: string) => MessageShape {
  const bodies = new Map<string, string>();
  for (const [, name = "", body = ""] of text.matchAll(/^message (\w+) \{([^}]*)\}/gm)) {
    bodies.set(name, body);
  }
  const shape = (type: string): MessageShape => {
    const fields = (bodies.get(type) ?? "").matchAll(/(repeated )?(\w+) \w+ = (\d+);/g);
    const inner: [string, MessageShape | "packed"][] = [];
    for (const [, repeated, field = "", number = ""] of fields) {
      if (bodies.has(field)) inner.push([number, shape(field)]);
      else if (repeated !== undefined && field !== "bytes" && field !== "string") {
        inner.push([number, "packed"]);
      }
    }
    return Object.fromEntries(inner);
  };
  return shape;
}
