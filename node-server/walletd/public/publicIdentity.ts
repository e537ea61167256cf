/**
 * What a daemon that others can reach is known by: its certificate, and the bearer token that every request carries.
 *
 * Both lie in one file of a folder beside the wallets, for its owner alone, and stay over restarts: paired phones know the
 * certificate by its fingerprint, so it stays too when the daemon moves to another host.
 */
import { createHash, createPrivateKey, randomBytes, X509Certificate } from "node:crypto";
import { isIP } from "node:net";
import * as v from "valibot";
import { decodeHex, encodeHex } from "@svc/shared/base/hex.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { isPairingToken } from "@svc/shared/protocol/wallet/pairing.ts";
import { FolderFiles } from "../keys/folderFiles.ts";
import { SYSTEM_DISK, type WalletDisk } from "../keys/walletDisk.ts";
import { WALLETD_LIMITS } from "../walletdLimits.ts";
import { selfSignedCertificate } from "./selfSignedCertificate.ts";

/** What is asked of an identity when a daemon starts. */
export type IdentityParts = {
  /** The folder of the file; it is made when it is not there. */
  readonly folder: string;
  /** The host under which others reach the daemon, as `pairingHost` gives it; null when unknown. */
  readonly host: string | null;
  /** Makes a new certificate in place of the one that is there: every phone has to pair again. */
  readonly renewCertificate: boolean;
  /** The operator's own bearer token, which is not stored; null for the stored one. */
  readonly apiToken: string | null;
  /** Unix time in ms. */
  readonly nowMs: bigint;
  readonly disk?: WalletDisk;
};

const FILE = "public.json";
const MAGIC = "svc-wallet-api";
const VERSION = 1;
const BEARER_BYTES = 32;
/** What errors call the file. */
const LABEL = `${FILE} of the wallet API`;

const hex = v.pipe(v.string(), v.regex(/^(?:[0-9a-f]{2})+$/));
const storedForm = v.object({
  /** In DER. */
  certificate: hex,
  /** PKCS #8. */
  key: hex,
  bearer: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
});
const fileForm = v.strictObject({
  magic: v.literal(MAGIC),
  version: v.literal(VERSION),
  ...storedForm.entries,
  /** SHA-256 of the other fields: a bearer with a wrong digit would be one too. */
  check: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
});
const markForm = v.object({ magic: v.literal(MAGIC), version: v.number() });

type Stored = v.InferOutput<typeof storedForm>;

/** The certificate and the bearer token of a daemon. */
export class PublicIdentity {
  readonly #read: X509Certificate;
  readonly #tls: { readonly cert: string; readonly key: string };
  readonly #bearer: string;
  /** SHA-256 of the certificate in DER, 64 hex digits in lower case. */
  readonly fingerprint: string;

  private constructor({ certificate, key }: Stored, bearer: string) {
    const der = decodeHex(certificate);
    this.#read = new X509Certificate(der);
    const secret = decodeHex(key);
    const held = createPrivateKey({ key: Buffer.from(secret), format: "der", type: "pkcs8" });
    secret.fill(0);
    if (!this.#read.checkPrivateKey(held)) throw new TypeError("a key of another certificate");
    const pem = held.export({ type: "pkcs8", format: "pem" });
    this.#tls = { cert: this.#read.toString(), key: String(pem) };
    this.#bearer = bearer;
    this.fingerprint = sha256(der);
  }

  /**
   * Reads the identity, or makes it at the first start. Rejects with `wallet/file-damaged`, `wallet/file-version`,
   * `wallet/storage`, `node/bad-folder`, `node/already-running` while another daemon does the same, and with `node/bad-option`
   * for a token of the operator that is short or that no pairing code takes.
   */
  static async open(parts: IdentityParts): Promise<PublicIdentity> {
    const { apiToken } = parts;
    if (apiToken !== null) requireApiToken(apiToken);
    const files = await FolderFiles.open(parts.folder, parts.disk ?? SYSTEM_DISK);
    try {
      const stored = await storedOrMade(files, parts);
      return PublicIdentity.#of(stored, apiToken ?? stored.bearer);
    } finally {
      files.close();
    }
  }

  /** For the server: certificate and key in PEM. Whoever prints an identity sees neither them nor the bearer. */
  get tls(): { readonly cert: string; readonly key: string } {
    return this.#tls;
  }

  /** The bearer token: 64 hex digits, or the operator's own. */
  get bearer(): string {
    return this.#bearer;
  }

  /** Throws `wallet/file-damaged` for a certificate or key that OpenSSL does not take. */
  static #of(stored: Stored, bearer: string): PublicIdentity {
    try {
      return new PublicIdentity(stored, bearer);
    } catch {
      throw damaged("its certificate and key are none");
    }
  }

  /** Whether the certificate names this host: a client that looks at names, and not at the fingerprint, refuses it otherwise. */
  names(host: string): boolean {
    const named = isIP(host) === 0 ? this.#read.checkHost(host) : this.#read.checkIP(host);
    return named !== undefined;
  }

  /** When the certificate ends, Unix time in ms. Phones that know it by its fingerprint may pass over that. */
  get endsMs(): bigint {
    return BigInt(this.#read.validToDate.getTime());
  }
}

async function storedOrMade(files: FolderFiles, parts: IdentityParts): Promise<Stored> {
  const stored = await readStored(files);
  if (stored !== null && !parts.renewCertificate) return stored;
  const { certificate, key } = selfSignedCertificate(parts.host, parts.nowMs);
  const made: Stored = {
    certificate: encodeHex(certificate),
    key: encodeHex(key),
    bearer: stored?.bearer ?? encodeHex(randomBytes(BEARER_BYTES)),
  };
  key.fill(0);
  const text = JSON.stringify({ magic: MAGIC, version: VERSION, ...made, check: checkOf(made) });
  await files.replace(FILE, new TextEncoder().encode(`${text}\n`));
  return made;
}

async function readStored(files: FolderFiles): Promise<Stored | null> {
  const bytes = await files.read(FILE, WALLETD_LIMITS.walletFileBytes, LABEL);
  if (bytes === null) return null;
  const json = parsed(bytes);
  const mark = v.safeParse(markForm, json);
  if (mark.success && mark.output.version > VERSION) {
    const found = mark.output.version;
    throw new SvcError("wallet/file-version", { file: LABEL, expected: VERSION, found });
  }
  const read = v.safeParse(fileForm, json);
  if (!read.success) throw damaged(`field ${v.getDotPath(read.issues[0]) ?? "unknown"}`);
  const { check, certificate, key, bearer } = read.output;
  const stored = { certificate, key, bearer };
  if (check !== checkOf(stored)) throw damaged("its check does not fit");
  return stored;
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw damaged("it is no JSON");
  }
}

function requireApiToken(token: string): void {
  if (isPairingToken(token)) return;
  const reason = "write 16 to 128 letters and digits";
  throw new SvcError("node/bad-option", { option: "--api-token", reason });
}

function checkOf({ certificate, key, bearer }: Stored): string {
  return sha256(new TextEncoder().encode(`${certificate}\n${key}\n${bearer}`));
}

function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

function damaged(reason: string): SvcError {
  return new SvcError("wallet/file-damaged", {
    file: LABEL,
    reason: `${reason}; remove it to pair anew`,
  });
}
