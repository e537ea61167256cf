import { describe, expect, it } from "vitest";
import type { ChainChange } from "./chainFollower.ts";
import { ChangeQueue } from "./changeQueue.ts";
import { freshWallet } from "../testkit/chainModel.ts";

const CHANGE: ChainChange = { type: "rollback", to: freshWallet().account.birthday };

describe("ChangeQueue", () => {
  it("takes in a change whenever it is added, at the end of the work before it too", async () => {
    for (let later = 0; later < 12; later += 1) {
      let taken = 0;
      const queue = new ChangeQueue(async () => {
        taken += 1;
      });
      queue.add(CHANGE);
      for (let turn = 0; turn < later; turn += 1) await Promise.resolve();
      queue.add(CHANGE);
      await queue.settled();
      expect([later, taken]).toEqual([later, 2]);
    }
  });
});
