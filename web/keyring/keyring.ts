/** Keyring: opens the vault, hands viewing keys to the wallet worker, and signs the payments that the owner confirmed. */
import { callCore } from "@svc/shared/core/callCore.ts";
import type { CoreGlue } from "@svc/shared/core/generated/coreGlue.ts";
import { loadCore } from "@svc/shared/core/loadCore.ts";
import { decodeHex } from "@svc/shared/base/hex.ts";
import { formatCoins } from "@svc/shared/base/money.ts";
import { Secret } from "@svc/shared/base/secret.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { checkMerge } from "@svc/shared/wallet/send/checkMerge.ts";
import { checkPart } from "@svc/shared/wallet/send/checkPart.ts";
import type { IntendedPart, SignIntent } from "@svc/shared/wallet/state/provePlan.ts";
import { WALLET_LIMITS } from "@svc/shared/wallet/walletLimits.ts";
import { Attempts } from "./attempts.ts";
import type {
  KeyringApi,
  KeyringForWallet,
  ProvedParts,
  ViewingKeys,
} from "../wallet-api/keyringApi.ts";
import type { DeviceQuestion } from "../wallet-api/deviceSlot.ts";
import type { VaultRecord } from "../wallet-api/vaultRecord.ts";
import { openBackup, sealBackup } from "./backupFile.ts";
import { deviceQuestion } from "./deviceSlot.ts";
import type { Argon2id } from "./passphraseKey.ts";
import { signOwnMessage } from "./signOwnMessage.ts";
import {
  addDevice,
  createVault,
  openByDevice,
  openVault,
  rewrapVault,
  type OpenVault,
} from "./vault.ts";

/** The key store behind the keyring worker's calls. It holds at most one open vault. */
export class Keyring implements Omit<KeyringApi, "connect"> {
  readonly #glue: unknown;
  readonly #nowMs: () => number;
  readonly #attempts = new Attempts();
  readonly #core = Promise.withResolvers<CoreGlue>();
  #open: OpenVault | null = null;
  /** Merges that were signed since the vault was opened, and nobody confirmed. */
  #merges = 0;

  /** The calls that the wallet worker may make. */
  readonly forWallet: KeyringForWallet = {
    init: (core) => this.#core.resolve(loadCore(this.#glue, core)),
    viewingKeys: () => this.#viewingKeys(),
    sign: (intent, proved) => this.#sign(intent, proved),
  };
  #loaded: CoreGlue | null = null;

  constructor(glue: unknown, nowMs: () => number) {
    this.#glue = glue;
    this.#nowMs = nowMs;
  }

  async create(request: Parameters<KeyringApi["create"]>[0]): ReturnType<KeyringApi["create"]> {
    using passphrase = new Secret(request.passphrase);
    const core = await this.#ready();
    const seed = new Secret(request.seed ?? callCore(() => core.generateSeed()));
    checkSeed(core, seed);
    const contents = { seed, passphrase, network: request.network };
    const { record, open } = createVault(contents, argon2idOf(core));
    this.#replace(open);
    return { vault: record, seed: copyOf(seed) };
  }

  async watch(request: Parameters<KeyringApi["watch"]>[0]): Promise<VaultRecord> {
    using passphrase = new Secret(request.passphrase);
    const core = await this.#ready();
    const seed = new Secret(request.viewingKey);
    seed.reveal((key) => callCore(() => core.addressAt(key, 0)));
    const contents = {
      holds: "full-viewing-key",
      seed,
      passphrase,
      network: request.network,
    } as const;
    const { record, open } = createVault(contents, argon2idOf(core));
    this.#replace(open);
    return record;
  }

  async unlock(vault: VaultRecord, passphrase: Uint8Array): Promise<void> {
    this.#replace(await this.#openVault(vault, passphrase));
  }

  async confirm(vault: VaultRecord, passphrase: Uint8Array): Promise<void> {
    const { seed, dataKey } = await this.#openVault(vault, passphrase);
    seed.erase();
    dataKey.erase();
  }

  async addDevice(
    vault: VaultRecord,
    { passphrase, secret: given, ...question }: Parameters<KeyringApi["addDevice"]>[1],
  ): Promise<VaultRecord> {
    using secret = new Secret(given);
    // Awaited here: the secret must live until the slot is sealed.
    return await this.#guess(passphrase, (right, argon2id) =>
      addDevice(vault, { ...question, passphrase: right, secret }, argon2id),
    );
  }

  deviceQuestion({ deviceSlot }: VaultRecord): DeviceQuestion | null {
    return deviceSlot === undefined ? null : deviceQuestion(deviceSlot);
  }

  async unlockByDevice(vault: VaultRecord, given: Uint8Array): Promise<boolean> {
    using secret = new Secret(given);
    await this.#ready();
    const open = openByDevice(vault, secret);
    if (open !== null) this.#replace(open);
    return open !== null;
  }

  async reveal(vault: VaultRecord, passphrase: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
    const open = await this.#openVault(vault, passphrase);
    using shown = open.seed;
    open.dataKey.erase();
    requireSeed(open);
    return copyOf(shown);
  }

  backUp(
    vault: VaultRecord,
    { passphrase, networkName, facts, annotations }: Parameters<KeyringApi["backUp"]>[1],
  ): Promise<Uint8Array<ArrayBuffer>> {
    return this.#guess(passphrase, (secret, argon2id) => {
      const open = openVault(vault, secret, argon2id);
      open.dataKey.erase();
      using seed = open.seed;
      requireSeed(open);
      const network = { digest: open.network, name: networkName };
      return sealBackup({ seed, facts, annotations }, { network, passphrase: secret }, argon2id);
    });
  }

  async exportKey(
    vault: VaultRecord,
    { passphrase, kind }: Parameters<KeyringApi["exportKey"]>[1],
  ): Promise<Uint8Array<ArrayBuffer>> {
    const open = await this.#openVault(vault, passphrase);
    open.dataKey.erase();
    using _ = open.seed;
    const core = this.#coreNow();
    using full = new Secret(fullKeyOf(core, open));
    if (kind === "full") return copyOf(full);
    return new Uint8Array(full.reveal((key) => callCore(() => core.incomingViewingKey(key))));
  }

  async restoreFile(
    request: Parameters<KeyringApi["restoreFile"]>[0],
  ): ReturnType<KeyringApi["restoreFile"]> {
    const core = await this.#ready();
    const { network } = request;
    return await this.#guess(request.passphrase, (passphrase, argon2id) => {
      const { seed, facts, annotations } = openBackup(
        request.file,
        { network, passphrase },
        argon2id,
      );
      checkSeed(core, seed);
      const { record, open } = createVault({ seed, passphrase, network }, argon2id);
      this.#replace(open);
      return { vault: record, facts, annotations };
    });
  }

  async changePassphrase(
    vault: VaultRecord,
    { passphrase, next }: Parameters<KeyringApi["changePassphrase"]>[1],
  ): Promise<VaultRecord> {
    using after = new Secret(next);
    // Awaited here: the new passphrase must live until the vault is sealed.
    return await this.#guess(passphrase, (before, argon2id) =>
      rewrapVault(vault, { passphrase: before, next: after }, argon2id),
    );
  }

  async signMessage(
    vault: VaultRecord,
    { passphrase, ...request }: Parameters<KeyringApi["signMessage"]>[1],
  ): ReturnType<KeyringApi["signMessage"]> {
    const open = await this.#openVault(vault, passphrase);
    open.dataKey.erase();
    using _ = open.seed;
    requireSeed(open);
    return signOwnMessage(this.#coreNow(), open, request);
  }

  pauseMs(): number {
    return this.#attempts.pauseMs(this.#nowMs());
  }

  lock(): void {
    this.#replace(null);
  }

  #openVault(vault: VaultRecord, bytes: Uint8Array): Promise<OpenVault> {
    return this.#guess(bytes, (passphrase, argon2id) => openVault(vault, passphrase, argon2id));
  }

  /** Does what a passphrase opens, and counts a wrong one. The bytes are erased. */
  async #guess<Result>(
    bytes: Uint8Array,
    work: (passphrase: Secret, argon2id: Argon2id) => Result,
  ): Promise<Result> {
    using passphrase = new Secret(bytes);
    const core = await this.#ready();
    // The page shows the pause and waits; whoever does not wait learns nothing.
    if (this.pauseMs() > 0) throw new SvcError("wallet/wrong-passphrase", {});
    try {
      const result = work(passphrase, argon2idOf(core));
      this.#attempts.succeeded();
      return result;
    } catch (error) {
      if (SvcError.is(error, "wallet/wrong-passphrase")) this.#attempts.failed(this.#nowMs());
      throw error;
    }
  }

  #viewingKeys(): ViewingKeys {
    const open = this.#opened();
    const viewingKey = fullKeyOf(this.#coreNow(), open);
    return { vaultId: open.id, viewingKey, dataKey: copyOf(open.dataKey) };
  }

  #sign({ whole, background, ...intent }: SignIntent, proved: ProvedParts): string {
    if (whole !== undefined) checkPart(whole, intent);
    if (background === true) this.#checkMerge(intent);
    const core = this.#coreNow();
    const text = JSON.stringify(intent);
    const open = this.#opened();
    requireSeed(open);
    const { network } = open;
    const found = callCore(() => core.profileDigest(JSON.stringify(intent.profile)));
    if (found !== network)
      throw new SvcError("store/profile-mismatch", { expected: network, found });
    const { bundle, disclosure, alphas } = proved;
    return open.seed.reveal((seed) =>
      callCore(() => core.checkAndSign(seed, text, bundle, disclosure, alphas)),
    );
  }

  /** Counts a merge that nobody confirmed, and throws as `checkMerge` does, and `signer/fee-above-maximum` for one merge too many. */
  #checkMerge(intent: IntendedPart): void {
    const open = this.#opened();
    const core = this.#coreNow();
    using key = new Secret(fullKeyOf(core, open));
    const isOwn = (address: string): boolean =>
      key.reveal((bytes) => callCore(() => core.addressIndexOf(bytes, decodeHex(address)))) !==
      undefined;
    checkMerge(intent, isOwn);
    if (this.#merges >= WALLET_LIMITS.mergesPerUnlock) {
      const fee = formatCoins(BigInt(intent.fee));
      throw new SvcError("signer/fee-above-maximum", { fee, max: formatCoins(0n) });
    }
    this.#merges += 1;
  }

  async #ready(): Promise<CoreGlue> {
    this.#loaded = await this.#core.promise;
    return this.#loaded;
  }

  #coreNow(): CoreGlue {
    if (this.#loaded === null) throw new SvcError("wallet/locked", {});
    return this.#loaded;
  }

  #opened(): OpenVault {
    if (this.#open === null) throw new SvcError("wallet/locked", {});
    return this.#open;
  }

  #replace(next: OpenVault | null): void {
    this.#open?.seed.erase();
    this.#open?.dataKey.erase();
    this.#open = next;
    this.#merges = 0;
  }
}

/** Every 32 bytes are a seed but a few; those few are refused like a typing error, and erased. */
function checkSeed(core: CoreGlue, seed: Secret): void {
  try {
    seed.reveal((bytes) => callCore(() => core.fullViewingKey(bytes)));
  } catch (error) {
    seed.erase();
    throw new SvcError("wallet/bad-seed", {}, error);
  }
}

/** Throws `wallet/watch-only` for a vault that holds a viewing key. */
function requireSeed({ holds }: OpenVault): void {
  if (holds !== "seed") throw new SvcError("wallet/watch-only", {});
}

function fullKeyOf(core: CoreGlue, { holds, seed }: OpenVault): Uint8Array<ArrayBuffer> {
  if (holds !== "seed") return copyOf(seed);
  return new Uint8Array(seed.reveal((bytes) => callCore(() => core.fullViewingKey(bytes))));
}

function argon2idOf(core: CoreGlue): Argon2id {
  return (passphrase, salt, memoryKib, passes) =>
    callCore(() => core.argon2id(passphrase, salt, memoryKib, passes));
}

function copyOf(secret: Secret): Uint8Array<ArrayBuffer> {
  return secret.reveal((bytes) => new Uint8Array(bytes));
}
