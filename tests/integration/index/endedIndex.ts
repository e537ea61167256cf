/** An index whose process ends between two commits: what it had written is all that the next one finds. */
import type { Kv } from "@svc/node-server/storage/kv.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { headOf } from "./indexFixture.ts";
import type { IndexScene } from "./indexScene.ts";

/** Lets so many commits of both databases through, and none behind them: the process has ended. */
export function endAfter(scene: IndexScene, commits: number): () => boolean {
  let left = commits;
  let isOver = false;
  const { derived, observed } = scene.index.writer;
  const cut = (kv: Kv): void => {
    const commit = kv.commit.bind(kv);
    kv.commit = (changes) => {
      isOver ||= left === 0;
      if (isOver) throw new SvcError("internal/unexpected", { message: "the process has ended" });
      left -= 1;
      commit(changes);
    };
  };
  cut(derived.kv);
  cut(observed);
  return () => isOver;
}

/** Until the index is at the sink or has ended. */
export async function worked(scene: IndexScene, isOver: () => boolean): Promise<void> {
  const { derived } = scene.index.writer;
  while (!isOver() && headOf(derived.kv) !== scene.node.tip().sink) {
    await new Promise((resolve) => setImmediate(resolve));
  }
}
