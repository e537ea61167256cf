/** What an operator is shown when a daemon that others can reach has started: how a phone is paired with it. */
import { pairingText, UNKNOWN_HOST, type Pairing } from "@svc/shared/protocol/wallet/pairing.ts";
import { terminalQr } from "./terminalQr.ts";

/** Addresses that stand for all of a machine: none of them leads to it from elsewhere. */
const ANY_ADDRESS: ReadonlySet<string> = new Set(["0.0.0.0", "::"]);

/** What the notice says. */
export type PairingNotice = {
  readonly pairing: Pairing;
  /** Whether the certificate names the host; passed over without TLS. */
  readonly certificateNamesHost: boolean;
  /** Whether the code is drawn too: at a terminal, or where the operator asks for it. */
  readonly draws: boolean;
};

/** The host that others reach the daemon at: the one that the operator names, else the address that it listens at; null for neither. */
export function publicHostOf(named: string | null, listen: string): string | null {
  if (named !== null) return named;
  return ANY_ADDRESS.has(listen) ? null : listen;
}

/** The lines, for standard output and never for a log: they hold the bearer token. Throws `api/bad-pairing`. */
export function pairingLines({ pairing, ...notice }: PairingNotice): readonly string[] {
  const { host, fingerprint } = pairing;
  const text = pairingText(pairing);
  const lines = ["To pair a phone, scan or paste this code. Whoever has it can use this daemon."];
  if (fingerprint === null) {
    lines.push(
      "Without TLS (--insecure) viewing keys and tokens cross the wire readable: only within a VPN.",
    );
  }
  if (host === null) {
    lines.push(
      `Put your address in place of ${UNKNOWN_HOST}, or name it with --public-host to get a picture.`,
    );
  } else if (fingerprint !== null && !notice.certificateNamesHost) {
    lines.push(
      `The certificate does not name ${host}. Paired phones know it by its fingerprint, so it stays; --renew-certificate makes`,
      "another, and then every phone has to be paired again.",
    );
  }
  lines.push(text);
  if (notice.draws && host !== null) lines.push(...terminalQr(text));
  return lines;
}
