/** The server of a daemon of `spendScene.ts`: the calls that spend, tokens and payouts, with callers of them. */
import { WalletClient } from "@svc/shared/protocol/wallet/walletClient.ts";
import type { SimClock } from "@svc/shared/wallet/testkit/simClock.ts";
import { mulberry32 } from "../../platform/testkit/mulberry32.ts";
import { payoutHandlers } from "../http/payoutHandlers.ts";
import { spendHandlers } from "../http/spendHandlers.ts";
import { tokenHandlers } from "../http/tokenHandlers.ts";
import type { WalletToken } from "../keys/walletToken.ts";
import { TokenBook } from "../spend/tokens/tokenBook.ts";
import {
  FAKE_CORE,
  opened,
  readTransaction,
  startDaemon,
  type SceneDaemon,
  type SceneDisk,
  type SceneOptions,
} from "./spendScene.ts";
import { WalletServerFixture } from "./walletServerFixture.ts";

/** How it is started. */
export type SpendServerOptions = SceneOptions & {
  /** The wallet of the disk that is opened first. */
  readonly token: WalletToken;
};

/** A daemon that spends, and its server. */
export class SpendServer {
  readonly disk: SceneDisk;
  readonly daemon: SceneDaemon;
  readonly fixture: WalletServerFixture;
  readonly #token: WalletToken;
  #ended: Promise<void> | null = null;

  private constructor(
    disk: SceneDisk,
    daemon: SceneDaemon,
    { fixture, token }: { readonly fixture: WalletServerFixture; readonly token: WalletToken },
  ) {
    this.disk = disk;
    this.daemon = daemon;
    this.fixture = fixture;
    this.#token = token;
  }

  /** Starts it, the wallet at the tip. */
  static async start(
    disk: SceneDisk,
    { token, ...options }: SpendServerOptions,
  ): Promise<SpendServer> {
    const daemon = startDaemon(disk, options);
    await opened(daemon, token);
    const { store, service: spend } = daemon;
    const sim: SimClock = options.sim ?? disk.sim;
    const random = mulberry32(19);
    const randomBytes = (length: number) => Uint8Array.from({ length }, () => random() % 256);
    const tokens = new TokenBook({ store, clock: sim, randomBytes });
    const folder = {
      facts: async (name: WalletToken) => disk.wallets.get(name)?.facts ?? null,
    };
    const parts = { core: FAKE_CORE, hrp: "test", folder, tokens, spend };
    const wallets = { open: (name: WalletToken) => daemon.open.open(name) };
    const fixture = await WalletServerFixture.start({
      tokens,
      handlers: {
        ...spendHandlers(spend, wallets),
        ...tokenHandlers(parts, wallets),
        ...payoutHandlers(parts, wallets),
      },
    });
    return new SpendServer(disk, daemon, { fixture, token });
  }

  /** The wallet's own token. */
  get owner(): WalletClient {
    return this.clientOf(this.#token);
  }

  /** A caller with a token. */
  clientOf(token: string): WalletClient {
    return new WalletClient({ baseUrl: this.fixture.server.address, token });
  }

  /** Sompi that the node was given for others than the wallet. */
  get paidOthers(): bigint {
    const own = this.disk.wallets.get(this.#token)?.address;
    return [...new Set(this.disk.node.submitted)]
      .flatMap((raw) => readTransaction(raw).outputs)
      .filter(({ address }) => address !== own)
      .reduce((sum, { value }) => sum + BigInt(value), 0n);
  }

  /** Stops it; the disk stays. */
  stop(): Promise<void> {
    return (this.#ended ??= this.#end());
  }

  async #end(): Promise<void> {
    await this.fixture.stop();
    await this.daemon.service.stop();
    await this.daemon.lanes.stop();
  }
}
