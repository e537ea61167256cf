/** Record type of the vault's second slot, which a passkey of the device opens, as threads exchange it and as it is stored. */

/** The slot as it is stored (specification wallet 4.8). Nothing in it is secret by itself. */
export type DeviceSlot = {
  /** JSON of the slot's header, kept as text because it is authenticated as text. */
  readonly header: string;
  /** The DEK sealed under a key that is derived from the passkey's secret. */
  readonly sealed: Uint8Array<ArrayBuffer>;
};

/** What an authenticator is asked: which passkey, and for its secret of which salt (32 bytes). */
export type DeviceQuestion = {
  readonly credential: Uint8Array<ArrayBuffer>;
  readonly prfSalt: Uint8Array<ArrayBuffer>;
};

/** A question with its answer: the secret of 32 bytes (WebAuthn PRF). Whoever gets it erases it. */
export type DeviceAnswer = DeviceQuestion & { readonly secret: Uint8Array<ArrayBuffer> };
