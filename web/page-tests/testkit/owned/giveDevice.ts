/** Authenticator of the browser's own in the place of the device's (Chromium's debugging interface). */
import { onTestFinished } from "vitest";
import { cdp } from "vitest/browser";

/** Abilities of the device. */
export type DeviceTraits = {
  /** It holds secrets for passkeys (WebAuthn extension `prf`). */
  readonly hasPrf: boolean;
};

/** The device of the page. */
export type FakeDevice = {
  /** Removes all its passkeys, as their owner may in the settings of a device. */
  readonly forget: () => Promise<void>;
  /** How many it has. */
  readonly count: () => Promise<number>;
  /** From now on it does not know its owner: each question ends as one that a person cancels. It stays so. */
  readonly refuseOwner: () => Promise<void>;
  /** Takes it away from the page. */
  readonly remove: () => Promise<void>;
};

/** Gives the page a device until the test ends. */
export async function giveDevice({ hasPrf }: DeviceTraits = { hasPrf: true }): Promise<FakeDevice> {
  await ask("WebAuthn.enable");
  onTestFinished(async () => void (await ask("WebAuthn.disable")));
  const options = {
    protocol: "ctap2",
    ctap2Version: "ctap2_1",
    transport: "internal",
    hasResidentKey: true,
    hasUserVerification: true,
    isUserVerified: true,
    automaticPresenceSimulation: true,
    hasPrf,
  };
  const authenticatorId: unknown = Reflect.get(
    await ask("WebAuthn.addVirtualAuthenticator", { options }),
    "authenticatorId",
  );
  return {
    forget: async () => void (await ask("WebAuthn.clearCredentials", { authenticatorId })),
    count: async () => {
      const answer = await ask("WebAuthn.getCredentials", { authenticatorId });
      const credentials: unknown = Reflect.get(answer, "credentials");
      if (!Array.isArray(credentials)) throw new TypeError("the browser tells no passkeys");
      return credentials.length;
    },
    refuseOwner: async () => {
      await ask("WebAuthn.setUserVerified", { authenticatorId, isUserVerified: false });
    },
    remove: async () =>
      void (await ask("WebAuthn.removeVirtualAuthenticator", { authenticatorId })),
  };
}

/** Asks the browser's debugging interface. The test runner has types for none of it. */
async function ask(method: string, parameters: object = {}): Promise<object> {
  const send: unknown = Reflect.get(cdp(), "send");
  if (typeof send !== "function") throw new TypeError("this browser has no debugging interface");
  const answer: unknown = await Reflect.apply(send, cdp(), [method, parameters]);
  if (typeof answer !== "object" || answer === null) throw new TypeError(`no answer to ${method}`);
  return answer;
}
