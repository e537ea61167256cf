/** Log parser for ended peer connections: the error and the penalty of the peer. */
import * as v from "valibot";
import type { NodeProcess } from "../testkit/nodeProcess.ts";

/** The logged end of a link. */
export type LinkEnd = {
  /** Of the error registry. */
  readonly code: string;
  /** The error with its data, as it was logged. */
  readonly message: string;
  readonly penalty: string;
};

const line = v.object({ err: v.object({ message: v.string() }), penalty: v.string() });

/** The end of the next link of a node. Rejects after the time. */
export async function nextLinkEnd(node: NodeProcess, limitMs: number): Promise<LinkEnd> {
  return readLinkEnd(await node.nextLine(/"a link ended"/, limitMs));
}

/** Parses the log line of a link's end. */
export function readLinkEnd(text: string): LinkEnd {
  const { err, penalty } = v.parse(line, JSON.parse(text));
  const [code = ""] = err.message.split(" ");
  return { code, message: err.message, penalty };
}
