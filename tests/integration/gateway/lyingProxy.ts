/** A node between a client and a real node: it hands on every answer, and lies where a test has it lie. */
import { GrpcClient } from "@svc/node-server/client/grpcClient.ts";
import { asLeafPosition } from "@svc/shared/base/brand.ts";
import {
  encodeContainer,
  readContainer,
  readRecords,
  type ScanRecord,
} from "@svc/shared/protocol/http/recordContainer.ts";
import {
  encodeErrorResponse,
  encodeResponse,
  readRequest,
  type RequestPayload,
  type ResponsePayload,
} from "@svc/shared/protocol/rpc/rpcEnvelope.ts";
import { serveGrpc } from "../rpc/lyingNodes.ts";

/** Changes an answer; null refuses the question. */
export type ProxyLie = (
  answer: ResponsePayload,
  request: RequestPayload,
) => ResponsePayload | null | Promise<ResponsePayload | null>;

/** More records than any page has. */
export const PAGE_MOST = 1_000_000;

/** The proxy. */
export class LyingProxy {
  /** `host:port`. */
  readonly address: string;
  /** What it does with answers; null for a proxy that is honest. */
  lie: ProxyLie | null = null;
  /** The methods that it was asked, in their order. */
  readonly asked: RequestPayload["$case"][] = [];
  readonly #close: () => void;
  readonly #node: GrpcClient;

  private constructor(address: string, close: () => void, node: GrpcClient) {
    this.address = address;
    this.#close = close;
    this.#node = node;
  }

  /** Listens before the node at a gRPC address. */
  static async before(address: string): Promise<LyingProxy> {
    const node = new GrpcClient(address);
    const server = await serveGrpc((bytes, call) => {
      const { id, method, payload } = readRequest(bytes);
      if (payload === undefined) return null;
      void proxy.#answer(payload).then((answer) => {
        call.write(
          answer === null
            ? encodeErrorResponse(id, method ?? 0, { message: "no", json: "" })
            : encodeResponse(id, answer),
        );
      });
      return null;
    });
    const proxy: LyingProxy = new LyingProxy(server.address, server.close, node);
    return proxy;
  }

  /** Asks the real node. */
  honest(request: RequestPayload): Promise<ResponsePayload> {
    return this.#node.exchange(request);
  }

  /** Ends it. */
  close(): void {
    this.#node.close();
    this.#close();
  }

  async #answer(request: RequestPayload): Promise<ResponsePayload | null> {
    this.asked.push(request.$case);
    const answer = await this.honest(request);
    return this.lie === null ? answer : this.lie(answer, request);
  }
}

/** The lie that records of pages are others: `change` gives what stands in their place, and the leaves behind them move. */
export function otherRecords(change: (record: ScanRecord) => ScanRecord): ProxyLie {
  let shift = 0n;
  const from = new Map<string, bigint>();
  return (answer) => {
    if (answer.$case !== "getShieldedBlocks" || answer.value.records === undefined) return answer;
    const container = readContainer(answer.value.records, PAGE_MOST);
    const records = readRecords(container).map((record) => {
      // A page that is asked for again tells the same lie.
      shift = from.get(record.hash) ?? shift;
      from.set(record.hash, shift);
      const moved = { ...record, firstLeaf: asLeafPosition(record.firstLeaf + shift) };
      const told = change(moved);
      shift += BigInt(leavesOf(told) - leavesOf(record));
      return told;
    });
    const value = { ...answer.value, records: encodeContainer(container.firstIndex, records) };
    return { ...answer, value };
  };
}

function leavesOf({ outputs, transactions }: ScanRecord): number {
  return transactions.reduce((sum, { actions }) => sum + actions.length, outputs.length);
}
