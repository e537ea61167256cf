/** What a daemon serves the public with: certificate, bearer token, the name that it answers to, and the notice for pairing. */
import { SvcError } from "@svc/shared/base/svcError.ts";
import { pairingHost } from "@svc/shared/protocol/wallet/pairing.ts";
import type { HttpRules } from "../../platform/http/accessCheck.ts";
import { pairingLines, publicHostOf } from "./pairingNotice.ts";
import { PublicIdentity } from "./publicIdentity.ts";

/** The operator's settings. */
export type PublicSettings = {
  /** Where certificate and bearer token lie: `../api` beside the wallet folder, `wallet-api` in the folder of a node's network. */
  readonly folder: string;
  /** The host of `--serve-public`. */
  readonly listen: string;
  /** The host under which others reach it, as the operator wrote it; null for the one that it listens at. */
  readonly host: string | null;
  /** What the operator called that option, for its error. */
  readonly hostOption: string;
  /** HTTP without TLS. */
  readonly insecure: boolean;
  readonly apiToken: string | null;
  readonly renewCertificate: boolean;
  /** Name of the network. */
  readonly network: string;
  /** Unix time in ms. */
  readonly nowMs: bigint;
};

/** What is shown when the server listens. */
export type Shown = {
  /** The port at which it listens. */
  readonly port: number;
  /** Whether the code is drawn too: at a terminal, or where the operator asks for it. */
  readonly draws: boolean;
  /** The token of a wallet that a phone shall open; null for one that it makes. */
  readonly wallet: string | null;
};

/** The access of the public to a daemon. */
export class PublicAccess {
  readonly #settings: PublicSettings;
  readonly #identity: PublicIdentity;
  readonly #host: string | null;

  private constructor(settings: PublicSettings, identity: PublicIdentity, host: string | null) {
    this.#settings = settings;
    this.#identity = identity;
    this.#host = host;
  }

  /** Reads or makes what is kept. Rejects like `PublicIdentity.open`, and with `node/bad-option` for a host that is none. */
  static async open(settings: PublicSettings): Promise<PublicAccess> {
    const named = settings.host === null ? null : requireHost(settings.host, settings.hostOption);
    const host = publicHostOf(named, settings.listen);
    const identity = await PublicIdentity.open({ ...settings, host });
    return new PublicAccess(settings, identity, host);
  }

  /** Certificate and key for the server; null without TLS. */
  get tls(): PublicIdentity["tls"] | null {
    return this.#settings.insecure ? null : this.#identity.tls;
  }

  /** The token that every request carries. */
  get bearer(): string {
    return this.#identity.bearer;
  }

  /** SHA-256 of the certificate, for the log; null without TLS. */
  get fingerprint(): string | null {
    return this.#settings.insecure ? null : this.#identity.fingerprint;
  }

  /** The rules of the server: it answers to the public host as well. */
  rulesOf(rules: HttpRules): HttpRules {
    if (this.#host === null) return rules;
    const name = this.#host.includes(":") ? `[${this.#host}]` : this.#host;
    return { ...rules, hostNames: [...rules.hostNames, name] };
  }

  /** What the operator is shown, for standard output alone: it holds the bearer token. Throws `api/bad-pairing`. */
  lines({ port, draws, wallet }: Shown): readonly string[] {
    const { network } = this.#settings;
    const { bearer: token, fingerprint } = this;
    const host = this.#host;
    return pairingLines({
      pairing: { host, port, token, network, fingerprint, wallet },
      certificateNamesHost: host !== null && this.#identity.names(host),
      draws,
    });
  }
}

function requireHost(text: string, option: string): string {
  const host = pairingHost(text);
  if (host !== null) return host;
  throw new SvcError("node/bad-option", {
    option,
    reason: "write an IP address or a host name, without a port",
  });
}
