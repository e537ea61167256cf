/** Feature detection of the unlock with this device: asks the browser, and nobody else. */

/** What of a page's surroundings decides. */
export type DevicePlace = {
  readonly hostname: string;
  readonly publicKeyCredential: DeviceProbe | undefined;
};

/** The questions about authenticators that a browser answers by itself. */
export type DeviceProbe = {
  getClientCapabilities?(): Promise<Readonly<Record<string, boolean | undefined>>>;
  isUserVerifyingPlatformAuthenticatorAvailable?(): Promise<boolean>;
};

/**
 * Whether this device can make passkeys that hold a secret (extension `prf`), under this page's name. Passkeys belong to the name of a
 * host; an address of numbers is none.
 */
export async function isDeviceOffered(
  { hostname, publicKeyCredential: probe }: DevicePlace = hereNow(),
): Promise<boolean> {
  const isNumbers = /^[\d.]+$/.test(hostname) || hostname.startsWith("[");
  if (probe === undefined || isNumbers) return false;
  try {
    const [can, verifies] = await Promise.all([
      probe.getClientCapabilities?.(),
      probe.isUserVerifyingPlatformAuthenticatorAvailable?.(),
    ]);
    return can?.["extension:prf"] === true && verifies === true;
  } catch {
    // A browser that does not answer is not asked for more.
    return false;
  }
}

function hereNow(): DevicePlace {
  const publicKeyCredential =
    typeof PublicKeyCredential === "function" ? PublicKeyCredential : undefined;
  return { hostname: location.hostname, publicKeyCredential };
}
