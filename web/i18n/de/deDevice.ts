/** German message catalogue of the unlock with this device, a part of `de.ts`. */
import type { enDevice } from "../en/enDevice.ts";
import type { Message } from "../message.ts";

/** The messages. */
export const deDevice: { readonly [K in keyof typeof enDevice]: Message } = {
  "device.text":
    "Auch dieses Gerät kann die Wallet öffnen, mit Fingerabdruck, Gesicht oder PIN. Die Passphrase bleibt.",
  "device.textSet":
    "Dieses Gerät öffnet die Wallet mit Fingerabdruck, Gesicht oder PIN. Die Passphrase öffnet sie ebenfalls.",
  "device.add": "Dieses Gerät einrichten",
  "device.remove": "Dieses Gerät entfernen",
  "device.removed":
    "Dieses Gerät öffnet die Wallet nicht mehr. Frühere Kopien ihrer Daten öffnet der Passkey weiterhin: Löschen Sie ihn unter den Passkeys dieses Geräts.",
  "device.title": "Mit diesem Gerät entsperren",
  "device.askText":
    "Zuerst die Passphrase; dann fragt das Gerät nach Fingerabdruck, Gesicht oder PIN und legt einen Passkey an. Wer dieses Gerät entsperren kann, kann danach die Wallet öffnen und zahlen. Einen Passkey, den Ihr Browser oder System synchronisiert, verwahrt auch dessen Hersteller.",
  "device.askSubmit": "Dieses Gerät fragen",
  "device.done":
    "Dieses Gerät öffnet die Wallet von jetzt an. Bewahren Sie die Passphrase auf: Sie brauchen sie für Sicherungen und Änderungen, und falls der Passkey verloren geht.",
  "device.unlock": "Mit diesem Gerät entsperren",
  "device.waiting": "Warten auf dieses Gerät …",
  "device.passkeyName": "Wallet auf {network}",
  "device.cancelled":
    "Das Gerät hat die Wallet nicht geöffnet: Es wurde abgebrochen, oder der Passkey ist nicht mehr da. Die Passphrase öffnet sie.",
  "device.cancelledSetUp":
    "Es wurde kein Passkey angelegt, der Vorgang wurde abgebrochen. Es hat sich nichts geändert.",
  "device.noSecret":
    "Die Passkeys dieses Geräts können keinen Schlüssel für die Wallet aufbewahren. Nur die Passphrase öffnet sie. Falls gerade einer angelegt wurde, können Sie ihn unter den Passkeys dieses Geräts löschen.",
  "device.mismatch":
    "Der Passkey dieses Geräts öffnet die Wallet nicht. Nehmen Sie die Passphrase; entfernen Sie dann dieses Gerät in den Einstellungen und richten Sie es neu ein.",
  "device.unavailable":
    "Der Browser lässt diese Seite keine Passkeys dieses Geräts benutzen. Die Passphrase öffnet die Wallet.",
};
