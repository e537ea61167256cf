/** The OpenAPI 3.1 document of the wallet API. */
import {
  openApiOf,
  PLAIN_ERROR,
  type ApiDescription,
  type OpenApiJson,
} from "../contract/openApi.ts";
import type { RouteContract } from "../contract/routeContract.ts";
import type { WalletKinds } from "./route.ts";
import { walletCodesOf } from "./walletCodes.ts";
import { WALLET_ROUTES } from "./walletRoutes.ts";

const WALLET_API: ApiDescription<WalletKinds> = {
  title: "Wallet daemon",
  about:
    "Amounts are decimal text of sompi. Fields that a client does not know are to be passed over.",
  server: "http://127.0.0.1:8501",
  rows: WALLET_ROUTES,
  error: PLAIN_ERROR,
  securitySchemes: {
    walletToken: { type: "apiKey", in: "header", name: "X-Wallet-Token" },
    bearer: { type: "http", scheme: "bearer" },
  },
  securityOf,
  codesOf: walletCodesOf,
  keyAbout: "The same key never pays twice; the same key with another body is refused.",
};

/** The document. */
export function openApiDocument(): OpenApiJson {
  return openApiOf(WALLET_API);
}

/** With a bearer only where the daemon serves the public. */
function securityOf({ credential, path }: RouteContract<WalletKinds>): readonly OpenApiJson[] {
  if (path === WALLET_ROUTES.health.path) return [{}];
  if (credential === "none") return [{}, { bearer: [] }];
  const token = [{ walletToken: [] }, { walletToken: [], bearer: [] }];
  return credential === "token-if-given" ? [{}, ...token] : token;
}
