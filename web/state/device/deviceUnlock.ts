/** Unlock with this device: sets it up, takes it away, and opens the wallet with it, beside the passphrase. */
import { transfer } from "comlink";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { DeviceAnswer, DeviceQuestion } from "../../wallet-api/deviceSlot.ts";
import type { VaultRecord } from "../../wallet-api/vaultRecord.ts";
import { askPasskey, makePasskey, type PasskeyAnswer, type PasskeyRefusal } from "./passkey.ts";

/** The two workers, as far as they are needed here. */
export type DeviceWorkers = {
  readonly keyring: {
    confirm(vault: VaultRecord, passphrase: Uint8Array): Promise<void>;
    addDevice(
      vault: VaultRecord,
      request: DeviceAnswer & { readonly passphrase: Uint8Array },
    ): Promise<VaultRecord>;
    deviceQuestion(vault: VaultRecord): Promise<DeviceQuestion | null>;
    unlockByDevice(vault: VaultRecord, secret: Uint8Array): Promise<boolean>;
  };
  readonly worker: {
    vault(): Promise<VaultRecord>;
    replaceVault(header: string, next: VaultRecord): Promise<void>;
    open(): Promise<void>;
  };
};

/** The authenticator; the browser's, unless a test has another. */
export type Authenticator = {
  readonly make: (label: string, signal: AbortSignal) => Promise<PasskeyAnswer>;
  readonly ask: (question: DeviceQuestion, signal: AbortSignal) => Promise<PasskeyAnswer>;
};

const BROWSER: Authenticator = { make: makePasskey, ask: askPasskey };

/**
 * Has this device open the wallet, too: asks for the passphrase first, so that no passkey is made in vain. Resolves with null, or with
 * why the device does not; nothing has changed then. `passphrase` gives fresh bytes, which are moved. Rejects with
 * `wallet/wrong-passphrase` and the errors of the store.
 */
export async function addDevice(
  { keyring, worker }: DeviceWorkers,
  wish: {
    readonly passphrase: () => Uint8Array<ArrayBuffer>;
    /** Name of the passkey. */
    readonly label: string;
    readonly signal: AbortSignal;
  },
  authenticator: Authenticator = BROWSER,
): Promise<PasskeyRefusal | null> {
  const first = wish.passphrase();
  await keyring.confirm(await worker.vault(), transfer(first, [first.buffer]));
  const made = await authenticator.make(wish.label, wish.signal);
  if (made.kind === "refused") return made.why;
  const { secret } = made.answer;
  // Whoever closed the dialog meanwhile does not want it any more.
  if (wish.signal.aborted) return forget(secret);
  const passphrase = wish.passphrase();
  const vault = await worker.vault();
  const request = { ...made.answer, passphrase };
  const moved = transfer(request, [secret.buffer, passphrase.buffer]);
  await worker.replaceVault(vault.header, await keyring.addDevice(vault, moved));
  return null;
}

/** Takes the slot away: the device opens the stored wallet no more. Rejects with the errors of the store. */
export async function removeDevice({ worker }: Pick<DeviceWorkers, "worker">): Promise<void> {
  const { deviceSlot: _, ...vault } = await worker.vault();
  await worker.replaceVault(vault.header, vault);
}

/**
 * Opens the wallet with this device. Resolves with null, or with why it does not; the passphrase opens it all the same. Rejects with
 * `store/version` and the errors of `open`.
 */
export async function unlockByDevice(
  { keyring, worker }: DeviceWorkers,
  signal: AbortSignal,
  authenticator: Authenticator = BROWSER,
): Promise<PasskeyRefusal | null> {
  const vault = await worker.vault();
  const question = await keyring.deviceQuestion(vault).catch(nullIfDamaged);
  if (question === null) return "mismatch";
  const found = await authenticator.ask(question, signal);
  if (found.kind === "refused") return found.why;
  const { secret } = found.answer;
  if (signal.aborted) return forget(secret);
  const isRight = await keyring.unlockByDevice(vault, transfer(secret, [secret.buffer]));
  if (!isRight) return "mismatch";
  await worker.open();
  return null;
}

/** A slot that cannot be read opens nothing, and is mended like one that does not fit. */
function nullIfDamaged(error: unknown): null {
  if (SvcError.is(error, "store/corrupt")) return null;
  throw error;
}

function forget(secret: Uint8Array): PasskeyRefusal {
  secret.fill(0);
  return "cancelled";
}
