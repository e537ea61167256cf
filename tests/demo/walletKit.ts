/** Headless wallet: the shared wallet over the core in this thread, for programs without a browser. */
import {
  asRawAddress,
  asBlockHash,
  asTimestampMs,
  type RawAddress,
} from "@svc/shared/base/brand.ts";
import { encodeHex } from "@svc/shared/base/hex.ts";
import type { Secret } from "@svc/shared/base/secret.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { callCore } from "@svc/shared/core/callCore.ts";
import type { CoreGlue } from "@svc/shared/core/generated/coreGlue.ts";
import { CoreTree } from "@svc/shared/wallet/state/coreTree.ts";
import type { LoopParts } from "@svc/shared/wallet/run/walletLoop.ts";
import { openWallet } from "@svc/shared/wallet/run/openWallet.ts";
import { readPayee, type PayeeText } from "@svc/shared/wallet/plan/payee.ts";
import type { Payee } from "@svc/shared/wallet/state/payment.ts";
import type {
  ClockPort,
  EvidenceParts,
  NodePort,
  ProvedPayment,
  ProverPort,
  RecordPage,
  ScanPort,
  SignerPort,
  StorePort,
  StoredWallet,
  WalletChange,
} from "@svc/shared/wallet/state/ports.ts";
import type { SignIntent } from "@svc/shared/wallet/state/provePlan.ts";
import { readScanFacts } from "@svc/shared/wallet/state/scanFacts.ts";
import { coreEvidence } from "@svc/shared/wallet/sync/coreEvidence.ts";
import { withRecordChecks, type RecordSources } from "@svc/shared/wallet/sync/recordChecks.ts";
import { readProfile } from "@svc/shared/chain/profile.ts";
import {
  checkpointOf,
  type Checkpoints,
  type WorkCheckpoint,
} from "@svc/shared/light/checkpointOf.ts";
import { logFromOf } from "@svc/shared/light/logFromOf.ts";
import type { EvidencePort } from "@svc/shared/light/evidencePort.ts";
import type { SendParts } from "@svc/shared/wallet/send/sendPayment.ts";
import {
  walletPolicy,
  type PolicyProfile,
  type WalletPolicy,
} from "@svc/shared/wallet/state/walletPolicy.ts";
import type { WalletSync } from "@svc/shared/wallet/sync/walletSync.ts";

/** Dependencies of a wallet. */
export type WalletKitParts = {
  readonly core: CoreGlue;
  /** Canonical JSON of the network profile. */
  readonly profileJson: string;
  readonly prover: ProverPort;
  readonly clock: ClockPort;
  /** Where the wallet is kept; for as long as it is open where left out. */
  readonly store?: StorePort;
  /** Work of networks that the wallet is told. */
  readonly checkpoints?: Checkpoints;
};

/** A wallet with its key, scanning and sending in this process. Nothing is written to disk. */
export class WalletKit {
  readonly address: string;
  readonly recipient: RawAddress;
  readonly policy: WalletPolicy;
  readonly #parts: WalletKitParts;
  readonly #seed: Secret;
  readonly #fvk: Uint8Array;
  readonly #profile: PolicyProfile;
  readonly #checkpoint: WorkCheckpoint | null;
  #open: { readonly sync: WalletSync; readonly node: NodePort } | null = null;

  /** Takes ownership of the seed. Throws `keys/bad-seed`. */
  constructor(parts: WalletKitParts, seed: Secret) {
    const { core, profileJson } = parts;
    this.#parts = parts;
    this.#seed = seed;
    this.#profile = JSON.parse(profileJson);
    this.#checkpoint = checkpointOf(
      callCore(() => core.profileDigest(profileJson)),
      parts.checkpoints,
    );
    this.policy = walletPolicy(this.#profile, { knowsWork: this.#checkpoint !== null });
    this.#fvk = seed.reveal((bytes) => callCore(() => core.fullViewingKey(bytes)));
    const raw = callCore(() => core.addressAt(this.#fvk, 0));
    this.recipient = asRawAddress(encodeHex(raw));
    this.address = callCore(() => core.encodeAddress(this.#profile.hrp, raw));
  }

  /**
   * Opens the wallet of the store, or a new one at genesis; with a source of evidence it holds its node to the work, and with `checks`
   * it looks at what no state root covers.
   */
  async open(
    node: NodePort,
    signal: AbortSignal,
    source?: EvidencePort,
    checks?: RecordSources,
  ): Promise<WalletSync> {
    const { core, profileJson, clock } = this.#parts;
    const scanner = callCore(() => new core.Scanner(profileJson, this.#fvk));
    const scan: ScanPort = {
      scan: async ({ body, count }: RecordPage) =>
        readScanFacts(callCore(() => scanner.scanRecords(body, count))),
    };
    const parts = {
      policy: this.policy,
      node,
      clock,
      scan,
      store: this.#parts.store ?? new MemoryWalletStore(),
      makeTree: (bytes: Uint8Array) => new CoreTree(core, bytes),
      ...(source === undefined ? {} : { evidence: this.#evidence(source, checks) }),
    };
    const identity = {
      genesis: asBlockHash(callCore(() => core.genesisHash(profileJson))),
      profileDigest: callCore(() => core.profileDigest(profileJson)),
      defaultAddress: this.recipient,
    };
    const sync = await openWallet(parts, identity, "genesis", signal);
    this.#open = { sync, node };
    return sync;
  }

  #evidence(source: EvidencePort, checks: RecordSources | undefined): EvidenceParts {
    const { core, profileJson } = this.#parts;
    const profile = readProfile(profileJson);
    const network = { profileJson, logFrom: logFromOf(profile), checkpoint: this.#checkpoint };
    const parts = coreEvidence(core, source, network);
    return checks === undefined ? parts : withRecordChecks(core, parts, checks);
  }

  /** Checks a payee as a form does. Throws `address/…`, `amount/…`, `wallet/memo-too-long`. */
  readPayee(text: PayeeText): Payee {
    const { core } = this.#parts;
    return readPayee(text, {
      hrp: this.#profile.hrp,
      decodeAddress: (hrp, address) => callCore(() => core.decodeAddress(hrp, address)),
      isOwn: (recipient) => recipient === this.recipient,
    });
  }

  /** What `sendPayment` works with, once the wallet is open. */
  sendParts(): SendParts & LoopParts {
    if (this.#open === null) throw new SvcError("wallet/no-wallet", {});
    const { core, prover, clock } = this.#parts;
    return {
      ...this.#open,
      policy: this.policy,
      prover,
      signer: new SeedSigner(core, this.#seed),
      clock,
      transactionId: (raw) => callCore(() => core.transactionId(raw)),
      profile: this.#profile,
      fvk: encodeHex(this.#fvk),
    };
  }

  /** Erases the seed and gives the memory back. */
  async close(): Promise<void> {
    this.#seed.erase();
    await this.#open?.sync.close();
    this.#open = null;
  }
}

/** Signs with a seed held in this process. */
class SeedSigner implements SignerPort {
  readonly #core: CoreGlue;
  readonly #seed: Secret;

  constructor(core: CoreGlue, seed: Secret) {
    this.#core = core;
    this.#seed = seed;
  }

  async sign(intent: SignIntent, proved: ProvedPayment): Promise<string> {
    const { bundle, disclosure, alphas } = proved;
    const text = JSON.stringify(intent);
    return this.#seed.reveal((seed) =>
      callCore(() => this.#core.checkAndSign(seed, text, bundle, disclosure, alphas)),
    );
  }
}

/** Keeps a wallet for as long as the process lives. */
export class MemoryWalletStore implements StorePort {
  #stored: StoredWallet | null = null;

  async load(): Promise<StoredWallet | null> {
    return this.#stored;
  }

  async commit({ state, tree }: WalletChange): Promise<void> {
    const old = this.#stored;
    const snapshot = tree?.snapshot() ?? old?.tree ?? new Uint8Array();
    this.#stored = { state, tree: snapshot, leaves: new Uint8Array() };
  }
}

/** The machine's clock as the wallet wants it. */
export function walletClock(clock: {
  nowMs(): bigint;
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}): ClockPort {
  return {
    nowMs: () => asTimestampMs(clock.nowMs()),
    sleep: (ms, signal) => clock.sleep(ms, signal),
  };
}
