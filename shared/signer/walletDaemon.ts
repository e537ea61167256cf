/** Port of a device to a wallet daemon that holds no keys: the two calls of a payment, bodies as the daemon takes them. */

/** Body of `POST /api/wallet/prepare`. */
export type PrepareBody = {
  readonly fvk_hex: string;
  readonly to: string;
  readonly amount_sompi: string;
  readonly fee?: string;
  readonly memo?: string;
  readonly allow_partial: boolean;
};

/** Body of `POST /api/wallet/submit`. */
export type SubmitBody = {
  readonly session: string;
  readonly sigs: readonly { readonly index: number; readonly sig: string }[];
};

/** A client of the daemon. Both calls give the answer's body as text and reject for a status other than 2xx. */
export interface WalletDaemon {
  prepare(body: PrepareBody, signal: AbortSignal): Promise<string>;
  submit(body: SubmitBody, signal: AbortSignal): Promise<string>;
}
