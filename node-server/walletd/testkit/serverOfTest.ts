/** The listening server of the test that runs: started by it, stopped after it. */
import { afterEach } from "vitest";
import { WalletServerFixture, type Over } from "./walletServerFixture.ts";

/** Registers the stop with the file that calls it; gives the start, and the server that was started. */
export function serverOfTest() {
  let fixture: WalletServerFixture | null = null;
  afterEach(async () => {
    await fixture?.stop();
    fixture = null;
  });
  return {
    start: async (over: Over = {}): Promise<WalletServerFixture> => {
      fixture = await WalletServerFixture.start(over);
      return fixture;
    },
    at: (): WalletServerFixture => {
      if (fixture === null) throw new Error("no server was started");
      return fixture;
    },
  };
}
