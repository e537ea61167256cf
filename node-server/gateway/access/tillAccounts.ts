/** What the operator does with the tills of merchants: adding, listing, removing, and giving another password. Each is one commit. */
import type { MerchantId } from "@svc/shared/base/brand.ts";
import { encodeHex } from "@svc/shared/base/hex.ts";
import type { Secret } from "@svc/shared/base/secret.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { MERCHANT_LIMITS } from "@svc/shared/protocol/merchantLimits.ts";
import { GATEWAY_LIMITS } from "../gatewayLimits.ts";
import type { AccessStore } from "./accessStore.ts";
import { hashPassword, SALT_BYTES, type PasswordCost } from "./passwordHash.ts";
import type { TillRow } from "./tillTable.ts";

/** What a till is made from, apart from its password. */
export type NewTill = Omit<TillRow, "password" | "passwordId">;

/** What of a till may change; what is left out stays. */
export type TillChange = Partial<Pick<TillRow, "currency" | "timeZone" | "tips">>;

/** How a password becomes what is stored of it. */
export type PasswordMaking = {
  readonly randomBytes: (length: number) => Uint8Array;
  /** Cost of its hash, the usual one when left out. */
  readonly cost?: PasswordCost;
};

const ID_BYTES = 16;

/** Adds a till. Rejects with `gateway/no-merchant`, and `node/bad-option` for a name that is taken, one till too many or a bad password. */
export async function addTill(
  access: AccessStore,
  till: NewTill,
  password: Secret,
  making: PasswordMaking,
): Promise<void> {
  const secret = await newPassword(password, making);
  access.commit((batch) => {
    if (access.merchants.get(till.merchant, batch) === undefined) {
      throw new SvcError("gateway/no-merchant", { merchant: till.merchant });
    }
    if (access.tills.get(till.name, batch) !== undefined) {
      throw badTill("there is a till of this name already");
    }
    if (access.tills.all(batch).length >= GATEWAY_LIMITS.tills) {
      throw badTill(`there are ${GATEWAY_LIMITS.tills} tills, as many as may be`);
    }
    access.tills.put(batch, { ...till, ...secret });
  });
}

/** Gives a till another password; its sessions end. Rejects with `node/bad-option`. */
export async function setTillPassword(
  access: AccessStore,
  name: string,
  password: Secret,
  making: PasswordMaking,
): Promise<void> {
  const secret = await newPassword(password, making);
  access.commit((batch) => {
    const till = access.tills.get(name, batch);
    if (till === undefined) throw badTill("there is no till of this name");
    access.tills.put(batch, { ...till, ...secret });
  });
}

/** Changes what a till rings up in; it stays signed in. Throws `node/bad-option`. */
export function changeTill(access: AccessStore, name: string, change: TillChange): void {
  access.commit((batch) => {
    const till = access.tills.get(name, batch);
    if (till === undefined) throw badTill("there is no till of this name");
    access.tills.put(batch, { ...till, ...change });
  });
}

/** Removes a till; its sessions end, and its sales stay. Throws `node/bad-option`. */
export function removeTill(access: AccessStore, name: string): void {
  access.commit((batch) => {
    if (access.tills.get(name, batch) === undefined) {
      throw badTill("there is no till of this name");
    }
    access.tills.delete(batch, name);
  });
}

/** The tills of a merchant. Throws `gateway/no-merchant`. */
export function tillsOf(access: AccessStore, merchant: MerchantId): readonly TillRow[] {
  if (access.merchants.get(merchant) === undefined) {
    throw new SvcError("gateway/no-merchant", { merchant });
  }
  return access.tills.all().filter((till) => till.merchant === merchant);
}

async function newPassword(
  password: Secret,
  { randomBytes, cost }: PasswordMaking,
): Promise<Pick<TillRow, "password" | "passwordId">> {
  const { tillPasswordCharsMin: least, tillPasswordChars: most } = MERCHANT_LIMITS;
  const chars = password.reveal((bytes) => lengthOf(bytes));
  if (chars < least || chars > most) {
    const reason = `a password has ${least} to ${most} characters`;
    throw new SvcError("node/bad-option", { option: "--password-file", reason });
  }
  return {
    password: await hashPassword(password, randomBytes(SALT_BYTES), cost),
    passwordId: encodeHex(randomBytes(ID_BYTES)),
  };
}

/** As a browser counts the characters of what is typed; 0 for bytes that are no text. */
function lengthOf(bytes: Uint8Array): number {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes).length;
  } catch {
    return 0;
  }
}

function badTill(reason: string): SvcError {
  return new SvcError("node/bad-option", { option: "TILL", reason });
}
