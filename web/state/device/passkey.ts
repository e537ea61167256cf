/**
 * Passkey of the device: asks the browser's authenticator for the secret that opens a slot of the vault (WebAuthn level 3, extension
 * `prf`). Nothing of it goes to a server: the challenges are never checked, since no server signs anybody in here.
 */
import { PAGE_LIMITS } from "../../pageLimits.ts";
import type { DeviceAnswer, DeviceQuestion } from "../../wallet-api/deviceSlot.ts";

/**
 * Why there is no secret. `cancelled`: by a person, or after too long, or there is no such passkey any more: browsers do not tell these
 * apart. `no-secret`: the authenticator has none to give. `mismatch`: it is not the one that was asked for. `unavailable`: the browser does not let this
 * page ask.
 */
export type PasskeyRefusal = "cancelled" | "no-secret" | "mismatch" | "unavailable";

/** The secret with its question, or why there is none. */
export type PasskeyAnswer =
  | { readonly kind: "answer"; readonly answer: DeviceAnswer }
  | { readonly kind: "refused"; readonly why: PasskeyRefusal };

/** ES256, EdDSA, RS256: one of them is what every authenticator has. No signature is ever looked at. */
const ALGORITHMS = [-7, -8, -257] as const;
/** Bytes of random values: challenge, user's id, salt of the secret. */
const RANDOM = 32;

/** Makes a passkey on this device and asks for its secret. `label`: its name among the passkeys of the device. */
export async function makePasskey(label: string, signal: AbortSignal): Promise<PasskeyAnswer> {
  const prfSalt = randomBytes();
  const made = await asked(() =>
    navigator.credentials.create({
      publicKey: {
        rp: { id: location.hostname, name: label },
        user: { id: randomBytes(), name: label, displayName: label },
        challenge: randomBytes(),
        pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: "public-key", alg })),
        authenticatorSelection: {
          // A phone as an authenticator is reached over servers of its maker.
          authenticatorAttachment: "platform",
          residentKey: "preferred",
          userVerification: "required",
        },
        attestation: "none",
        timeout: PAGE_LIMITS.deviceAskMs,
        extensions: { prf: { eval: { first: prfSalt } } },
      },
      signal,
    }),
  );
  if (typeof made === "string") return refused(made);
  const question = { credential: new Uint8Array(made.rawId), prfSalt };
  const { prf } = made.getClientExtensionResults();
  const secret = secretOf(prf);
  if (secret !== null) return { kind: "answer", answer: { ...question, secret } };
  // Some give the secret to a second question alone.
  return prf?.enabled === true ? await askPasskey(question, signal) : refused("no-secret");
}

/** Asks this device for the secret of its passkey. */
export async function askPasskey(
  question: DeviceQuestion,
  signal: AbortSignal,
): Promise<PasskeyAnswer> {
  const { credential: id, prfSalt } = question;
  const found = await asked(() =>
    navigator.credentials.get({
      publicKey: {
        rpId: location.hostname,
        challenge: randomBytes(),
        allowCredentials: [{ type: "public-key", id, transports: ["internal"] }],
        userVerification: "required",
        timeout: PAGE_LIMITS.deviceAskMs,
        extensions: { prf: { eval: { first: prfSalt } } },
      },
      signal,
    }),
  );
  if (typeof found === "string") return refused(found);
  const secret = secretOf(found.getClientExtensionResults().prf);
  if (secret === null) return refused("no-secret");
  const used = new Uint8Array(found.rawId);
  if (used.length === id.length && used.every((byte, index) => byte === id[index])) {
    return { kind: "answer", answer: { ...question, secret } };
  }
  secret.fill(0);
  return refused("mismatch");
}

/** What the browser gives, or why it gives nothing. */
async function asked(
  ask: () => Promise<Credential | null>,
): Promise<PublicKeyCredential | PasskeyRefusal> {
  try {
    const given = await ask();
    return given instanceof PublicKeyCredential ? given : "unavailable";
  } catch (error) {
    const name = error instanceof DOMException ? error.name : "";
    return name === "NotAllowedError" || name === "AbortError" ? "cancelled" : "unavailable";
  }
}

/** The secret as the browser holds it, not a copy: what is transferred or erased is gone. */
function secretOf(
  prf: AuthenticationExtensionsPRFOutputs | undefined,
): Uint8Array<ArrayBuffer> | null {
  const first = prf?.results?.first;
  if (first instanceof ArrayBuffer) return new Uint8Array(first);
  if (!ArrayBuffer.isView(first) || !(first.buffer instanceof ArrayBuffer)) return null;
  return new Uint8Array(first.buffer, first.byteOffset, first.byteLength);
}

function refused(why: PasskeyRefusal): PasskeyAnswer {
  return { kind: "refused", why };
}

function randomBytes(): Uint8Array<ArrayBuffer> {
  return crypto.getRandomValues(new Uint8Array(RANDOM));
}
