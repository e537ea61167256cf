/** Routes that make, show and use the keys of a wallet. */
import * as v from "valibot";
import { PROTOCOL_LIMITS } from "../../protocolLimits.ts";
import { flag, hex, text } from "../../contract/answerFields.ts";
import {
  ADDRESS_REFUSALS,
  addressField,
  daaField,
  flagField,
  hexField,
  requestObject,
  textField,
  u32Field,
} from "../../contract/requestFields.ts";
import { route } from "../route.ts";

const SEED_BYTES = 32;
const VIEWING_KEY_BYTES = 96;
/** Viewing key and signature. */
const PROOF_BYTES = 160;

const ADDRESS =
  "svc:pyfjy228l6gukj2vwztyq6q88eeyggjhvcuzf2jx8u4lvla42d6x0y3dsgp0wzggcc9cytqrfnfq463";
const SEED = "01".repeat(SEED_BYTES);
const VIEWING_KEY = "0c".repeat(VIEWING_KEY_BYTES);
const PROOF = "0d".repeat(PROOF_BYTES);

const made = v.object({ address: text, seed_hex: hex(SEED_BYTES), network: text, warning: text });
const MADE = {
  address: ADDRESS,
  seed_hex: SEED,
  network: "mainnet",
  warning: "Write the seed down: it is shown once, and whoever has it can spend.",
};

/** The rows. */
export const KEY_ROUTES = {
  create: route({
    group: "keys",
    method: "POST",
    path: "/api/wallet/create",
    credential: "token-and-custodial",
    scope: "owner",
    body: v.nullish(requestObject({ birthday: v.nullish(daaField) }), {}),
    answer: made,
    refusals: ["wallet/exists", "keys/random-unavailable"],
    about:
      "Makes a wallet with a new seed; without `birthday` the whole chain is scanned, so pass the tip's DAA score for a fresh one.",
    example: { body: { birthday: 812_345 }, answer: MADE },
    timeoutMs: PROTOCOL_LIMITS.walletCallMs,
    endsWithCaller: false,
  }),
  import: route({
    group: "keys",
    method: "POST",
    path: "/api/wallet/import",
    credential: "token-and-custodial",
    scope: "owner",
    body: requestObject({
      seed_hex: hexField(SEED_BYTES),
      birthday: v.nullish(daaField),
      replace: v.nullish(flagField),
    }),
    answer: made,
    refusals: ["wallet/exists", "wallet/bad-seed"],
    about:
      "Takes a seed over, from its birthday on (0 when left out, as it was when repeated); another wallet under the token is replaced only with `replace`, and its file is kept.",
    example: { body: { seed_hex: SEED, birthday: 0 }, answer: MADE },
    timeoutMs: PROTOCOL_LIMITS.walletWatchMs,
    endsWithCaller: false,
  }),
  watch: route({
    group: "keys",
    method: "POST",
    path: "/api/wallet/watch",
    credential: "token",
    scope: "owner",
    body: requestObject({
      fvk_hex: hexField(VIEWING_KEY_BYTES),
      birthday: v.nullish(daaField),
      replace: v.nullish(flagField),
    }),
    answer: v.object({ address: text }),
    refusals: ["wallet/exists", "keys/bad-viewing-key"],
    about:
      "Registers a viewing key: the wallet is scanned and payments can be prepared, but never signed here; repeating it keeps what was scanned, and an earlier `birthday` alone has the chain scanned again. With `replace` the wallet of a seed watches from now on, and the file with the seed is kept beside it.",
    example: { body: { fvk_hex: VIEWING_KEY, birthday: 812_345 }, answer: { address: ADDRESS } },
    timeoutMs: PROTOCOL_LIMITS.walletWatchMs,
    endsWithCaller: false,
  }),
  address: route({
    group: "keys",
    method: "GET",
    path: "/api/wallet/address",
    credential: "token",
    scope: "view",
    query: v.object({ index: v.optional(u32Field) }),
    answer: v.object({ address: text }),
    refusals: ["wallet/no-wallet"],
    about:
      "Gives the wallet's address, or with `index` one of its unlinkable addresses; the same scan finds what is paid to any of them.",
    example: { path: "/api/wallet/address?index=7", answer: { address: ADDRESS } },
    timeoutMs: PROTOCOL_LIMITS.walletCallMs,
  }),
  reveal: route({
    group: "keys",
    method: "GET",
    path: "/api/wallet/reveal",
    credential: "token-and-custodial",
    scope: "owner",
    answer: v.object({ address: text, seed_hex: hex(SEED_BYTES), network: text }),
    refusals: ["wallet/no-wallet", "wallet/watch-only"],
    about: "Shows the seed; refused for a wallet that has none here.",
    example: { answer: { address: ADDRESS, seed_hex: SEED, network: "mainnet" } },
    timeoutMs: PROTOCOL_LIMITS.walletCallMs,
  }),
  sign: route({
    group: "keys",
    method: "POST",
    path: "/api/wallet/sign",
    credential: "token-and-custodial",
    scope: "owner",
    body: requestObject({ message: textField }),
    answer: v.object({ address: text, message: text, signature: hex(PROOF_BYTES), note: text }),
    refusals: ["wallet/no-wallet", "wallet/watch-only"],
    about:
      "Signs a message to show that the address is one's own; the signature discloses the viewing key.",
    example: {
      body: { message: "invoice 17" },
      answer: {
        address: ADDRESS,
        message: "invoice 17",
        signature: PROOF,
        note: "The first 192 digits are the viewing key: whoever has them sees all payments.",
      },
    },
    timeoutMs: PROTOCOL_LIMITS.walletSignMs,
  }),
  verify: route({
    group: "keys",
    method: "POST",
    path: "/api/verify",
    credential: "none",
    scope: "any",
    body: requestObject({
      address: addressField,
      message: textField,
      signature: hexField(PROOF_BYTES),
    }),
    answer: v.object({ valid: flag, reason: v.nullable(text) }),
    refusals: ADDRESS_REFUSALS,
    about:
      "Checks such a signature without a wallet; `reason` is `BadFvk`, `AddressMismatch`, `BadKey` or `BadSignature`.",
    example: {
      body: { address: ADDRESS, message: "invoice 17", signature: PROOF },
      answer: { valid: false, reason: "BadFvk" },
    },
    timeoutMs: PROTOCOL_LIMITS.walletSignMs,
  }),
} as const;
