/** Port of a device to a wallet daemon that holds no keys: the calls of a payment, bodies as the daemon takes them, and a timer. */

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

/**
 * A client of the daemon. Each call gives the answer's body as text, and rejects for a status other than 2xx: with what `daemonRefusal`
 * makes of that answer. What it rejects with otherwise counts as no answer, and `submit` is called again then.
 */
export interface WalletDaemon {
  /** Body of `GET /api/status`. */
  status(signal: AbortSignal): Promise<string>;
  prepare(body: PrepareBody, signal: AbortSignal): Promise<string>;
  submit(body: SubmitBody, signal: AbortSignal): Promise<string>;
  /** Waits so many ms before a call is repeated. Rejects with `run/aborted` when the signal aborts. */
  pause(ms: number, signal: AbortSignal): Promise<void>;
}
