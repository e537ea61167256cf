/** The request loop of a shard's thread: one WebAssembly instance that serves tasks in order. */
import { callCore, coreError, isFatal } from "./callCore.ts";
import { loadProver } from "./loadCore.ts";
import type { RawProvingShard } from "./generated/proverGlue.ts";
import type { ShardParts, ShardReport, ShardRequest } from "./shardMessages.ts";

/** Makes the shard of this thread. `glue` is the imported bindings of the `prover` build. */
function openShard(glue: unknown, { module, assets, cache }: ShardParts): RawProvingShard {
  const prover = loadProver(glue, module);
  return callCore(() => {
    const keys = new prover.ProvingKeys(assets);
    const shard = keys.shard(cache ?? undefined);
    keys.free();
    return shard;
  });
}

/** Serves requests; `report` sends the answers. */
export function shardServer(
  glue: unknown,
  report: (message: ShardReport) => void,
): (request: ShardRequest) => void {
  let shard: RawProvingShard | null = null;
  return (request) => {
    try {
      if (request.kind === "open") {
        shard = openShard(glue, request.parts);
        report({ kind: "opened" });
        return;
      }
      const ready = shard;
      // A lost shard has said so already; whoever asks on has not heard it yet.
      if (ready === null) return;
      if (request.kind === "forget") {
        callCore(() => ready.forget());
        return;
      }
      const result = callCore(() => ready.run(request.task));
      report({ kind: "result", id: request.id, result });
    } catch (thrown) {
      const error = coreError(thrown);
      const lost = request.kind === "open" || isFatal(error);
      if (lost) shard = null;
      report(
        request.kind !== "run" || lost
          ? { kind: "failed", error: error.toJSON() }
          : { kind: "refused", id: request.id, error: error.toJSON() },
      );
    } finally {
      // The first task holds the seed and the private inputs.
      if (request.kind === "run") request.task.fill(0);
    }
  };
}
