/** Handlers that make, show and use the keys of a wallet. */
import { asDaaScore, type DaaScore } from "@svc/shared/base/brand.ts";
import { equalBytes } from "@svc/shared/base/bytes.ts";
import { decodeHex, encodeHex } from "@svc/shared/base/hex.ts";
import { Secret } from "@svc/shared/base/secret.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { callCore } from "@svc/shared/core/callCore.ts";
import { addressRefusal, signAddressMessage } from "@svc/shared/signer/addressControl.ts";
import { ViewingKeys } from "../keys/viewingKeys.ts";
import type { CreatedWallet } from "../keys/walletFolder.ts";
import type { WalletFacts, WalletKind } from "../keys/walletFile.ts";
import type { WalletToken } from "../keys/walletToken.ts";
import type { DaemonWallets, HandlerParts } from "./daemonWallets.ts";
import type { WalletHandlers } from "./walletHandlers.ts";

const WARNING =
  "Write the seed down: whoever has it can spend. Without a birthday the whole chain is scanned, which is sure and takes a while.";
const NOTE = "The first 192 digits are the viewing key: whoever has them sees all payments.";
const FIRST = asDaaScore(0n);

type KeyHandlers = Pick<
  WalletHandlers,
  "create" | "import" | "watch" | "address" | "reveal" | "sign" | "verify"
>;

/** Makes the handlers. */
export function keyHandlers(parts: HandlerParts, wallets: DaemonWallets): KeyHandlers {
  const { core, profileJson, folder } = parts;
  const registry = new Registration(parts, wallets);
  const { network } = folder;
  return {
    create: async ({ token, body }) => {
      const { seed, keys } = await registry.create(token, body?.birthday ?? FIRST);
      keys.erase();
      return { address: keys.address.text, seed_hex: shown(seed), network, warning: WARNING };
    },
    import: async ({ token, body }) => {
      using seed = new Secret(decodeHex(body.seed_hex));
      const address = await registry.importSeed(token, seed, body);
      return { address, seed_hex: shown(seed), network, warning: WARNING };
    },
    watch: async ({ token, body }) => ({
      address: await registry.watch(token, decodeHex(body.fvk_hex), body),
    }),
    address: async ({ token, query }) => {
      const { keys } = await wallets.open(token);
      const { index } = query;
      return { address: index === undefined ? keys.address.text : keys.addressAt(index).text };
    },
    reveal: async ({ token }) => {
      const { keys } = await wallets.open(token);
      const address = keys.address.text;
      return { address, seed_hex: shown(await folder.openSeed(token)), network };
    },
    sign: async ({ token, body }) => {
      const { keys } = await wallets.open(token);
      using seed = await folder.openSeed(token);
      const { message } = body;
      const raw = decodeHex(keys.address.raw);
      const signature = signAddressMessage({ core, profileJson, seed }, raw, message);
      return { address: keys.address.text, message, signature, note: NOTE };
    },
    verify: async ({ body }) => {
      const reason = addressRefusal(core, profileJson, body);
      return { valid: reason === null, reason };
    },
  };
}

/** The hex of a seed that is answered, and nothing of it left here. */
function shown(seed: Secret): string {
  const hex = seed.reveal(encodeHex);
  seed.erase();
  return hex;
}

type Wish = {
  readonly birthday?: DaaScore | null | undefined;
  readonly replace?: boolean | null | undefined;
};

/** Puts wallets under tokens. One that has the key already keeps its scan, its settings and its payments. */
class Registration {
  readonly #parts: HandlerParts;
  readonly #wallets: DaemonWallets;

  constructor(parts: HandlerParts, wallets: DaemonWallets) {
    this.#parts = parts;
    this.#wallets = wallets;
  }

  /** A wallet of a new seed. What an earlier one under the token left in the database goes first: its payments are not this one's. */
  async create(token: WalletToken, birthday: DaaScore): Promise<CreatedWallet> {
    const { folder, store } = this.#parts;
    await this.#requireFree(token);
    const made = await this.#whileClosed(token, async () => {
      await this.#requireFree(token);
      store.deleteWallet(token);
      const created = await folder.create(token, { birthday });
      store.own(token, created.keys.fvk);
      return created;
    });
    this.#opened(token);
    return made;
  }

  /** The address of the seed, which stays with the caller. */
  async importSeed(token: WalletToken, seed: Secret, wish: Wish): Promise<string> {
    const { core, profileJson, folder } = this.#parts;
    const { hrp } = JSON.parse(profileJson);
    const keys = ViewingKeys.ofSeed(core, hrp, seed);
    const make = (wallet: { birthday: DaaScore; replace: boolean }) =>
      folder.importSeed(token, seed, wallet);
    const change = () => folder.changeKind(token, "seed", seed);
    return this.#register(token, { keys, kind: "seed", make, change, wish });
  }

  /** The address of the viewing key. */
  async watch(token: WalletToken, fvk: Uint8Array, wish: Wish): Promise<string> {
    const { core, profileJson, folder } = this.#parts;
    const { hrp } = JSON.parse(profileJson);
    const keys = callCore(() => new ViewingKeys(core, hrp, fvk));
    const make = (wallet: { birthday: DaaScore; replace: boolean }) =>
      folder.watch(token, fvk, wallet);
    const change = async () => {
      using key = new Secret(fvk.slice());
      return await folder.changeKind(token, "watch", key);
    };
    return this.#register(token, { keys, kind: "watch", make, change, wish });
  }

  /** A wallet was made: it begins to be scanned without waiting for the first question. */
  #opened(token: WalletToken): void {
    this.#wallets.forget(token);
    this.#wallets.openLater(token);
  }

  /** Erases the keys, of which the daemon has its own copies then. */
  async #register(token: WalletToken, step: RegistrationStep): Promise<string> {
    try {
      return await this.#registerWith(token, step);
    } finally {
      step.keys.erase();
    }
  }

  async #registerWith(
    token: WalletToken,
    { keys, kind, make, change, wish }: RegistrationStep,
  ): Promise<string> {
    const { store } = this.#parts;
    const address = keys.address.text;
    const present = await this.#kindOf(token, keys.fvk);
    if (present === kind || (present !== null && wish.replace === true)) {
      if (present !== kind) {
        await this.#whileClosed(token, change);
        this.#wallets.forget(token);
      }
      // Somebody put the file over that of another key: it is opened when the rows of that one are gone.
      if (wish.replace === true && store.owners.find(token, keys.fvk) === "other") {
        await this.#whileClosed(token, async () => store.own(token, keys.fvk));
      }
      await this.#beginEarlier(token, wish.birthday ?? null);
      return address;
    }
    const birthday = wish.birthday ?? FIRST;
    if (wish.replace === true) {
      await this.#whileClosed(token, async () => {
        // The rows go first: a kill in between leaves the earlier wallet, which spends nothing then, and never a new one that goes
        // on with the jobs of the earlier.
        store.deleteWallet(token);
        (await make({ birthday, replace: true })).erase();
        store.own(token, keys.fvk);
      });
    } else {
      await this.#requireFree(token);
      await this.#whileClosed(token, async () => {
        await this.#requireFree(token);
        // A file that somebody removed may have left rows of another key. Those of this one stay: they say what it has paid.
        store.own(token, keys.fvk);
        (await make({ birthday, replace: false })).erase();
      });
    }
    this.#opened(token);
    return address;
  }

  /** Does work while nobody opens the wallet. One whose file somebody removed while it was open cannot be written any more. */
  async #whileClosed<T>(token: WalletToken, work: () => Promise<T>): Promise<T> {
    const { wallets } = this.#parts.daemon;
    await wallets.drop(token).catch((thrown: unknown) => {
      if (!SvcError.is(thrown, "wallet/no-wallet")) throw thrown;
    });
    return wallets.whileClosed(token, work);
  }

  /** Throws `wallet/exists` where there is a wallet file, also one that does not read. A wallet that is open stays so. */
  async #requireFree(token: WalletToken): Promise<void> {
    const facts = this.#parts.folder.facts(token);
    if ((await facts.catch(() => undefined)) !== null) throw new SvcError("wallet/exists", {});
  }

  /** What the wallet under the token is if it has this viewing key; null if it has another, and for none. */
  async #kindOf(token: WalletToken, fvk: Uint8Array): Promise<WalletKind | null> {
    const { folder } = this.#parts;
    if ((await folder.facts(token)) === null) return null;
    const { keys, facts } = await folder.openKeys(token);
    const isSame = equalBytes(keys.fvk, fvk);
    keys.erase();
    return isSame ? facts.kind : null;
  }

  /** A birthday is only ever moved to an earlier score: a later one would hide what came before. Null leaves it as it is. */
  async #beginEarlier(token: WalletToken, birthday: DaaScore | null): Promise<void> {
    const { daemon, folder } = this.#parts;
    const open = await this.#wallets.open(token);
    if (birthday === null || birthday >= open.facts.birthday) return;
    const leave = open.use();
    try {
      open.facts = await folder.update(token, { birthday });
      daemon.wallets.rescanLater(open);
    } finally {
      leave();
    }
  }
}

type RegistrationStep = {
  readonly keys: ViewingKeys;
  readonly kind: WalletKind;
  readonly make: (wallet: { birthday: DaaScore; replace: boolean }) => Promise<ViewingKeys>;
  /** Makes a wallet of the same key one of this kind. */
  readonly change: () => Promise<WalletFacts>;
  readonly wish: Wish;
};
