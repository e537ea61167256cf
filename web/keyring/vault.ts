/**
 * Vault: the encrypted form of the seed at rest (specification wallet 4.2).
 *
 * A random data-encryption key (DEK) opens everything; the passphrase only unwraps it, and so may a passkey (`deviceSlot.ts`):
 *   slot key = HKDF-SHA256(Argon2id(NFKC(passphrase), salt), info "svc/slot/pass")
 *   seed key = HKDF-SHA256(DEK, info "svc/seed"), data key = HKDF-SHA256(DEK, info "svc/data").
 * The header text is the associated data of slot and seed: changing a letter of it, the cost of the key derivation
 * included, keeps the vault shut.
 */
import { concatBytes } from "@svc/shared/base/bytes.ts";
import { Secret } from "@svc/shared/base/secret.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import * as v from "valibot";
import { openDeviceSlot, sealDeviceSlot, type VaultIdentity } from "./deviceSlot.ts";
import {
  kdfForm,
  newKdf,
  openWith,
  passphraseKey,
  sealWith,
  STANDARD_COST,
  subKey,
  type Argon2id,
  type KdfCost,
} from "./passphraseKey.ts";
import { parsedJson } from "./parsedJson.ts";
import type { DeviceQuestion } from "../wallet-api/deviceSlot.ts";
import type { VaultHolds } from "../wallet-api/vaultHolds.ts";
import type { VaultRecord } from "../wallet-api/vaultRecord.ts";

/** An open vault. */
export type OpenVault = {
  /** The seed of 32 bytes; the viewing key of 96 where the vault holds that. */
  readonly seed: Secret;
  readonly holds: VaultHolds;
  /** Key of the wallet's private records. */
  readonly dataKey: Secret;
  /** Digest of the network profile in the authenticated header. */
  readonly network: string;
  /** Id in that header. */
  readonly id: string;
};

/** Contents of a new vault. */
export type VaultContents = {
  /** What `seed` is; a seed when it is left out. */
  readonly holds?: VaultHolds;
  readonly seed: Secret;
  /** NFKC text as UTF-8; see `passphraseBytes`. */
  readonly passphrase: Secret;
  /** Digest of the network profile the wallet is for. */
  readonly network: string;
};

/** A vault that holds a seed; and one that names what else it holds. */
const SEED_VERSION = 1;
const WATCH_VERSION = 2;
const SLOT = "svc/slot/pass";

const common = {
  id: v.pipe(v.string(), v.uuid()),
  network: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
  kdf: kdfForm,
};
const headerForm = v.variant("version", [
  v.strictObject({ version: v.literal(SEED_VERSION), ...common }),
  v.strictObject({
    version: v.literal(WATCH_VERSION),
    ...common,
    holds: v.literal("full-viewing-key"),
  }),
]);
const versionForm = v.object({ version: v.number() });

/** The checked header. */
export type VaultHeader = v.InferOutput<typeof headerForm>;

/** Seals a seed under a passphrase. Gives the record to store and the open vault. */
export function createVault(
  contents: VaultContents,
  argon2id: Argon2id,
  cost: KdfCost = STANDARD_COST,
): { record: VaultRecord; open: OpenVault } {
  const { holds = "seed", network } = contents;
  const facts = { id: crypto.randomUUID(), network, kdf: newKdf(cost) };
  const header: VaultHeader =
    holds === "seed"
      ? { version: SEED_VERSION, ...facts }
      : { version: WATCH_VERSION, ...facts, holds };
  using dek = new Secret(crypto.getRandomValues(new Uint8Array(32)));
  const keys = { dek, passphrase: contents.passphrase };
  return {
    record: sealVault(header, keys, contents.seed, argon2id),
    open: { seed: contents.seed, holds, dataKey: subKey(dek, "svc/data"), network, id: header.id },
  };
}

/**
 * The same vault under another passphrase, with a fresh salt at the standard cost. The DEK stays, and with it every record
 * that is sealed under a key of it; the seed is sealed anew because the header that names the salt is its associated data.
 * Both vaults open the same wallet, each by its own passphrase, so the caller replaces the record as a whole. The slot of a device
 * stays as it is. Throws as `openVault` does.
 */
export function rewrapVault(
  record: VaultRecord,
  { passphrase, next }: { readonly passphrase: Secret; readonly next: Secret },
  argon2id: Argon2id,
  cost: KdfCost = STANDARD_COST,
): VaultRecord {
  const { header, dek: unwrapped, seed: opened } = unsealVault(record, passphrase, argon2id);
  using dek = unwrapped;
  using seed = opened;
  const keys = { dek, passphrase: next };
  const { deviceSlot } = record;
  const sealed = sealVault({ ...header, kdf: newKdf(cost) }, keys, seed, argon2id);
  return deviceSlot === undefined ? sealed : { ...sealed, deviceSlot };
}

/** The same vault with a slot for a device, in the place of one that it has. The caller erases the secrets. Throws as `openVault` does. */
export function addDevice(
  record: VaultRecord,
  {
    passphrase,
    ...device
  }: DeviceQuestion & { readonly passphrase: Secret; readonly secret: Secret },
  argon2id: Argon2id,
): VaultRecord {
  const { header, dek: unwrapped, seed } = unsealVault(record, passphrase, argon2id);
  using dek = unwrapped;
  seed.erase();
  return { ...record, deviceSlot: sealDeviceSlot(identityOf(header), device, dek) };
}

/**
 * Opens a vault by the secret of its device. Null when there is no slot, or the secret does not open it; the passphrase may all the
 * same. Throws `store/corrupt` and `store/version` for what is damaged or of another form.
 */
export function openByDevice(record: VaultRecord, secret: Secret): OpenVault | null {
  const header = readVaultHeader(record);
  const { deviceSlot } = record;
  if (deviceSlot === undefined) return null;
  const unwrapped = openDeviceSlot(identityOf(header), deviceSlot, secret);
  if (unwrapped === null) return null;
  using dek = unwrapped;
  return opened(header, dek, openSeed(record, dek));
}

/**
 * Opens a vault. Throws `wallet/wrong-passphrase` when the passphrase or anything it protects is
 * not the right one, `store/corrupt` for a damaged seed, `store/version` for an unknown form.
 */
export function openVault(record: VaultRecord, passphrase: Secret, argon2id: Argon2id): OpenVault {
  const { header, dek: unwrapped, seed } = unsealVault(record, passphrase, argon2id);
  using dek = unwrapped;
  return opened(header, dek, seed);
}

/** Reads the header. Throws `store/version` and `store/corrupt`. */
export function readVaultHeader(record: VaultRecord): VaultHeader {
  const json = parsedJson(record.header);
  const named = v.safeParse(versionForm, json);
  if (!named.success) throw corrupt("version");
  const { version } = named.output;
  if (version !== SEED_VERSION && version !== WATCH_VERSION) {
    throw new SvcError("store/version", { expected: WATCH_VERSION, found: version });
  }
  const result = v.safeParse(headerForm, json);
  if (!result.success) throw corrupt(v.getDotPath(result.issues[0]) ?? "header");
  return result.output;
}

function sealVault(
  header: VaultHeader,
  keys: { readonly dek: Secret; readonly passphrase: Secret },
  seed: Secret,
  argon2id: Argon2id,
): VaultRecord {
  const text = JSON.stringify(header);
  using slotKey = passphraseKey(header.kdf, keys.passphrase, argon2id, SLOT);
  using seedKey = subKey(keys.dek, "svc/seed");
  return {
    header: text,
    passSlot: sealWith(slotKey, context(text, "slot"), keys.dek),
    seed: sealWith(seedKey, context(text, "seed"), seed),
  };
}

/** The header, DEK and seed of a vault. The caller erases both secrets. */
function unsealVault(record: VaultRecord, passphrase: Secret, argon2id: Argon2id) {
  const header = readVaultHeader(record);
  using slotKey = passphraseKey(header.kdf, passphrase, argon2id, SLOT);
  const dek = openWith(slotKey, context(record.header, "slot"), record.passSlot);
  if (dek === null) throw new SvcError("wallet/wrong-passphrase", {});
  try {
    return { header, dek, seed: openSeed(record, dek) };
  } catch (error) {
    dek.erase();
    throw error;
  }
}

/** Opening the seed authenticates the header. */
function openSeed(record: VaultRecord, dek: Secret): Secret {
  using seedKey = subKey(dek, "svc/seed");
  const seed = openWith(seedKey, context(record.header, "seed"), record.seed);
  if (seed === null) throw corrupt("the seed does not belong to its key");
  return seed;
}

function opened(header: VaultHeader, dek: Secret, seed: Secret): OpenVault {
  return {
    seed,
    holds: holdsOf(header),
    dataKey: subKey(dek, "svc/data"),
    network: header.network,
    id: header.id,
  };
}

function holdsOf(header: VaultHeader): VaultHolds {
  return header.version === WATCH_VERSION ? header.holds : "seed";
}

function identityOf(header: VaultHeader): VaultIdentity {
  return { id: header.id, network: header.network, holds: holdsOf(header) };
}

function context(header: string, purpose: "slot" | "seed"): Uint8Array {
  const text = new TextEncoder();
  return concatBytes(text.encode(purpose), Uint8Array.of(0), text.encode(header));
}

function corrupt(reason: string): SvcError {
  return new SvcError("store/corrupt", { table: "vault", reason });
}
