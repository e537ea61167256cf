/**
 * The error registry: what each code means on every surface.
 *
 * HTTP status and body, gRPC text, whether to retry, what a peer is charged, how loudly to log,
 * and the sentence a person reads all come from one row, so no two surfaces can disagree. The
 * compiler refuses a code without a row.
 */
import type { ErrorInfo } from "./error-tables/errorInfo.ts";
import { airgapErrors } from "./error-tables/airgapErrors.ts";
import { blockErrors } from "./error-tables/blockErrors.ts";
import { evidenceErrors } from "./error-tables/evidenceErrors.ts";
import { gatewayErrors } from "./error-tables/gatewayErrors.ts";
import { importErrors } from "./error-tables/importErrors.ts";
import { inputErrors } from "./error-tables/inputErrors.ts";
import { paymentErrors } from "./error-tables/paymentErrors.ts";
import { serviceErrors } from "./error-tables/serviceErrors.ts";
import { walletApiErrors } from "./error-tables/walletApiErrors.ts";
import { signerErrors } from "./error-tables/signerErrors.ts";
import { walletErrors } from "./error-tables/walletErrors.ts";
import type { Code } from "./generated/codes.ts";
import type { ErrorJson, SvcError } from "./svcError.ts";

/** One row for every code. */
export const ERRORS: { readonly [C in Code]: ErrorInfo } = {
  ...inputErrors,
  ...blockErrors,
  ...evidenceErrors,
  ...importErrors,
  ...paymentErrors,
  ...signerErrors,
  ...walletErrors,
  ...walletApiErrors,
  ...gatewayErrors,
  ...serviceErrors,
  ...airgapErrors,
};

/** The body of every HTTP error answer: sentence, code, and the data fields beside them. */
export type HttpErrorBody = { readonly error: string; readonly code: Code } & Readonly<
  Record<string, string>
>;

/** The row of an error. */
export function infoOf(error: ErrorJson): ErrorInfo {
  return ERRORS[error.code];
}

/** The sentence a person reads, its slots filled from the error's data; a missing field reads “?”. */
export function sentenceOf(error: ErrorJson): string {
  return filled(infoOf(error).sentence, error.data);
}

/** What strangers are told of a node's own store: that it fails, never where it lies or what the disk holds. */
const STORE_SENTENCE = "The server cannot use its database now.";

function isOfStore({ code }: ErrorJson): boolean {
  return code.startsWith("store/") || code === "node/bad-folder";
}

/** The sentence for clients and peers: as `sentenceOf`, and nothing of this machine. */
export function publicSentenceOf(error: ErrorJson): string {
  return isOfStore(error) ? STORE_SENTENCE : sentenceOf(error);
}

/** The text sent to gRPC clients. */
export function grpcTextOf(error: ErrorJson): string {
  const { grpc } = infoOf(error);
  if (isOfStore(error) || grpc === undefined) return `${error.code}: ${publicSentenceOf(error)}`;
  return `${error.code}: ${filled(grpc, error.data)}`;
}

/** The reason sent to a peer whose link ends with this error. */
export function peerTextOf(error: ErrorJson): string {
  return infoOf(error).peer ?? publicSentenceOf(error);
}

/** Status and body of an HTTP answer. Data fields named `error` or `code` would be shadowed; a test forbids them. */
export function httpErrorOf(error: SvcError): { status: number; body: HttpErrorBody } {
  const { http } = infoOf(error);
  const data = isOfStore(error) ? {} : error.data;
  return { status: http, body: { ...data, error: publicSentenceOf(error), code: error.code } };
}

/** Fills the slots `{field}` of a text from the data of an error; a missing field reads “?”. */
export function filled(template: string, data: Readonly<Record<string, string>>): string {
  return template.replaceAll(/\{(\w+)\}/g, (_, field: string) => data[field] ?? "?");
}
