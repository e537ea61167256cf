/** The hash of a block header that came in a peer's message. */
import * as v from "valibot";
import type { BlockHash } from "@svc/shared/base/brand.ts";
import { fields } from "@svc/shared/base/fields.ts";
import { callCore } from "@svc/shared/core/callCore.ts";
import type { CoreGlue } from "@svc/shared/core/generated/coreGlue.ts";
import type { P2pBlockHeader } from "@svc/shared/protocol/p2p/generated/p2pValues.ts";
import { rawBlockFrom } from "@svc/shared/protocol/p2p/p2pBlock.ts";

const blockHashes = v.object({ hash: fields.blockHash });

/** Computes the hash of a header; no body is hashed. Throws `p2p/bad-message`, the codec's errors. */
export function headerHash(
  core: Pick<CoreGlue, "computeHashes">,
  header: P2pBlockHeader,
): BlockHash {
  const text = callCore(() => core.computeHashes(rawBlockFrom(header, [])));
  return v.parse(blockHashes, JSON.parse(text)).hash;
}
