/** Test helper: an authenticator of the browser's own in the place of the device's (Chromium's debugging interface). */
import type { Page } from "playwright-core";

/** What it can, and who is in front of it. */
export type DeviceTraits = {
  /** It holds secrets for passkeys (WebAuthn extension `prf`). */
  readonly hasPrf: boolean;
};

/** The device of one page. */
export type FakeDevice = {
  /** Removes all its passkeys, as their owner may in the settings of a device. */
  readonly forget: () => Promise<void>;
  /** How many it has. */
  readonly count: () => Promise<number>;
  /** From now on it does not know its owner: each question ends as one that a person cancels. It stays so. */
  readonly refuseOwner: () => Promise<void>;
  /** Takes it away from the page. */
  readonly remove: () => Promise<void>;
  /** Whether somebody is there; if not, its questions stay open. */
  readonly isAttended: (attended: boolean) => Promise<void>;
};

/** Gives the page a device. It stays with the page, also when that is loaded again. */
export async function giveDevice(
  page: Page,
  { hasPrf }: DeviceTraits = { hasPrf: true },
): Promise<FakeDevice> {
  const session = await page.context().newCDPSession(page);
  await session.send("WebAuthn.enable");
  const { authenticatorId } = await session.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      ctap2Version: "ctap2_1",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
      hasPrf,
    },
  });
  return {
    forget: async () => void (await session.send("WebAuthn.clearCredentials", { authenticatorId })),
    count: async () =>
      (await session.send("WebAuthn.getCredentials", { authenticatorId })).credentials.length,
    refuseOwner: async () => {
      await session.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified: false });
    },
    remove: async () => {
      await session.send("WebAuthn.removeVirtualAuthenticator", { authenticatorId });
    },
    isAttended: async (enabled) => {
      await session.send("WebAuthn.setAutomaticPresenceSimulation", { authenticatorId, enabled });
    },
  };
}
