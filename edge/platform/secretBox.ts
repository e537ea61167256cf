/**
 * Sealing of merchants' secrets at rest: AES-256-GCM under a master key that lies outside of every database. A sealed secret is bound
 * to its merchant and field, so that one that is moved to another row does not open.
 *
 * Sealed: `<key id>.<hex of IV (12 bytes) ‖ ciphertext ‖ tag (16 bytes)>`. The additional data is merchant and field, each
 * behind its length. An IV is drawn anew for each sealing; a key seals far fewer than the 2^32 times that random IVs are good for.
 */
import { ByteWriter, concatBytes } from "@svc/shared/base/bytes.ts";
import { decodeHex, encodeHex } from "@svc/shared/base/hex.ts";
import { Secret } from "@svc/shared/base/secret.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { EDGE_LIMITS } from "../edgeLimits.ts";

/** What a secret belongs to. */
export type SecretPlace = { readonly merchant: string; readonly field: string };

/** The variable that holds the master keys. */
export const MASTER_KEY_VARIABLE = "SVC_MASTER_KEY";

const IV_BYTES = 12;
const TAG_BYTES = 16;
const KEY_FORM = /^([a-z0-9]{1,16}):([0-9a-f]{64})$/;
const SEALED_FORM = /^([a-z0-9]{1,16})\.((?:[0-9a-f]{2})+)$/;

/** Seals and opens secrets under the master keys. */
export class SecretBox {
  readonly #keys: ReadonlyMap<string, CryptoKey>;
  readonly #currentId: string;

  private constructor(keys: ReadonlyMap<string, CryptoKey>, currentId: string) {
    this.#keys = keys;
    this.#currentId = currentId;
  }

  /**
   * Reads master keys: `<id>:<64 hex digits>`, several with commas between them. The first one seals; all open. Throws
   * `node/bad-option`, which repeats nothing of them.
   */
  static async of(text: string): Promise<SecretBox> {
    const parts = text.split(",");
    if (parts.length > EDGE_LIMITS.masterKeys) throw badKeys("it holds too many keys");
    const keys = new Map<string, CryptoKey>();
    for (const part of parts) {
      const [, id = "", hex = ""] = KEY_FORM.exec(part) ?? [];
      if (id === "") throw badKeys("a key is an id, a colon and 64 hex digits");
      if (keys.has(id)) throw badKeys("two keys have one id");
      keys.set(id, await importKey(decodeHex(hex)));
    }
    const [currentId = ""] = keys.keys();
    return new SecretBox(keys, currentId);
  }

  /** Seals a secret under the first key. Throws `codec/count-too-large` for a long one. */
  async seal(place: SecretPlace, secret: Secret): Promise<string> {
    const key = this.#keys.get(this.#currentId);
    if (key === undefined) throw badKeys("it holds no key");
    const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
    const algorithm = { name: "AES-GCM", iv, additionalData: bound(place) };
    const sealed = await secret.reveal((bytes) => {
      const max = EDGE_LIMITS.sealedSecretBytes;
      if (bytes.length > max) {
        throw new SvcError("codec/count-too-large", { count: bytes.length, max });
      }
      return crypto.subtle.encrypt(algorithm, key, concatBytes(bytes));
    });
    return `${this.#currentId}.${encodeHex(concatBytes(iv, new Uint8Array(sealed)))}`;
  }

  /** Opens what `seal` gave for the same place. Throws `store/corrupt` for anything else, and for a key that is not there. */
  async open(place: SecretPlace, sealed: string): Promise<Secret> {
    const [, id = "", text = ""] = SEALED_FORM.exec(sealed) ?? [];
    const key = this.#keys.get(id);
    if (id === "") throw damaged("it is no sealed secret");
    if (key === undefined) throw damaged("its key is not here");
    const bytes = decodeHex(text);
    if (bytes.length < IV_BYTES + TAG_BYTES) throw damaged("it is cut short");
    const iv = bytes.slice(0, IV_BYTES);
    const algorithm = { name: "AES-GCM", iv, additionalData: bound(place) };
    try {
      const opened = await crypto.subtle.decrypt(algorithm, key, bytes.slice(IV_BYTES));
      return new Secret(new Uint8Array(opened));
    } catch {
      throw damaged("it was sealed for another place, or changed");
    }
  }

  /** Whether a secret was sealed under the first key. One that was not is to be sealed again, and then its key can go. */
  isCurrent(sealed: string): boolean {
    return sealed.startsWith(`${this.#currentId}.`);
  }
}

async function importKey(bytes: Uint8Array<ArrayBuffer>): Promise<CryptoKey> {
  const key = await crypto.subtle.importKey("raw", bytes, "AES-GCM", false, ["encrypt", "decrypt"]);
  bytes.fill(0);
  return key;
}

function bound({ merchant, field }: SecretPlace): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder();
  const writer = new ByteWriter();
  return writer.block(encoder.encode(merchant)).block(encoder.encode(field)).toBytes();
}

function badKeys(reason: string): SvcError {
  return new SvcError("node/bad-option", { option: MASTER_KEY_VARIABLE, reason });
}

function damaged(reason: string): SvcError {
  return new SvcError("store/corrupt", { table: "secrets", reason });
}
