/** Test helper: an authenticator of the browser's own in the place of the device's (Chromium's debugging interface). */
import type { Page } from "playwright-core";

/** The device of one page. */
export type FakeDevice = {
  /** How many it has. */
  readonly count: () => Promise<number>;
  /** Whether somebody is there; if not, its questions stay open. */
  readonly isAttended: (attended: boolean) => Promise<void>;
};

/** Gives the page a device. It stays with the page, also when that is loaded again. */
export async function giveDevice(page: Page): Promise<FakeDevice> {
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
      hasPrf: true,
    },
  });
  return {
    count: async () =>
      (await session.send("WebAuthn.getCredentials", { authenticatorId })).credentials.length,
    isAttended: async (enabled) => {
      await session.send("WebAuthn.setAutomaticPresenceSimulation", { authenticatorId, enabled });
    },
  };
}
