/** Test helper: a lying server, which alters a node's answers, and readers of check reports. */
import { loadCoreFile } from "@svc/node-server/platform/files/wasmFiles.ts";
import type { Block } from "@svc/shared/chain/block.ts";
import { decodeRawBlock, encodeRawBlock } from "@svc/shared/protocol/raw/rawBlock.ts";
import {
  FalseNetwork,
  openContext,
  type CheckContext,
} from "@svc/web/explorer/check/checkContext.ts";
import type { CheckReport } from "@svc/web/explorer/check/checkReport.ts";
import type { CheckSource } from "@svc/web/explorer/check/checkSource.ts";

const core = await loadCoreFile();

/** What a server alters in the answers of a node. */
export type Lie = {
  readonly json?: (path: string, document: Record<string, never>) => unknown;
  readonly bytes?: (path: string, bytes: Uint8Array) => Uint8Array | Promise<Uint8Array>;
  readonly evidence?: (path: string, bytes: Uint8Array) => Uint8Array | Promise<Uint8Array>;
};

/** A server that alters answers of the node. */
export function lyingSource(honest: CheckSource, { json, bytes, evidence }: Lie): CheckSource {
  return {
    json: async (path) => {
      const document: Record<string, never> = structuredClone(Object(await honest.json(path)));
      return json?.(path, document) ?? document;
    },
    bytes: async (path) => {
      const own = await honest.bytes(path);
      return bytes === undefined ? own : new Uint8Array(await bytes(path, own));
    },
    evidence: async (path) => {
      const own = await honest.evidence(path);
      return evidence === undefined ? own : new Uint8Array(await evidence(path, own));
    },
  };
}

/** What checks start from. Throws where the network is none that the pages know. */
export async function contextOf(source: CheckSource): Promise<CheckContext> {
  const context = await openContext(core, source);
  if (context instanceof FalseNetwork) throw new Error("the network is false");
  return context;
}

/** The steps that differ, with their subjects. */
export function differing({ steps }: CheckReport): readonly string[] {
  return steps
    .filter(({ outcome }) => outcome === "differs")
    .map(({ subject, step }) => `${subject} ${step}`);
}

/** The steps that hold. */
export function proven({ steps }: CheckReport): readonly string[] {
  return steps.filter(({ outcome }) => outcome === "ok").map(({ step }) => step);
}

/** The steps that nothing here proves, with their reasons. */
export function openSteps({ steps }: CheckReport): readonly string[] {
  return steps
    .filter(({ outcome }) => outcome === "notProvable")
    .map(({ step, reason }) => `${step}: ${reason}`);
}

/** Alters a block in its own form. */
export function rewritten(alter: (block: Block) => Block) {
  return (bytes: Uint8Array): Uint8Array => encodeRawBlock(alter(decodeRawBlock(bytes)));
}

/** Alters the header of a block. */
export const withHeader = (over: Partial<Block["header"]>) =>
  rewritten((block) => ({ ...block, header: { ...block.header, ...over } }));
