/** What a liar hands out as the proof of a contact, against the real core. */
import { describe, expect, test } from "vitest";
import { loadCoreFile } from "@svc/node-server/platform/files/wasmFiles.ts";
import { Secret } from "@svc/shared/base/secret.ts";
import { callCore } from "@svc/shared/core/callCore.ts";
import { signAddressMessage, type SignedMessage } from "@svc/shared/signer/addressControl.ts";
import { judgeSignedMessage } from "@svc/shared/signer/messages/judgeSignedMessage.ts";
import { WALLET_LIMITS } from "@svc/shared/wallet/walletLimits.ts";
import { ContactBook } from "./contactBook.ts";

const core = await loadCoreFile();
const profileOf = (name: string) => core.canonicalProfile(core.builtInProfile(name));
const home = profileOf("devnet");
const { hrp }: { hrp: string } = JSON.parse(home);

/** Somebody with a seed of their own. */
function person(fill: number, profileJson = home) {
  const seed = new Secret(new Uint8Array(32).fill(fill));
  const fvk = seed.reveal((bytes) => core.fullViewingKey(bytes));
  const prefix: string = JSON.parse(profileJson).hrp;
  const address = (index = 0) => core.encodeAddress(prefix, core.addressAt(fvk, index));
  const signs = (message: string, index = 0): SignedMessage => ({
    address: address(index),
    message,
    signature: signAddressMessage({ core, profileJson, seed }, core.addressAt(fvk, index), message),
  });
  return { address, signs };
}

const ann = person(9);
const eve = person(7);

function newBook() {
  let stored: string | null = null;
  const book = new ContactBook({
    checkAddress: (address) => void callCore(() => core.decodeAddress(hrp, address)),
    judge: (signed) => judgeSignedMessage(core, home, signed),
    nowMs: () => 1_000n,
    text: {
      load: async () => stored,
      store: async (text) => {
        stored = text;
      },
    },
  });
  return { book, stored: () => stored };
}

const text = "I am Ann";
const real = ann.signs(text);
const { signature } = real;
/** Hex digits of a signature that are the signer's viewing key. */
const KEY = 192;

describe("the proof of a contact", () => {
  test("is a message of this very address, signed with its key on this network", async () => {
    const { book } = newBook();
    await book.put({ address: ann.address(), name: "Ann", signed: real });
    expect(await book.list()).toMatchObject([{ name: "Ann", proof: { message: text } }]);
  });

  test.each<[string, string, SignedMessage, string]>([
    ["of the liar's own key", ann.address(), eve.signs(text), "keys/address-mismatch"],
    [
      "of the liar's own key, under the other address",
      ann.address(),
      { ...eve.signs(text), address: ann.address() },
      "keys/address-mismatch",
    ],
    ["of somebody else, under the liar's address", eve.address(), real, "keys/address-mismatch"],
    [
      "of somebody else, with the liar's address written in",
      eve.address(),
      { ...real, address: eve.address() },
      "keys/address-mismatch",
    ],
    [
      "of another address of the same wallet",
      ann.address(1),
      { ...real, address: ann.address(1) },
      "keys/bad-signature",
    ],
    ["of another text", ann.address(), { ...real, message: "I am Eve" }, "keys/bad-signature"],
    [
      "with this address's viewing key before the liar's signature",
      ann.address(),
      { ...real, signature: signature.slice(0, KEY) + eve.signs(text).signature.slice(KEY) },
      "keys/bad-signature",
    ],
    [
      "made for another network",
      ann.address(),
      { ...person(9, profileOf("mainnet")).signs(text), address: ann.address() },
      "keys/bad-signature",
    ],
    [
      "that is endless",
      ann.address(),
      { ...real, message: "x".repeat(WALLET_LIMITS.signedMessageChars + 1) },
      "codec/count-too-large",
    ],
    ["that is cut off", ann.address(), { ...real, signature: signature.slice(2) }, "codec/"],
  ])("%s is refused, and nobody is kept", async (_, address, signed, code) => {
    const { book, stored } = newBook();
    const put = book.put({ address, name: "Ann", signed });
    await expect(put).rejects.toMatchObject({ code: expect.stringContaining(code) });
    expect(stored()).toBeNull();
    expect(await book.list()).toEqual([]);
  });

  test("is none on an address of another network, which is no contact", async () => {
    const { book, stored } = newBook();
    const foreign = person(9, profileOf("mainnet"));
    for (const signed of [null, foreign.signs(text)]) {
      const put = book.put({ address: foreign.address(), name: "Ann", signed });
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await expect(put).rejects.toMatchObject({ code: expect.stringContaining("address/") });
    }
    expect(stored()).toBeNull();
  });

  test("stays where it was checked: a replayed one names no other address", async () => {
    const { book } = newBook();
    await book.put({ address: ann.address(), name: "Ann", signed: real });
    await book.put({ address: eve.address(), name: "Ann", signed: null });
    const rows = await book.list();
    expect(rows.find(({ address }) => address === eve.address())?.proof).toBeNull();
  });
});
